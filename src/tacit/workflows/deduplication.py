"""Find exact and near copies in one list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from tacit.corpora import Record
from tacit.corpora.reading import read_full_rows
from tacit.decisions.decision import PairDecisions, decide_duplicates
from tacit.result_table import ResultTable, name_other_columns
from tacit.workflows.file_index import open_records
from tacit.workflows.linking import PairResult, check_options, expand_decisions, select_evidence
from tacit.workflows.pair_problems import PairProblem, open_problem
from tacit.workflows.progress import Progress, single_step
from tacit.workflows.records import RecordSource
from tacit.workflows.table_writing import write_table

REMOVED, REPRESENTATIVE, REVIEW = "removed", "representative", "review"


@dataclass(frozen=True)
class GroupMember:
    """A record of a group of duplicates.

    Parameters
    ----------
    row : int
        Its row in the list, from 0.
    decision : {"representative", "removed", "review"}
        The representative stays; a copy is removed, or left for review.
    score : float or None
        Score, or probability, with the representative; None if these two were not compared.
    evidence : dict of str to float
        The parts of the score.
    """

    row: int
    decision: str
    score: float | None = None
    evidence: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Duplicates(ResultTable):
    """Groups of duplicates, and which rows of the list stay; as a table, the list to review.

    Parameters
    ----------
    records : list of Record
        All rows.
    groups : list of list of GroupMember
        Groups of two or more rows, each with its representative first.
    pairs : list of PairResult
        The pairs from the cut on and the best of the others, best first.
    cut : float
        The lowest score of near copies.
    is_taught : bool
        Whether judgements were used: scores are probabilities then.
    precision, recall : tuple of float
        90 % intervals for the accepted pairs, with judgements.
    notes : list of str
        Notes on the judgements, such as their effect or why they were not used.
    """

    records: list[Record]
    groups: list[list[GroupMember]]
    pairs: list[PairResult]
    cut: float
    is_taught: bool = False
    precision: tuple[float, ...] = ()
    recall: tuple[float, ...] = ()
    notes: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        """Describe the result in one line."""
        return f"<Duplicates: {len(self.groups)} groups in {len(self.records)} rows>"

    @property
    def removed_rows(self) -> set[int]:
        """Rows of the list, from 0, that are removed."""
        return {member.row for group in self.groups for member in group if member.decision == REMOVED}

    @property
    def clean(self) -> list[Record]:
        """The records that stay, in the order of the list."""
        removed = self.removed_rows
        return [record for row, record in enumerate(self.records) if row not in removed]

    @property
    def score_name(self) -> str:
        """Name of the score: "score", or "probability" if judgements were used."""
        return "probability" if self.is_taught else "score"

    def table_columns(self) -> list[str]:
        """Return the names of the columns.

        Returns
        -------
        list of str
            Group, decision, id, text, the score and its parts, and the other columns of the records.
        """
        return [*self._own_columns(), *self._other_columns().values()]

    def table_rows(self) -> Iterable[Sequence[Any]]:
        """Return the rows.

        Returns
        -------
        iterable of sequence
            The cells of each record of a group.
        """
        others = self._other_columns()
        for number, group in enumerate(self.groups, 1):
            for member in group:
                record, score = self.records[member.row], member.score
                cells = [number, member.decision, record.id, record.text, score and round(score, 6)]
                parts = {name: round(part, 3) for name, part in member.evidence.items()}
                cells += [parts.get(name) for name in self._evidence_names()]
                yield cells + [record.columns.get(name) for name in others]

    def _evidence_names(self) -> list[str]:
        return list(self.pairs[0].evidence) if self.pairs else []

    def _own_columns(self) -> list[str]:
        evidence = (f"evidence_{name}" for name in self._evidence_names())
        return ["group", "decision", "id", "text", self.score_name, *evidence]

    def _other_columns(self) -> dict[str, str]:
        """Return the title of each other column of the records."""
        rows = (self.records[member.row].columns for group in self.groups for member in group)
        return name_other_columns(self._own_columns(), rows)


def dedupe(
    texts: Any = None, *, text: str | Sequence[str] | None = None, id: str | None = None,
    columns: Sequence[str] | None = None, threshold: float | None = None, precision: float | None = None,
    recall: float | None = None, work: str | Path | None = None, language: str | None = "auto",
    n_threads: int | None = None, encoder: Any = None, progress: Progress | None = None,
) -> Duplicates:  # fmt: skip
    """Find duplicates: exact copies are removed, groups of near copies are left for review.

    Exact copies are texts that are equal after Unicode normalization, up to case and white space. Near copies
    are removed too if a threshold is set, or if ``work`` has judgements.

    Parameters
    ----------
    texts : RecordSource, path, iterable of str or Record, Series or DataFrame
        The list; None reads it from ``work``.
    text, id, columns : optional
        Text columns, id column and other columns to keep, of a file, a DataFrame or dicts.
    threshold : float, optional
        Remove near copies with at least this score. Without it and without judgements, near copies from
        0.6 are listed for review.
    precision, recall : float, optional
        Remove as many near copies as possible at this precision, or as few at this recall; needs judgements.
    work : path, optional
        Folder for the list, candidates and judgements, see `teach`; judgements in it are used.
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
    Duplicates
        The groups, and the rows that stay.

    Raises
    ------
    InputError
        If the list is empty or cannot be read, or an option needs judgements.

    Examples
    --------
    >>> import tacit
    >>> texts = ["How do I log in?", "how do I  log in?", "How do I log out?", "Where is my parcel?"]
    >>> [record.text for record in tacit.dedupe(texts).clean]
    ['How do I log in?', 'How do I log out?', 'Where is my parcel?']
    """
    options = check_options(threshold, precision, recall)
    problem = open_problem([texts], [text], [id], columns, work, language, n_threads, progress, encoder)
    labels, notes = problem.read_labels(work)
    with single_step(progress, "deciding"):
        decisions = decide_duplicates(problem.pairs, labels, options)
        removes_near = threshold is not None or decisions.is_taught
        groups = _list_groups(problem, decisions, REMOVED if removes_near else REVIEW)
        accepted, others = expand_decisions(problem, decisions, many=True)
    figures = decisions.is_taught, decisions.precision, decisions.recall, [*notes, *decisions.notes]
    return Duplicates(problem.lists[0], groups, [*accepted, *others], decisions.cut, *figures)


def _list_groups(
    problem: PairProblem, decisions: PairDecisions, near_decision: str
) -> list[list[GroupMember]]:
    """Return the groups of two or more rows, in the order of the list."""
    labels, rows_of = decisions.groups, problem.row_groups(0)
    assert labels is not None
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    left, right = (side[decisions.pairs].tolist() for side in (problem.pairs.left, problem.pairs.right))
    place_of = {pair: place for place, pair in enumerate(zip(left, right, strict=True))}
    groups = []
    for start, stop in pairwise([*starts.tolist(), len(order)]):
        texts = order[start:stop].tolist()
        if len(texts) == 1 and len(rows_of[texts[0]]) == 1:
            continue
        # the most complete text represents the group, the first row of equal ones
        best = max(texts, key=lambda text: (len(problem.lists[0][rows_of[text][0]].text), -text))
        members = []
        for text in [best, *(text for text in texts if text != best)]:
            first, *copies = rows_of[text]
            place = place_of.get((min(text, best), max(text, best)))
            score, parts = None, {}
            if place is not None:
                score = float(decisions.scores[place])
                parts = select_evidence(decisions.evidence, place)
            members.append(
                GroupMember(first, REPRESENTATIVE if text == best else near_decision, score, parts)
            )
            members += [GroupMember(row, REMOVED, 1.0) for row in copies]
        groups.append(members)
    return groups


def write_clean(
    path: str | Path, result: Duplicates, records: Any, escape: bool = False, **reading: Any
) -> int:
    """Write the rows that stay, with all their columns; rows of a file are written as they are.

    Parameters
    ----------
    path : str or Path
        The table to write.
    result : Duplicates
        The result of `dedupe`.
    records : RecordSource or other
        The list that `dedupe` read.
    escape : bool
        Escape cells that a spreadsheet would run.
    **reading
        The columns ``text``, ``id`` and ``columns``, as for `dedupe`.

    Returns
    -------
    int
        Number of rows written.
    """
    removed, rows = result.removed_rows, []
    source = open_records(records, **reading)
    if isinstance(source, RecordSource) and len(source.paths) == 1 and source.is_rereadable:
        number = 0
        options = source.options
        for text, cells in read_full_rows(source.paths[0], options.text_column, options.format):
            if cells and not (text.strip() and number in removed):
                rows.append(cells)
            number += bool(text.strip())
    else:
        rows = [{"id": record.id, "text": record.text} | record.columns for record in result.clean]
    names = list(dict.fromkeys(name for row in rows for name in row))
    write_table(path, names, ([row.get(name) for name in names] for row in rows), escape_formulas=escape)
    return len(rows)
