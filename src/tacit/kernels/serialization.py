"""Kernels and the classifier as plain arrays, numbers and words, and back; each part is checked when read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from scipy.sparse import csr_array

from tacit.errors import ModelError
from tacit.kernels.classifier import TextClassifier
from tacit.kernels.directions import Directions
from tacit.kernels.semantic import SemanticKernel
from tacit.storage import Stored, write_model
from tacit.storage.array_checks import check_array, check_finite, check_indices, check_starts, check_within
from tacit.text.tokenizers import TokenizerNeededError
from tacit.text.vectorizer import TextVectorizer
from tacit.text.vocabulary import Vocabulary

Kernel = TypeVar("Kernel", bound=SemanticKernel)
Classifier = TypeVar("Classifier", bound=TextClassifier)
Model = TypeVar("Model")

_NOT_STORED = ("background", "vectorizer", "random_state", "callback")


def save_kernel(kernel: SemanticKernel, folder: str | Path) -> None:
    """Write a fitted kernel."""
    arrays, training, vocabulary = _kernel_parts(kernel)
    name, n_documents = type(kernel).__name__, kernel.fitted[0].shape[0]
    what = f"{name}, lambda = {kernel.chosen_lambda_:.6g}, of {n_documents:,} documents"
    stored = Stored(name, _parameters(kernel), training, arrays, vocabulary)
    write_model(folder, stored, _card(what, "kernel.transform(documents)", "kernel"))


def restore_kernel(cls: type[Kernel], stored: Stored, tokenizer: Any = None) -> Kernel:
    """Build a kernel again; a tokeniser of the user's own cannot be stored and must be given."""

    def build() -> Kernel:
        kernel = cls(**_given(stored, tokenizer))
        _fill(kernel, stored)
        return kernel

    return _sound(build)


def save_classifier(model: TextClassifier, folder: str | Path) -> None:
    """Write a fitted classifier."""
    arrays, training, vocabulary = _kernel_parts(model.kernel_)
    training |= {
        "classes": model.classes_,
        "relative_lambda": model.chosen_lambda_,
        "chosen_C": model.chosen_C_,
        "sharpness": model.sharpness_,
    }
    arrays |= {"coef": model.coef_, "intercept": model.intercept_}
    what = f"TextClassifier of {len(model.classes_)} classes, {model.kernel} kernel"
    stored = Stored("TextClassifier", _parameters(model), training, arrays, vocabulary)
    write_model(folder, stored, _card(what, 'model.predict(["a text"])', "model"))


def restore_classifier(cls: type[Classifier], stored: Stored, tokenizer: Any = None) -> Classifier:
    """Build a classifier again."""

    def build() -> Classifier:
        model, training = cls(**_given(stored, tokenizer)), stored.training
        model._check_parameters()
        model.kernel_ = model.new_kernel()
        _fill(model.kernel_, stored)
        model.classes_ = _classes(training["classes"])
        r = len(model.kernel_.directions_.values)
        width = r if model.kernel == "latent" else model.kernel_.n_features_in_ + r
        n_machines = len(model.classes_) if len(model.classes_) > 2 else 1
        model.coef_ = _numbers(stored, "coef", (n_machines, width))
        model.intercept_ = _numbers(stored, "intercept", (n_machines,))
        scalars = np.array([training[name] for name in ("relative_lambda", "chosen_C", "sharpness")], float)
        check_within("training", scalars, 0, np.finfo(np.float64).max)
        model.chosen_lambda_, model.chosen_C_, model.sharpness_ = scalars.tolist()
        return model

    return _sound(build)


def _parameters(model: SemanticKernel | TextClassifier) -> dict[str, Any]:
    found = {name: value for name, value in model.get_params(deep=False).items() if name not in _NOT_STORED}
    vectorizer = (model if isinstance(model, SemanticKernel) else model.kernel_).vectorizer_
    return found | {"vectorizer": None if vectorizer is None else vectorizer.to_plain()}


def _given(stored: Stored, tokenizer: Any) -> dict[str, Any]:
    """The arguments of the model's class."""
    given = dict(stored.parameters)
    text = given.pop("vectorizer")
    if text is not None:
        text = TextVectorizer.from_plain(text, tokenizer)
    return given | {"vectorizer": text, "random_state": stored.training["seed"]}


def _kernel_parts(kernel: SemanticKernel) -> tuple[dict[str, Any], dict[str, Any], list[tuple[str, ...]]]:
    """The arrays of a kernel, what else it learnt, and its words."""
    directions, (rows, _) = kernel.directions_, kernel.fitted
    arrays = {"values": directions.values, "basis": directions.basis, **_csr_parts("rows", rows)}
    basis_of = "terms" if directions.documents is None else "rows"
    if directions.documents is not None and directions.documents is not rows:
        basis_of = "documents"
        arrays |= _csr_parts("documents", directions.documents)
    seed = kernel.random_state
    training: dict[str, Any] = {
        "seed": seed if isinstance(seed, int | None) else repr(seed),
        "lambda": kernel.chosen_lambda_,
        "basis_of": basis_of,
        "features": kernel.n_features_in_,
        "empty": kernel.n_empty_,
    }
    if kernel.vectorizer_ is None:
        names = getattr(kernel, "feature_names_in_", ())
        return arrays, training, [(str(name),) for name in names]
    arrays["word_weights"] = kernel.vectorizer_.idf_
    return arrays, training | kernel.vectorizer_.learnt(), kernel.vectorizer_.words_.to_rows()


def _fill(kernel: SemanticKernel, stored: Stored) -> None:
    """Give a new kernel what it had learnt."""
    training, n = stored.training, int(stored.training["features"])
    kernel._check_parameters()
    kernel.vectorizer_ = kernel.vectorizer and _learnt_vectorizer(kernel.vectorizer, stored, n)
    kernel.n_features_in_ = n
    if kernel.vectorizer is None and stored.vocabulary:
        kernel.feature_names_in_ = np.array([name for (name,) in stored.vocabulary], object)
        check_array("feature names", kernel.feature_names_in_, object, (n,))
    rows = _csr(stored, "rows", n)
    basis_of = training["basis_of"]
    documents = {
        "terms": lambda: None,
        "rows": lambda: rows,
        "documents": lambda: _csr(stored, "documents", n),
    }
    learnt_from = documents[basis_of]()
    length = n if learnt_from is None else learnt_from.shape[0]
    values = _numbers(stored, "values", (None,))
    basis = _numbers(stored, "basis", (length, len(values)))
    check_within("values", values, np.finfo(np.float64).tiny, np.finfo(np.float64).max)
    if not len(values) or np.any(np.diff(values) > 0):
        raise ModelError("array 'values' does not fall: copy the model again, or train it again")
    kernel._place(rows, Directions(values, basis, learnt_from))
    kernel.search_, kernel.n_empty_ = None, int(training["empty"])
    kernel.set_lambda(float(training["lambda"]))


def _learnt_vectorizer(vectorizer: TextVectorizer, stored: Stored, n: int) -> TextVectorizer:
    words, found = Vocabulary.from_rows(stored.vocabulary), TextVectorizer(**vectorizer.get_params())
    check_array("vocabulary", words.df, np.int64, (n,))
    found.restore(stored.training, words, _numbers(stored, "word_weights", (n,)))
    return found


def _classes(values: list[Any]) -> Any:
    found = np.array(values)
    if found.ndim != 1 or len(found) < 2 or found.dtype.kind not in "Uifb" or len(set(values)) < len(found):
        raise ModelError(f"the classes are {values!r:.60}, not two or more labels: train the model again")
    return found


def _csr_parts(name: str, rows: Any) -> dict[str, Any]:
    return {
        f"{name}.data": rows.data,
        f"{name}.columns": rows.indices.astype(np.int32),
        f"{name}.starts": rows.indptr.astype(np.int64),
    }


def _csr(stored: Stored, name: str, n_columns: int) -> Any:
    data = _numbers(stored, f"{name}.data", (None,))
    columns = check_array(f"{name}.columns", stored.arrays[f"{name}.columns"], np.int32, data.shape)
    starts = check_array(f"{name}.starts", stored.arrays[f"{name}.starts"], np.int64, (None,))
    check_starts(f"{name}.starts", starts, len(starts) - 1, len(data))
    check_indices(f"{name}.columns", columns, n_columns)
    return csr_array((data, columns, starts), (len(starts) - 1, n_columns))


def _numbers(stored: Stored, name: str, shape: tuple[int | None, ...]) -> Any:
    found = check_array(name, stored.arrays[name], np.float64, shape)
    check_finite(name, found)
    return found


def _sound(build: Callable[[], Model]) -> Model:
    """What is built, or a word on parts that do not fit; a tokeniser that is missing is the caller's."""
    try:
        return build()
    except TokenizerNeededError:
        raise
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise ModelError(f"the model's parts do not fit together ({error}): train it again") from None


def _card(what: str, example: str, name: str) -> str:
    return f"""# A tacit model

{what}.

```python
import tacit

{name} = tacit.load("this-folder")
{example}
```

Reading it runs no code of the folder.
"""
