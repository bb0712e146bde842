"""The classifier for few labels: what it chooses, what it refuses, and what unlabelled texts are worth."""

from __future__ import annotations

import random
import warnings

import numpy as np
import pytest
from sklearn.base import clone

from tacit import InputError, TextVectorizer
from tacit.kernels import AlignmentWarning, TextClassifier
from tacit.kernels.classifier import COSTS, KERNELS, STRENGTHS

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


def made(n, seed):
    """Texts of two words of a topic and one of no topic."""
    rng = random.Random(seed)
    names = [list(TOPICS)[i % 3] for i in range(n)]
    noise = ["thing", "place", "time", "way", "day"]
    return [" ".join([*rng.sample(TOPICS[name], 2), rng.choice(noise)]) for name in names], np.array(names)


TRAIN, LABELS = made(12, 1)
POOL, _ = made(300, 2)
TEST, GOLD = made(150, 3)


@pytest.mark.parametrize("kernel", KERNELS)
def test_every_kernel_classifies(kernel):
    model = TextClassifier(kernel, background=POOL).fit(TRAIN, LABELS)
    assert model.predict(TEST).shape == (150,)
    assert model.decision_function(TEST).shape == (150, 3)
    assert model.chosen_C_ in COSTS
    assert model.chosen_lambda_ in STRENGTHS.get(kernel, (0.0,))
    again = clone(model).fit(TRAIN, LABELS)
    assert (again.decision_function(TEST) == model.decision_function(TEST)).all()


def test_unlabelled_texts_teach_words_that_no_labelled_text_has():
    lexical = TextClassifier("lexical", C=1.0, background=POOL).fit(TRAIN[:6], LABELS[:6])
    semantic = TextClassifier(lambda_=6.0, C=1.0, background=POOL).fit(TRAIN[:6], LABELS[:6])
    assert semantic.score(TEST, GOLD) > lexical.score(TEST, GOLD) + 0.1


def test_the_choice_is_told_and_needs_two_texts_a_class():
    seen = []
    model = TextClassifier(background=POOL, callback=lambda *found: seen.append(found)).fit(TRAIN, LABELS)
    assert len(seen) == len(COSTS) * len(STRENGTHS["exponential"])
    best = max(score for _, _, score in seen)
    assert (model.chosen_lambda_, model.chosen_C_) in {(a, b) for a, b, score in seen if score == best}
    alone = TextClassifier(background=POOL).fit(TRAIN[:3], LABELS[:3])
    assert (alone.chosen_lambda_, alone.chosen_C_) == (6.0, 1.0)


def test_lambda_by_alignment():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AlignmentWarning)
        model = TextClassifier(lambda_="alignment", C=1.0, background=POOL).fit(TRAIN, LABELS)
    assert 0 <= model.chosen_lambda_ <= 10
    assert model.score(TEST, GOLD) > 0.8


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"kernel": "gaussian"}, "kernel='gaussian': use one of exponential, vonneumann, lexical, latent"),
        ({"lambda_": "best"}, "lambda_='best': give a number from 0, 'cv' or 'alignment'"),
        ({"lambda_": -1.0, "C": 1.0}, "lambda_=.* outside the legal range"),
        ({"C": "big"}, "C='big': give a number above 0, or 'cv'"),
        ({"C": 0.0}, "C=0.0: give a number above 0"),
    ],
)
def test_bad_parameters(given, message):
    with pytest.raises(InputError, match=message):
        TextClassifier(background=POOL, **given).fit(TRAIN, LABELS)


def test_a_text_whose_words_are_all_its_own_is_no_obstacle():
    model = TextClassifier(lambda_=6.0, C=1.0, background=POOL)
    model.fit([*TRAIN, "xyzzy plugh"], [*LABELS, LABELS[0]])
    assert model.score(TEST, GOLD) > 0.8
    with pytest.raises(InputError, match="none of the 2 texts has a word that counts: give more texts"):
        TextClassifier().fit(["cat", "cat"], ["a", "b"])


def test_bad_labels():
    with pytest.raises(InputError, match="all 2 labels are 'a'"):
        TextClassifier().fit(["cat", "cat"], ["a", "a"])
    with pytest.raises(InputError, match="2 labels for 3 texts"):
        TextClassifier(vectorizer=TextVectorizer(min_df=1)).fit(["cat", "dog", "cow"], ["a", "b"])
