"""A session in which pairs are judged one by one, and its result."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tacit.corpora import Record
from tacit.decisions.decision import fit_validated, judged_probabilities
from tacit.decisions.evidence import link_evidence, model_evidence
from tacit.decisions.judging import choose_cut, next_pairs
from tacit.decisions.logistic import LogisticModel, Scaling, sigmoid
from tacit.errors import InputError
from tacit.workflows.linking import PairResult, PairTable
from tacit.workflows.pair_problems import PairProblem, append_judgements, read_judgements


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
        return "probability"


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
        self.labels = {} if folder is None else problem.label_pairs(read_judgements(folder))[0]
        self._history: list[int] = []

    def judge(self, pair: int, label: float) -> None:
        """Store a judgement.

        Parameters
        ----------
        pair : int
            Number of the pair.
        label : float
            1 for a match, 0 for none.
        """
        self.labels[pair] = label
        self._history.append(pair)
        self._store(pair, label)

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
        del self.labels[pair]
        self._store(pair, None)
        return pair

    def _store(self, pair: int, label: float | None) -> None:
        if self.folder is not None:
            a, b = self.records(pair)
            append_judgements(self.folder, [(str(a.id), str(b.id), label)])

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
        sides = zip((self.problem.pairs.left, self.problem.pairs.right), (0, -1), strict=True)
        a, b = (
            self.problem.lists[side][int(np.argmax(self.problem.texts_of_rows[side] == texts[pair]))]
            for texts, side in sides
        )
        return a, b

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
        pairs, teaching_set = self.problem.pairs, self.problem.pairs.teaching_set
        intervals: tuple[tuple[float, ...], tuple[float, ...]] = (), ()
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
        if taught is not None:
            intervals = taught.intervals(teaching_set.features, cut)
        features = pairs.features[teaching_set.pairs]
        if pairs.n_left is None:
            evidence = model_evidence(model, features)
        else:
            linker_parts = model_evidence(pairs.estimated_links.model, features)
            evidence = link_evidence(model, teaching_set.features, linker_parts, features)
        numbers = teaching_set.pairs.tolist()
        results = [
            PairResult(
                *self.records(pair),
                float(p),
                {name: float(part[row]) for name, part in evidence.items()},
                bool(p >= cut),
            )
            for row, (pair, p) in enumerate(zip(numbers, probabilities, strict=True))
        ]
        rows = {row: self.labels[pair] for row, pair in enumerate(numbers) if pair in self.labels}
        following = next_pairs(probabilities, rows, self.random_state).tolist()
        return Taught(
            results, numbers, dict(self.labels), cut, *intervals, following, taught is not None, notes
        )
