from __future__ import annotations

import pytest

from helpers.products import product_lists
from tacit.decisions.candidate_pairs import CandidatePairs, find_pairs
from tacit.decisions.texts import PairTexts
from tacit.models.text_set import TextSet
from tacit.training.wtmf import WTMF

N_PRODUCTS = 120


@pytest.fixture(scope="session")
def product_texts() -> PairTexts:
    """The products of two lists, one list after the other."""
    texts = [text for side in product_lists(N_PRODUCTS) for text in side]
    trainer = WTMF(n_components=16, n_iter=3, n_threads=2).fit(texts)
    return PairTexts(TextSet.from_texts(trainer.model_, texts))


@pytest.fixture(scope="session")
def product_pairs(product_texts) -> CandidatePairs:
    return find_pairs(product_texts, N_PRODUCTS)
