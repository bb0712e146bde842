"""The classifier for few labels: choice of parameters, errors, and the gain of unlabelled texts."""

from __future__ import annotations

import logging
import pickle
import random
import warnings

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.svm import LinearSVC
from sklearn.utils import get_tags

from tacit import InputError, TextClassifier, TextVectorizer
from tacit.kernels import KERNELS, AlignmentWarning, svm
from tacit.kernels.spectrum import FAMILIES
from tacit.kernels.svm import C_GRID

TOPICS = {
    "body": [
        "heart",
        "blood",
        "vein",
        "artery",
        "pulse",
        "lung",
        "nerve",
        "muscle",
        "skin",
        "bone",
        "liver",
        "kidney",
    ],
    "money": [
        "stock",
        "bond",
        "loan",
        "bank",
        "market",
        "interest",
        "price",
        "share",
        "profit",
        "debt",
        "credit",
        "cash",
    ],
    "sky": [
        "rain",
        "wind",
        "snow",
        "cloud",
        "storm",
        "thunder",
        "frost",
        "mist",
        "hail",
        "sleet",
        "gale",
        "breeze",
    ],
}


def make_texts(n, seed):
    """Return texts with two words of a topic and one of no topic, and their topics."""
    rng = random.Random(seed)
    names = [list(TOPICS)[i % 3] for i in range(n)]
    noise = ["thing", "place", "time", "way", "day"]
    return [" ".join([*rng.sample(TOPICS[name], 2), rng.choice(noise)]) for name in names], np.array(names)


TRAIN, LABELS = make_texts(12, 1)
POOL, _ = make_texts(300, 2)
TEST, GOLD = make_texts(150, 3)


@pytest.mark.parametrize("kernel", KERNELS)
def test_every_kernel_classifies(kernel):
    model = TextClassifier(kernel, background=POOL).fit(TRAIN, LABELS)
    assert model.predict(TEST).shape == (150,)
    assert model.decision_function(TEST).shape == (150, 3)
    assert model.chosen_C_ in C_GRID
    assert model.chosen_lambda_ in (FAMILIES[kernel].lambda_grid if kernel in FAMILIES else (0.0,))
    again = clone(model).fit(TRAIN, LABELS)
    assert (again.decision_function(TEST) == model.decision_function(TEST)).all()


def test_words_of_unlabelled_texts_are_used():
    lexical = TextClassifier("lexical", C=1.0, background=POOL).fit(TRAIN[:6], LABELS[:6])
    semantic = TextClassifier(lambda_=6.0, C=1.0, background=POOL).fit(TRAIN[:6], LABELS[:6])
    assert semantic.score(TEST, GOLD) > lexical.score(TEST, GOLD) + 0.1


def test_words_of_a_single_text_count_in_few_short_texts():
    texts, labels = ["puppy", "loan", "cat", "cat dog", "dog"], ["pets", "money", "pets", "pets", "pets"]
    alone = TextClassifier(C=1.0).fit(texts, labels).kernel_
    assert sorted(alone.vectorizer_.words_.surface_forms) == ["cat", "dog", "loan", "puppy"]
    with_background = TextClassifier(C=1.0, background=["cat", "dog"] * 3).fit(texts, labels).kernel_
    assert sorted(with_background.vectorizer_.words_.surface_forms) == ["cat", "dog"]
    long_texts = [f"{texts[n]} {('cat dog ', 'sun moon ')[n % 2] * 30}" for n in range(5)]
    kernel = TextClassifier(C=1.0).fit(long_texts, labels).kernel_
    assert sorted(kernel.vectorizer_.words_.surface_forms) == ["cat", "dog", "moon", "sun"]


def test_callback_gets_every_choice():
    seen = []
    model = TextClassifier(background=POOL, callback=lambda *found: seen.append(found)).fit(TRAIN, LABELS)
    assert len(seen) == len(C_GRID) * len(FAMILIES["exponential"].lambda_grid)
    best = max(score for _, _, score in seen)
    margin = np.sqrt(best * (1 - best) / len(TRAIN))
    near = {(a, b) for a, b, score in seen if score >= best - margin}
    assert (model.chosen_lambda_, model.chosen_C_) == ((8.0, 1.0) if (8.0, 1.0) in near else min(near))
    alone = TextClassifier(background=POOL).fit(TRAIN[:3], LABELS[:3])
    assert (alone.chosen_lambda_, alone.chosen_C_) == (8.0, 1.0)


def choose(accuracies, preferred=None):
    """The choice among lambdas 1, 2 and 3 and C 1 and 10 whose accuracies on 100 texts are given."""
    found = {(lam, cost): next(accuracies) for lam in (1.0, 2.0, 3.0) for cost in (1.0, 10.0)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(svm, "make_linear_svc", lambda cost: cost)
        patch.setattr(svm, "cross_val_score", lambda cost, lam, y, cv: np.array([found[lam, cost]]))
        y = np.repeat(["a", "b"], 50)
        return svm.select_by_cross_validation(
            lambda lam: lam, (1.0, 2.0, 3.0), (1.0, 10.0), y, None, preferred
        )


@pytest.mark.parametrize(("n_texts", "is_preferred"), [(199, True), (200, False)])
def test_settings_are_preferred_with_few_labels_only(monkeypatch, n_texts, is_preferred):
    preferred = []
    monkeypatch.setattr(
        svm, "select_by_cross_validation", lambda *args: preferred.append(args[-1]) or (4.0, 3.0)
    )
    texts = [f"{('cat', 'loan')[n % 2]} word{n % 7}" for n in range(n_texts)]
    model = TextClassifier().fit(texts, [("pets", "money")[n % 2] for n in range(n_texts)])
    assert preferred == [(8.0, 1.0) if is_preferred else None]
    assert (model.chosen_lambda_, model.chosen_C_) == (4.0, 3.0)


def test_preferred_settings_are_kept_unless_others_are_better_by_a_standard_error():
    accuracies = [0.50, 0.50, 0.86, 0.90, 0.88, 0.70]  # one standard error of .9 is .03
    assert choose(iter(accuracies)) == (2.0, 10.0)
    assert choose(iter(accuracies), (3.0, 1.0)) == (3.0, 1.0)
    assert choose(iter(accuracies), (3.0, 10.0)) == (3.0, 1.0)
    assert choose(iter(accuracies), (1.0, 10.0)) == (2.0, 10.0)


def test_lambda_is_chosen_by_alignment():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AlignmentWarning)
        model = TextClassifier(lambda_="alignment", C=1.0, background=POOL).fit(TRAIN, LABELS)
    assert 0 <= model.chosen_lambda_ <= 10
    assert model.score(TEST, GOLD) > 0.8


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"kernel": "gaussian"}, "kernel='gaussian': use one of exponential, vonneumann, lexical, latent"),
        ({"lambda_": "best"}, "lambda_='best': expected a number of at least 0; or 'cv' or 'alignment'"),
        ({"lambda_": -1.0, "C": 1.0}, "lambda_=-1.0: expected a number of at least 0"),
        ({"C": "big"}, "C='big': expected a number above 0; or 'cv'"),
        ({"C": 0.0}, "C=0.0: expected a number above 0"),
    ],
)
def test_invalid_parameters_raise(given, message):
    with pytest.raises(InputError, match=message):
        TextClassifier(background=POOL, **given).fit(TRAIN, LABELS)


@pytest.mark.parametrize("kernel", KERNELS)
def test_texts_without_shared_words_are_accepted(kernel, caplog):
    model = TextClassifier(kernel, background=POOL)
    with caplog.at_level(logging.WARNING, "tacit"):
        model.fit([*TRAIN, "xyzzy plugh", "", "?!"], [*LABELS, *LABELS[:3]])
    assert [record.getMessage() for record in caplog.records] == [
        "3 of 15 texts have no known term: their similarity is 0"
    ]
    assert model.kernel_.n_empty_ == 3
    alone = TextClassifier(kernel, background=POOL).fit(TRAIN, LABELS)
    assert model.score(TEST, GOLD) > alone.score(TEST, GOLD) - 0.1
    assert np.isfinite(model.predict_proba(["", TEST[0]])).all()


def test_empty_texts_alone_raise_with_remedy():
    with pytest.raises(
        InputError, match="none of the 2 documents has a term with a weight above 0: give more"
    ):
        TextClassifier().fit(["cat", "cat"], ["a", "b"])
    with pytest.raises(InputError, match="no word of 2 texts has a weight above 0: give more texts"):
        TextClassifier(background=POOL).fit(["?", "!"], ["a", "b"])


def test_convergence_warning_is_issued_once():
    texts = [f"{a} {b}" for a in TRAIN for b in TRAIN]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(svm, "LinearSVC", lambda **options: LinearSVC(**options | {"max_iter": 1}))
        with pytest.warns(ConvergenceWarning) as messages:
            TextClassifier().fit(texts, np.repeat(LABELS, len(TRAIN)))
    assert len(messages) == 1


@pytest.mark.parametrize("topics", [2, 3])
def test_probabilities_are_calibrated(topics):
    """Some texts have the words of another topic, so that the true probabilities are below 1."""
    rng = np.random.default_rng(0)

    def noisy(n, seed):
        texts, names = make_texts(n, seed)
        is_used = np.isin(names, list(TOPICS)[:topics])
        others = np.array(list(TOPICS)[:topics])[rng.integers(topics, size=n)]
        names = np.where(rng.random(n) < 0.3, others, names)
        return [text for text, used in zip(texts, is_used, strict=True) if used], names[is_used]

    (texts, labels), (new, gold) = noisy(400, 1), noisy(900, 2)
    model = TextClassifier(lambda_=6.0, C=1.0, background=POOL).fit(texts, labels)
    probabilities = model.predict_proba(new)
    assert probabilities.shape == (len(new), topics)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert (model.classes_[probabilities.argmax(axis=1)] == model.predict(new)).all()
    right = model.predict(new) == gold
    assert abs(probabilities.max(axis=1).mean() - right.mean()) < 0.06
    indices = np.searchsorted(model.classes_, gold)
    true_probabilities = probabilities[np.arange(len(gold)), indices]
    prior = np.bincount(indices)[indices] / len(indices)
    assert -np.log(true_probabilities).mean() < -np.log(prior).mean() - 0.1


def test_one_text_per_class_leaves_decisions_unscaled():
    model = TextClassifier(background=POOL).fit(TRAIN[:3], LABELS[:3])
    assert model.inverse_temperature_ == 1.0
    np.testing.assert_allclose(model.predict_proba(TEST).sum(axis=1), 1)


def test_grid_search_sets_default_vectorizer():
    grid = GridSearchCV(TextClassifier(lambda_=6.0, C=1.0), {"vectorizer__min_df": [1, 2]}, cv=2)
    grid.fit(TRAIN * 2, list(LABELS) * 2)
    assert grid.best_estimator_.vectorizer.tf == "log1p"
    assert grid.predict(TEST).shape == (150,)


def test_tags_declare_text_input():
    tags = get_tags(TextClassifier())
    assert (tags.input_tags.string, tags.input_tags.one_d_array, tags.input_tags.two_d_array) == (
        True,
        True,
        False,
    )
    assert is_classifier(TextClassifier())
    with pytest.raises(NotFittedError):
        TextClassifier().predict(TEST)
    with pytest.raises(InputError, match="text 1 is a list: give a list of texts"):
        TextClassifier().fit([[1.0, 2.0]], ["a"])
    model = TextClassifier(lambda_=6.0, C=1.0, background=POOL).fit(np.array(TRAIN), list(LABELS))
    again = pickle.loads(pickle.dumps(model))  # as scikit-learn's tools send models to processes
    assert (again.predict(tuple(TEST)) == model.predict(TEST)).all()


def test_invalid_labels_raise():
    with pytest.raises(InputError, match="all 2 labels are 'a'"):
        TextClassifier().fit(["cat", "cat"], ["a", "a"])
    with pytest.raises(InputError, match="2 labels for 3 texts"):
        TextClassifier(vectorizer=TextVectorizer(min_df=1)).fit(["cat", "dog", "cow"], ["a", "b"])
