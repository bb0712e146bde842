"""What a question to an index is answered with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

WordPair = tuple[str, str, float]
ScoredWord = tuple[str, float]


@dataclass(frozen=True)
class Hit:
    """A text that was found.

    ``percentile`` says how many of a hundred random pairs of texts score no higher; ``columns`` what came
    with the text; ``row`` its place in the index. ``words`` are made when asked for.
    """

    id: str
    text: str
    score: float
    percentile: float
    columns: dict[str, Any] = field(default_factory=dict)
    row: int = -1
    explained: Callable[[int], list[WordPair]] = field(default=lambda row: [], repr=False, compare=False)

    @cached_property
    def words(self) -> list[WordPair]:
        """The pairs (word of the query, word of the text, its share of the score) that made the match."""
        return self.explained(self.row)

    def to_dict(self, words: bool = True) -> dict[str, Any]:
        """Plain values, for JSON; without ``words`` nothing is explained."""
        shares = self.words if words else []
        return {
            "id": self.id,
            "text": self.text,
            "score": round(self.score, 6),
            "percentile": round(self.percentile, 1),
            "words": [{"query": a, "text": b, "share": round(value, 6)} for a, b, value in shares],
            "columns": self.columns,
        }


class Hits(list[Hit]):
    """The hits of one query, best first: a list with what is known of the search.

    Attributes
    ----------
    total : int
        Number of texts that were searched: those that are not deleted and match the filter.
    language : str
        Code of the query's language.
    offset : int or None
        Number of better hits that were left out; None if no page was asked for.
    more : bool or None
        Whether further hits follow; None if no page was asked for.
    counts : dict or None
        By column, the number of texts with each value, if asked for.
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
    """Two texts that say nearly the same; ``a`` comes first in the index."""

    id_a: str
    id_b: str
    text_a: str
    text_b: str
    score: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "id_a": self.id_a,
            "id_b": self.id_b,
            "score": round(self.score, 6),
            "text_a": self.text_a,
            "text_b": self.text_b,
        }


@dataclass(frozen=True)
class DuplicateGroup:
    """Texts linked by pairs of duplicates, in the order of the index.

    ``score`` is the lowest of a text with the first: a chain of small steps shows by a low one.
    """

    ids: list[str]
    texts: list[str]
    score: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {"ids": self.ids, "texts": self.texts, "score": round(self.score, 6)}


@dataclass(frozen=True)
class Cluster:
    """Texts about one thing, the most typical first.

    ``said`` are the words that set it apart, ``unsaid`` those it is about without using them much.
    """

    number: int
    size: int
    said: list[ScoredWord]
    unsaid: list[ScoredWord]
    ids: list[str]
    texts: list[str]

    @property
    def label(self) -> str:
        """Three words."""
        return ", ".join(word for word, _ in self.said[:3]) or f"cluster {self.number}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "number": self.number,
            "label": self.label,
            "size": self.size,
            "said": [{"word": word, "weight": round(weight, 6)} for word, weight in self.said],
            "unsaid": [{"word": word, "weight": round(weight, 6)} for word, weight in self.unsaid],
            "ids": self.ids,
            "texts": self.texts,
        }
