"""Link the rows of two lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from tacit.checks import check_float
from tacit.corpora import Record
from tacit.decisions.decision import DecisionOptions, Evidence, PairDecisions, decide_links
from tacit.errors import InputError
from tacit.result_table import ResultTable
from tacit.workflows.pair_problems import PairProblem, open_problem
from tacit.workflows.progress import Progress, single_step

_PAIRS_PER_CUT = 10


@dataclass(frozen=True)
class PairResult:
    """Two records, their score, and the parts that sum to it.

    Parameters
    ----------
    a, b : Record
        The records.
    score : float
        Score of the pair, or its probability if judgements were used.
    evidence : dict of str to float
        Contributions of words, codes, meaning and length to the score, or to the log odds of the probability.
    is_match : bool
        Whether the pair is accepted.
    """

    a: Record
    b: Record
    score: float
    evidence: dict[str, float]
    is_match: bool = True


class PairTable(ResultTable):
    """Pairs as a table: ids, texts, score, evidence, and the other columns of both records."""

    def table_pairs(self) -> list[PairResult]:
        """Return the pairs of the table.

        Returns
        -------
        list of PairResult
            One for each row.
        """
        raise NotImplementedError

    @property
    def score_name(self) -> str:
        """Name of the score: "score", or "probability" if judgements were used."""
        return "score"

    def table_columns(self) -> list[str]:
        """Return the names of the columns.

        Returns
        -------
        list of str
            Ids, texts, the score, its parts, and the other columns with the suffix of their list.
        """
        pairs = self.table_pairs()
        evidence = [f"evidence_{name}" for name in (pairs[0].evidence if pairs else ())]
        others = [
            f"{name}_{side}"
            for side, names in zip("ab", self._other_columns(), strict=True)
            for name in names
        ]
        return ["id_a", "id_b", "text_a", "text_b", self.score_name, *evidence, *others]

    def table_rows(self) -> Iterable[Sequence[Any]]:
        """Return the rows.

        Returns
        -------
        iterable of sequence
            The cells of each pair.
        """
        names_a, names_b = self._other_columns()
        for pair in self.table_pairs():
            cells = [pair.a.id, pair.b.id, pair.a.text, pair.b.text, round(pair.score, 6)]
            cells += [round(value, 3) for value in pair.evidence.values()]
            cells += [pair.a.columns.get(name) for name in names_a]
            yield cells + [pair.b.columns.get(name) for name in names_b]

    def _other_columns(self) -> tuple[list[str], list[str]]:
        pairs = self.table_pairs()
        names_a = dict.fromkeys(name for pair in pairs for name in pair.a.columns)
        return list(names_a), list(dict.fromkeys(name for pair in pairs for name in pair.b.columns))


@dataclass(frozen=True)
class Links(PairTable):
    """The links between two lists, best first; `len` and iteration apply to the links.

    Parameters
    ----------
    links : list of PairResult
        The accepted pairs.
    others : list of PairResult
        Pairs that were considered and not accepted, best first.
    cut : float
        The lowest score that was accepted.
    precision : tuple of float
        The estimated share of right links, or a 90 % interval with judgements; empty with ``many``.
    recall : tuple of float
        A 90 % interval of the share of pairs that are linked, with judgements.
    is_taught : bool
        Whether judgements were used: scores are probabilities then.
    notes : list of str
        Notes on the judgements, such as their effect or why they were not used.
    """

    links: list[PairResult]
    others: list[PairResult]
    cut: float
    precision: tuple[float, ...] = ()
    recall: tuple[float, ...] = ()
    is_taught: bool = False
    notes: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        """Describe the result in one line."""
        return f"<Links: {len(self.links)} links>"

    def __len__(self) -> int:
        return len(self.links)

    def __iter__(self) -> Any:
        return iter(self.links)

    def table_pairs(self) -> list[PairResult]:
        """Return the links.

        Returns
        -------
        list of PairResult
            The accepted pairs.
        """
        return self.links

    @property
    def score_name(self) -> str:
        """Name of the score: "score", or "probability" if judgements were used."""
        return "probability" if self.is_taught else "score"


def link(
    a: Any = None, b: Any = None, *, text: str | Sequence[str] | None = None, id: str | None = None,
    text_b: str | Sequence[str] | None = None, id_b: str | None = None,
    columns: Sequence[str] | None = None, many: bool = False, threshold: float | None = None,
    precision: float | None = None, recall: float | None = None, work: str | Path | None = None,
    language: str | None = "auto", n_threads: int | None = None, encoder: Any = None,
    progress: Progress | None = None,
) -> Links:  # fmt: skip
    """Link the rows of two lists that are about the same thing, without labels.

    A model is trained on both lists, a logistic model on their mutual nearest neighbors. Each row gets at
    most one partner, and links that look like those of rows without a partner are rejected.

    Parameters
    ----------
    a, b : RecordSource, path, iterable of str or Record, Series or DataFrame
        The lists; None reads them from ``work``.
    text, id : optional
        Text columns and id column of both lists, where they are tables.
    text_b, id_b : optional
        Text columns and id column of the second list, if their names differ.
    columns : sequence of str, optional
        Other columns to keep; None keeps all.
    many : bool
        Let a row match several rows of the other list: accept every pair above the cut.
    threshold : float, optional
        Lowest score of a link; by default it is estimated.
    precision : float, optional
        Accept as many links as possible while the estimated precision is at least this.
    recall : float, optional
        Accept as few links as possible for this recall; needs judgements.
    work : path, optional
        Folder for lists, candidates and judgements, see `teach`; judgements in it are used.
    language : str, optional
        Language code of the texts; "auto" detects it, None does not reduce words to stems.
    n_threads : int, optional
        Number of threads; the result does not depend on it.
    encoder : object, str or Path, optional
        An encoder whose vectors are compared as well, or its folder; see ``TextModel.with_encoder``.
    progress : callable, optional
        Receives events of the stages of `learn`, "comparing" and "deciding".

    Returns
    -------
    Links
        The links, best first.

    Raises
    ------
    InputError
        If a list is empty or cannot be read, or an option needs judgements.

    Examples
    --------
    >>> import tacit
    >>> a = ["Sony DSC-W120 camera, black", "Canon EOS 450D body", "Nikon D60 kit"]
    >>> b = ["nikon d60 digital slr kit", "sony cybershot dscw120 black", "canon eos 450d body only"]
    >>> for each in sorted(tacit.link(a, b), key=lambda each: each.a.id):
    ...     print(each.a.text, "=", each.b.text)
    Sony DSC-W120 camera, black = sony cybershot dscw120 black
    Canon EOS 450D body = canon eos 450d body only
    Nikon D60 kit = nikon d60 digital slr kit
    """
    options = check_options(threshold, precision, recall)
    texts, ids = (text, text if text_b is None else text_b), (id, id if id_b is None else id_b)
    problem = open_problem([a, b], texts, ids, columns, work, language, n_threads, progress, encoder)
    labels, notes = problem.read_labels(work)
    with single_step(progress, "deciding"):
        decisions = decide_links(problem.pairs, labels, options, many)
        matches, others = expand_decisions(problem, decisions, many)
    found = decisions.precision, decisions.recall, decisions.is_taught, [*notes, *decisions.notes]
    return Links(matches, others, decisions.cut, *found)


def check_options(threshold: float | None, precision: float | None, recall: float | None) -> DecisionOptions:
    """Check the limits of a decision; at most one can be set."""
    if sum(value is not None for value in (threshold, precision, recall)) > 1:
        raise InputError("threshold, precision and recall exclude each other: give one of them")
    for name, value in (("precision", precision), ("recall", recall)):
        if value is not None:
            check_float(name, value, 0, 1, exclusive_min=True)
    if threshold is not None:
        check_float("threshold", threshold, -1000, 1000)
    return DecisionOptions(threshold, precision, recall)


def list_cuts(pairs: Sequence[PairResult], n_cuts: int) -> list[tuple[float, int, list[PairResult]]]:
    """Return thresholds from high to low, each with its number of pairs and the ten pairs around it."""
    ordered = sorted(pairs, key=lambda pair: -pair.score)
    n_cuts = min(n_cuts, len(ordered))
    cuts = []
    for number in range(1, n_cuts + 1):
        middle = number * len(ordered) // (n_cuts + 1)
        first = max(0, min(middle + 1 - _PAIRS_PER_CUT // 2, len(ordered) - _PAIRS_PER_CUT))
        cuts.append((ordered[middle].score, middle + 1, ordered[first : first + _PAIRS_PER_CUT]))
    return cuts


def expand_decisions(
    problem: PairProblem, decisions: PairDecisions, many: bool
) -> tuple[list[PairResult], list[PairResult]]:
    """Expand pairs of distinct texts to pairs of records: accepted ones and others."""
    rows_a, rows_b = problem.row_groups(0), problem.row_groups(-1)
    pair_rows = product if many else zip
    results: tuple[list[PairResult], list[PairResult]] = [], []
    for k, pair in enumerate(decisions.pairs.tolist()):
        evidence = select_evidence(decisions.evidence, k)
        score, is_match = float(decisions.scores[k]), bool(decisions.accepted[k])
        left, right = int(problem.pairs.left[pair]), int(problem.pairs.right[pair])
        for i, j in pair_rows(rows_a[left], rows_b[right]):
            records = problem.lists[0][i], problem.lists[-1][j]
            results[not is_match].append(PairResult(*records, score, evidence, is_match))
    return results


def select_evidence(evidence: Evidence, k: int) -> dict[str, float]:
    """Return the parts of the score of one pair."""
    return {name: float(part[k]) for name, part in evidence.items()}
