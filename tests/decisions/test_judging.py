"""Which pairs to judge, when judgements suffice, cross-validation and intervals."""

from __future__ import annotations

import numpy as np
import pytest

from tacit.decisions.decision import DecisionOptions, decide_duplicates, decide_links, fit_validated
from tacit.decisions.evidence import describe_evidence
from tacit.decisions.judging import (
    average_precision,
    best_f1_cut,
    check_judgements,
    cross_validate,
    fit_judged,
    next_pairs,
)
from tacit.errors import InputError

PRIOR = np.array([1.0, 0, 0, 0, -1.0])


def judged_sample(n: int, seed: int, signal: float = 3.0) -> tuple[np.ndarray, dict[int, float]]:
    """Features of 400 pairs, and labels of the first n, which the second feature decides."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(400, 4))
    is_match = signal * features[:, 1] + rng.normal(size=400) > 0
    return features, {row: float(is_match[row]) for row in range(n)}


def test_ten_random_pairs_come_first_then_three_uncertain():
    p = np.random.default_rng(0).random(300)
    labels: dict[int, float] = {}
    first = next_pairs(p, labels).tolist()
    assert len(set(first)) == 10
    labels |= dict.fromkeys(first, 0.0)
    following = next_pairs(p, labels).tolist()
    assert len(set(following)) == 5
    assert not set(following) & set(first)
    odds = np.log(p / (1 - p))
    distance = np.abs(odds - np.log(best_f1_cut(p) / (1 - best_f1_cut(p))))
    distance[first] = np.inf
    assert following[:3] == np.argsort(distance)[:3].tolist()


def test_the_choice_of_pairs_depends_on_the_seed_alone():
    p = np.random.default_rng(0).random(300)
    assert next_pairs(p, {}, 1).tolist() == next_pairs(p, {}, 1).tolist()
    assert next_pairs(p, {}, 1).tolist() != next_pairs(p, {}, 2).tolist()


def test_no_pair_is_left_when_all_are_judged():
    assert next_pairs(np.full(12, 0.5), dict.fromkeys(range(12), 1.0)).tolist() == []


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({1: 1.0, 2: 0.0, 3: 1.0}, "3 judgements are too few to learn from: judge at least 10 pairs"),
        (dict.fromkeys(range(12), 1.0), "all 12 judgements are 1: judge a pair of the other class too"),
    ],
)
def test_too_few_judgements_or_one_class_are_an_error(labels, message):
    with pytest.raises(InputError) as error:
        check_judgements(labels)
    assert str(error.value) == message


def test_with_few_judgements_the_prior_dominates():
    features, labels = judged_sample(10, 0, signal=0.0)
    few = fit_judged(features, labels, PRIOR).model.weights
    assert few @ PRIOR[:4] / np.linalg.norm(few) > 0.7
    features, labels = judged_sample(300, 0)
    many = fit_judged(features, labels, PRIOR).model.weights
    assert np.argmax(many) == 1


def test_cross_validation_finds_that_judgements_help():
    quality = cross_validate(*judged_sample(100, 1), PRIOR)
    assert quality.taught > 0.9 > quality.untaught
    assert quality.gain_of_50 >= 0


def test_judgements_of_noise_are_not_used():
    features, labels = judged_sample(60, 2, signal=0.0)
    good_prior = np.zeros(5)
    features[:, 0] = [3 * labels.get(row, 0.5) for row in range(400)]
    good_prior[0] = 5
    assert cross_validate(features, labels, good_prior).untaught == 1.0


def test_intervals_contain_precision_and_recall():
    rng = np.random.default_rng(3)
    inside = 0
    for _ in range(40):
        truth = rng.normal(size=4)
        features = rng.normal(size=(400, 4))
        p = 1 / (1 + np.exp(-(features @ truth - 0.5)))
        y = rng.random(400) < p
        taught = fit_judged(features, {row: float(y[row]) for row in range(80)}, np.zeros(5))
        probabilities = taught.probabilities(features)
        cut = best_f1_cut(probabilities)
        (low, high), _ = taught.intervals(features, cut)
        inside += low - 0.02 <= p[probabilities >= cut].mean() <= high + 0.02
    assert inside >= 30


def test_average_precision_is_that_of_scikit_learn():
    from sklearn.metrics import average_precision_score

    rng = np.random.default_rng(4)
    for _ in range(30):
        scores, y = np.round(rng.random(50), 1), rng.integers(0, 2, 50)
        assert average_precision(scores, y) == pytest.approx(average_precision_score(y, scores))


def test_judged_pairs_keep_their_labels(product_pairs):
    links = product_pairs.estimated_links.links.pairs
    wrong = int(links[5])
    decisions = decide_links(product_pairs, {wrong: 0.0}, DecisionOptions())
    assert wrong not in decisions.pairs
    rival = int(np.flatnonzero(product_pairs.left == product_pairs.left[wrong])[0])
    decisions = decide_links(product_pairs, {rival: 1.0}, DecisionOptions(threshold=-100))
    assert rival in decisions.pairs[decisions.accepted]
    assert (product_pairs.left[decisions.pairs] == product_pairs.left[rival]).sum() == 1


def test_evidence_sums_to_the_score(product_pairs):
    decisions = decide_links(product_pairs, {}, DecisionOptions())
    assert sum(decisions.evidence.values()) == pytest.approx(decisions.scores, abs=1e-9)


def test_evidence_of_taught_links_sums_to_the_log_odds(product_pairs):
    pairs, features, _ = product_pairs.teaching_set
    leads = features[:, 1]
    rows = np.arange(0, len(pairs), 2)
    is_match = leads + np.random.default_rng(0).normal(size=len(leads)) > np.median(leads)
    labels = {int(pairs[row]): float(is_match[row]) for row in rows}
    taught, notes = fit_validated(product_pairs.teaching_set, labels)
    assert taught is not None, notes
    decisions = decide_links(product_pairs, labels, DecisionOptions())
    assert decisions.is_taught
    is_open = ~np.isin(decisions.pairs, list(labels))
    p = decisions.scores[is_open]
    assert sum(decisions.evidence.values())[is_open] == pytest.approx(np.log(p / (1 - p)), rel=1e-4)


def test_descriptions_name_the_largest_part_first():
    text = describe_evidence({"words": -2.0, "meaning": 3.0, "length": 0.0})
    assert text == "meaning +3.0, distinctive words -2.0"


def test_recall_needs_judgements(product_pairs):
    with pytest.raises(InputError, match=r"recall=0\.9 needs judgements: judge some pairs with tacit teach"):
        decide_links(product_pairs, {}, DecisionOptions(recall=0.9))


def test_duplicates_are_pairs_of_one_list(product_texts):
    from tacit.decisions.candidate_pairs import find_pairs

    pairs = find_pairs(product_texts, None)
    with pytest.raises(InputError, match=r"precision=0\.9 needs judgements"):
        decide_duplicates(pairs, {}, DecisionOptions(precision=0.9))
    decisions = decide_duplicates(pairs, {}, DecisionOptions(threshold=0.3))
    assert sum(decisions.evidence.values()) == pytest.approx(decisions.scores)
    groups = [group for group in np.unique(decisions.groups) if (decisions.groups == group).sum() > 1]
    assert len(groups) > 60
    assert np.mean([decisions.groups[group + 120] == group for group in groups if group < 120]) > 0.8
