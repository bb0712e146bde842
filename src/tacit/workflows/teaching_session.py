"""A session in which pairs are judged one by one, and its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tacit.corpora import Record
from tacit.decisions.candidate_pairs import TeachingSet
from tacit.decisions.decision import Evidence, fit_validated, judged_probabilities
from tacit.decisions.evidence import link_evidence, model_evidence
from tacit.decisions.grading import TaughtMeasure, fit_measure
from tacit.decisions.judging import choose_cut, next_pairs
from tacit.decisions.logistic import LogisticModel, Scaling, sigmoid
from tacit.errors import InputError
from tacit.models.measures import measure_names
from tacit.types import Array
from tacit.workflows.judgements import Judgement, append_judgements
from tacit.workflows.linking import PairResult, PairTable, select_evidence
from tacit.workflows.pair_problems import PairProblem

MEASURE_DIR = "measure"
"""Folder within that of the judgements for the measure that grades teach."""

_ROUND = 10  # pairs to grade until the measure is fitted again


@dataclass(frozen=True)
class Taught(PairTable):
    """Pairs with their probabilities, as learned from judgements.

    Parameters
    ----------
    pairs : list of PairResult
        The pairs that are decided on, in their order.
    numbers : list of int
        The number of each pair, which `TeachingSession.judge` takes.
    labels : dict of int to float
        The judgements by pair.
    threshold : float
        The lowest probability that is accepted.
    precision, recall : tuple of float
        90 % intervals at the threshold; empty without a taught model.
    next_pairs : list of int
        The pairs to judge next, by their place in ``pairs``.
    is_taught : bool
        Whether the judgements were used; the notes say why not.
    notes : list of str
        Cross-validated quality, or why the judgements were not used.
    measure : TaughtMeasure, optional
        The measure that was learned from grades, see `teach`; the scores are grades then.
    """

    pairs: list[PairResult]
    numbers: list[int]
    labels: dict[int, float]
    threshold: float
    precision: tuple[float, ...] = ()
    recall: tuple[float, ...] = ()
    next_pairs: list[int] = field(default_factory=list)
    is_taught: bool = False
    notes: list[str] = field(default_factory=list)
    measure: TaughtMeasure | None = None

    def table_pairs(self) -> list[PairResult]:
        """Return the pairs that are decided on.

        Returns
        -------
        list of PairResult
            In their order.
        """
        return self.pairs

    @property
    def score_name(self) -> str:
        """Name of the score."""
        return "probability" if self.measure is None else "grade"


class TeachingSession:
    """Judges pairs one by one; each judgement is stored at once.

    Parameters
    ----------
    problem : PairProblem
        The pairs.
    folder : path, optional
        Work folder with the judgements; None keeps them in memory.
    random_state : int
        Random seed for choosing the pairs to judge next.

    Attributes
    ----------
    labels : dict of int to float
        The judgements by pair.
    """

    def __init__(self, problem: PairProblem, folder: str | Path | None, random_state: int = 0) -> None:
        self.problem, self.folder, self.random_state = problem, folder, random_state
        self.labels = problem.read_labels(folder)[0]
        self._history: list[int] = []
        rows = [np.unique(problem.texts_of_rows[side], return_index=True) for side in (0, -1)]
        self._first_rows = [dict(zip(*map(np.ndarray.tolist, each), strict=True)) for each in rows]

    def judge(self, pair: int, label: float) -> None:
        """Store a judgement.

        Parameters
        ----------
        pair : int
            Number of the pair.
        label : float
            1 for a match, 0 for none.
        """
        self.judge_all({pair: label})

    def judge_all(self, labels: Mapping[int, float]) -> None:
        """Store several judgements at once.

        Parameters
        ----------
        labels : mapping of int to float
            Labels by the number of the pair.
        """
        self._store(labels)
        self.labels.update(labels)
        self._history += labels

    def undo(self) -> int | None:
        """Withdraw the last judgement of this session.

        Returns
        -------
        int or None
            Its pair; None if there is none left.
        """
        if not self._history:
            return None
        pair = self._history.pop()
        self._store({pair: None})
        del self.labels[pair]
        return pair

    def _store(self, labels: Mapping[int, float | None]) -> None:
        if self.folder is not None:
            append_judgements(self.folder, map(self._to_judgement, labels, labels.values()))

    def _to_judgement(self, pair: int, label: float | None) -> Judgement:
        a, b = self.records(pair)
        return str(a.id), str(b.id), label

    def list_judgements(self) -> list[Judgement]:
        """Return all judgements with the ids of their pairs.

        Returns
        -------
        list of (str, str, float)
            Both ids and the label.
        """
        return list(map(self._to_judgement, self.labels, self.labels.values()))

    def records(self, pair: int) -> tuple[Record, Record]:
        """Return the records of a pair; of equal texts, the first ones.

        Parameters
        ----------
        pair : int
            Number of the pair.

        Returns
        -------
        tuple of (Record, Record)
            The records.
        """
        problem, (rows_a, rows_b) = self.problem, self._first_rows
        a, b = rows_a[int(problem.pairs.left[pair])], rows_b[int(problem.pairs.right[pair])]
        return problem.lists[0][a], problem.lists[-1][b]

    def result(self, precision: float | None = None, recall: float | None = None) -> Taught:
        """Fit the model and return the pairs that are decided on, with their probabilities.

        Parameters
        ----------
        precision, recall : float, optional
            Choose the threshold for this precision or recall; by default for the largest expected F1.

        Returns
        -------
        Taught
            The pairs.
        """
        teaching_set = self.problem.pairs.teaching_set
        try:
            taught, notes = fit_validated(teaching_set, self.labels)
        except InputError as error:
            taught, notes = None, [str(error)]
        if taught is None:
            scaling, weights = Scaling.fit(teaching_set.features), teaching_set.prior_mean
            model = LogisticModel(scaling, weights[:-1], float(weights[-1]))
            probabilities = sigmoid(model.log_odds(teaching_set.features))
        else:
            model, probabilities = taught.model, judged_probabilities(taught, teaching_set, self.labels)
        cut = choose_cut(probabilities, precision, recall)
        intervals: tuple[tuple[float, ...], tuple[float, ...]] = (), ()
        if taught is not None:
            intervals = taught.intervals(teaching_set.features, cut)
        numbers = teaching_set.pairs.tolist()
        results = self._list_results(numbers, probabilities, self._explain(model, teaching_set), cut)
        rows = {row: self.labels[pair] for row, pair in enumerate(numbers) if pair in self.labels}
        following = next_pairs(probabilities, rows, self.random_state).tolist()
        return Taught(
            results, numbers, dict(self.labels), cut, *intervals, following, taught is not None, notes
        )

    def _explain(self, model: LogisticModel, teaching_set: TeachingSet) -> Evidence:
        """Return the parts of the log odds of the pairs of the set."""
        pairs = self.problem.pairs
        features = pairs.features[teaching_set.pairs]
        if pairs.n_left is None:
            return model_evidence(model, features)
        linker_parts = model_evidence(pairs.estimated_links.model, features)
        return link_evidence(model, teaching_set.features, linker_parts, features)

    def _list_results(
        self, numbers: list[int], scores: Array, evidence: Evidence, cut: float
    ) -> list[PairResult]:
        """Return pairs by their numbers, with their scores."""
        return [
            PairResult(
                *self.records(pair), float(scores[k]), select_evidence(evidence, k), bool(scores[k] >= cut)
            )
            for k, pair in enumerate(numbers)
        ]


class GradingSession(TeachingSession):
    """Grades pairs from 0 to 5, to teach a measure; the features of the pairs are their scores by measure.

    Parameters
    ----------
    problem, folder, random_state
        As for `TeachingSession`.
    """

    def result(self, precision: float | None = None, recall: float | None = None) -> Taught:
        """Fit the measure, store it in the folder, and return the pairs with their expected grades.

        Parameters
        ----------
        precision, recall : None
            Not used: grades have no threshold.

        Returns
        -------
        Taught
            The pairs; without enough grades, with the scores of the default measure.
        """
        scores, measure = self.problem.pairs.features, None
        try:
            measure, note = fit_measure(measure_names(), scores, self.labels)
        except InputError as error:
            note = str(error)
        if measure is not None and self.folder is not None:
            measure.save(Path(self.folder, MEASURE_DIR))
        grades = scores[:, 0] if measure is None else measure.grade(scores)
        numbers = list(range(len(scores)))
        rest = [pair for pair in numbers if pair not in self.labels]
        rng = np.random.default_rng([self.random_state, len(self.labels)])
        following = rng.permutation(rest)[:_ROUND].tolist()
        results = self._list_results(numbers, grades, {}, -np.inf)
        figures = following, measure is not None, [note], measure
        return Taught(results, numbers, dict(self.labels), 0.0, (), (), *figures)
