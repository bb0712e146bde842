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
}
_STORABLE = (
    *("TextModel", "SenseModel", "LocalSenseModel", "Index"),
    *("TextClassifier", "ExponentialKernel", "VonNeumannKernel"),
)

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
    "load",
]

if TYPE_CHECKING:
    from pathlib import Path

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


def load(folder: str | Path, *, verify: bool = False, **given: Any) -> Any:
    """Read a model folder, checked, and return whatever model was saved there.

    ``verify`` also reads every byte and holds it against its checksum. ``given`` holds what cannot be stored,
    such as ``tokenizer=`` where the model had one of its own.
    """
    from tacit.errors import ModelError
    from tacit.storage import read_model

    stored = read_model(folder, verify=verify)
    if stored.kind not in _STORABLE:
        raise ModelError(f"{folder} holds a {stored.kind!r}, which this tacit does not know: upgrade tacit")
    return __getattr__(stored.kind).from_stored(stored, **given)


def __getattr__(name: str) -> Any:
    """Import a public name from its home."""
    if name not in _HOMES:
        raise AttributeError(f"module 'tacit' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """Everything there is, the names not imported yet too."""
    return sorted({*globals(), *__all__})
