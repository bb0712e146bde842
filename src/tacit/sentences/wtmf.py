"""WTMF: vectors for short texts that also know the words the texts do not use."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from tacit.compute import cosine
from tacit.compute.threads import usable_threads
from tacit.errors import InputError
from tacit.estimator import Estimator
from tacit.factorize.als import Callback, FoldIn, Rows, factorize, gram_of
from tacit.sentences.chance import SAMPLE, Reservoir, chance_quantiles, percentile
from tacit.sentences.explanation import Explanation, explain_pair
from tacit.sentences.measures import check_measure, score_pairs
from tacit.sentences.parameters import check_parameters, check_strength, generator
from tacit.sentences.textset import TextSet
from tacit.text.interning import refuse_one_text
from tacit.text.vectorizer import TextVectorizer, WeightedRows

if TYPE_CHECKING:
    from tacit.storage import Stored

logger = logging.getLogger(__name__)

Array = NDArray[Any]
ScoredWord = tuple[str, float]


class WTMF(Estimator):
    """Weighted Textual Matrix Factorization (Guo & Diab, ACL 2012): learn from texts, compare any others.

    Parameters
    ----------
    vectorizer : how texts become weights; by default ``TextVectorizer()``: English stems, tf-idf.
    n_components : the length of a vector.
    missing_weight : how much a word that a text does not use counts, from 0 to 1.
    regularization : the weight of the vectors' squared length, from 0.
    n_iter : the number of sweeps over texts and words.
    tol : stop when a sweep lowers the loss by less than this fraction of it.
    random_state : the seed of the start; the same seed gives the same bits for any number of threads.
    n_threads : None for every core.
    callback : called as ``callback(sweep, loss)`` after each sweep; True stops.

    Attributes
    ----------
    word_vectors_ : words x n_components.
    loss_ : the loss after each sweep.
    vectorizer_ : the fitted vectorizer; ``vectorizer_.words_`` is the vocabulary.

    >>> texts = ["a cat sleeps on the mat", "the kitten sleeps", "a kitten is a young cat",
    ...          "stocks fell sharply", "the market fell", "stocks trade on the market"]
    >>> model = WTMF(TextVectorizer(min_df=1), n_components=3, missing_weight=0.1, regularization=1.0)
    >>> model = model.fit(texts)
    >>> model.similarity(["my cat"], ["kittens", "markets"]).round(1)
    array([[1. , 0.1]], dtype=float32)
    """

    def __init__(
        self,
        vectorizer: TextVectorizer | None = None,
        *,
        n_components: int = 100,
        missing_weight: float = 0.01,
        regularization: float = 20.0,
        n_iter: int = 20,
        tol: float = 0.0,
        random_state: Any = 0,
        n_threads: int | None = None,
        callback: Callback | None = None,
    ) -> None:
        """Store the parameters; ``fit`` checks them."""
        self.vectorizer = vectorizer
        self.n_components = n_components
        self.missing_weight = missing_weight
        self.regularization = regularization
        self.n_iter = n_iter
        self.tol = tol
        self.random_state = random_state
        self.n_threads = n_threads
        self.callback = callback

    vectorizer_: TextVectorizer
    word_vectors_: Array
    loss_: list[float]
    n_trained_words_: int
    text_gram_: Array
    corpus_: str
    sample_: list[str]

    def fit(self, texts: Iterable[str], y: object = None) -> Self:
        """Learn the words' vectors from texts, which are read once."""
        self.fit_transform(texts)
        return self

    def fit_transform(self, texts: Iterable[str], y: object = None) -> Array:
        """Learn, and return the vectors of the same texts: bit for bit what ``encode`` gives them."""
        from scipy.sparse import csr_matrix

        from tacit.storage import fingerprint

        check_parameters(self.n_components, self.missing_weight, self.regularization, self.n_iter, self.tol)
        n_threads = usable_threads(self.n_threads)
        vectorizer = TextVectorizer(**(self.vectorizer or TextVectorizer()).get_params())
        rng = generator(self.random_state)
        refuse_one_text(texts)
        sample = Reservoir(SAMPLE)
        rows = vectorizer.fit_rows(sample.watch(texts))
        if not len(rows.data):
            raise InputError("every word is in every text, so none weighs anything: give more varied texts")
        weights = csr_matrix((rows.data, rows.indices, rows.indptr), rows.shape)
        check_strength(weights, self.regularization)
        words, losses = factorize(
            weights,
            rng.standard_normal((rows.shape[1], self.n_components)).astype(np.float32),
            missing_weight=self.missing_weight,
            regularization=self.regularization,
            n_iter=self.n_iter,
            tol=self.tol,
            n_threads=n_threads,
            callback=self.callback,
        )
        self._forget()
        self.__dict__.pop("chance", None)
        self.sample_ = sample.texts
        self.vectorizer_, self.word_vectors_, self.loss_ = vectorizer, words, losses
        self.n_trained_words_ = len(words)
        vectors = self.fold(rows)
        self.text_gram_ = gram_of(vectors, n_threads)
        terms = "\n".join(vectorizer.words_.terms).encode("utf-8", "surrogatepass")
        self.corpus_ = fingerprint([terms, rows.indptr, rows.indices, rows.data])
        return vectors

    def encode(self, texts: Iterable[str]) -> Array:
        """The vectors of texts, always two-dimensional; a text with no known word has a zero vector."""
        return self.encode_rows(self.rows(texts))

    def transform(self, texts: Iterable[str]) -> Array:
        """The same as ``encode``, by scikit-learn's name."""
        return self.encode(texts)

    def rows(self, texts: Iterable[str]) -> WeightedRows:
        """The weights of the words of each text, with how many of its words are known and unknown."""
        self._check_fitted()
        return self.vectorizer_.rows(texts)

    def encode_rows(self, rows: WeightedRows) -> Array:
        """The vectors of texts whose words are weighed already."""
        empty = int(np.count_nonzero(np.diff(rows.indptr) == 0))
        if empty:
            logger.warning("%d of %d texts have no known word: their vectors are zero", empty, rows.shape[0])
        return self.fold(rows)

    def similarity(self, a: Iterable[str], b: Iterable[str], measure: str = "latent") -> Array:
        """How alike every text of ``a`` is with every text of ``b``, a matrix.

        ``latent`` is the paper's cosine; ``blend`` is better at telling how alike people find two texts.
        All measures are in ``tacit.sentences.measures``.
        """
        if measure == "latent":
            return cosine.every(self.encode(a), self.encode(b))
        texts, n_a, n_b = self._joined(a, b)
        left, right = np.divmod(np.arange(n_a * n_b), n_b) if n_b else (np.zeros(0, int), np.zeros(0, int))
        return score_pairs(texts, left, n_a + right, measure).reshape(n_a, n_b)

    def similarity_pairwise(self, a: Iterable[str], b: Iterable[str], measure: str = "latent") -> Array:
        """How alike each text of ``a`` is with the text of ``b`` at the same place."""
        texts, n_a, n_b = self._joined(a, b)
        if n_a != n_b:
            raise InputError(f"{n_a} texts against {n_b}: pairs need equally many")
        return score_pairs(texts, np.arange(n_a), n_a + np.arange(n_a), measure)

    def percentile(self, scores: Any, measure: str = "latent") -> Array:
        """How many of a hundred random pairs of training texts score no higher than each score.

        A percentile of 99.9 says more than a cosine of 0.5: one pair in a thousand is as alike by chance.
        """
        self._check_fitted()
        check_measure(measure)
        return percentile(self.chance, scores, measure)

    def explain(self, a: str, b: str, measure: str = "latent") -> Explanation:
        """Split the similarity of two texts into what each pair of their words adds to it.

        Measures that split: ``latent``, ``alignment`` and ``blend``.
        """
        self._check_fitted()
        return explain_pair(TextSet(self, [a, b]), measure)

    def unsaid(self, text: str, k: int = 10) -> list[ScoredWord]:
        """The words a text is about but does not say, with the weight the model expects of them."""
        rows = self.rows([text])
        scores = self.word_vectors_ @ self.fold(rows)[0]
        scores[rows.indices] = -np.inf
        return self._top(scores, k) if len(rows.indices) else []

    def nearest_words(self, word: str, k: int = 10, min_df: int = 1) -> list[ScoredWord]:
        """The words used most like this one, with the cosine of their vectors.

        A word of a single context is close to all of it; ``min_df`` leaves out words of fewer texts.
        """
        self._check_fitted()
        place = self._place(word)
        scores = self.unit_words @ self.unit_words[place]
        scores[place] = -np.inf
        scores[self.vectorizer_.words_.df < min_df] = -np.inf
        return self._top(scores, k)

    def add_words(self, texts: Iterable[str], min_df: int | None = None) -> list[str]:
        """Learn vectors for words met after training, in closed form, from texts that use them.

        A new word must be in ``min_df`` of the texts (by default the vectorizer's). The texts are placed by
        the words the model knows; then each new word gets its best vector. Nothing else moves: the vectors
        of other words, and of texts without the new words, keep their bits. Returns the new words.
        """
        self._check_fitted()
        from scipy.sparse import csr_matrix

        old, new, rows = self.vectorizer_.new_words(texts, min_df or self.vectorizer_.min_df)
        if not len(new):
            return []
        vectors = self.fold(old)
        transposed = csr_matrix((rows.data, rows.indices, rows.indptr), rows.shape).T.tocsr()
        transposed.sort_indices()
        fold = self._fold_in(vectors, self.text_gram_ + gram_of(vectors))
        found = fold(Rows.of(transposed, np.float32))
        self.vectorizer_.extend(new, len(old.known))
        self._forget()
        self.word_vectors_ = np.concatenate([self.word_vectors_, found])
        return new.surfaces

    def save(self, folder: str | Path) -> None:
        """Write the model to a folder, whole or not at all; ``tacit.load`` reads it back."""
        from tacit.sentences.stored import save_wtmf

        self._check_fitted()
        save_wtmf(self, folder)

    def to_stored(self) -> Stored:
        """The model as plain arrays, numbers and words, for a folder of its own or as a part of another."""
        from tacit.sentences.stored import wtmf_to_stored

        self._check_fitted()
        return wtmf_to_stored(self)

    @classmethod
    def from_stored(cls, stored: Stored, **given: Any) -> Self:
        """Rebuild a model from what ``tacit.storage`` has read and checked."""
        from tacit.sentences.stored import restore_wtmf

        return restore_wtmf(cls, stored, **given)

    def _joined(self, a: Iterable[str], b: Iterable[str]) -> tuple[TextSet, int, int]:
        """Two lists of texts as one set, and how many are of each."""
        self._check_fitted()
        refuse_one_text(a)
        refuse_one_text(b)
        left = list(a)
        joined = TextSet(self, chain(left, b))
        return joined, len(left), len(joined) - len(left)

    def _place(self, word: str) -> int:
        words = self.vectorizer_.words_
        place = words.index.get(self.vectorizer_.term(word))
        if place is None:
            from difflib import get_close_matches

            near = get_close_matches(word.lower(), words.surfaces[:50_000], n=3)
            hint = f"; did you mean {', '.join(near)}?" if near else ""
            raise InputError(f"the model does not know the word {word!r}{hint}")
        return place

    def _top(self, scores: Array, k: int) -> list[ScoredWord]:
        if isinstance(k, bool) or not isinstance(k, int) or k < 1:
            raise InputError(f"k={k!r}: give a whole number from 1")
        order = np.argsort(-scores, kind="stable")[:k]
        surfaces = self.vectorizer_.words_.surfaces
        return [(surfaces[place], float(scores[place])) for place in order if np.isfinite(scores[place])]

    def _fold_in(self, vectors: Array, gram: Array | None) -> FoldIn:
        n_threads = usable_threads(self.n_threads)
        return FoldIn(vectors, self.missing_weight, self.regularization, n_threads, gram)

    @cached_property
    def fold(self) -> FoldIn:
        """What gives texts their vectors.

        Words added later are not counted as missing, so that texts without them keep their vectors.
        """
        trained = self.word_vectors_[: self.n_trained_words_]
        return self._fold_in(self.word_vectors_, gram_of(trained, usable_threads(self.n_threads)))

    @cached_property
    def chance(self) -> Array:
        """A row for each measure: the quantiles of its scores on random pairs of training texts."""
        return chance_quantiles(self, self.sample_)

    @cached_property
    def unit_words(self) -> Array:
        """The words' vectors at length 1."""
        return cosine.unit(self.word_vectors_)

    def _forget(self) -> None:
        """Drop what was derived from the words' vectors."""
        for name in ("fold", "unit_words"):
            self.__dict__.pop(name, None)
