"""Decisions on candidate pairs: links between two lists, and groups of duplicates in one list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacit.compute.linkage import average_linkage
from tacit.decisions import judging
from tacit.decisions.candidate_pairs import CandidatePairs, TeachingSet
from tacit.decisions.evidence import code_score_evidence, link_evidence, model_evidence
from tacit.decisions.linking import (
    LinkRows,
    PairGraph,
    best_f1_cut,
    choose_links,
    mutual_links,
    precision_cut,
)
from tacit.decisions.logistic import logit, sigmoid
from tacit.errors import InputError
from tacit.types import Array

REVIEW_SCORE = 0.6
"""Untaught score from which on texts are near copies that a person should look at."""

MIN_ROWS_TO_LEARN = 20
"""With fewer texts in a list, there is too little to learn from: `code_scores` decide."""

FEW_ROWS_CUT = 0.2
"""Lowest score of a link then; chosen on the development data, see ``benchmarks/linking.py``."""

ESTIMATE_REMARK = (
    "the estimated precision is too high if the other list holds near-identical variants of a row, or if "
    "most rows have no match"
)
_MAX_OTHERS = 1000

Labels = Mapping[int, float]
"""Judgements, 1 or 0, by the number of the pair."""

Evidence = dict[str, Array]


@dataclass(frozen=True)
class DecisionOptions:
    """Options of a decision: a precision or a recall to reach, or the lowest score to accept."""

    threshold: float | None = None
    precision: float | None = None
    recall: float | None = None


@dataclass(frozen=True)
class PairDecisions:
    """The accepted pairs and the best of the others, best first.

    Scores are probabilities if judgements were used, log odds for links, and `code_scores` for duplicates.
    ``evidence`` holds the parts that sum to the score, or to the log odds of a probability. ``precision`` and
    ``recall`` are estimates, or 90 % intervals. ``groups`` holds, for each text, the first text of its group.
    """

    pairs: Array
    scores: Array
    accepted: Array
    cut: float
    evidence: Evidence
    is_taught: bool = False
    precision: tuple[float, ...] = ()
    recall: tuple[float, ...] = ()
    notes: list[str] = field(default_factory=list)
    groups: Array | None = None


def decide_links(
    pairs: CandidatePairs, labels: Labels, options: DecisionOptions, many: bool = False
) -> PairDecisions:
    """Link two lists one to one; with ``many``, accept every pair above the cut."""
    if min(pairs.n_rows) < MIN_ROWS_TO_LEARN:
        return _decide_few(pairs, labels, options, many)
    taught, notes = teach_pairs(pairs, labels, options)
    linker, odds, links, p = pairs.estimated_links
    if labels:
        links, p = _judged_links(pairs, labels, taught)
    cut, precision, recall = options.threshold, tuple[float, ...](), tuple[float, ...]()
    if many:
        candidates, scores = np.arange(len(pairs)), odds
        cut = logit(best_f1_cut(sigmoid(odds))) if cut is None else cut
        accepted = odds >= cut
        accepted[list(labels)] = np.array(list(labels.values()), bool)
    elif taught is not None:
        candidates, scores = links.pairs, p
        cut = judging.choose_cut(p, options.precision, options.recall) if cut is None else cut
        accepted = p >= cut
        precision, recall = taught.intervals(links.features, cut)
    else:
        candidates, scores = links.pairs, odds[links.pairs]
        accepted = _accept_untaught(scores, p, options)
        cut = float(scores[accepted].min(initial=np.inf)) if cut is None else cut
        precision = (float(p[accepted].mean()),) if accepted.any() else ()
        notes = [*notes, *[ESTIMATE_REMARK] * len(precision)]

    def explain(rows: Array) -> Evidence:
        features = pairs.features[candidates[rows]]
        evidence = model_evidence(linker, features)
        if taught is None or many:
            return evidence
        return link_evidence(taught.model, links.features[rows], evidence, features)

    figures = taught is not None and not many, precision, recall, notes
    return _list_decisions(candidates, scores, accepted, cut, explain, *figures)


def _decide_few(pairs: CandidatePairs, labels: Labels, options: DecisionOptions, many: bool) -> PairDecisions:
    """Link two lists, one of which has few texts, by the untaught score."""
    for name, value in {"precision": options.precision, "recall": options.recall}.items():
        if value is not None:
            problem = f"{name}={value:g} needs at least {MIN_ROWS_TO_LEARN} texts in each list"
            raise InputError(f"{problem}, got {min(pairs.n_rows)}", parameter=name)
    open_rows = _find_open_pairs(pairs, labels)
    graph = PairGraph(pairs.left[open_rows], pairs.right[open_rows])
    cut = FEW_ROWS_CUT if options.threshold is None else options.threshold
    is_match = pairs.scores >= cut
    is_match[list(labels)] = np.array(list(labels.values()), bool)
    candidates = np.arange(len(pairs)) if many else open_rows[graph.mutual_best(pairs.scores[open_rows])]
    scores, accepted = pairs.scores[candidates], is_match[candidates]
    note = (
        f"fewer than {MIN_ROWS_TO_LEARN} texts in a list are too few to learn from and to estimate the "
        f"precision: pairs are linked from score {cut:g} on"
    )

    def explain(rows: Array) -> Evidence:
        return code_score_evidence(pairs.features[candidates[rows]], scores[rows])

    return _list_decisions(candidates, scores, accepted, cut, explain, notes=[note])


def decide_duplicates(pairs: CandidatePairs, labels: Labels, options: DecisionOptions) -> PairDecisions:
    """Decide which pairs of one list are duplicates; by default, accept near copies to be reviewed."""
    taught, notes = teach_pairs(pairs, labels, options)
    candidates, features, _ = pairs.teaching_set
    cut, precision, recall = options.threshold, tuple[float, ...](), tuple[float, ...]()
    if taught is None:
        candidates, scores = np.arange(len(pairs)), pairs.scores
        cut = REVIEW_SCORE if cut is None else cut
    else:
        scores = judged_probabilities(taught, pairs.teaching_set, labels)
        cut = judging.choose_cut(scores, options.precision, options.recall) if cut is None else cut
        precision, recall = taught.intervals(features, cut)

    def explain(rows: Array) -> Evidence:
        features = pairs.features[candidates[rows]]
        if taught is None:
            return code_score_evidence(features, scores[rows])
        return model_evidence(taught.model, features)

    figures = taught is not None, precision, recall, notes, group_texts(pairs, candidates, scores, cut)
    return _list_decisions(candidates, scores, scores >= cut, cut, explain, *figures)


def group_texts(pairs: CandidatePairs, candidates: Array, scores: Array, cut: float) -> Array:
    """Return the first text of each text's group, by average linkage; a pair without a score counts 0."""
    left, right = pairs.left[candidates], pairs.right[candidates]
    keys = left * pairs.n_texts + right  # ascending

    def score_pairs(a: Array, b: Array) -> Array:
        wanted_keys = np.minimum(a, b) * pairs.n_texts + np.maximum(a, b)
        places = np.minimum(np.searchsorted(keys, wanted_keys), len(keys) - 1)
        return np.where(keys[places] == wanted_keys, scores[places], 0.0)

    return average_linkage(pairs.n_texts, left, right, scores, cut, score_pairs)


def teach_pairs(
    pairs: CandidatePairs, labels: Labels, options: DecisionOptions
) -> tuple[judging.TaughtModel | None, list[str]]:
    """Fit a model to judgements; return None, and notes with the reason, if the model cannot be used."""
    taught, notes = None, list[str]()
    if labels:
        try:
            taught, notes = fit_validated(pairs.teaching_set, labels)
        except InputError as error:
            notes = [f"{error}; the judgements do not change the scores yet"]
    if taught is None:
        limits = {"precision": options.precision if pairs.n_left is None else None, "recall": options.recall}
        for name, value in limits.items():
            if value is not None:
                why = f" ({notes[0]})" if notes else ""
                problem = f"{name}={value:g} needs judgements{why}: judge some pairs with tacit teach FOLDER"
                raise InputError(problem, parameter=name)
    return taught, notes


def fit_validated(judged_set: TeachingSet, labels: Labels) -> tuple[judging.TaughtModel | None, list[str]]:
    """Fit a model to judgements and compare it with the untaught one; InputError if there are too few."""
    _, features, prior_mean = judged_set
    rows = _rows_of_set(judged_set, labels)
    judging.check_judgements(rows)
    taught = judging.fit_judged(features, rows, prior_mean)
    if len(rows) < judging.MIN_VALIDATED:
        needed = f"cross-validation, which needs {judging.MIN_VALIDATED}"
        return taught, [f"{len(rows)} judgements: too few for {needed}"]
    quality = judging.cross_validate(features, rows, prior_mean)
    note = (
        f"{len(rows)} judgements, cross-validated: average precision {quality.taught:.3f}, "
        f"without judgements {quality.untaught:.3f}"
    )
    if quality.taught < quality.untaught:
        return None, [f"{note}; the taught model is not better and is not used"]
    return taught, [f"{note}; 50 more judgements: about {quality.gain_of_50:+.3f}"]


def judged_probabilities(taught: judging.TaughtModel, judged_set: TeachingSet, labels: Labels) -> Array:
    """Return the probability of each pair of the set; a judged pair has its label."""
    probabilities = taught.probabilities(judged_set.features)
    rows = _rows_of_set(judged_set, labels)
    probabilities[list(rows)] = list(rows.values())
    return probabilities


def _rows_of_set(judged_set: TeachingSet, labels: Labels) -> dict[int, float]:
    """Return the labels by row of the set, without those of other pairs."""
    row_of = {pair: row for row, pair in enumerate(judged_set.pairs.tolist())}
    return {row_of[pair]: label for pair, label in labels.items() if pair in row_of}


def _judged_links(
    pairs: CandidatePairs, labels: Labels, taught: judging.TaughtModel | None
) -> tuple[LinkRows, Array]:
    """Link again without pairs judged 0 and rivals of pairs judged 1; return the links and probabilities.

    Without a taught model, the probabilities are those estimated without labels, and 0.5 for a new link.
    """
    rows, estimated = _find_open_pairs(pairs, labels), pairs.estimated_links
    graph = PairGraph(pairs.left[rows], pairs.right[rows])
    links = mutual_links(pairs.features[rows], graph, estimated.log_odds[rows], pairs.n_rows)
    links = LinkRows(rows[links.pairs], links.features)
    if taught is not None:
        p = taught.probabilities(links.features)
    else:
        estimates = dict(zip(estimated.links.pairs.tolist(), estimated.probabilities, strict=True))
        p = np.array([estimates.get(pair, 0.5) for pair in links.pairs.tolist()])
    p[np.isin(links.pairs, _find_matches(labels))] = 1.0
    return links, p


def _find_matches(labels: Labels) -> list[int]:
    return [pair for pair, label in labels.items() if label == 1]


def _find_open_pairs(pairs: CandidatePairs, labels: Labels) -> Array:
    """Return the pairs that may be linked: not judged 0, and no rivals of pairs judged 1."""
    matches = _find_matches(labels)
    is_open = ~(np.isin(pairs.left, pairs.left[matches]) | np.isin(pairs.right, pairs.right[matches]))
    is_open[list(labels)] = False
    is_open[matches] = True
    return np.flatnonzero(is_open)


def _accept_untaught(scores: Array, p: Array, options: DecisionOptions) -> Array:
    """Return which links to accept without a taught model."""
    if options.threshold is not None:
        return scores >= options.threshold
    return choose_links(p) if options.precision is None else p >= precision_cut(p, options.precision)


def _list_decisions(
    candidates: Array, scores: Array, accepted: Array, cut: float, explain: Callable[[Array], Evidence],
    *figures: Any, **others: Any,
) -> PairDecisions:  # fmt: skip
    """List accepted candidates and the best of the others, best first; ``explain`` gives their evidence."""
    order = np.lexsort((candidates, -scores))
    n_others = np.cumsum(~accepted[order])
    rows = order[accepted[order] | (n_others <= _MAX_OTHERS)]
    listed = candidates[rows], scores[rows], accepted[rows]
    return PairDecisions(*listed, cut, explain(rows), *figures, **others)
