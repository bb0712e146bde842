"""Parameters and output of scikit-learn estimators, without importing scikit-learn.

Importing scikit-learn takes longer than answering a query with a saved model. Classes based on these work in
``clone``, ``Pipeline`` and ``GridSearchCV``.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, ClassVar, Self

from tacit.checks import check_choice
from tacit.errors import InputError, NotFittedError


class Estimator:
    """Base class of estimators; the arguments of ``__init__`` are stored in attributes of the same names.

    ``default_estimators`` maps parameters whose default is None to functions that create the estimator None
    stands for, so that nested parameters such as ``vectorizer__min_df`` can be set.
    """

    default_estimators: ClassVar[Mapping[str, Callable[[], Estimator]]] = {}

    @classmethod
    def _get_param_names(cls) -> list[str]:
        return [name for name in inspect.signature(cls).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name.

        Parameters
        ----------
        deep : bool
            Include the parameters of nested estimators as ``outer__inner``.

        Returns
        -------
        dict of str to object
            The parameters.
        """
        parameters = {name: getattr(self, name) for name in self._get_param_names()}
        if deep:
            for name, value in list(parameters.items()):
                if isinstance(value, Estimator):
                    parameters |= {f"{name}__{inner}": v for inner, v in value.get_params().items()}
        return parameters

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters by name.

        Parameters
        ----------
        **parameters : object
            New values; ``outer__inner`` sets a parameter of a nested estimator.

        Returns
        -------
        Self
            The estimator.

        Raises
        ------
        InputError
            If the estimator has no parameter of this name.
        """
        names = self._get_param_names()
        for name in sorted(parameters, key=lambda name: "__" in name):  # an estimator before its parameters
            outer, _, inner = name.partition("__")
            if outer not in names:
                raise InputError(
                    f"{type(self).__name__} has no parameter {outer!r}: it has {', '.join(names)}"
                )
            if not inner:
                setattr(self, outer, parameters[name])
                continue
            if getattr(self, outer) is None and outer in self.default_estimators:
                setattr(self, outer, self.default_estimators[outer]())
            if not hasattr(getattr(self, outer), "set_params"):
                raise InputError(f"{name} cannot be set: {outer}={getattr(self, outer)!r} has no parameters")
            getattr(self, outer).set_params(**{inner: parameters[name]})
        return self

    def _resolve_estimator(self, name: str) -> Any:
        """Return the estimator of a parameter, or the one that None stands for."""
        return self.default_estimators[name]() if getattr(self, name) is None else getattr(self, name)

    def __repr__(self) -> str:
        """Return the class name with the parameters that differ from their defaults."""
        changed = [
            f"{name}={getattr(self, name)!r}"
            for name, parameter in inspect.signature(type(self)).parameters.items()
            if repr(getattr(self, name)) != repr(parameter.default)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_is_fitted__(self) -> bool:
        """Return whether ``fit`` has been called."""
        return any(name.endswith("_") and not name.startswith("_") for name in vars(self))

    def _check_fitted(self) -> None:
        """Raise NotFittedError unless ``fit`` has been called."""
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet: call fit(texts) first")

    def __sklearn_tags__(self) -> Any:
        """Return the scikit-learn tags of a transformer of texts."""
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type="transformer",
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(preserves_dtype=[]),
            input_tags=InputTags(one_d_array=True, two_d_array=False, string=True),
        )


class DenseTransformer(Estimator):
    """An estimator that returns an array, or a DataFrame with named columns after ``set_output``."""

    _sklearn_output_config: dict[str, str]  # ``clone`` copies the attribute of this name

    def set_output(self, *, transform: str | None = None) -> Self:
        """Choose the type of the output of ``transform``.

        Parameters
        ----------
        transform : str, optional
            "default" for an array, "pandas" or "polars" for a DataFrame; None does not change the choice.

        Returns
        -------
        Self
            The estimator.
        """
        if transform is not None:
            kind = check_choice("transform", transform, ("default", "pandas", "polars"))
            self._sklearn_output_config = {"transform": kind}
        return self

    def _wrap_output(self, vectors: Any, texts: Any) -> Any:
        """Return the vectors in the container chosen with ``set_output``, or globally in scikit-learn."""
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
        """Return the names of the output columns.

        Parameters
        ----------
        input_features : object
            Ignored; scikit-learn passes it.

        Returns
        -------
        array of str
            One name for each column.
        """
        raise NotImplementedError
