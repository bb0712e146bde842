"""`Index`: a searchable collection of texts; readers work on immutable snapshots, writers take turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.checks import check_choice, check_int, check_text_input, format_count
from tacit.compute.cosine import normalize_rows
from tacit.errors import InputError
from tacit.models.measures import DEFAULT_MEASURE, measure_names
from tacit.models.percentiles import percentiles_of_scores
from tacit.search.index_writer import IndexWriter
from tacit.search.outside_vectors import check_outside_vectors, quantiles_for
from tacit.search.results import Clusters, DuplicateGroups, DuplicatePairs, Hits, QueryHits
from tacit.search.text_ids import check_ids
from tacit.types import Array, ProgressCallback

if TYPE_CHECKING:
    from tacit.search.filters import Filter, Where


class Index(IndexWriter):
    """A collection of texts that can be searched by meaning.

    Any number of threads may search while others add and delete. A search uses the texts as they were when it
    started; every search that starts after `add` or `delete` returned uses the new texts.

    Parameters
    ----------
    model : TextModel or fitted trainer
        The model; it is saved with the index.
    n_threads : int, optional
        Number of threads; None uses all cores. Results do not depend on it.
    vectors : {"float32", "float16", "int8"}
        Precision of the stored vectors. Candidates found by rounded vectors are scored exactly.
    encoder : object, optional
        An encoder whose vectors are compared as well; see ``TextModel.with_encoder``.

    Examples
    --------
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

    def __repr__(self) -> str:
        """Describe the index: the number of its texts, and its model."""
        return f"<Index of {format_count(len(self), 'text')}; {self.model!r}>"

    @property
    def ids(self) -> Sequence[str]:
        """The id of each row."""
        return self.snapshot.ids

    @property
    def texts(self) -> Sequence[str]:
        """The text of each row, also of deleted ones."""
        return self.snapshot.texts

    @property
    def vectors(self) -> Array:
        """The unit vector of each row; a copy if the index has several segments."""
        return self.snapshot.vectors

    def search(
        self, query: str, k: int = 10, measure: str = "hybrid", *, where: Where | Filter | None = None,
        offset: int | None = None, counts: bool = False, exclude_ids: Iterable[str | int] = (),
        n_candidates: int | None = None, approximate: bool | None = None, language: str | None = None,
        outside_vector: Any = None,
    ) -> Hits:  # fmt: skip
        """Return the k texts most similar to a query, best first.

        Parameters
        ----------
        query : str
            The text to look for.
        k : int
            Number of hits.
        measure : str
            Measure that orders the hits: ``hybrid``, which combines vectors and words (see
            ``tacit.search.ranking``), or one of the model's measures.
            ``latent`` compares all texts; any other measure compares candidates: the nearest texts by
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
            Whether to use the graphs of the index; by default where it has some (see `build_graph`).
        language : str, optional
            Language code of the query, for a model of several languages; by default it is detected.
        outside_vector : array-like, optional
            The outside vector of the query, if the texts were added with theirs.

        Returns
        -------
        Hits
            A list of ``Hit`` with ``match``, ``total``, ``more``, ``counts`` and ``language``.

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
            outside_vectors=None if outside_vector is None else [outside_vector],
        )[0]  # fmt: skip

    def search_many(
        self, queries: Sequence[str], k: int = 10, measure: str = "hybrid", *,
        exclude_ids: Iterable[Iterable[str | int]] | None = None, outside_vectors: Any = None, **options: Any,
    ) -> QueryHits:  # fmt: skip
        """Return the k texts most similar to each query, best first.

        Parameters
        ----------
        queries : sequence of str
            The texts to look for.
        k : int
            Number of hits for each query.
        measure : str
            Measure that orders the hits.
        exclude_ids : iterable of iterables of str, optional
            For each query, the ids of texts that are no hits.
        outside_vectors : array-like of shape (n_queries, n_dimensions), optional
            The outside vector of each query, if the texts were added with theirs.
        **options
            The other options of `search`, for all queries.

        Returns
        -------
        QueryHits
            A list of ``Hits``, one for each query, that converts to a table.
        """
        from tacit.search.ranking import SearchOptions, search_texts

        check_text_input(queries)
        texts, checked = list(queries), SearchOptions(k, measure, **options)
        excluded = [check_ids(ids) for ids in ([()] * len(texts) if exclude_ids is None else exclude_ids)]
        if len(excluded) != len(texts):
            raise InputError(f"exclude_ids for {len(excluded)} of {len(texts)} queries: give one for each")
        snapshot = self.snapshot
        if outside_vectors is not None:
            checked.outside_vectors = check_outside_vectors(self, outside_vectors, len(texts))
        quantiles = quantiles_for(self, checked.measure, outside_vectors is not None)
        excluded_sets = [frozenset(ids) for ids in excluded]
        return QueryHits(texts, search_texts(snapshot, quantiles, texts, excluded_sets, checked))

    def similar(self, text_id: str | int, k: int = 10, measure: str = "hybrid", **options: Any) -> Hits:
        """Return the k texts most similar to a text of the index, without that text.

        Parameters
        ----------
        text_id : str or int
            Id of the text.
        k : int
            Number of hits.
        measure : str
            Measure that orders the hits.
        **options
            The other options of `search`.

        Returns
        -------
        Hits
            The hits, as of `search`.
        """
        snapshot = self.snapshot
        row = snapshot.row_of_id(text_id)
        exclude_ids = [snapshot.ids[row], *check_ids(options.pop("exclude_ids", ()))]
        options.setdefault("outside_vector", snapshot.given_vector(row))
        return self.search(snapshot.texts[row], k, measure, exclude_ids=exclude_ids, **options)

    def percentile(self, scores: Any, measure: str = DEFAULT_MEASURE) -> Array:
        """Return the percentile of each score among the scores of random pairs.

        Parameters
        ----------
        scores : array-like
            The scores.
        measure : str
            Their measure. For ``hybrid`` the pairs are from this index, otherwise from the training texts.

        Returns
        -------
        ndarray
            Percentiles, from 0 to 100.
        """
        if measure not in ("hybrid", "search"):
            check_choice("measure", measure, measure_names())
            if (quantiles := quantiles_for(self, measure, are_given=False)) is None:
                return np.asarray(self.model.percentile(scores, measure))
            return percentiles_of_scores(quantiles, scores)
        return percentiles_of_scores(self.score_quantiles, scores)

    def nearest(self, vectors: Array, k: int = 10) -> tuple[Array, Array]:
        """Return the k rows nearest to each vector by cosine, computed exactly.

        Parameters
        ----------
        vectors : array-like of shape (n, n_components)
            The vectors.
        k : int
            Number of rows for each vector.

        Returns
        -------
        scores : ndarray
            The cosines, best first.
        rows : ndarray
            The row numbers.
        """
        queries, snapshot = normalize_rows(np.asarray(vectors, np.float32)), self.snapshot
        if queries.ndim != 2 or queries.shape[1] != self.model.n_components:
            raise InputError(
                f"vectors of shape {queries.shape}: the index has {self.model.n_components} components; "
                "give an array of texts x components"
            )
        k = min(check_int("k", k), max(len(snapshot), 1))
        return snapshot.nearest(queries, k)

    def duplicates(
        self, threshold: float = 0.9, measure: str = DEFAULT_MEASURE,
        progress: ProgressCallback | None = None, exact: bool | None = None,
    ) -> DuplicatePairs:  # fmt: skip
        """Return all pairs of texts with a score of at least ``threshold``, the most similar pair first.

        Parameters
        ----------
        threshold : float
            Minimum score, from 0.5 to 1.
        measure : {"blend", "latent"}
            Measure of the score.
        progress : callable, optional
            Called with the number of finished steps and the number of all steps.
        exact : bool, optional
            Whether to compare all pairs. By default this is done for up to 1.5 million texts; of more texts
            only those in the same k-means cell are compared, and the estimated recall is logged.

        Returns
        -------
        DuplicatePairs
            A list of ``DuplicatePair`` that converts to a table.
        """
        from tacit.search.duplicates import JoinOptions, duplicate_pairs

        snapshot, options = self.snapshot, JoinOptions(threshold, measure, progress, exact)
        return DuplicatePairs(duplicate_pairs(snapshot, options), snapshot.records_of_ids)

    def duplicate_groups(
        self, threshold: float = 0.9, measure: str = DEFAULT_MEASURE,
        progress: ProgressCallback | None = None, exact: bool | None = None,
    ) -> DuplicateGroups:  # fmt: skip
        """Return groups of texts with a mean score of at least the threshold, the largest group first.

        Groups are built by average linkage, so that a chain of similar texts does not become one group.

        Parameters
        ----------
        threshold : float
            Minimum mean score of the pairs between two groups that are merged.
        measure : {"blend", "latent"}
            Measure of the score.
        progress : callable, optional
            Called with the number of finished steps and the number of all steps.
        exact : bool, optional
            Whether to compare all pairs; see `duplicates`.

        Returns
        -------
        DuplicateGroups
            A list of ``DuplicateGroup`` that converts to a table.
        """
        from tacit.search.duplicates import JoinOptions, duplicate_groups

        snapshot, options = self.snapshot, JoinOptions(threshold, measure, progress, exact)
        return DuplicateGroups(duplicate_groups(snapshot, options), snapshot.records_of_ids)

    def clusters(
        self, n_clusters: int | None = None, random_state: int = 0, progress: ProgressCallback | None = None
    ) -> Clusters:
        """Cluster the texts by k-means, the largest cluster first.

        Parameters
        ----------
        n_clusters : int, optional
            Number of clusters; by default about sqrt(n / 2), at most 100.
        random_state : int
            Random seed.
        progress : callable, optional
            Called with the number of finished iterations and the number of all iterations.

        Returns
        -------
        Clusters
            A list of ``Cluster``, each with its distinctive words, that converts to a table.
        """
        from tacit.search.clusters import find_clusters

        snapshot = self.snapshot
        clusters = find_clusters(snapshot, n_clusters, random_state, progress)
        return Clusters(clusters, snapshot.records_of_ids)

    def layout(self, random_state: int = 0, progress: ProgressCallback | None = None) -> Array:
        """Return a point in the plane for each text, such that similar texts are close together.

        Parameters
        ----------
        random_state : int
            Random seed.
        progress : callable, optional
            Called with the number of finished texts and the number of all texts.

        Returns
        -------
        ndarray of shape (n, 2)
            The points of the texts that are not deleted, from -1 to 1.
        """
        from tacit.search.layout import compute_layout

        snapshot = self.snapshot
        return compute_layout(snapshot.vectors[snapshot.alive], random_state, self.n_threads, progress)
