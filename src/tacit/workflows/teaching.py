"""Teach decisions by judged pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tacit.corpora import Record
from tacit.corpora.reading import read_full_rows
from tacit.decisions.candidate_pairs import pairs_of_rows
from tacit.decisions.texts import PairTexts
from tacit.errors import InputError
from tacit.models.text_set import TextSet
from tacit.workflows.linking import check_options
from tacit.workflows.pair_problems import Judgement, PairProblem, train_model
from tacit.workflows.progress import Progress
from tacit.workflows.teaching_session import Taught, TeachingSession

PAIRS_SUFFIX = ".judgements"
"""Ending of the folder beside a file of pairs that has its judgements."""


def open_session(
    pairs: Any, *, language: str | None = "auto", random_state: int = 0, n_threads: int | None = None,
    progress: Progress | None = None,
) -> TeachingSession:  # fmt: skip
    """Open the pairs of a work folder, of a file or of a list for judging.

    Parameters
    ----------
    pairs : path or sequence of (str, str)
        A work folder of `link` or `dedupe`; a table with the columns text_a and text_b, and optionally id_a,
        id_b and label; or pairs of texts.
    language, random_state, n_threads, progress : optional
        As in `teach`.

    Returns
    -------
    TeachingSession
        The session; judgements of a folder or a file are stored at once.
    """
    folder: Path | None = None
    judgements: list[Judgement] = []
    if isinstance(pairs, str | Path) and Path(pairs).is_dir():
        return TeachingSession(PairProblem.load(pairs), pairs, random_state)
    if isinstance(pairs, str | Path):
        rows, judgements = _read_pair_file(pairs)
        folder = Path(f"{pairs}{PAIRS_SUFFIX}")
    else:
        rows = [
            (Record(a, str(number), {}), Record(b, str(number), {})) for number, (a, b) in enumerate(pairs, 1)
        ]
    session = TeachingSession(_problem_of_pairs(rows, language, n_threads, progress), folder, random_state)
    known, _ = session.problem.label_pairs(judgements)
    session.labels = known | session.labels
    return session


def teach(
    pairs: Any, judgements: Any = None, *, precision: float | None = None, recall: float | None = None,
    language: str | None = "auto", random_state: int = 0, n_threads: int | None = None,
    progress: Progress | None = None,
) -> Taught:  # fmt: skip
    """Learn from judged pairs which pairs match.

    A logistic model is fitted to the judgements; its prior does not depend on them and dominates below 20
    judgements. If cross-validation finds it no better than without judgements, it is not used.

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
        If a pair is judged both 1 and 0, or a label is neither.

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
        pairs, language=language, random_state=random_state, n_threads=n_threads, progress=progress
    )
    if judgements is not None:
        add_judgements(session, judgements)
    return session.result(precision, recall)


def add_judgements(session: TeachingSession, judgements: Any) -> None:
    """Check judgements, as `teach` takes them, and store them."""
    if isinstance(judgements, str | Path):
        judgements = _read_judgement_file(judgements)
    is_by_number = isinstance(judgements, Mapping) or session.folder is None
    if is_by_number:
        items = judgements.items() if isinstance(judgements, Mapping) else enumerate(judgements)
        labels = {int(pair): check_label(label) for pair, label in items if label is not None}
        unknown = [pair for pair in labels if not 0 <= pair < len(session.problem.pairs)]
        if unknown:
            raise InputError(f"there is no pair {unknown[0]}: there are {len(session.problem.pairs)}, from 0")
    else:
        rows: dict[tuple[str, str], float] = {}
        for id_a, id_b, label in judgements:
            value = check_label(label)
            if rows.setdefault((str(id_a), str(id_b)), value) != value:
                raise InputError(f"the pair {id_a}, {id_b} is judged both 1 and 0: keep one judgement")
        labels, n_unknown = session.problem.label_pairs((*ids, label) for ids, label in rows.items())
        if n_unknown == len(rows):
            raise InputError("no judged pair is among the candidates: check the ids")
    _check_contradictions(session, labels)
    for pair, label in labels.items():
        session.judge(pair, label)


def _check_contradictions(session: TeachingSession, labels: dict[int, float]) -> None:
    """Raise InputError if two pairs of the same texts have different labels."""
    pairs = session.problem.pairs
    by_texts: dict[tuple[int, int], float] = {}
    for pair, label in labels.items():
        texts = int(pairs.left[pair]), int(pairs.right[pair])
        if by_texts.setdefault(texts, label) != label:
            a, b = session.records(pair)
            raise InputError(
                f"{a.text[:60]!r} and {b.text[:60]!r} are judged both 1 and 0: keep one judgement"
            )


def check_label(label: Any) -> float:
    """Return a label as a float; InputError if it is neither 0 nor 1.

    >>> check_label("1"), check_label(False)
    (1.0, 0.0)
    """
    try:
        value = float(label)
    except (TypeError, ValueError):
        value = -1.0
    if value not in (0.0, 1.0):
        raise InputError(f"label={label!r}: give 1 for a match or 0 for none", parameter="label")
    return value


def _problem_of_pairs(
    rows: Sequence[tuple[Record, Record]], language: str | None, n_threads: int | None,
    progress: Progress | None,
) -> PairProblem:  # fmt: skip
    """Compute the features of pairs of records."""
    if not rows:
        raise InputError("there are no pairs: give at least one")
    texts = list(dict.fromkeys(record.text for row in rows for record in row))
    number_of = dict(zip(texts, range(len(texts)), strict=True))
    sides = [
        np.array([number_of[record.text] for record in side], np.int64) for side in zip(*rows, strict=True)
    ]
    model = train_model(texts, language, n_threads, progress)
    pairs = pairs_of_rows(PairTexts(TextSet.from_texts(model, texts)), *sides)
    return PairProblem([list(side) for side in zip(*rows, strict=True)], sides, pairs)


def _read_pair_file(path: str | Path) -> tuple[list[tuple[Record, Record]], list[Judgement]]:
    """Read pairs, and the judgements among them, from a table."""
    rows: list[tuple[Record, Record]] = []
    judgements: list[Judgement] = []
    for number, cells in enumerate(_read_cells(path, ("text_a", "text_b")), 1):
        id_a, id_b = (str(cells.get(name) or number) for name in ("id_a", "id_b"))
        rows.append((Record(str(cells["text_a"]), id_a, {}), Record(str(cells["text_b"]), id_b, {})))
        if cells.get("label") not in (None, ""):
            judgements.append((id_a, id_b, check_label(cells["label"])))
    return rows, judgements


def _read_judgement_file(path: str | Path) -> Iterable[Judgement]:
    for cells in _read_cells(path, ("id_a", "id_b", "label")):
        if cells["label"] not in (None, ""):
            yield str(cells["id_a"]), str(cells["id_b"]), check_label(cells["label"])


def _read_cells(path: str | Path, names: Sequence[str]) -> Iterable[dict[str, Any]]:
    """Read the rows of a table that has columns with these names."""
    for _, cells in read_full_rows(path, names[0]):
        if cells:
            if missing := [name for name in names if name not in cells]:
                raise InputError(f"{path} has no column {missing[0]!r}: it needs {', '.join(names)}")
            yield cells
