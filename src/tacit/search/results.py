"""Result types: hits, duplicate pairs and groups, clusters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from tacit.result_table import ResultTable, name_other_columns

if TYPE_CHECKING:
    from tacit.search.filters import FacetCounts
    from tacit.search.match_strength import MatchRater

WordPair = tuple[str, str, float]
"""A word of the query, a word of the text, and their contribution to the score."""

ScoredWord = tuple[str, float]

ReadRecords = Callable[[list[str]], list[dict[str, Any]]]
"""Returns the records of the texts with these ids."""

_HIT_COLUMNS = ["rank", "id", "text", "score", "match", "percentile"]


@dataclass(frozen=True)
class Hit:
    """A text that matches a query.

    ``percentile`` is the percentage of random pairs of texts whose score is not higher. ``columns`` is the
    record stored with the text, ``row`` its row in the index.
    """

    id: str
    text: str
    score: float
    percentile: float
    columns: dict[str, Any] = field(default_factory=dict)
    row: int = -1

    def with_explanation(
        self, explain_row: Callable[[int], list[WordPair]], outside: float | None = None
    ) -> Self:
        """Attach the function that explains the score of a row, and `outside`; they are no fields."""
        vars(self).update(_explain_row=explain_row, _outside=outside)
        return self

    @property
    def outside(self) -> float | None:
        """The part of the score that comes from outside vectors; None without them."""
        return vars(self).get("_outside")

    @cached_property
    def words(self) -> list[WordPair]:
        """The word pairs that contribute most to the score; computed on first access."""
        explain_row: Callable[[int], list[WordPair]] | None = vars(self).get("_explain_row")
        return [] if explain_row is None else explain_row(self.row)

    @property
    def match(self) -> str | None:
        """How well the text fits the query: strong, possible, weak or no good match; None if not rated."""
        rater: MatchRater | None = vars(self).get("_rater")
        return None if rater is None else rater.level_of_row(self.row)

    def to_dict(self, words: bool = True) -> dict[str, Any]:
        """Return plain values for JSON; without ``words`` the match is not explained."""
        pairs = self.words if words else []
        outside = {} if self.outside is None else {"outside": round(self.outside, 6)}
        values = {
            "id": self.id,
            "text": self.text,
            "score": round(self.score, 6),
            "percentile": round(self.percentile, 1),
            "match": self.match,
            "words": [{"query": a, "text": b, "share": round(value, 6)} for a, b, value in pairs],
            "columns": self.columns,
        }
        return values | outside


class Hits(ResultTable, list[Hit]):
    """The hits of one query, best first: a list with information on the search.

    Attributes
    ----------
    total : int
        Number of texts that were searched: those that are not deleted and match the filter.
    language : str
        Code of the query's language.
    offset : int or None
        Number of better hits that were left out; None if no page was requested.
    more : bool or None
        Whether further hits follow; None if no page was requested.
    counts : dict or None
        By column, the number of texts with each value, if requested.
    """

    def __init__(
        self, hits: Iterable[Hit], total: int, language: str, offset: int | None, more: bool | None,
        counts: FacetCounts | None, rater: MatchRater | None, find_unknown: Callable[[], list[str]],
    ) -> None:  # fmt: skip
        super().__init__(hits)
        self.total, self.language, self.offset, self.more, self.counts = total, language, offset, more, counts
        self._rater, self._find_unknown = rater, find_unknown
        for hit in self:
            vars(hit)["_rater"] = rater

    @property
    def match(self) -> str | None:
        """How well the query fits the collection: strong, possible, weak or no good match.

        It recognizes unrelated queries, not missing answers. None for measures other than ``hybrid`` and for
        models of several languages.
        """
        return None if self._rater is None else self._rater.level

    @cached_property
    def unknown_words(self) -> list[str]:
        """Words of the query that neither the model nor any text has; they can match as misspellings only."""
        return self._find_unknown()

    def table_columns(self) -> list[str]:
        """Return the columns of the hits, then those of their records."""
        return [*_HIT_COLUMNS, *self._other_columns().values()]

    def table_rows(self) -> Iterable[Sequence[Any]]:
        """Return a row for each hit."""
        others = self._other_columns()
        for rank, hit in enumerate(self, 1 + (self.offset or 0)):
            cells = rank, hit.id, hit.text, hit.score, hit.match, hit.percentile
            yield *cells, *(hit.columns.get(name) for name in others)

    def _other_columns(self) -> dict[str, str]:
        return name_other_columns(_HIT_COLUMNS, (hit.columns for hit in self))

    def to_dict(self, words: bool = True) -> dict[str, Any]:
        """Return plain values for JSON; without ``words`` no match is explained."""
        return {
            "hits": [hit.to_dict(words) | {"row": hit.row} for hit in self],
            "match": self.match,
            "offset": self.offset or 0,
            "more": self.more,
            "searched": self.total,
            "counts": self.counts,
            "language": self.language,
            "unknown_words": self.unknown_words,
        }


class QueryHits(ResultTable, list[Hits]):
    """The hits of several queries: a list that converts to data frames, one row per hit.

    Parameters
    ----------
    queries : sequence of str
        The queries.
    hits : iterable of Hits
        Their hits.
    """

    def __init__(self, queries: Sequence[str], hits: Iterable[Hits]) -> None:
        super().__init__(hits)
        self.queries = queries

    def table_columns(self) -> list[str]:
        """Return the column of the query, those of the hits, and those of their records."""
        return ["query", *_HIT_COLUMNS, *self._other_columns().values()]

    def table_rows(self) -> Iterable[Sequence[Any]]:
        """Return a row for each hit of each query."""
        others = self._other_columns()
        for query, hits in zip(self.queries, self, strict=True):
            for hit, row in zip(hits, hits.table_rows(), strict=True):
                yield query, *row[: len(_HIT_COLUMNS)], *(hit.columns.get(name) for name in others)

    def _other_columns(self) -> dict[str, str]:
        return name_other_columns(["query", *_HIT_COLUMNS], (hit.columns for hits in self for hit in hits))


@dataclass(frozen=True)
class DuplicatePair:
    """Two texts with nearly the same meaning; ``a`` comes first in the index."""

    id_a: str
    id_b: str
    score: float
    text_a: str
    text_b: str

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self) | {"score": round(self.score, 6)}


@dataclass(frozen=True)
class DuplicateGroup:
    """Texts connected by duplicate pairs, in the order of the index.

    ``score`` is the lowest score of a text with the first one. It is low if the texts are connected only by a
    chain of others.
    """

    ids: list[str]
    texts: list[str]
    score: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {"ids": self.ids, "texts": self.texts, "score": round(self.score, 6)}


@dataclass(frozen=True)
class Cluster:
    """Texts on the same topic, the most typical first.

    ``said`` are the words that distinguish the cluster, ``unsaid`` further words that it is about.
    """

    number: int
    size: int
    said: list[ScoredWord]
    unsaid: list[ScoredWord]
    ids: list[str]
    texts: list[str]

    @property
    def label(self) -> str:
        """The first three distinctive words."""
        return ", ".join(word for word, _ in self.said[:3]) or f"cluster {self.number}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        said, unsaid = (
            [{"word": word, "weight": round(weight, 6)} for word, weight in words]
            for words in (self.said, self.unsaid)
        )
        head = {"number": self.number, "label": self.label, "size": self.size}
        return head | {"said": said, "unsaid": unsaid, "ids": self.ids, "texts": self.texts}


class _TextTable(ResultTable):
    """Base of lists of results whose tables have columns of the records of the texts.

    A subclass defines `own_columns`, and `_split_rows` with the cells of each row and the ids of its texts.
    """

    own_columns: tuple[str, ...]
    suffixes: tuple[str, ...] = ("",)
    """Appended to the names of the records' columns, one for each id of a row."""

    def __init__(self, items: Iterable[Any] = (), read_records: ReadRecords | None = None) -> None:
        super().__init__(items)  # type: ignore[call-arg]  # of list
        self._read_records = read_records

    def table_columns(self) -> list[str]:
        """Return the columns of the results, then those of the records."""
        names = self._records_by_id()[1]
        suffixed = {name + suffix: None for suffix in self.suffixes for name in names}
        return [*self.own_columns, *name_other_columns(self.own_columns, [suffixed]).values()]

    def table_rows(self) -> Iterable[Sequence[Any]]:
        """Return a row for each pair, or for each text of a group or cluster."""
        records, names = self._records_by_id()
        for cells, ids in self._split_rows():
            yield *cells, *(records[text_id].get(name) for text_id in ids for name in names)

    def _split_rows(self) -> Iterable[tuple[tuple[Any, ...], tuple[str, ...]]]:
        raise NotImplementedError

    def _records_by_id(self) -> tuple[dict[str, dict[str, Any]], list[str]]:
        """Return the record of each text, and the names of their columns."""
        ids = list(dict.fromkeys(text_id for _, text_ids in self._split_rows() for text_id in text_ids))
        records = [{} for _ in ids] if self._read_records is None else self._read_records(ids)
        names = list(dict.fromkeys(name for record in records for name in record))
        return dict(zip(ids, records, strict=True)), names


class DuplicatePairs(_TextTable, list[DuplicatePair]):
    """Duplicate pairs, the most similar first: a list that converts to data frames, one row per pair."""

    own_columns = ("id_a", "text_a", "id_b", "text_b", "score")
    suffixes = ("_a", "_b")

    def _split_rows(self) -> Iterable[tuple[tuple[Any, ...], tuple[str, ...]]]:
        for each in self:
            yield (each.id_a, each.text_a, each.id_b, each.text_b, each.score), (each.id_a, each.id_b)


class DuplicateGroups(_TextTable, list[DuplicateGroup]):
    """Groups of duplicates, the largest first: a list that converts to data frames, one row per text."""

    own_columns = ("group", "id", "text", "score")

    def _split_rows(self) -> Iterable[tuple[tuple[Any, ...], tuple[str, ...]]]:
        for number, group in enumerate(self, 1):
            for text_id, text in zip(group.ids, group.texts, strict=True):
                yield (number, text_id, text, group.score), (text_id,)


class Clusters(_TextTable, list[Cluster]):
    """Clusters, the largest first: a list that converts to data frames, one row per text."""

    own_columns = ("cluster", "label", "id", "text")

    def _split_rows(self) -> Iterable[tuple[tuple[Any, ...], tuple[str, ...]]]:
        for cluster in self:
            for text_id, text in zip(cluster.ids, cluster.texts, strict=True):
                yield (cluster.number, cluster.label, text_id, text), (text_id,)
