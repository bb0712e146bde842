"""A small folder of every kind that tacit saves, for the trials to change and use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from helpers.language_models import PAIRS, bilingual, pivot
from helpers.notes import NOTES
from helpers.senses_corpus import corpus
from tacit import (
    WTMF,
    ExponentialKernel,
    Index,
    LocalSenseModel,
    SenseModel,
    TextClassifier,
    TextVectorizer,
    VonNeumannKernel,
)

LABELS = ["card"] * 5 + ["password"] * 5 + ["parcel"] * 5
SMALL: dict[str, Any] = {"n_components": 4, "missing_weight": 0.1, "regularization": 1.0}
SENSES: dict[str, Any] = {"n_components": 4, "n_iter": 20, "max_df": 1.0}


def texts_model(**given: Any) -> WTMF:
    return WTMF(TextVectorizer(min_df=1), **SMALL, **given).fit(NOTES)


def several_languages() -> Any:
    model = pivot()
    for code, pairs in PAIRS.items():
        model.add_language(code, pairs, vectorizer=TextVectorizer.paper(min_df=1))
    return model


def index_of(model: Any, texts: list[str]) -> Index:
    index = Index(model)
    index.add(texts, columns=[{"line": line} for line in range(len(texts))])
    index.delete(["3"])
    return index


def classifier(**given: Any) -> TextClassifier:
    return TextClassifier(vectorizer=TextVectorizer(min_df=1), **given).fit(NOTES, LABELS)


def matrix() -> Any:
    rng = np.random.default_rng(0)
    return csr_array(rng.random((20, 8)) * (rng.random((20, 8)) < 0.5))


KINDS: dict[str, Callable[[], Any]] = {
    "model": texts_model,
    "background": lambda: texts_model(background=pivot()),
    "languages": several_languages,
    "bilingual": bilingual,
    "index": lambda: index_of(texts_model(), NOTES),
    "index-languages": lambda: index_of(bilingual(), [side for pair in PAIRS["es"] for side in pair]),
    "index-graph": lambda: index_of(texts_model(), NOTES).build_graph(),
    "senses": lambda: SenseModel(n_clusters=2, **SENSES).fit(corpus(150), words=["chip", "potato"]),
    "senses-local": lambda: LocalSenseModel(n_senses=2, prior=0.1, **SENSES).fit(corpus(150), words=["chip"]),
    "classifier": classifier,
    "classifier-latent": lambda: classifier(kernel="latent"),
    "kernel": lambda: ExponentialKernel(vectorizer=TextVectorizer(min_df=1)).fit(NOTES),
    "kernel-matrix": lambda: VonNeumannKernel(n_components=3).fit(matrix()),
}


def make_folders(where: Path, names: list[str]) -> dict[str, Path]:
    """Save one folder of each kind, unless it is there."""
    for name in names:
        if not (where / name / "config.json").exists():
            KINDS[name]().save(where / name)
    return {name: where / name for name in names}
