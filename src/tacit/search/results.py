"""Result types: hits, duplicate pairs and groups, clusters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

WordPair = tuple[str, str, float]
"""A word of the query, a word of the text, and their contribution to the score."""

ScoredWord = tuple[str, float]


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
    explain_row: Callable[[int], list[WordPair]] = field(default=lambda row: [], repr=False, compare=False)

    @cached_property
    def words(self) -> list[WordPair]:
        """The word pairs that contribute most to the score; computed on first access."""
        return self.explain_row(self.row)

    def to_dict(self, words: bool = True) -> dict[str, Any]:
        """Return plain values for JSON; without ``words`` the match is not explained."""
        pairs = self.words if words else []
        return {
            "id": self.id,
            "text": self.text,
            "score": round(self.score, 6),
            "percentile": round(self.percentile, 1),
            "words": [{"query": a, "text": b, "share": round(value, 6)} for a, b, value in pairs],
            "columns": self.columns,
        }


class Hits(list[Hit]):
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
        self,
        hits: Iterable[Hit] = (),
        total: int = 0,
        language: str = "",
        offset: int | None = None,
        more: bool | None = None,
        counts: dict[str, list[dict[str, Any]]] | None = None,
    ) -> None:
        super().__init__(hits)
        self.total, self.language, self.offset, self.more, self.counts = total, language, offset, more, counts

    def to_dict(self, words: bool = True) -> dict[str, Any]:
        """Return plain values for JSON; without ``words`` no match is explained."""
        return {
            "hits": [hit.to_dict(words) | {"row": hit.row} for hit in self],
            "offset": self.offset or 0,
            "more": self.more,
            "searched": self.total,
            "counts": self.counts,
            "language": self.language,
        }


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
