"""Convert fitted kernels and classifiers to arrays, and back with checks."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from scipy.sparse import csr_array

from tacit.errors import ModelError
from tacit.kernels.classifier import TextClassifier
from tacit.kernels.semantic import SemanticKernel
from tacit.kernels.spectrum import EigenBasis
from tacit.storage import write_model
from tacit.storage.stored_model import (
    ArrayReader,
    StoredModel,
    check_array,
    check_range,
    model_card,
    restoring,
)
from tacit.text.vectorizer import TextVectorizer
from tacit.text.vocabulary import Vocabulary

Kernel = TypeVar("Kernel", bound=SemanticKernel)
Classifier = TypeVar("Classifier", bound=TextClassifier)

_NOT_STORED = ("background", "vectorizer", "random_state", "callback")


def save_kernel(kernel: SemanticKernel, folder: str | Path) -> None:
    """Write a fitted kernel."""
    arrays, training, vocabulary = _kernel_to_arrays(kernel)
    name, n_documents = type(kernel).__name__, kernel.fitted_rows[0].shape[0]
    summary = f"{name}, lambda = {kernel.chosen_lambda_:.6g}, of {n_documents:,} documents."
    stored = StoredModel(name, _parameters(kernel), training, arrays, vocabulary)
    write_model(folder, stored, model_card("A tacit model", summary, "kernel.transform(documents)"))


def restore_kernel(cls: type[Kernel], stored: StoredModel, tokenizer: Any = None) -> Kernel:
    """Rebuild a kernel; a custom tokenizer cannot be stored and must be passed."""
    with restoring():
        kernel = cls(**_constructor_arguments(stored, tokenizer))
        _restore_fitted(kernel, stored)
        return kernel


def save_classifier(model: TextClassifier, folder: str | Path) -> None:
    """Write a fitted classifier."""
    arrays, training, vocabulary = _kernel_to_arrays(model.kernel_)
    training |= {
        "classes": model.classes_,
        "relative_lambda": model.chosen_lambda_,
        "chosen_C": model.chosen_C_,
        "sharpness": model.inverse_temperature_,
    }
    arrays |= {"coef": model.coef_, "intercept": model.intercept_}
    summary = f"TextClassifier of {len(model.classes_)} classes, {model.kernel} kernel."
    stored = StoredModel("TextClassifier", _parameters(model), training, arrays, vocabulary)
    write_model(folder, stored, model_card("A tacit model", summary, 'model.predict(["a text"])'))


def restore_classifier(cls: type[Classifier], stored: StoredModel, tokenizer: Any = None) -> Classifier:
    """Rebuild a classifier."""
    training, reader = stored.training, ArrayReader(stored.arrays)
    with restoring():
        model = cls(**_constructor_arguments(stored, tokenizer))
        model._check_parameters()
        model.kernel_ = model.make_kernel()
        _restore_fitted(model.kernel_, stored)
        model.classes_ = _check_classes(training["classes"])
        r = len(model.kernel_.basis_.eigenvalues)
        width = r if model.kernel == "latent" else model.kernel_.n_features_in_ + r
        n_svms = len(model.classes_) if len(model.classes_) > 2 else 1
        model.coef_ = reader.floats("coef", np.float64, (n_svms, width))
        model.intercept_ = reader.floats("intercept", np.float64, (n_svms,))
        scalars = np.array([training[name] for name in ("relative_lambda", "chosen_C", "sharpness")], float)
        check_range("training", scalars, 0, np.finfo(np.float64).max)
        model.chosen_lambda_, model.chosen_C_, model.inverse_temperature_ = scalars.tolist()
        return model


def _parameters(model: SemanticKernel | TextClassifier) -> dict[str, Any]:
    params = {name: value for name, value in model.get_params(deep=False).items() if name not in _NOT_STORED}
    vectorizer = (model if isinstance(model, SemanticKernel) else model.kernel_).vectorizer_
    return params | {"vectorizer": None if vectorizer is None else vectorizer.params_to_dict()}


def _constructor_arguments(stored: StoredModel, tokenizer: Any) -> dict[str, Any]:
    """Return the constructor arguments of a stored kernel or classifier."""
    vectorizer = stored.parameters["vectorizer"]
    if vectorizer is not None:
        vectorizer = TextVectorizer.from_params_dict(vectorizer, tokenizer)
    return stored.parameters | {"vectorizer": vectorizer, "random_state": stored.training["seed"]}


def _kernel_to_arrays(kernel: SemanticKernel) -> tuple[dict[str, Any], dict[str, Any], list[tuple[str, ...]]]:
    """Return the arrays, the fitted values and the vocabulary of a kernel."""
    basis, (rows, _) = kernel.basis_, kernel.fitted_rows
    arrays = {"values": basis.eigenvalues, "basis": basis.basis, **_csr_arrays("rows", rows)}
    basis_of = "terms" if basis.documents is None else "rows"
    if basis.documents is not None and basis.documents is not rows:
        basis_of = "documents"
        arrays |= _csr_arrays("documents", basis.documents)
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
    return arrays, training | kernel.vectorizer_.fitted_state(), kernel.vectorizer_.words_.to_rows()


def _restore_fitted(kernel: SemanticKernel, stored: StoredModel) -> None:
    """Set the fitted attributes of a new kernel."""
    training, n, reader = stored.training, int(stored.training["features"]), ArrayReader(stored.arrays)
    kernel._check_parameters()
    kernel.vectorizer_ = kernel.vectorizer and _restore_vectorizer(kernel.vectorizer, stored, n)
    kernel.n_features_in_ = n
    if kernel.vectorizer is None and stored.vocabulary:
        kernel.feature_names_in_ = np.array([name for (name,) in stored.vocabulary], object)
        check_array("feature names", kernel.feature_names_in_, object, (n,))
    rows = _read_csr(reader, "rows", n)
    documents = {
        "terms": lambda: None,
        "rows": lambda: rows,
        "documents": lambda: _read_csr(reader, "documents", n),
    }[training["basis_of"]]()
    values = reader.floats("values", np.float64, (None,))
    check_range("values", values, np.finfo(np.float64).tiny, np.finfo(np.float64).max)
    if not len(values) or np.any(np.diff(values) > 0):
        raise ModelError("array 'values' is not in descending order: copy the model again, or train it again")
    n_basis_rows = n if documents is None else documents.shape[0]
    basis = reader.floats("basis", np.float64, (n_basis_rows, len(values)))
    kernel._set_decomposition(rows, EigenBasis(values, basis, documents))
    kernel.lambda_search_, kernel.n_empty_ = None, int(training["empty"])
    kernel.set_lambda(float(training["lambda"]))


def _restore_vectorizer(vectorizer: TextVectorizer, stored: StoredModel, n: int) -> TextVectorizer:
    words, restored = Vocabulary.from_rows(stored.vocabulary), TextVectorizer(**vectorizer.get_params())
    check_array("vocabulary", words.df, np.int64, (n,))
    idf = ArrayReader(stored.arrays).floats("word_weights", np.float64, (n,))
    restored.set_fitted_state(stored.training, words, idf)
    return restored


def _check_classes(values: list[Any]) -> Any:
    labels = np.array(values)
    valid = labels.ndim == 1 and len(labels) >= 2 and labels.dtype.kind in "Uifb"
    if not valid or len(set(values)) < len(labels):
        raise ModelError(f"the classes are {values!r:.60}, not two or more labels: train the model again")
    return labels


def _csr_arrays(name: str, rows: Any) -> dict[str, Any]:
    return {
        f"{name}.data": rows.data,
        f"{name}.columns": rows.indices.astype(np.int32),
        f"{name}.starts": rows.indptr.astype(np.int64),
    }


def _read_csr(reader: ArrayReader, name: str, n_columns: int) -> Any:
    data = reader.floats(f"{name}.data", np.float64, (None,))
    columns = reader.indices(f"{name}.columns", np.int32, data.shape, n_columns)
    starts = reader.offsets(f"{name}.starts", None, len(data))
    return csr_array((data, columns, starts), (len(starts) - 1, n_columns))
