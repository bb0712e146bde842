"""The kernels follow scikit-learn's conventions, accept texts, and reject invalid input."""

from __future__ import annotations

import logging
import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from tacit import ExponentialKernel, InputError, TextVectorizer, VonNeumannKernel
from tacit.kernels import AlignmentWarning

KERNELS = [ExponentialKernel, VonNeumannKernel]

TEXTS = [
    "heart beats", "a weak heart", "heart blood", "blood flows, veins", "veins carry blood", "weak veins",
    "market fell", "stocks, market", "stocks, bonds", "bonds pay interest", "loan interest", "loans fell",
]  # fmt: skip
LABELS = ["body"] * 6 + ["money"] * 6


@parametrize_with_checks(
    [
        ExponentialKernel(),
        VonNeumannKernel(),
        ExponentialKernel(1e-3, n_components=2),
    ]
)
def test_estimators_pass_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("make", KERNELS)
def test_kernels_work_in_pipeline_and_grid_search(make):
    X = TextVectorizer.paper(min_df=1, tf="log1p").fit_transform(TEXTS)
    pipeline = make_pipeline(make(relative=True, background=X), SVC(kernel="precomputed"))
    name = make.__name__.lower()
    grid = {f"{name}__lambda_": [0.0, 0.5, 0.9], "svc__C": [1, 10]}
    search = GridSearchCV(pipeline, grid, cv=3).fit(X, LABELS)
    assert search.best_score_ > 0.8
    assert (search.predict(X) == LABELS).all()
    assert clone(search.best_estimator_).get_params()[f"{name}__background"] is not None


def test_texts_of_any_sequence_type_are_accepted():
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


def test_background_texts_add_words():
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


def test_text_without_known_word_has_similarity_0(caplog):
    kernel = ExponentialKernel(vectorizer=TextVectorizer(min_df=1)).fit(TEXTS)
    with caplog.at_level(logging.WARNING, "tacit"):
        assert not kernel.transform(["xylophone"]).any()
    assert "1 of 1 texts have no known term" in caplog.text


@pytest.mark.parametrize("make", KERNELS)
@pytest.mark.parametrize("centred", [False, True])
@pytest.mark.parametrize("n_components", [None, 3])
def test_empty_text_does_not_change_other_similarities(make, centred, n_components, caplog):
    X = TextVectorizer.paper(min_df=1, tf="log1p").fit_transform(TEXTS)
    gaps = csr_array(np.vstack([X.toarray()[:5], np.zeros((2, X.shape[1])), X.toarray()[5:]]))
    there = np.setdiff1d(np.arange(14), [5, 6])
    given = {"centred": centred, "n_components": n_components}
    with caplog.at_level(logging.WARNING, "tacit"):
        kernel = make(**given).fit(gaps)
    assert [record.getMessage() for record in caplog.records] == [
        "2 of 14 texts have no known term: their similarity is 0"
    ]
    K = kernel.transform(gaps)
    assert not K[[5, 6]].any()
    assert not K[:, [5, 6]].any()
    np.testing.assert_allclose(K[np.ix_(there, there)], make(**given).fit(X).transform(X), atol=1e-9)
    np.testing.assert_allclose((kernel.features(gaps) @ kernel.features(gaps).T).toarray(), K, atol=1e-9)


def test_fit_and_alignment_accept_empty_text():
    vectorizer = TextVectorizer(min_df=1)
    kernel = ExponentialKernel("alignment", alignment_mode="balanced", vectorizer=vectorizer)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AlignmentWarning)
        K = kernel.fit([*TEXTS, ""], [*LABELS, "body"]).transform([*TEXTS, ""])
    assert kernel.n_empty_ == 1
    np.testing.assert_allclose(np.diag(K), [1] * 12 + [0])


@pytest.mark.parametrize("size", [3, 50, 600])
@pytest.mark.parametrize("make", KERNELS)
def test_automatic_lambda_suits_any_size(make, size):
    X = np.abs(np.random.default_rng(0).standard_normal((size, 30)))
    kernel = make().fit(X)
    assert kernel.chosen_lambda_ == pytest.approx(
        make(kernel._family.default_lambda, relative=True).fit(X).chosen_lambda_
    )
    assert np.isfinite(kernel.transform(X)).all()


def test_named_columns():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(np.eye(3) + 0.1, columns=["a", "b", "c"])
    assert ExponentialKernel(0.1).fit(frame).related_terms("a", n=1)[0][0] in ("b", "c")


X = np.eye(4) + 0.1
AT_LEAST_0 = "expected a number of at least 0"
AT_LEAST_1 = "expected an integer of at least 1"


@pytest.mark.parametrize(
    ("make", "rows", "labels", "message"),
    [
        (lambda: VonNeumannKernel(5.0), X, None, r"lambda_=5 .* at least 0 and less than 0\.\d+ \(1 / \|K\|"),
        (lambda: VonNeumannKernel(1.0, relative=True), X, None, "relative=True and less than 1"),
        (lambda: ExponentialKernel(1e9), X, None, "lambda_=1e.09 .* at most .*where exp overflows"),
        (lambda: ExponentialKernel(-0.1), X, None, f"lambda_=-0.1: {AT_LEAST_0}; or 'auto' or 'align"),
        (lambda: ExponentialKernel(np.nan), X, None, "lambda_=nan"),
        (lambda: ExponentialKernel("best"), X, None, f"lambda_='best': {AT_LEAST_0}; or 'auto'"),
        (lambda: ExponentialKernel("alignment"), X, None, "needs labels"),
        (lambda: ExponentialKernel("alignment"), X, [1, 1, 1, 1], "all 4 labels are 1"),
        (lambda: ExponentialKernel("alignment"), X, [1, 0, 1], "3 labels for 4 documents"),
        (lambda: ExponentialKernel(power=0), X, None, "power=0: expected a number above 0, at most 1"),
        (lambda: ExponentialKernel(n_components=0), X, None, f"n_components=0: {AT_LEAST_1}"),
        (lambda: ExponentialKernel(alignment_mode="x"), X, None, "alignment_mode='x': use one of"),
        (lambda: ExponentialKernel(), np.zeros((3, 2)), None, "none of the 3 documents has a term with"),
        (lambda: ExponentialKernel(), ["cat", "cat"], None, r"none of the 2 .* TextVectorizer\(min_df=1"),
        (lambda: ExponentialKernel(), csr_array(np.diag([1.0, np.nan])), None, "NaN"),
        (lambda: ExponentialKernel(background=np.ones((2, 3))), X, None, "3 features, but"),
        (lambda: ExponentialKernel(background=X), ["a", "b"], None, "texts and background a matrix"),
        (lambda: ExponentialKernel(centred=True), np.ones((3, 2)), None, "all documents are the same"),
        (lambda: ExponentialKernel(), "one text", None, r"put it in a list, \[text\]"),
    ],
)  # fmt: skip
def test_invalid_input_raises_with_value_and_remedy(make, rows, labels, message):
    with pytest.raises(ValueError, match=message):
        make().fit(rows, labels)


def test_mismatched_columns_and_unknown_terms_raise():
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


def test_features_train_a_linear_model():
    kernel = ExponentialKernel(
        3.0, relative=True, centred=True, n_components=4, vectorizer=TextVectorizer(min_df=1)
    )
    model = LogisticRegression().fit(kernel.fit(TEXTS).features(TEXTS), LABELS)
    assert model.predict(kernel.features(["carry weak"]))[0] == "body"
