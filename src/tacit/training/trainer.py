"""What every trainer is: parameters by scikit-learn's contract, and, once fitted, a model that answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.threads import usable_threads
from tacit.estimator import DenseTransformer
from tacit.factorize.als import Callback
from tacit.factorize.parameters import check_parameters
from tacit.models.text_model import TextModel

Array = NDArray[Any]


@dataclass(eq=False, repr=False, kw_only=True)
class Trainer(DenseTransformer):
    """``fit`` makes ``model_``; a fitted trainer answers every question that its model does."""

    n_components: int = 100
    missing_weight: float = 0.01
    regularization: float = 20.0
    n_iter: int = 20
    tol: float = 0.0
    random_state: Any = 0
    n_threads: int | None = None
    callback: Callback | None = None

    model_: TextModel = field(init=False)
    loss_: list[float] = field(init=False)

    def transform(self, texts: Iterable[str]) -> Any:
        """The vectors of texts, as ``model_.encode`` gives them, in the container of ``set_output``."""
        self._check_fitted()
        return self._as_asked(self.model_.encode(texts), texts)

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:
        """The names of the dimensions: the class and a number."""
        self._check_fitted()
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}{number}" for number in range(self.model_.n_components)], dtype=object)

    def __getattr__(self, name: str) -> Any:
        """Ask the model."""
        asked = not name.startswith("_") and not name.endswith("_")
        if asked and "model_" in vars(self) and hasattr(self.model_, name):
            return getattr(self.model_, name)
        if asked and hasattr(TextModel, name):
            self._check_fitted()
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _check(self, text_regularization: float | None = None) -> None:
        numbers = (self.n_components, self.missing_weight, self.regularization, self.n_iter, self.tol)
        check_parameters(*numbers, text_regularization)

    def _sweeps(self) -> dict[str, Any]:
        """How the sweeps are run, by the names that the solvers have for it."""
        names = ("missing_weight", "regularization", "n_iter", "tol", "callback")
        return {name: getattr(self, name) for name in names} | {"n_threads": usable_threads(self.n_threads)}

    def _provenance(self, corpus: str) -> dict[str, Any]:
        """How the model was made, as plain values."""
        seed = self.random_state
        return {
            "trainer": type(self).__name__,
            "seed": seed if isinstance(seed, int | None) else repr(seed),
            "corpus": corpus,
            "loss": self.loss_,
        }
