"""What every trainer is: parameters by scikit-learn's contract, and, once fitted, a model that answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numpy.typing import NDArray

from tacit.estimator import Estimator
from tacit.factorize.settings import PAPER, check_given
from tacit.models.text_model import TextModel

Array = NDArray[Any]


class Trainer(Estimator):
    """``fit`` makes ``model_``; a fitted trainer answers every question that its model does."""

    model_: TextModel
    loss_: list[float]
    tol: float
    random_state: Any

    def transform(self, texts: Iterable[str]) -> Array:
        """The vectors of texts, as ``model_.encode`` gives them."""
        self._check_fitted()
        return self.model_.encode(texts)

    def __getattr__(self, name: str) -> Any:
        """Ask the model."""
        asked = not name.startswith("_") and not name.endswith("_")
        if asked and "model_" in vars(self) and hasattr(self.model_, name):
            return getattr(self.model_, name)
        if asked and hasattr(TextModel, name):
            self._check_fitted()
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _given(self) -> dict[str, Any]:
        """The settings of the factorization as they were given, checked."""
        given = {name: getattr(self, name) for name in PAPER}
        check_given(self.tol, getattr(self, "text_regularization", None), **given)
        return given

    def _provenance(self, corpus: str, settings: dict[str, Any]) -> dict[str, Any]:
        """How the model was made, as plain values; ``auto`` names what was chosen by the data."""
        seed = self.random_state
        return {
            "trainer": type(self).__name__,
            "settings": settings,
            "auto": [name for name, value in self._given().items() if isinstance(value, str)],
            "seed": seed if isinstance(seed, int | None) else repr(seed),
            "corpus": corpus,
            "loss": self.loss_,
        }
