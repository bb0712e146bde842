"""Teach decisions by judged pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tacit.corpora import Record
from tacit.corpora.reading import read_full_rows
from tacit.decisions.candidate_pairs import CandidatePairs, pairs_of_rows
from tacit.decisions.grading import MAX_GRADE
from tacit.decisions.texts import PairTexts
from tacit.errors import InputError
from tacit.models.measure import score_pairs
from tacit.models.measures import get_measure, measure_names
from tacit.models.text_model import TextModel
from tacit.models.text_set import TextSet
from tacit.types import Array
from tacit.workflows.file_index import open_model
from tacit.workflows.judgements import (
    JUDGEMENT_COLUMNS,
    MAX_LABEL,
    Judgement,
    check_contradictions,
    check_label,
)
from tacit.workflows.linking import check_options
from tacit.workflows.pair_problems import PairProblem, train_model
from tacit.workflows.progress import Progress
from tacit.workflows.teaching_session import GradingSession, Taught, TeachingSession

PAIRS_SUFFIX = ".judgements"
"""Ending of the folder beside a file of pairs that has its judgements."""


def open_session(
    pairs: Any, *, model: Any = None, language: str | None = "auto", random_state: int = 0,
    n_threads: int | None = None, progress: Progress | None = None,
) -> TeachingSession:  # fmt: skip
    """Open the pairs of a work folder, of a file or of a list for judging.

    Parameters
    ----------
    pairs : path or sequence of (str, str)
        A work folder of `link` or `dedupe`; a table with the columns text_a and text_b, and optionally id_a,
        id_b and label; or pairs of texts.
    model, language, random_state, n_threads, progress : optional
        As in `teach`.

    Returns
    -------
    TeachingSession
        The session; judgements of a folder or a file are stored at once.
    """
    if isinstance(pairs, str | Path) and Path(pairs).is_dir():
        if model is not None:
            raise InputError(f"{pairs} is a folder: model= needs a table of pairs", parameter="model")
        return TeachingSession(PairProblem.load(pairs), pairs, random_state)
    folder, judgements = None, list[Judgement]()
    if isinstance(pairs, str | Path):
        rows, judgements = _read_pair_file(pairs, MAX_LABEL if model is None else MAX_GRADE)
        folder = Path(f"{pairs}{PAIRS_SUFFIX}")
    else:
        numbered = ((str(number), a, b) for number, (a, b) in enumerate(pairs, 1))
        rows = [(Record(a, number, {}), Record(b, number, {})) for number, a, b in numbered]
    if model is None:
        problem = _problem_of_pairs(rows, language, n_threads, progress)
        session = TeachingSession(problem, folder, random_state)
    else:
        model = model if isinstance(model, TextModel) else open_model(model, n_threads=n_threads)
        session = GradingSession(_problem_of_grades(rows, model), folder, random_state)
    session.labels = session.problem.label_pairs(judgements)[0] | session.labels
    return session


def teach(
    pairs: Any, judgements: Any = None, *, precision: float | None = None, recall: float | None = None,
    model: Any = None, language: str | None = "auto", random_state: int = 0, n_threads: int | None = None,
    progress: Progress | None = None,
) -> Taught:  # fmt: skip
    """Learn from judged pairs which pairs match.

    A logistic model is fitted to the judgements; its prior does not depend on them and dominates below 20
    judgements. If cross-validation finds it no better than without judgements, it is not used.

    With ``model``, judgements are grades from 0 to 5, and the result has a ``measure`` for
    `TextModel.compare_pairs`: a weighted sum of all measures, fitted to the grades by ridge regression.

    Parameters
    ----------
    pairs : path or sequence of (str, str)
        A work folder of `link` or `dedupe`; a table with the columns text_a and text_b, and optionally id_a,
        id_b and label; or pairs of texts.
    judgements : path, sequence or mapping, optional
        1 for a match, 0 for a pair that does not match. For pairs of texts: a sequence with one label for
        each pair, None if it is not judged, or a mapping from the number of a pair to its label. For a
        folder or a file: (id_a, id_b, label), or a table with these columns; they are added to the judgements
        of the folder.
    precision, recall : float, optional
        Choose the threshold for this precision or recall; by default for the largest expected F1.
    model : TextModel or path, optional
        Model, index or file of texts that compares the pairs; judgements are grades from 0 to 5 then.
    language : str, optional
        Language code of the texts; "auto" detects it.
    random_state : int
        Random seed for choosing the pairs to judge next.
    n_threads : int, optional
        Number of threads; the result does not depend on it.
    progress : callable, optional
        Receives events of the stages of `learn`.

    Returns
    -------
    Taught
        Probabilities of all pairs, the threshold, and which pairs to judge next.

    Raises
    ------
    InputError
        If a pair is judged both 1 and 0, or a label is not in the range.

    Examples
    --------
    >>> import tacit
    >>> pairs = [(f"lamp model {k}", f"model {k + k % 2} lamp") for k in range(40)]
    >>> taught = tacit.teach(pairs, [1 - k % 2 for k in range(40)])
    >>> [each.is_match for each in taught.pairs[:4]]
    [True, False, True, False]
    """
    check_options(None, precision, recall)
    session = open_session(
        pairs, model=model, language=language, random_state=random_state, n_threads=n_threads,
        progress=progress,
    )  # fmt: skip
    if judgements is not None:
        add_judgements(session, judgements)
    return session.result(precision, recall)


def add_judgements(session: TeachingSession, judgements: Any) -> None:
    """Check judgements, as `teach` takes them, and store them."""
    highest = MAX_GRADE if isinstance(session, GradingSession) else MAX_LABEL
    if isinstance(judgements, str | Path):
        judgements = _read_judgement_file(judgements)
    pairs = session.problem.pairs
    if isinstance(judgements, Mapping) or session.folder is None:
        items = judgements.items() if isinstance(judgements, Mapping) else enumerate(judgements)
        labels = {int(pair): check_label(label, highest) for pair, label in items if label is not None}
        unknown = [pair for pair in labels if not 0 <= pair < len(pairs)]
        if unknown:
            raise InputError(f"there is no pair {unknown[0]}: there are {len(pairs)}, from 0")
    else:
        rows = [(str(id_a), str(id_b), check_label(label, highest)) for id_a, id_b, label in judgements]
        check_contradictions(rows)
        labels, n_unknown = session.problem.label_pairs(rows)
        if n_unknown == len(rows):
            raise InputError("no judged pair is among the candidates: check the ids")
    records = ((*session.records(pair), label) for pair, label in labels.items())
    check_contradictions((a.text, b.text, label) for a, b, label in records)
    session.judge_all(labels)


def _problem_of_pairs(
    rows: Sequence[tuple[Record, Record]], language: str | None, n_threads: int | None,
    progress: Progress | None,
) -> PairProblem:  # fmt: skip
    """Compute the features of pairs of records."""
    texts, sides = _number_texts(rows)
    model = train_model(texts, language, n_threads, progress)
    pairs = pairs_of_rows(PairTexts(TextSet.from_texts(model, texts)), *sides)
    return PairProblem([list(side) for side in zip(*rows, strict=True)], sides, pairs)


def _problem_of_grades(rows: Sequence[tuple[Record, Record]], model: TextModel) -> PairProblem:
    """Compute the scores of pairs of records by each measure."""
    texts, sides = _number_texts(rows)
    text_set, none = TextSet.from_texts(model, texts), np.zeros(len(rows), np.float32)
    scores = np.column_stack([score_pairs(get_measure(name), text_set, *sides) for name in measure_names()])
    pairs = CandidatePairs(len(texts), None, sides[0], sides[1], scores, none, none, is_given=True)
    return PairProblem([list(side) for side in zip(*rows, strict=True)], sides, pairs)


def _number_texts(rows: Sequence[tuple[Record, Record]]) -> tuple[list[str], list[Array]]:
    """Return the distinct texts of pairs, and their numbers for each side."""
    if not rows:
        raise InputError("there are no pairs: give at least one")
    texts = list(dict.fromkeys(record.text for row in rows for record in row))
    number_of = dict(zip(texts, range(len(texts)), strict=True))
    sides = zip(*rows, strict=True)
    return texts, [np.array([number_of[record.text] for record in side], np.int64) for side in sides]


def _read_pair_file(path: str | Path, highest: float) -> tuple[list[tuple[Record, Record]], list[Judgement]]:
    """Read pairs, and the judgements among them, from a table."""
    rows: list[tuple[Record, Record]] = []
    judgements: list[Judgement] = []
    for number, cells in enumerate(_read_cells(path, ("text_a", "text_b")), 1):
        id_a, id_b = (str(cells.get(name) or number) for name in ("id_a", "id_b"))
        rows.append((Record(str(cells["text_a"]), id_a, {}), Record(str(cells["text_b"]), id_b, {})))
        if cells.get("label") not in (None, ""):
            judgements.append((id_a, id_b, check_label(cells["label"], highest)))
    return rows, judgements


def _read_judgement_file(path: str | Path) -> Iterable[tuple[str, str, Any]]:
    for cells in _read_cells(path, JUDGEMENT_COLUMNS):
        if cells["label"] not in (None, ""):
            yield str(cells["id_a"]), str(cells["id_b"]), cells["label"]


def _read_cells(path: str | Path, names: Sequence[str]) -> Iterable[dict[str, Any]]:
    """Read the rows of a table that has columns with these names."""
    for _, cells in read_full_rows(path, names[0]):
        if cells:
            if missing := [name for name in names if name not in cells]:
                raise InputError(f"{path} has no column {missing[0]!r}: it needs {', '.join(names)}")
            yield cells
