"""scikit-learn's contract, texts as input, and what is refused."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from tacit import InputError, TextVectorizer
from tacit.kernels import ExponentialKernel, VonNeumannKernel

REFUSED = "the check holds rows without any term, which fit refuses by name"
KERNELS = [ExponentialKernel, VonNeumannKernel]

TEXTS = [
    "heart beats", "a weak heart", "heart blood", "blood flows, veins", "veins carry blood", "weak veins",
    "market fell", "stocks, market", "stocks, bonds", "bonds pay interest", "loan interest", "loans fell",
]  # fmt: skip
LABELS = ["body"] * 6 + ["money"] * 6


def expected_failures(estimator):
    checks = ("sparse_array", "sparse_matrix", "sparse_tag")
    return dict.fromkeys(
        [f"check_estimator_{name}" for name in checks] + ["check_estimators_dtypes"], REFUSED
    )


@parametrize_with_checks(
    [
        ExponentialKernel(0.5, relative=True),
        VonNeumannKernel(0.5, relative=True),
        ExponentialKernel(1e-3, n_components=2),
    ],
    expected_failed_checks=expected_failures,
)
def test_the_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize("make", KERNELS)
def test_in_a_pipeline_and_a_grid(make):
    X = TextVectorizer(min_df=1, tf="log1p").fit_transform(TEXTS)
    pipeline = make_pipeline(make(relative=True, background=X), SVC(kernel="precomputed"))
    name = make.__name__.lower()
    grid = {f"{name}__lambda_": [0.0, 0.5, 0.9], "svc__C": [1, 10]}
    search = GridSearchCV(pipeline, grid, cv=3).fit(X, LABELS)
    assert search.best_score_ > 0.8
    assert (search.predict(X) == LABELS).all()
    assert clone(search.best_estimator_).get_params()[f"{name}__background"] is not None


def test_texts_of_any_iterable_kind_and_words_by_name():
    kernel = ExponentialKernel(2.0, relative=True, vectorizer=TextVectorizer(min_df=1)).fit(
        np.array(TEXTS, object)
    )
    K = kernel.transform(["my heart"])
    assert K.shape == (1, 12)
    assert K[0, 3:6].min() > 0 == K[0, 8]
    assert kernel.related_terms("blood", n=1)[0][0] in ("veins", "heart", "carry", "flows")
    assert kernel.term_similarity("heart", "veins") > 0 == kernel.term_similarity("heart", "bonds")
    assert kernel.features(["my heart"]).shape[1] > 12
    assert list(kernel.get_feature_names_out())[:1] == ["exponentialkernel0"]


def test_background_texts_lend_their_words():
    few = ExponentialKernel(2.0, relative=True, background=TEXTS, vectorizer=TextVectorizer(min_df=1))
    few.fit(["heart beats", "market fell"], ["body", "money"])
    K = few.transform(["veins carry blood", "bonds pay interest"])
    assert K[0, 0] > K[0, 1]
    assert K[1, 1] > K[1, 0]
    linear = LinearSVC().fit(few.features(["heart beats", "market fell"]), ["body", "money"])
    assert list(linear.predict(few.features(["veins carry blood", "bonds pay interest"]))) == [
        "body",
        "money",
    ]


def test_a_new_text_without_a_known_word_is_like_nothing(caplog):
    kernel = ExponentialKernel(vectorizer=TextVectorizer(min_df=1)).fit(TEXTS)
    with caplog.at_level(logging.WARNING, "tacit"):
        assert not kernel.transform(["xylophone"]).any()
    assert "1 of 1 texts have no known term" in caplog.text


def test_named_columns():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(np.eye(3) + 0.1, columns=["a", "b", "c"])
    assert ExponentialKernel(0.1).fit(frame).related_terms("a", n=1)[0][0] in ("b", "c")


X = np.eye(4) + 0.1


@pytest.mark.parametrize(
    ("make", "rows", "labels", "message"),
    [
        (lambda: VonNeumannKernel(5.0), X, None, r"lambda_=5 .* give 0 below 0\.\d+, 1 / \|K\|"),
        (lambda: VonNeumannKernel(1.0, relative=True), X, None, "relative=True with 0 below 1"),
        (lambda: ExponentialKernel(1e9), X, None, "lambda_=1e.09 .* give 0 to .* where exp overflows"),
        (lambda: ExponentialKernel(-0.1), X, None, "lambda_=-0.1: give a number from 0, or 'alignment'"),
        (lambda: ExponentialKernel(np.nan), X, None, "lambda_=nan"),
        (lambda: ExponentialKernel("best"), X, None, "lambda_='best': give a number from 0, or 'align"),
        (lambda: ExponentialKernel("alignment"), X, None, "needs labels"),
        (lambda: ExponentialKernel("alignment"), X, [1, 1, 1, 1], "all 4 labels are 1"),
        (lambda: ExponentialKernel("alignment"), X, [1, 0, 1], "3 labels for 4 documents"),
        (lambda: ExponentialKernel(power=0), X, None, "power=0: give a number above 0 up to 1"),
        (lambda: ExponentialKernel(n_components=0), X, None, "n_components=0: give a whole number from 1"),
        (lambda: ExponentialKernel(alignment_mode="x"), X, None, "alignment_mode='x': use one of"),
        (lambda: ExponentialKernel(), np.diag([1.0, 0, 1]), None, "document 2 of 3 is empty: .* drop its"),
        (lambda: ExponentialKernel(), ["cat cat", "cat", "?!"], None, r"document 3 of 3 \('\?!'\).* empty"),
        (lambda: ExponentialKernel(), csr_array(np.diag([1.0, np.nan])), None, "NaN"),
        (lambda: ExponentialKernel(background=np.ones((2, 3))), X, None, "3 features, but"),
        (lambda: ExponentialKernel(background=X), ["a", "b"], None, "texts and background a matrix"),
        (lambda: ExponentialKernel(centred=True), np.ones((3, 2)), None, "all documents are the same"),
        (lambda: ExponentialKernel(), "one text", None, r"put it in a list, \[text\]"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_with_the_value_and_the_remedy(make, rows, labels, message):
    with pytest.raises(ValueError, match=message):
        make().fit(rows, labels)


def test_mismatched_columns_and_unknown_terms():
    kernel = ExponentialKernel(0.1).fit(X)
    with pytest.raises(ValueError, match="X has 3 features, but ExponentialKernel is expecting 4"):
        kernel.transform(np.ones((1, 3)))
    with pytest.raises(InputError, match="'cat' is not known: give a column from 0 to 3"):
        kernel.term_similarity("cat", 0)
    with pytest.raises(InputError, match="4 is not known: give a column from 0 to 3"):
        kernel.related_terms(4)
    with pytest.raises(InputError, match="n=0"):
        kernel.related_terms(0, n=0)
    words = ExponentialKernel(0.1, vectorizer=TextVectorizer(min_df=1)).fit(TEXTS)
    with pytest.raises(InputError, match="'zebra' is not known: give one of the"):
        words.related_terms("zebra")


def test_features_serve_a_linear_model():
    kernel = ExponentialKernel(
        3.0, relative=True, centred=True, n_components=4, vectorizer=TextVectorizer(min_df=1)
    )
    model = LogisticRegression().fit(kernel.fit(TEXTS).features(TEXTS), LABELS)
    assert model.predict(kernel.features(["carry weak"]))[0] == "body"
