"""An index over a collection of texts: what is like this one, what says the same, what groups there are."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from tacit.compute.cosine import unit
from tacit.compute.nearest import nearest
from tacit.errors import InputError
from tacit.search.results import Cluster, Group, Hit, Pair
from tacit.search.strings import Strings
from tacit.search.words import Words
from tacit.sentences.chance import percentile_in
from tacit.text.interning import refuse_one_text

if TYPE_CHECKING:
    from tacit.search.approximate import Graph
    from tacit.storage import Stored

Array = NDArray[Any]
Progress = Callable[[int, int], None]
"""Called with what is done and what there is to do."""

BATCH = 20_000


class Model(Protocol):
    """What an index asks of a model: ``WTMF``, or another with the same methods."""

    def encode(self, texts: Iterable[str]) -> Array:
        """The vectors of texts."""

    def similarity_pairwise(self, a: Iterable[str], b: Iterable[str], measure: str = ...) -> Array:
        """How alike each text of ``a`` is with the text of ``b`` at the same place."""

    def percentile(self, scores: Any, measure: str = ...) -> Array:
        """How many of a hundred random pairs score no higher."""

    def explain(self, a: str, b: str, measure: str = ...) -> Any:
        """The word-by-word parts of a score."""


class Index:
    """A collection of texts that can be searched by what they mean.

    Parameters
    ----------
    model : a fitted model; the index keeps it and is saved with it.
    n_threads : None for every core; the answers do not depend on it.

    >>> from tacit import WTMF, TextVectorizer
    >>> notes = ["my card was declined", "the payment failed", "payment by card failed",
    ...          "I forgot my password", "reset the password please", "the login asks for a password"]
    >>> model = WTMF(TextVectorizer(min_df=1), n_components=3, missing_weight=0.1, regularization=1.0)
    >>> index = Index(model.fit(notes))
    >>> index.add(notes)
    ['1', '2', '3', '4', '5', '6']
    >>> [hit.id for hit in index.search("card failed", k=2)]
    ['3', '2']
    >>> index.delete(["3"])
    1
    >>> [hit.text for hit in index.search("card failed", k=1)]
    ['the payment failed']
    """

    def __init__(self, model: Any, *, n_threads: int | None = None) -> None:
        """Start empty."""
        self.model: Any = model
        self.n_threads = n_threads
        self.vectors: Array = np.zeros((0, model.encode([]).shape[1]), np.float32)
        self.alive: Array = np.zeros(0, np.bool_)
        self.ids, self.texts, self.records = Strings.of([]), Strings.of([]), Strings.of([])
        self.next_number = 1
        self.graph: Graph | None = None
        self.words = no_words(model)

    def __len__(self) -> int:
        """How many texts there are, without those deleted."""
        return int(np.count_nonzero(self.alive))

    def add(
        self,
        texts: Iterable[str],
        ids: Iterable[str] | None = None,
        columns: Iterable[Mapping[str, Any]] | None = None,
        progress: Progress | None = None,
    ) -> list[str]:
        """Add texts at the end; nothing there before is touched. Returns their ids.

        ``ids`` are distinct strings, by default numbers counted on from 1; ``columns`` is anything JSON can
        hold to keep with each text. An error leaves the index as it was.
        """
        refuse_one_text(texts)
        texts = list(texts)
        for text in texts:
            if not isinstance(text, str):
                raise InputError(f"a text is a {type(text).__name__}, not a string: {text!r}")
        names = self._new_ids(ids, len(texts))
        kept = _as_json(columns, len(texts))
        vectors = [self.vectors, *self._encoded(texts, progress)]
        words = self.words.extended(texts)
        if self.graph is not None:
            self.graph.add(len(self.vectors), np.concatenate(vectors[1:]), self.n_threads)
        self.vectors, self.words = np.concatenate(vectors), words
        self.ids, self.texts = self.ids.extended(names), self.texts.extended(texts)
        self.records = self.records.extended(kept)
        self.alive = np.concatenate([self.alive, np.ones(len(texts), np.bool_)])
        self.next_number += len(texts)
        self.__dict__.pop("rows", None)
        return names

    def delete(self, ids: Iterable[str]) -> int:
        """Take texts out by their ids; an id that is not there is an error, and then nothing is deleted."""
        refuse_one_text(ids)
        rows = [self.row(name) for name in ids]
        self.alive = self.alive.copy()
        self.alive[rows] = False
        self.__dict__.pop("rows", None)
        return len(set(rows))

    def search(
        self, query: str, k: int = 10, measure: str = "search", explain: bool = True, **options: Any
    ) -> list[Hit]:
        """The k texts most like ``query``, best first; see ``search_many``."""
        if not isinstance(query, str):
            raise InputError(f"a query is a {type(query).__name__}, not a string: {query!r}")
        return self.search_many([query], k, measure, explain, **options)[0]

    def search_many(
        self,
        queries: Sequence[str],
        k: int = 10,
        measure: str = "search",
        explain: bool = False,
        *,
        n_candidates: int | None = None,
        approximate: bool | None = None,
        language: str | None = None,
    ) -> list[list[Hit]]:
        """The k texts most like each query, best first.

        Parameters
        ----------
        measure : what orders the results: ``search`` (the blend and what is literally shared, half and half;
            see ``tacit.search.ranking``) or one of the model's, such as ``blend`` or ``latent``. ``latent``
            looks at every text; any other measure is taken of candidates: the nearest by latent vector, and
            those that share the most telling words.
        explain : whether hits carry the words that made the match.
        n_candidates : how many of each kind; by default enough for k.
        approximate : None uses the graph where the index has one (see ``link``).
        language : of the queries, with a model of several languages; left out, it is detected.
        """
        from tacit.search.ranking import check_search_measure, search_many

        refuse_one_text(queries)
        check_search_measure(measure)
        check_count(k, "k")
        return search_many(self, list(queries), k, measure, explain, n_candidates, approximate, language)

    def similar(self, name: str, k: int = 10, measure: str = "search", explain: bool = True) -> list[Hit]:
        """The k texts most like the one with this id, without itself."""
        row = self.row(name)
        hits = self.search(self.texts[row], k + 1, measure, explain)
        return [hit for hit in hits if hit.row != row][:k]

    def percentile(self, scores: Any, measure: str = "search") -> Array:
        """How many of a hundred random pairs score no higher than each score.

        For ``search`` pairs of this collection, for other measures pairs of the model's training texts.
        """
        if measure != "search":
            return np.asarray(self.model.percentile(scores, measure=measure))
        return percentile_in(self.chance, scores)

    @cached_property
    def chance(self) -> Array:
        """The quantiles of the scores of random pairs, as the collection was when first asked."""
        from tacit.search.ranking import chance_quantiles

        return chance_quantiles(self)

    def nearest(self, vectors: Array, k: int = 10) -> tuple[Array, Array]:
        """The k rows nearest to each vector by cosine, exactly: scores and row numbers, best first."""
        check_count(k, "k")
        queries = unit(np.asarray(vectors, np.float32))
        if queries.ndim != 2 or queries.shape[1] != self.vectors.shape[1]:
            raise InputError(
                f"vectors of shape {queries.shape}: the index has {self.vectors.shape[1]} components; "
                "give an array of texts x components"
            )
        return nearest(self.vectors, queries, min(k, max(len(self), 1)), self.alive, self.n_threads)

    def duplicates(
        self, threshold: float = 0.9, measure: str = "blend", progress: Progress | None = None
    ) -> list[Pair]:
        """Every pair of texts with a score from ``threshold`` on, the most alike first."""
        from tacit.search.duplicates import duplicate_pairs

        return duplicate_pairs(self, threshold, measure, progress)

    def duplicate_groups(
        self, threshold: float = 0.9, measure: str = "blend", progress: Progress | None = None
    ) -> list[Group]:
        """Texts linked by pairs with a score from ``threshold`` on, the largest group first."""
        from tacit.search.duplicates import duplicate_groups

        return duplicate_groups(self, threshold, measure, progress)

    def clusters(
        self, n_clusters: int | None = None, random_state: int = 0, progress: Progress | None = None
    ) -> list[Cluster]:
        """Groups of texts about one thing, the largest first; by default about sqrt(n / 2) of them."""
        from tacit.search.clusters import find_clusters

        return find_clusters(self, n_clusters, random_state, progress)

    def layout(self, random_state: int = 0, progress: Progress | None = None) -> Array:
        """A place in the plane for every living text, in order, such that neighbours stay neighbours."""
        from tacit.search.layout import place_texts

        return place_texts(self.vectors[self.alive], random_state, self.n_threads, progress)

    def link(self, progress: Progress | None = None) -> Self:
        """Build a graph for approximate search (extra ``search``): worth it from about a million texts."""
        from tacit.search.approximate import Graph

        self.graph = Graph.of(self.vectors, self.n_threads, progress)
        return self

    def row(self, name: str) -> int:
        """The row of the text with this id."""
        if name not in self.rows:
            raise InputError(f"the index has no text with the id {name!r}")
        return self.rows[name]

    @cached_property
    def rows(self) -> dict[str, int]:
        """From an id to its row, of the living."""
        return {self.ids[row]: row for row in np.flatnonzero(self.alive).tolist()}

    def columns(self, row: int) -> dict[str, Any]:
        """What was kept with a text."""
        found: dict[str, Any] = json.loads(self.records[row])
        return found

    def compacted(self) -> Index:
        """This index without the rows of deleted texts."""
        if self.alive.all():
            return self
        rows = np.flatnonzero(self.alive)
        other = type(self)(self.model, n_threads=self.n_threads)
        other.vectors, other.alive = self.vectors[rows], np.ones(len(rows), np.bool_)
        other.ids, other.texts = self.ids.taken(rows), self.texts.taken(rows)
        other.records, other.next_number = self.records.taken(rows), self.next_number
        other.words = no_words(self.model).extended(other.texts)
        return other.link() if self.graph is not None else other

    def save(self, folder: str | Path) -> None:
        """Write the index and its model to a folder, whole or not at all; ``tacit.load`` reads it back."""
        from tacit.search.stored import save_index

        save_index(self, folder)

    @classmethod
    def from_stored(cls, stored: Stored, **given: Any) -> Self:
        """Rebuild an index from what ``tacit.storage`` has read and checked."""
        from tacit.search.stored import restore_index

        return restore_index(cls, stored, **given)

    def _new_ids(self, ids: Iterable[str] | None, n: int) -> list[str]:
        if ids is None:
            names = [str(self.next_number + i) for i in range(n)]
        else:
            refuse_one_text(ids)
            names = list(ids)
        if len(names) != n:
            raise InputError(f"{len(names)} ids for {n} texts: give one for each")
        taken: set[str] = set()
        for name in names:
            if not isinstance(name, str):
                raise InputError(f"an id is a {type(name).__name__}, not a string: {name!r}")
            if name in taken or name in self.rows:
                raise InputError(
                    f"the id {name!r} is there already: ids are distinct; delete the old text first"
                )
            taken.add(name)
        return names

    def _encoded(self, texts: list[str], progress: Progress | None) -> Iterator[Array]:
        for start in range(0, len(texts), BATCH):
            yield unit(np.asarray(self.model.encode(texts[start : start + BATCH]), np.float32))
            if progress:
                progress(min(start + BATCH, len(texts)), len(texts))


def no_words(model: Any) -> Words:
    """Inverted lists without a text, with the model's words: its tokens and stems, if it has such."""
    vectorizer = getattr(model, "vectorizer_", None)
    if vectorizer is None:
        return Words.empty(None, "none")
    return Words.empty(vectorizer.language, vectorizer.normalize, vectorizer.tokenizer)


def check_count(value: int, name: str) -> None:
    """Raise an error unless this is a whole number from 1."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise InputError(f"{name}={value!r}: give a whole number from 1")


def _as_json(columns: Iterable[Mapping[str, Any]] | None, n: int) -> list[str]:
    if columns is None:
        return ["{}"] * n
    try:
        kept = [json.dumps(dict(row), ensure_ascii=False, allow_nan=False) for row in columns]
    except (TypeError, ValueError) as error:
        raise InputError(f"a column holds what JSON cannot ({error}): keep text and numbers") from None
    if len(kept) != n:
        raise InputError(f"columns for {len(kept)} texts, and there are {n}: give one for each")
    return kept
