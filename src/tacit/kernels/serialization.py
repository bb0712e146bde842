"""Convert fitted kernels and classifiers to arrays, and back with checks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from tacit.errors import ModelError
from tacit.kernels.classifier import TextClassifier
from tacit.kernels.semantic import SemanticKernel
from tacit.kernels.spectrum import EigenBasis
from tacit.models.outside import outside_from_stored, outside_to_stored, replace_encoder
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

_NOT_STORED = ("background", "vectorizer", "random_state", "callback", "encoder")


def save_estimator(model: SemanticKernel | TextClassifier, folder: str | Path) -> None:
    """Write a fitted kernel or classifier."""
    name = type(model).__name__
    kernel = model if isinstance(model, SemanticKernel) else model.kernel_
    arrays, training, vocabulary = _kernel_to_arrays(kernel)
    if isinstance(model, SemanticKernel):
        n_documents = kernel.fitted_rows[0].shape[0]
        summary = f"{name}, lambda = {kernel.chosen_lambda_:.6g}, of {n_documents:,} documents."
        example = "kernel.transform(documents)"
    else:
        training |= {
            "classes": model.classes_,
            "relative_lambda": model.chosen_lambda_,
            "chosen_C": model.chosen_C_,
            "sharpness": model.inverse_temperature_,
        }
        arrays |= {"coef": model.coef_, "intercept": model.intercept_}
        outside, outside_arrays = (None, {}) if model.outside_ is None else outside_to_stored(model.outside_)
        arrays |= outside_arrays
        summary = f"{name} of {len(model.classes_)} classes, {model.kernel} kernel."
        example = 'model.predict(["a text"])'
    parameters = model.get_params(deep=False)
    parameters = {key: value for key, value in parameters.items() if key not in _NOT_STORED}
    if isinstance(model, TextClassifier) and outside is not None:
        parameters["outside"] = outside
    parameters["vectorizer"] = kernel.vectorizer_ and kernel.vectorizer_.params_to_dict()
    stored = StoredModel(name, parameters, training, arrays, vocabulary)
    write_model(folder, stored, model_card("A tacit model", summary, example))


def restore_estimator(cls: type[Any], stored: StoredModel, tokenizer: Any = None, encoder: Any = None) -> Any:
    """Rebuild a kernel or classifier; a custom tokenizer or an encoder of texts is not stored: pass it."""
    with restoring():
        vectorizer = stored.parameters["vectorizer"]
        if vectorizer is not None:
            vectorizer = TextVectorizer.from_params_dict(vectorizer, tokenizer)
        random_state = stored.training["seed"]
        parameters = {name: value for name, value in stored.parameters.items() if name != "outside"}
        model = cls(**parameters | {"vectorizer": vectorizer, "random_state": random_state})
        model._check_parameters()
        if isinstance(model, SemanticKernel):
            _restore_kernel(model, stored)
        else:
            model.outside_ = outside_from_stored(stored)
            model.kernel_ = model.make_kernel()
            _restore_kernel(model.kernel_, stored)
            _restore_svm(model, stored)
    if encoder is not None:
        model.outside_ = replace_encoder(getattr(model, "outside_", None), encoder)
    return model


def _restore_svm(model: TextClassifier, stored: StoredModel) -> None:
    """Set the fitted attributes of a new classifier that has a fitted kernel."""
    training, reader = stored.training, ArrayReader(stored.arrays)
    model.classes_ = _check_classes(training["classes"])
    r = len(model.kernel_.basis_.eigenvalues)
    width = r if model.kernel == "latent" else model.kernel_.n_features_in_ + r
    n_svms = len(model.classes_) if len(model.classes_) > 2 else 1
    n_outside = 0 if model.outside_ is None else model.outside_.n_dimensions
    shape = n_svms, None if n_outside is None else width + n_outside
    model.coef_ = reader.floats("coef", np.float64, shape)
    model.n_outside_dimensions_ = model.coef_.shape[1] - width
    model.intercept_ = reader.floats("intercept", np.float64, (n_svms,))
    scalars = np.array([training[name] for name in ("relative_lambda", "chosen_C", "sharpness")], float)
    check_range("training", scalars, 0, np.finfo(np.float64).max)
    model.chosen_lambda_, model.chosen_C_, model.inverse_temperature_ = scalars.tolist()


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


def _restore_kernel(kernel: SemanticKernel, stored: StoredModel) -> None:
    """Set the fitted attributes of a new kernel."""
    training, n, reader = stored.training, int(stored.training["features"]), ArrayReader(stored.arrays)
    kernel._check_parameters()
    kernel.n_features_in_, kernel.vectorizer_ = n, None
    if kernel.vectorizer is not None:
        words = Vocabulary.from_rows(stored.vocabulary)
        check_array("vocabulary", words.df, np.int64, (n,))
        kernel.vectorizer_ = TextVectorizer(**kernel.vectorizer.get_params())
        kernel.vectorizer_.set_fitted_state(training, words, reader.floats("word_weights", np.float64, (n,)))
    elif stored.vocabulary:
        names = np.array([name for (name,) in stored.vocabulary], object)
        kernel.feature_names_in_ = check_array("feature names", names, object, (n,))
    rows, basis_of = _read_csr(reader, "rows", n), training["basis_of"]
    if basis_of == "documents":
        documents = _read_csr(reader, "documents", n)
    else:
        documents = {"terms": None, "rows": rows}[basis_of]
    values = reader.floats("values", np.float64, (None,))
    check_range("values", values, np.finfo(np.float64).tiny, np.finfo(np.float64).max)
    if not len(values) or np.any(np.diff(values) > 0):
        raise ModelError("array 'values' is not in descending order: copy the model again, or train it again")
    n_basis_rows = n if documents is None else documents.shape[0]
    basis = reader.floats("basis", np.float64, (n_basis_rows, len(values)))
    kernel._set_decomposition(rows, EigenBasis(values, basis, documents))
    kernel.lambda_search_, kernel.n_empty_ = None, int(training["empty"])
    kernel.set_lambda(float(training["lambda"]))


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
