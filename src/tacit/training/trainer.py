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
from tacit.factorize.settings import AUTO, PAPER, Number, check_given
from tacit.models.text_model import TextModel

Array = NDArray[Any]


@dataclass(eq=False, repr=False, kw_only=True)
class Trainer(DenseTransformer):
    """``fit`` makes ``model_``; a fitted trainer answers every question that its model does."""

    n_components: int | str = AUTO
    missing_weight: Number = AUTO
    regularization: Number = AUTO
    n_iter: int | str = AUTO
    tol: float = 0.0
    random_state: Any = 0
    n_threads: int | None = None
    callback: Callback | None = None

    model_: TextModel = field(init=False)
    loss_: list[float] = field(init=False)
    trials_: list[Any] = field(init=False)

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

    def _given(self) -> dict[str, Any]:
        """The settings of the factorization as they were given, checked."""
        given = {name: getattr(self, name) for name in PAPER}
        check_given(self.tol, getattr(self, "text_regularization", None), **given)
        return given

    def _sweeps(self, settings: dict[str, Any]) -> dict[str, Any]:
        """How the sweeps are run, by the names that the solvers have for it."""
        own = {name: value for name, value in settings.items() if name != "n_components"}
        n_threads = usable_threads(self.n_threads)
        return {**own, "tol": self.tol, "n_threads": n_threads, "callback": self.callback}

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
