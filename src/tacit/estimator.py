"""scikit-learn's contract for parameters and output, without importing scikit-learn.

Its import takes longer than answering a question with a saved model, so the classes that read text keep
to the contract by themselves: they work in ``clone``, ``Pipeline`` and ``GridSearchCV``.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, ClassVar, Self

from tacit.checks import choice
from tacit.errors import InputError, NotFittedError


class Estimator:
    """Parameters are the arguments of ``__init__``, stored as given under their own names.

    ``nested`` makes the estimator that a parameter is where it is None, so that its own parameters can be
    set as well.
    """

    nested: ClassVar[Mapping[str, Callable[[], Estimator]]] = {}

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
        for name in sorted(parameters, key=lambda name: "__" in name):  # an estimator, then what is in it
            outer, _, inner = name.partition("__")
            if outer not in names:
                raise InputError(
                    f"{type(self).__name__} has no parameter {outer!r}: it has {', '.join(names)}"
                )
            if not inner:
                setattr(self, outer, parameters[name])
                continue
            if getattr(self, outer) is None and outer in self.nested:
                setattr(self, outer, self.nested[outer]())
            if not hasattr(getattr(self, outer), "set_params"):
                raise InputError(f"{name}: {outer} is {getattr(self, outer)!r}, which has no parameters")
            getattr(self, outer).set_params(**{inner: parameters[name]})
        return self

    def _nested(self, name: str) -> Any:
        """The estimator of a parameter, or what stands for None."""
        return self.nested[name]() if getattr(self, name) is None else getattr(self, name)

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


class DenseTransformer(Estimator):
    """Gives vectors as an array, or, by scikit-learn's ``set_output``, as a DataFrame with named columns."""

    _sklearn_output_config: dict[str, str]  # the name under which ``clone`` takes it along

    def set_output(self, *, transform: str | None = None) -> Self:
        """What ``transform`` gives: "default" for an array, "pandas" or "polars"; None leaves it as it is."""
        if transform is not None:
            kind = choice("transform", transform, ("default", "pandas", "polars"))
            self._sklearn_output_config = {"transform": kind}
        return self

    def _as_asked(self, vectors: Any, texts: Any) -> Any:
        """The vectors in the container that was asked for, here or for all of scikit-learn."""
        config = import_module("sklearn").get_config() if "sklearn" in sys.modules else {}
        chosen = vars(self).get("_sklearn_output_config", {}).get("transform")
        kind = chosen or config.get("transform_output", "default")
        if kind == "default":
            return vectors
        names = list(self.get_feature_names_out())
        try:
            frames = import_module(kind)
        except ImportError:
            problem = f"transform={kind!r} needs the package: pip install {kind}"
            raise InputError(problem, parameter="transform") from None
        if kind == "polars":
            return frames.DataFrame(vectors, schema=names, orient="row")
        index = texts.index if isinstance(texts, frames.Series) else None
        return frames.DataFrame(vectors, columns=names, index=index)

    def get_feature_names_out(self, input_features: object = None) -> Any:
        """The names of the columns of what ``transform`` gives."""
        raise NotImplementedError
