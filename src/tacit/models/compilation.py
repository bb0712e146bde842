"""Compile the kernels that the second process of the first start compiles, without training a model."""

from __future__ import annotations

import numpy as np

from tacit.factorize.long_rows import solve_long
from tacit.models.language import Language
from tacit.models.lexicon import Lexicon
from tacit.models.measure import score_pairs
from tacit.models.measures import get_measure, measure_names
from tacit.models.text_model import TextModel
from tacit.models.text_set import TextSet
from tacit.models.token_tables import TokenTable
from tacit.text.vectorizer import TextVectorizer
from tacit.text.vocabulary import Vocabulary


def compile_half() -> None:
    """Solve no row, and score two texts by each measure with a made-up model of three words.

    A real model would take the other solver and the tokenizer, which the command compiles.
    """
    words, vectors = ["first", "second", "third"], np.eye(3, 8, dtype=np.float32)
    none = np.zeros(0, np.int64)
    solve_long(
        np.zeros(1, np.int64), none.astype(np.int32), vectors[0], vectors, vectors[0, 0], none, vectors
    )
    vectorizer = TextVectorizer(language=None)
    state = {"texts": 2, "min_df": 1, "typical_length": 1.0}
    vectorizer.set_fitted_state(state, Vocabulary(words, words, np.ones(3, np.int64)), np.ones(3))
    language = Language("en", vectorizer, vectors, 3, Lexicon.identity(3), 0.1, 1.0, np.eye(8))
    tokens, lengths = np.array([0, 1, 1, 2], np.int32), np.array([2, 2])
    model = TextModel({"en": language}, {}, n_threads=1)
    texts = TextSet(model, TokenTable([language], words), tokens, lengths)
    texts.vectors = vectors[:2]
    for name in measure_names():
        score_pairs(get_measure(name), texts, np.array([0]), np.array([1]))
