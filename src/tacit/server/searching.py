"""Search in a collection, a page of hits at a time, among the texts with certain values in their columns."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from tacit.models.measures import DEFAULT
from tacit.search.collection import in_batches
from tacit.search.columns import chosen, counts, restricted
from tacit.search.ranking import found_by

if TYPE_CHECKING:
    from tacit.search.index import Index


class Query(NamedTuple):
    """A text to look for; ``id`` is its own where it is one of the collection, and is left out."""

    text: str
    id: str | None = None


@dataclass(frozen=True)
class SearchOptions:
    """How to search: ``where`` holds values by column, as JSON, for questions of one kind go together."""

    measure: str = DEFAULT
    explain: bool = True
    offset: int = 0
    language: str | None = None
    where: str = "{}"
    counts: bool = False


def search_collection(
    index: Index, queries: list[Query], k: int, options: SearchOptions
) -> list[dict[str, Any]]:
    """A page of hits for each query, best first."""
    now, where = index.now, json.loads(options.where)
    among = restricted(now, chosen(now, where)) if where else now
    wide = options.offset + k + 1 + any(query.id is not None for query in queries)
    counted = counts(now, where) if options.counts else None
    codes = list(index.model.languages)
    found = []
    texts = [query.text for query in queries]
    for asked in in_batches(index.model, texts, options.language):
        pages = found_by(index, among, asked, wide, options.measure)
        spoken = [codes[number] for number in asked.spoken.tolist()]
        found += list(zip(pages, spoken, strict=True))
    return [
        _page(hits, query, k, options) | {"searched": len(among), "counts": counted, "language": language}
        for query, (hits, language) in zip(queries, found, strict=True)
    ]


def _page(hits: list[Any], query: Query, k: int, options: SearchOptions) -> dict[str, Any]:
    others = [hit for hit in hits if hit.id != query.id]
    shown = others[options.offset : options.offset + k]
    return {
        "hits": [hit.to_dict(options.explain) | {"row": hit.row} for hit in shown],
        "offset": options.offset,
        "more": len(others) > options.offset + k,
    }
