"""Content of a report: facts about the texts, themes, comparisons, duplicates and the command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit import __version__
from tacit.corpora.column_kinds import infer_column_kind
from tacit.search.layout import compute_layout
from tacit.text.languages import language_name
from tacit.themes.comparison import ThemeComparison
from tacit.themes.results import Themes
from tacit.types import Array

MAX_MAP_TEXTS = 2000
MAX_LISTED_TEXTS = 5
MAX_LISTED_PAIRS = 10
MIN_DUPLICATE_SCORE = 0.9
_MIN_CANDIDATE_COSINE, _MAX_CANDIDATES = 0.8, 20_000
MAX_AUTO_COLUMNS, MAX_AUTO_VALUES = 3, 12
"""Without a choice, the report compares at most this number of columns, each with at most so many values."""
LENGTHS = {"1 to 5": 5, "6 to 10": 10, "11 to 20": 20, "21 to 50": 50, "51 and more": 10**9}


@dataclass(frozen=True)
class Report:
    """The content of a report; ``to_dict`` converts it to plain values.

    ``statistics`` describe the texts, ``lengths`` counts them by number of words. ``points`` are positions
    on the map, with the number of the theme of each. ``duplicates`` are pairs of texts with their scores.
    """

    title: str
    themes: Themes
    statistics: dict[str, str]
    lengths: dict[str, int]
    points: list[tuple[float, float, int]]
    comparisons: list[ThemeComparison]
    typical: list[str]
    unusual: list[str]
    duplicates: list[tuple[float, str, str]]
    command: str

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain values.

        Returns
        -------
        dict
            The fields; ``duplicates`` as a list of dicts.
        """
        pairs = [{"score": score, "text_a": a, "text_b": b} for score, a, b in self.duplicates]
        return {
            "title": self.title,
            "tacit": __version__,
            "command": self.command,
            "statistics": self.statistics,
            "lengths": self.lengths,
            **self.themes.to_dict(),
            "comparisons": [comparison.to_dict() for comparison in self.comparisons],
            "typical": self.typical,
            "unusual": self.unusual,
            "duplicates": pairs,
            "map": [{"x": x, "y": y, "theme": theme} for x, y, theme in self.points],
        }


def build_report(
    themes: Themes, columns: Sequence[str] | None = None, title: str = "Report", command: str = "",
    on_step: Callable[[int, int], None] | None = None,
) -> Report:  # fmt: skip
    """Collect the content of a report.

    Parameters
    ----------
    themes : Themes
        The themes.
    columns : sequence of str, optional
        Columns to compare themes by; None takes those with few values, and the first with dates.
    title : str
        Title of the report.
    command : str
        The command that reproduces the report.
    on_step : callable, optional
        Receives the number of finished steps and their total.

    Returns
    -------
    Report
        The content.
    """
    space = themes.model.space
    names = choose_columns(themes) if columns is None else columns
    comparisons = [themes.compare(name) for name in names]
    if on_step:
        on_step(1, 3)
    sample = space.centered[:MAX_MAP_TEXTS]
    points = compute_layout(sample, 0, space.n_threads)
    labels = themes.model.clusters.assign_own().labels[: len(points)]
    if on_step:
        on_step(2, 3)
    typical, unusual = _find_extremes(themes)
    n_words = [len(record.text.split()) for record in themes.records]
    report = Report(
        title, themes, _collect_statistics(themes, n_words), _count_lengths(n_words),
        [(round(float(x), 3), round(float(y), 3), int(label))
         for (x, y), label in zip(points, labels, strict=True)],
        comparisons, typical, unusual, _find_duplicates(themes), command,
    )  # fmt: skip
    if on_step:
        on_step(3, 3)
    return report


def choose_columns(themes: Themes) -> list[str]:
    """Choose columns to compare themes by: with few values that repeat, and the first with dates."""
    chosen: list[str] = []
    dates: list[str] = []
    for name in themes.column_names():
        values = [value for value in themes.column(name) if value is not None and value != ""]
        n_distinct = len({str(value) for value in values})
        if n_distinct > 1 and infer_column_kind(values) == "date":
            dates.append(name)
        elif 1 < n_distinct <= MAX_AUTO_VALUES and len(values) >= 5 * n_distinct:
            chosen.append(name)
    return chosen[:MAX_AUTO_COLUMNS] + dates[:1]


def _collect_statistics(themes: Themes, n_words: list[int]) -> dict[str, str]:
    """Describe the texts by name and value."""
    n, n_distinct = len(themes.records), themes.model.n_distinct
    n_empty = int((themes.model.text_rows < 0).sum())
    language = themes.model.language_
    return {
        "Texts": f"{n:,}",
        "Language": "plain words" if language is None else language_name(language),
        "Words per text": f"{int(np.median(n_words))} (median), {max(n_words):,} (longest)",
        "Repeated texts": f"{n - n_empty - n_distinct:,}",
        "Empty texts": f"{n_empty:,}",
    }


def _count_lengths(n_words: list[int]) -> dict[str, int]:
    bins = np.searchsorted(list(LENGTHS.values()), n_words)
    return {name: int((bins == position).sum()) for position, name in enumerate(LENGTHS)}


def _find_extremes(themes: Themes) -> tuple[list[str], list[str]]:
    """Return the texts that are most similar to their nearest texts, and those that are least similar."""
    space = themes.model.space
    n_edges = np.maximum(np.diff(space.graph.indptr), 1)
    density = np.asarray(space.graph.sum(axis=1)).ravel() / n_edges
    order = [space.texts[row] for row in np.argsort(-density, kind="stable")]
    return order[:MAX_LISTED_TEXTS], order[::-1][:MAX_LISTED_TEXTS]


def _find_duplicates(themes: Themes) -> list[tuple[float, str, str]]:
    """Return pairs of texts that are nearly the same, the most similar first."""
    space = themes.model.space
    pairs = _candidate_pairs(space.graph)
    if not len(pairs):
        return []
    a, b = ([space.texts[row] for row in column] for column in pairs.T)
    scores = space.model.similarity_pairwise(a, b)
    order = np.argsort(-scores, kind="stable")
    return [(round(float(scores[i]), 3), a[i], b[i]) for i in order if scores[i] >= MIN_DUPLICATE_SCORE]


def _candidate_pairs(graph: Any) -> Array:
    """Return the pairs of rows with the largest cosines in the graph."""
    from scipy.sparse import triu

    edges = triu(graph).tocoo()
    is_near = edges.data >= _MIN_CANDIDATE_COSINE
    order = np.argsort(-edges.data[is_near], kind="stable")[:_MAX_CANDIDATES]
    rows, columns = (positions[is_near][order] for positions in edges.coords)
    return np.stack([rows, columns], axis=1)
