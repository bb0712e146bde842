"""tacit finds what short texts mean beyond the words they use.

>>> import tacit
>>> texts = ["a cat sleeps", "the cat sat", "stocks fell", "the stocks rose"]
>>> model = tacit.WTMF(n_components=8, regularization=0.1).fit(texts)
>>> model.encode(["my cat"]).shape
(1, 8)

Names are imported when first used, so that ``import tacit`` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "TextModel": "tacit.models.text_model",
    "WTMF": "tacit.training.wtmf",
    "WMF": "tacit.training.wmf",
    "BilingualWMF": "tacit.training.bilingual",
    "Index": "tacit.search.index",
    "TextVectorizer": "tacit.text.vectorizer",
    "SenseModel": "tacit.senses.model",
    "LocalSenseModel": "tacit.senses.local_model",
    "TextClassifier": "tacit.kernels.classifier",
    "ExponentialKernel": "tacit.kernels.semantic",
    "VonNeumannKernel": "tacit.kernels.semantic",
    "TacitError": "tacit.errors",
    "InputError": "tacit.errors",
    "ModelError": "tacit.errors",
    "NotFittedError": "tacit.errors",
    "learn": "tacit.workflows.learning",
    "build_index": "tacit.workflows.indexing",
    "load": "tacit.workflows.loading",
}

__all__ = [
    "WMF",
    "WTMF",
    "BilingualWMF",
    "ExponentialKernel",
    "Index",
    "InputError",
    "LocalSenseModel",
    "ModelError",
    "NotFittedError",
    "SenseModel",
    "TacitError",
    "TextClassifier",
    "TextModel",
    "TextVectorizer",
    "VonNeumannKernel",
    "build_index",
    "learn",
    "load",
]

if TYPE_CHECKING:
    from tacit.errors import InputError, ModelError, NotFittedError, TacitError
    from tacit.kernels.classifier import TextClassifier
    from tacit.kernels.semantic import ExponentialKernel, VonNeumannKernel
    from tacit.models.text_model import TextModel
    from tacit.search.index import Index
    from tacit.senses.local_model import LocalSenseModel
    from tacit.senses.model import SenseModel
    from tacit.text.vectorizer import TextVectorizer
    from tacit.training.bilingual import BilingualWMF
    from tacit.training.wmf import WMF
    from tacit.training.wtmf import WTMF
    from tacit.workflows.indexing import build_index
    from tacit.workflows.learning import learn
    from tacit.workflows.loading import load


def __getattr__(name: str) -> Any:
    """Import a public name from its home."""
    if name not in _HOMES:
        raise AttributeError(f"module 'tacit' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """Everything there is, the names not imported yet too."""
    return sorted({*globals(), *__all__})
