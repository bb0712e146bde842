"""Saved kernels and classifiers give the same results, and invalid folders raise an error."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

import tacit
from tacit import ExponentialKernel, InputError, ModelError, TextClassifier, TextVectorizer, VonNeumannKernel
from tacit.kernels import KERNELS
from tacit.storage import read_config, read_model, write_model

TEXTS = [
    "heart beats", "a weak heart", "heart blood", "blood flows, veins", "veins carry blood", "weak veins",
    "market fell", "stocks, market", "stocks, bonds", "bonds pay interest", "loan interest", "loans fell", "",
]  # fmt: skip
LABELS = ["body"] * 6 + ["money"] * 6 + ["body"]
NEW = ["my heart", "bonds fell", "xylophone", ""]
WORDS = TextVectorizer.paper(min_df=1, tf="log1p")


def matrix(n, d):
    rng = np.random.default_rng(n)
    return rng.random((n, d)) * (rng.random((n, d)) < 0.4)


@pytest.mark.parametrize("make", [ExponentialKernel, VonNeumannKernel])
@pytest.mark.parametrize(
    "given",
    [{}, {"centred": True}, {"n_components": 3}, {"power": 0.5, "cosine": False}, {"background": TEXTS}],
)
def test_saved_text_kernel_gives_same_bits(tmp_path, make, given):
    kernel = make(vectorizer=WORDS, **given).fit(TEXTS[3:] if "background" in given else TEXTS)
    kernel.save(tmp_path / "kernel")
    again = tacit.load(tmp_path / "kernel")
    assert type(again) is make
    assert np.array_equal(again.transform(NEW), kernel.transform(NEW))
    assert (again.features(NEW) != kernel.features(NEW)).nnz == 0
    assert again.related_terms("heart", n=3) == kernel.related_terms("heart", n=3)
    assert (again.chosen_lambda_, again.n_empty_) == (kernel.chosen_lambda_, kernel.n_empty_)
    again.save(tmp_path / "again")  # what was read can be written
    assert np.array_equal(tacit.load(tmp_path / "again").transform(NEW), kernel.transform(NEW))


@pytest.mark.parametrize("shape", [(30, 8), (8, 30)])
def test_saved_matrix_kernel_gives_same_bits(tmp_path, shape):
    X = matrix(*shape)
    kernel = ExponentialKernel().fit(csr_array(X))
    kernel.save(tmp_path)
    assert np.array_equal(tacit.load(tmp_path).transform(X), kernel.transform(X))
    with pytest.raises(ValueError, match="features, but ExponentialKernel is expecting"):
        tacit.load(tmp_path).transform(X[:, :2])


def test_named_columns(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(np.eye(3) + 0.1, columns=["a", "b", "c"])
    kernel = ExponentialKernel(0.1).fit(frame)
    kernel.save(tmp_path)
    assert tacit.load(tmp_path).related_terms("a", n=2) == kernel.related_terms("a", n=2)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("labels", [LABELS, [1, 2, 3] * 4 + [1], np.array(LABELS) == "body"], ids=str)
def test_saved_classifier_gives_same_bits(tmp_path, kernel, labels):
    model = TextClassifier(kernel, vectorizer=WORDS, background=TEXTS, callback=print).fit(TEXTS, labels)
    model.save(tmp_path)
    again = tacit.load(tmp_path)
    assert np.array_equal(again.predict(NEW), model.predict(NEW))
    assert again.predict(NEW).dtype == model.predict(NEW).dtype
    assert np.array_equal(again.predict_proba(NEW), model.predict_proba(NEW))
    assert (again.chosen_lambda_, again.chosen_C_) == (model.chosen_lambda_, model.chosen_C_)
    assert read_config(tmp_path)["parameters"]["kernel"] == kernel


def test_an_own_tokeniser_has_to_be_given_again(tmp_path):
    words = TextVectorizer(min_df=1, tokenizer=str.split)
    model = TextClassifier(vectorizer=words, lambda_=6.0, C=1.0).fit(TEXTS, LABELS)
    model.save(tmp_path)
    with pytest.raises(InputError, match=r"load\(folder, tokenizer=...\)"):
        tacit.load(tmp_path)
    again = tacit.load(tmp_path, tokenizer=str.split)
    assert np.array_equal(again.decision_function(NEW), model.decision_function(NEW))


def test_unfitted_estimator_is_not_saved(tmp_path):
    for model in (TextClassifier(), ExponentialKernel()):
        with pytest.raises(ValueError, match="not fitted"):
            model.save(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def edit(change):
    """Return a function that applies a change to a copy of an array."""

    def apply(array):
        copy = np.array(array)
        return copy if (result := change(copy)) is None else result

    return apply


def first(value):
    return edit(lambda array: array.__setitem__((0,) * array.ndim, value))


ARRAYS = {
    "values": [first(-1.0), first(0.0), first(np.nan), edit(lambda a: a[::-1]), edit(lambda a: a[:0])],
    "basis": [
        edit(lambda a: a[:-1]), edit(lambda a: a[:, :-1]), edit(lambda a: a.astype("f4")), first(np.inf),
    ],
    "rows.data": [first(np.nan), edit(lambda a: a[:-1]), edit(lambda a: a.astype(np.int64))],
    "rows.columns": [first(-1), first(10**6), edit(lambda a: a.astype(np.int64))],
    "rows.starts": [
        first(1), first(-1), edit(lambda a: a[::-1]), edit(lambda a: a[:-2]), edit(lambda a: a[:0]),
    ],
    "word_weights": [edit(lambda a: a[:-1]), first(np.nan)],
    "coef": [edit(lambda a: a[:, :-1]), edit(lambda a: np.vstack([a, a])), first(np.nan)],
    "intercept": [edit(lambda a: a[:0]), first(np.inf)],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name, changes in ARRAYS.items() for number in range(len(changes))]
)
def test_invalid_array_with_valid_checksum_raises(tmp_path, name, number):
    TextClassifier(vectorizer=WORDS, lambda_=6.0, C=1.0).fit(TEXTS, LABELS).save(tmp_path)
    stored = read_model(tmp_path)
    broken = replace(stored, arrays={**stored.arrays, name: ARRAYS[name][number](stored.arrays[name])})
    with pytest.raises(ModelError, match=r"train (it|the model) again"):
        TextClassifier.from_stored(broken)


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("parameters", {"kernel": "cubic"}),
        ("parameters", {"C": -1.0}),
        ("parameters", {"power": "much"}),
        ("parameters", {"surprise": 1}),
        ("parameters", {"vectorizer": None}),
        ("parameters", {"vectorizer": {"tf": "cubic"}}),
        ("training", {"lambda": -1.0}),
        ("training", {"lambda": 1e300}),
        ("training", {"features": 10**9}),
        ("training", {"basis_of": "magic"}),
        ("training", {"classes": ["one"]}),
        ("training", {"classes": ["one", "one"]}),
        ("training", {"classes": [["one"], ["two"]]}),
        ("training", {"classes": ["a", "b", "c"]}),
        ("training", {"sharpness": -1.0}),
        ("training", {"sharpness": None}),
        ("training", {"typical_length": 0.0}),
        ("training", {"min_df": 0.5}),
        ("training", {"texts": -1}),
    ],
)
def test_invalid_stored_value_raises(tmp_path, part, change):
    TextClassifier(vectorizer=WORDS, lambda_=6.0, C=1.0).fit(TEXTS, LABELS).save(tmp_path)
    stored = read_model(tmp_path)
    broken = replace(stored, **{part: {**getattr(stored, part), **change}})
    with pytest.raises(ModelError):
        TextClassifier.from_stored(broken)


def test_missing_parts_raise(tmp_path):
    kernel = ExponentialKernel(vectorizer=WORDS).fit(TEXTS)
    kernel.save(tmp_path)
    stored = read_model(tmp_path)
    for name in stored.arrays:
        rest = {other: array for other, array in stored.arrays.items() if other != name}
        with pytest.raises(ModelError, match=f"array '{name}' is missing"):
            ExponentialKernel.from_stored(replace(stored, arrays=rest))
    with pytest.raises(ModelError):
        ExponentialKernel.from_stored(replace(stored, vocabulary=stored.vocabulary[1:]))
    write_model(tmp_path / "other", replace(stored, kind="SemanticKernel"), "")
    with pytest.raises(ModelError, match="unknown to this version"):
        tacit.load(tmp_path / "other")
