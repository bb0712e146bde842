"""Result of comparing two texts, and its exact split into word-by-word contributions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import numpy as np

from tacit.errors import InputError
from tacit.models.measure import Measure, Table, TextGroups, score_pairs
from tacit.models.measures import DEFAULT_MEASURE
from tacit.models.outside import OUTSIDE, outside_part
from tacit.models.percentiles import model_percentiles
from tacit.models.text_set import TextSet
from tacit.result_table import ResultTable, name_other_columns
from tacit.types import Array

MAX_TABLE_WORDS = 200  # of each text; the others are summed up
OTHER_WORDS = "(other words)"


@dataclass(frozen=True)
class Comparison:
    """Result of comparing two texts.

    ``percentile`` is the percentage of random pairs of training texts that score at most as high, None if
    unknown; ``known_a`` and ``known_b`` count the known words of the texts; ``language_a`` and ``language_b``
    are the languages they were read in.
    """

    score: float
    percentile: float | None
    known_a: int
    known_b: int
    language_a: str
    language_b: str

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, rounded, for JSON."""
        percentile = None if self.percentile is None else round(self.percentile, 1)
        return asdict(self) | {"score": round(self.score, 6), "percentile": percentile}


_PAIR_COLUMNS = ["text_a", "text_b", *(each.name for each in fields(Comparison))]


class Comparisons(ResultTable, list[Comparison]):
    """Comparisons of pairs of texts: a list that converts to data frames, with the texts.

    Parameters
    ----------
    comparisons : iterable of Comparison
        The comparisons.
    texts_a, texts_b : sequence of str
        The texts of each pair.
    """

    def __init__(
        self, comparisons: Iterable[Comparison], texts_a: Sequence[str], texts_b: Sequence[str]
    ) -> None:
        super().__init__(comparisons)
        self.texts_a, self.texts_b = texts_a, texts_b
        self.records: list[dict[str, Any]] = [{} for _ in self]
        """The other columns of each pair, which are the last columns of the table."""

    def table_columns(self) -> list[str]:
        """Return the columns: the texts, the fields of a comparison, and those of the records."""
        return [*_PAIR_COLUMNS, *name_other_columns(_PAIR_COLUMNS, self.records).values()]

    def table_rows(self) -> Iterable[Sequence[Any]]:
        """Return a row for each pair."""
        others = name_other_columns(_PAIR_COLUMNS, self.records)
        for comparison, a, b, record in zip(self, self.texts_a, self.texts_b, self.records, strict=True):
            yield a, b, *vars(comparison).values(), *(record.get(name) for name in others)


def compare_pairs(texts: TextSet, left: Array, right: Array, measure: Measure) -> list[Comparison]:
    """Compare text ``left[i]`` with text ``right[i]`` for each i."""
    scores = score_pairs(measure, texts, left, right).tolist()
    all_codes = list(texts.model.languages)
    comparisons = []
    for score, a, b in zip(scores, left.tolist(), right.tolist(), strict=True):
        codes = all_codes[texts.language_ids[a]], all_codes[texts.language_ids[b]]
        try:
            percentile = float(model_percentiles(texts.model, score, measure.name, *codes))
        except InputError:  # the measure is newer than the saved model, or there was a single training text
            percentile = None
        n_known = int(texts.n_known[a]), int(texts.n_known[b])
        comparisons.append(Comparison(score, percentile, *n_known, *codes))
    return comparisons


@dataclass(frozen=True)
class Explanation(ResultTable):
    """Word-by-word contributions to a score.

    ``table[i, j]`` is what word i of the first text and word j of the second add to ``score``. Words are
    written as in the texts, one for each distinct term; in a long text those of the largest weight, and
    ``(other words)`` for all others. If a measure has several parts, ``parts`` holds their tables, which sum
    to ``table``. ``outside`` is the part of the score that comes from the vectors of an encoder of texts,
    which do not split into words.
    """

    score: float
    words_a: list[str]
    words_b: list[str]
    table: Table
    parts: dict[str, Table] = field(default_factory=dict)
    outside: float = 0.0

    def top(self, k: int = 10) -> list[tuple[str, str, float]]:
        """Return the k pairs of words with the largest absolute contributions; ties in the order of the text.

        Contributions that differ by rounding alone are ties, so that every CPU lists them in one order.
        """
        order = np.argsort(-np.abs(self.table).round(12), axis=None, kind="stable")[:k]
        rows, columns = np.unravel_index(order, self.table.shape)
        cells = zip(rows.tolist(), columns.tolist(), strict=True)
        return [(self.words_a[i], self.words_b[j], float(self.table[i, j])) for i, j in cells]

    def table_columns(self) -> list[str]:
        """Return the columns: a word of each text and their contribution."""
        return ["word_a", "word_b", "contribution"]

    def table_rows(self) -> Iterable[Sequence[Any]]:
        """Return a row for each pair of words, the largest contribution first."""
        return self.top(self.table.size)

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists and numbers, for JSON."""
        parts = {name: table.tolist() for name, table in self.parts.items()}
        values = vars(self) | {"table": self.table.tolist(), "parts": parts}
        if not self.outside:
            del values["outside"]
        return values


def explain_pair(texts: TextSet, measure: Measure, a: int = 0, b: int = 1) -> Explanation:
    """Explain the score of two texts of a set; contributions of tokens are summed by term."""
    (words_a, groups_a), (words_b, groups_b) = _group_tokens(texts, a), _group_tokens(texts, b)
    parts = measure.contribution_tables(texts, groups_a, groups_b)
    table: Table = sum(parts.values(), np.zeros((len(words_a), len(words_b))))
    outside = 0.0
    if measure.name == DEFAULT_MEASURE and OUTSIDE not in parts:
        outside = outside_part(texts, a, b)
    parts = parts if len(parts) > 1 else {}
    return Explanation(float(table.sum()) + outside, words_a, words_b, table, parts, outside)


def _group_tokens(texts: TextSet, text_id: int) -> tuple[list[str], TextGroups]:
    """Group the distinct tokens of a text by term; returns a token for each group, and the groups.

    Groups are in the order of the text. The terms of a long text beyond those of the largest weight are one
    group, the last.
    """
    offsets, all_ids, all_counts = texts.distinct_tokens
    words = slice(offsets[text_id], offsets[text_id + 1])
    ids, counts, language_id = all_ids[words], all_counts[words], int(texts.language_ids[text_id])
    term_ids = texts.tokens.term_ids(language_id)[ids]
    _, first, term_of = np.unique(term_ids, return_index=True, return_inverse=True)
    weights = np.bincount(term_of, counts * texts.tokens.idf_weights(language_id)[ids], len(first))
    terms = np.argsort(-weights, kind="stable")[:MAX_TABLE_WORDS]
    terms = terms[np.argsort(first[terms], kind="stable")]
    group_of_term = np.full(len(first), len(terms))
    group_of_term[terms] = np.arange(len(terms))
    names = [texts.tokens.strings[token] for token in ids[first[terms]].tolist()]
    if len(terms) < len(first):
        names.append(OTHER_WORDS)
    return names, TextGroups(text_id, group_of_term[term_of], len(names))
