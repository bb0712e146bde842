"""Sentence vectors, similarity and search for short texts, learned from your own text.

>>> import tacit
>>> texts = ["a cat sleeps", "the cat sat", "stocks fell", "the stocks rose"]
>>> model = tacit.WTMF(n_components=8, regularization=0.1).fit(texts)
>>> model.encode(["my cat"]).shape
(1, 8)

Public names are imported on first use, so that ``import tacit`` is fast. Editors and type checkers read
them from ``__init__.pyi``.
"""

from typing import Any

__version__ = "0.1.0"

_MODULE_OF = {
    "WMF": "tacit.training.wmf",
    "WTMF": "tacit.training.wtmf",
    "BilingualWMF": "tacit.training.bilingual",
    "ExponentialKernel": "tacit.kernels.paper_kernels",
    "Index": "tacit.search.index",
    "InputError": "tacit.errors",
    "LocalSenseModel": "tacit.senses.local_model",
    "ModelError": "tacit.errors",
    "NotFittedError": "tacit.errors",
    "SenseModel": "tacit.senses.cluster_model",
    "TacitError": "tacit.errors",
    "TextClassifier": "tacit.kernels.classifier",
    "TextModel": "tacit.models.text_model",
    "TextVectorizer": "tacit.text.vectorizer",
    "ThemeModel": "tacit.themes.theme_model",
    "VonNeumannKernel": "tacit.kernels.paper_kernels",
    "build_index": "tacit.workflows.indexing",
    "dedupe": "tacit.workflows.deduplication",
    "find_themes": "tacit.workflows.theme_finding",
    "learn": "tacit.workflows.learning",
    "link": "tacit.workflows.linking",
    "load": "tacit.workflows.loading",
    "load_encoder": "tacit.models.encoders",
    "teach": "tacit.workflows.teaching",
}

__all__ = list(_MODULE_OF)


def __getattr__(name: str) -> Any:
    """Import a public name from the module that defines it."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'tacit' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_MODULE_OF[name]), name)


def __dir__() -> list[str]:
    """List all names, including those not imported yet."""
    return sorted({*globals(), *__all__})
