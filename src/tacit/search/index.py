"""An index over a collection of texts: what is like this one, what says the same, what groups there are."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from tacit.checks import check_int, check_text_input
from tacit.compute.cosine import unit
from tacit.errors import InputError
from tacit.models.measures import DEFAULT_MEASURE
from tacit.models.percentiles import percentiles_of_scores
from tacit.models.text_model import as_text_model
from tacit.search import segment
from tacit.search.filters import Filter, Where
from tacit.search.input_checks import check_ids, check_texts, resolve_ids
from tacit.search.merging import MOST_SEGMENTS, build_graphs, lightened, merge_index, uncrowded
from tacit.search.record_columns import encode_records
from tacit.search.results import Cluster, DuplicateGroup, DuplicatePair, Hits
from tacit.search.segment import build_segments
from tacit.search.snapshot import Snapshot
from tacit.search.stored_vectors import check_precision
from tacit.types import Array, ProgressCallback

if TYPE_CHECKING:
    from tacit.storage import StoredModel


class Index:
    """A collection of texts that can be searched by what they mean.

    Any number of threads may ask, also while others add and delete: a question is answered from the texts as
    they were when it came, all of them and no others. Writers take turns; when ``add`` or ``delete`` returns,
    every later question sees what it did.

    Parameters
    ----------
    model : a fitted model; the index keeps it and is saved with it.
    n_threads : None for every core; the answers do not depend on it.
    vectors : ``float32``, or ``float16`` or ``int8`` to keep vectors in half or a quarter of the room; what
        these find is scored exactly, see ``tacit.search.stored_vectors``.

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

    def __init__(self, model: Any, *, n_threads: int | None = None, vectors: str = "float32") -> None:
        """Start empty."""
        self.model = as_text_model(model)
        self.n_threads = n_threads
        self.snapshot = Snapshot.empty(self.model, check_precision(vectors))
        self.max_segment_size = segment.MAX_SEGMENT_SIZE
        self._writing = threading.RLock()

    @property
    def n_threads(self) -> int | None:
        """How many threads to use; None for every core. The model uses as many."""
        return self.model.n_threads

    @n_threads.setter
    def n_threads(self, value: int | None) -> None:
        self.model.n_threads = value

    @property
    def ids(self) -> Sequence[str]:
        """The id of each row."""
        return self.snapshot.ids

    @property
    def texts(self) -> Sequence[str]:
        """The text of each row, those deleted too."""
        return self.snapshot.texts

    @property
    def vectors(self) -> Array:
        """The vector of each row, at length 1; of an index of several segments a copy."""
        return self.snapshot.vectors

    def __len__(self) -> int:
        """How many texts there are, without those deleted."""
        return len(self.snapshot)

    def __reduce__(self) -> Any:
        """Refuse: a folder is what keeps an index."""
        raise InputError(
            "an index is not pickled: index.save(folder) keeps it, and tacit.load(folder) reads it"
        )

    def add(
        self, texts: Iterable[str], ids: Iterable[str | int] | None = None,
        columns: Iterable[Mapping[str, Any]] | None = None, progress: ProgressCallback | None = None,
    ) -> list[str]:  # fmt: skip
        """Add texts at the end; nothing there before is touched. Returns their ids.

        ``ids`` are distinct strings or whole numbers, by default counted on from 1; ``columns`` is anything
        JSON can hold to keep with each text. An error leaves the index as it was.
        """
        checked = check_texts(texts)
        with self._writing:
            names = resolve_ids(self.snapshot, ids, len(checked))
            records = encode_records(columns, len(checked))
            size, precision = self.max_segment_size, self.snapshot.precision
            added = build_segments(self.model, precision, checked, names, records, size, progress)
            self.snapshot = self.snapshot.extended(added, size)
        return names

    def delete(self, ids: Iterable[str | int]) -> int:
        """Take texts out by their ids; an id that is not there is an error, and then nothing is deleted."""
        names = check_ids(ids)
        with self._writing:
            rows = self.snapshot.find(names)
            if (rows < 0).any():
                self.snapshot.row(names[int(rows.argmin())])  # which says what is not there
            self.snapshot = uncrowded(self.snapshot.without(rows.tolist()), self.n_threads)
        return len(set(rows.tolist()))

    def search(
        self, query: str, k: int = 10, measure: str = DEFAULT_MEASURE, *, where: Where | Filter | None = None,
        offset: int | None = None, counts: bool = False, exclude_ids: Iterable[str | int] = (),
        n_candidates: int | None = None, approximate: bool | None = None, language: str | None = None,
    ) -> Hits:  # fmt: skip
        """Return the k texts most like a query, best first.

        Parameters
        ----------
        query : str
            The text to look for.
        k : int
            Number of hits.
        measure : str
            Measure that orders the hits: one of the model's, or ``search`` (see ``tacit.search.ranking``).
            ``latent`` compares every text; any other measure compares candidates: the nearest texts by
            latent vector, and those with the highest BM25 score.
        where : mapping, optional
            Conditions on the columns: ``{"team": ["post", "login"], "price": {"<": 10}}``; see
            ``tacit.search.filters``.
        offset : int, optional
            Number of hits to skip. If given, even as 0, ``Hits.more`` tells whether more hits follow.
        counts : bool
            Count the texts with each value of the categorical columns, in ``Hits.counts``.
        exclude_ids : iterable of str
            Ids of texts that are no hits; ids that are not in the index have no effect.
        n_candidates : int, optional
            Number of candidates of each kind; at least the number of hits to look up (default: 200).
        approximate : bool, optional
            Whether to use the graphs of the index; by default where it has some (see ``build_graph``).
        language : str, optional
            Language code of the query, for a model of several languages; by default it is detected.

        Returns
        -------
        Hits
            A list of ``Hit`` with ``total``, ``more``, ``counts`` and ``language``.

        Raises
        ------
        InputError
            If an option is out of range, or a condition does not fit the columns of the index.
        """
        if not isinstance(query, str):
            raise InputError(f"a query is a {type(query).__name__}, not a string: {query!r}")
        return self.search_many(
            [query], k, measure, where=where, offset=offset, counts=counts, exclude_ids=[exclude_ids],
            n_candidates=n_candidates, approximate=approximate, language=language,
        )[0]  # fmt: skip

    def search_many(
        self, queries: Sequence[str], k: int = 10, measure: str = DEFAULT_MEASURE, *,
        exclude_ids: Iterable[Iterable[str | int]] | None = None, **options: Any,
    ) -> list[Hits]:  # fmt: skip
        """Return the k texts most like each query, best first.

        Parameters
        ----------
        queries : sequence of str
            The texts to look for.
        exclude_ids : iterable of iterables of str, optional
            For each query, the ids of texts that are no hits.
        k, measure, **options
            As in ``search``, for all queries.

        Returns
        -------
        list of Hits
            One for each query.
        """
        from tacit.search.ranking import SearchOptions, search_pages

        check_text_input(queries)
        texts, checked = list(queries), SearchOptions.create(k, measure, **options)
        excluded = [check_ids(ids) for ids in ([()] * len(texts) if exclude_ids is None else exclude_ids)]
        if len(excluded) != len(texts):
            raise InputError(f"exclude_ids for {len(excluded)} of {len(texts)} queries: give one for each")
        return search_pages(self, texts, [frozenset(ids) for ids in excluded], checked)

    def similar(
        self, text_id: str | int, k: int = 10, measure: str = DEFAULT_MEASURE, **options: Any
    ) -> Hits:
        """Return the k texts most like the one with this id, without itself.

        Parameters
        ----------
        text_id : str or int
            Id of a text of the index.
        k, measure, **options
            As in ``search``.

        Returns
        -------
        Hits
            As of ``search``.
        """
        snapshot = self.snapshot
        row = snapshot.row(text_id)
        exclude_ids = [snapshot.ids[row], *check_ids(options.pop("exclude_ids", ()))]
        return self.search(snapshot.texts[row], k, measure, exclude_ids=exclude_ids, **options)

    def percentile(self, scores: Any, measure: str = DEFAULT_MEASURE) -> Array:
        """Return the percentile of each score among random pairs (``search``: of this collection)."""
        if measure != "search":
            return np.asarray(self.model.percentile(scores, measure))
        return percentiles_of_scores(self.score_quantiles, scores)

    @cached_property
    def score_quantiles(self) -> Array:
        """The quantiles of the scores of random pairs, as the collection was when first asked."""
        from tacit.search.ranking import estimate_score_quantiles

        return estimate_score_quantiles(self.snapshot)

    def nearest(self, vectors: Array, k: int = 10) -> tuple[Array, Array]:
        """The k rows nearest to each vector by cosine, exactly: scores and row numbers, best first."""
        queries, snapshot = unit(np.asarray(vectors, np.float32)), self.snapshot
        if queries.ndim != 2 or queries.shape[1] != self.model.n_components:
            raise InputError(
                f"vectors of shape {queries.shape}: the index has {self.model.n_components} components; "
                "give an array of texts x components"
            )
        return snapshot.nearest(
            queries, min(check_int("k", k), max(len(snapshot), 1)), n_threads=self.n_threads
        )

    def duplicates(
        self, threshold: float = 0.9, measure: str = "blend", progress: ProgressCallback | None = None,
        exact: bool | None = None,
    ) -> list[DuplicatePair]:  # fmt: skip
        """Every pair of texts with a score from ``threshold`` on, the most alike first.

        ``exact`` compares all with all; None does up to a million and a half texts, and beyond those that
        share a cell, which misses few pairs: how few is measured and logged. See ``tacit.search.duplicates``.
        """
        from tacit.search.duplicates import duplicate_pairs

        return duplicate_pairs(self, threshold, measure, progress, exact)

    def duplicate_groups(
        self, threshold: float = 0.9, measure: str = "blend", progress: ProgressCallback | None = None,
        exact: bool | None = None,
    ) -> list[DuplicateGroup]:  # fmt: skip
        """Texts linked by pairs with a score from ``threshold`` on, the largest group first."""
        from tacit.search.duplicates import duplicate_groups

        return duplicate_groups(self, threshold, measure, progress, exact)

    def clusters(
        self, n_clusters: int | None = None, random_state: int = 0, progress: ProgressCallback | None = None
    ) -> list[Cluster]:
        """Groups of texts about one thing, the largest first; by default about sqrt(n / 2) of them."""
        from tacit.search.clusters import find_clusters

        return find_clusters(self, n_clusters, random_state, progress)

    def layout(self, random_state: int = 0, progress: ProgressCallback | None = None) -> Array:
        """A place in the plane for every living text, in order, such that neighbours stay neighbours."""
        from tacit.search.layout import compute_layout

        snapshot = self.snapshot
        return compute_layout(snapshot.vectors[snapshot.alive], random_state, self.n_threads, progress)

    def build_graph(self, progress: ProgressCallback | None = None) -> Self:
        """Build graphs for approximate search (extra ``search``): worth it from about a million texts.

        Texts added later are looked at one by one beside them, until this is asked for again.
        """
        with self._writing:
            self.snapshot = build_graphs(self.snapshot, self.n_threads, progress)
        return self

    def merge(self, folder: str | Path | None = None, progress: ProgressCallback | None = None) -> Self:
        """Put small segments together, and leave deleted texts out for good: search becomes faster.

        With a ``folder``, where the index is saved, each segment is written there as it is made, and the
        memory of one is enough. Questions are answered meanwhile, from the segments as they were.
        """
        merge_index(self, folder, progress)
        return self

    def flush(self, folder: str | Path) -> None:
        """Write the texts that are in memory alone to files in ``folder``, and map them from there.

        To build more than memory holds: inside ``tacit.storage.lock_for_writing(folder)``, ``add`` and
        ``flush`` in turn, and at last ``save``, without which the folder stays as it was.
        """
        from tacit.search.serialization import flush_segments
        from tacit.storage import lock_for_writing

        with lock_for_writing(folder), self._writing:
            self.snapshot = flush_segments(self.snapshot, folder)

    def save(self, folder: str | Path) -> None:
        """Write the index and its model to a folder, whole or not at all; ``tacit.load`` reads it back.

        What the folder has already is not written again: the cost is that of what was added. The index then
        answers from the files.
        """
        from tacit.search.serialization import flush_segments, save_index
        from tacit.storage import lock_for_writing

        with lock_for_writing(folder), self._writing:  # in this order, or two threads wait for each other
            snapshot = flush_segments(lightened(self.snapshot, self.n_threads), folder)
            save_index(self, snapshot, folder)
            self.snapshot = snapshot
            if len(snapshot.segments) > max(MOST_SEGMENTS, 4 * len(snapshot) // self.max_segment_size):
                self.merge(folder)

    @classmethod
    def from_stored(cls, stored: StoredModel, **given: Any) -> Self:
        """Rebuild an index from what ``tacit.storage`` has read and checked."""
        from tacit.search.serialization import restore_index

        return restore_index(cls, stored, **given)
