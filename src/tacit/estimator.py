"""scikit-learn's contract for parameters, without importing scikit-learn.

Its import takes longer than answering a question with a saved model, so the classes that read text keep
to the contract by themselves: they work in ``clone``, ``Pipeline`` and ``GridSearchCV``.
"""

from __future__ import annotations

import inspect
from typing import Any, Self

from tacit.errors import InputError, NotFittedError


class Estimator:
    """Parameters are the arguments of ``__init__``, stored as given under their own names."""

    @classmethod
    def _parameter_names(cls) -> list[str]:
        return [name for name in inspect.signature(cls).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; with ``deep``, those of nested estimators as ``outer__inner``."""
        parameters = {name: getattr(self, name) for name in self._parameter_names()}
        if deep:
            for name, value in list(parameters.items()):
                if isinstance(value, Estimator):
                    parameters |= {f"{name}__{inner}": v for inner, v in value.get_params().items()}
        return parameters

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters by name; ``outer__inner`` reaches into a nested estimator."""
        names = self._parameter_names()
        for name, value in parameters.items():
            outer, _, inner = name.partition("__")
            if outer not in names:
                raise InputError(
                    f"{type(self).__name__} has no parameter {outer!r}: it has {', '.join(names)}"
                )
            if inner:
                getattr(self, outer).set_params(**{inner: value})
            else:
                setattr(self, outer, value)
        return self

    def __repr__(self) -> str:
        """The class and the parameters that differ from their defaults."""
        changed = [
            f"{name}={getattr(self, name)!r}"
            for name, parameter in inspect.signature(type(self)).parameters.items()
            if repr(getattr(self, name)) != repr(parameter.default)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_is_fitted__(self) -> bool:
        """Whether ``fit`` has been called."""
        return any(name.endswith("_") and not name.startswith("_") for name in vars(self))

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet: call fit(texts) first")

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that this is a transformer of texts."""
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type="transformer",
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(preserves_dtype=[]),
            input_tags=InputTags(one_d_array=True, two_d_array=False, string=True),
        )
