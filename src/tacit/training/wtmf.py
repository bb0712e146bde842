"""WTMF: vectors for short texts that also know the words the texts do not use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import numpy as np

from tacit.checks import no_single_text
from tacit.compute.threads import usable_threads
from tacit.errors import InputError
from tacit.factorize.als import Callback, factorize, gram_of
from tacit.factorize.parameters import generator, largest_singular_value
from tacit.factorize.settings import AUTO, PAPER, Number, Statistics, resolved
from tacit.models.language import Language
from tacit.models.lexicon import Lexicon
from tacit.models.percentiles import SAMPLE, Reservoir
from tacit.models.text_model import TextModel
from tacit.storage import fingerprint
from tacit.text.codes import UNNAMED, check_code
from tacit.text.vectorizer import TextVectorizer, WeightedRows
from tacit.training.trainer import Array, Trainer


class WTMF(Trainer):
    """Weighted Textual Matrix Factorization (Guo & Diab, ACL 2012): learn from texts, compare any others.

    Parameters
    ----------
    vectorizer : how texts become weights; by default ``TextVectorizer()``: English stems, tf-idf.
    n_components : the length of a vector.
    missing_weight : how much a word that a text does not use counts, from 0 to 1.
    regularization : the weight of the vectors' squared length, from 0.
    n_iter : the number of sweeps over texts and words. Each of these four may be ``auto``: by the data, see
        ``tacit.factorize.settings``; ``WTMF.paper()`` has the paper's own values.
    tol : stop when a sweep lowers the loss by less than this fraction of it.
    random_state : the seed of the start; the same seed gives the same bits for any number of threads.
    n_threads : None for every core.
    callback : called as ``callback(sweep, loss)`` after each sweep; True stops.
    language : the code of the texts' language; by default that of the vectorizer's stems.
    text_regularization : the same as ``regularization`` where a text is given its vector after training; by
        default as in training. Four times as much was better across languages on the dev sets.

    Attributes
    ----------
    model_ : what was learnt, a ``TextModel``; its methods can be called on the trainer too.
    loss_ : the loss after each sweep.

    >>> texts = ["a cat sleeps on the mat", "the kitten sleeps", "a kitten is a young cat",
    ...          "stocks fell sharply", "the market fell", "stocks trade on the market"]
    >>> model = WTMF().fit(texts)
    >>> model.similarity(["my cat"], ["kittens", "markets"], measure="latent").round(1)
    array([[ 0.8, -0.2]], dtype=float32)
    """

    def __init__(
        self,
        vectorizer: TextVectorizer | None = None,
        *,
        n_components: int | str = AUTO,
        missing_weight: Number = AUTO,
        regularization: Number = AUTO,
        n_iter: int | str = AUTO,
        tol: float = 0.0,
        random_state: Any = 0,
        n_threads: int | None = None,
        callback: Callback | None = None,
        language: str | None = None,
        text_regularization: float | None = None,
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
        self.language = language
        self.text_regularization = text_regularization

    @classmethod
    def paper(cls, **changes: Any) -> Self:
        """A trainer with the paper's own settings and weights, for a corpus like the paper's."""
        return cls(**{"vectorizer": TextVectorizer.paper(), **PAPER, **changes})

    @property
    def word_vectors_(self) -> Array:
        """The words' vectors, words x n_components."""
        return self.model_.pivot.word_vectors

    @property
    def vectorizer_(self) -> TextVectorizer:
        """The fitted vectorizer; ``vectorizer_.words_`` is the vocabulary."""
        return self.model_.pivot.vectorizer

    def fit(self, texts: Iterable[str], y: object = None) -> Self:
        """Learn the words' vectors from texts, which are read once."""
        self.fit_transform(texts)
        return self

    def fit_transform(self, texts: Iterable[str], y: object = None) -> Array:
        """Learn, and return the vectors of the same texts: bit for bit what ``encode`` gives them."""
        given = self._given()
        rng = generator(self.random_state)
        vectorizer = TextVectorizer(**(self.vectorizer or TextVectorizer()).get_params())
        code = check_code(self.language or vectorizer.language or UNNAMED)
        no_single_text(texts)
        sample = Reservoir(SAMPLE)
        rows = vectorizer.fit_rows(sample.watch(texts))
        settings, words, self.loss_ = self._factorized(given, rows, rng)
        language = Language(
            code,
            vectorizer,
            words,
            len(words),
            Lexicon.identity(len(words)),
            settings["missing_weight"],
            settings["regularization"],
            np.zeros((0, 0)),
            usable_threads(self.n_threads),
            self.text_regularization,
            sample=sample.texts,
        )
        vectors = language.fold(rows)
        language.text_gram = gram_of(vectors, language.n_threads)
        terms = "\n".join(vectorizer.words_.terms).encode("utf-8", "surrogatepass")
        corpus = fingerprint([terms, rows.indptr, rows.indices, rows.data])
        self.model_ = TextModel({code: language}, self._provenance(corpus, settings), self.n_threads)
        return vectors

    def _factorized(
        self, given: dict[str, Any], rows: WeightedRows, rng: np.random.Generator
    ) -> tuple[dict[str, Any], Array, list[float]]:
        """The settings, the words' vectors and the losses."""
        from scipy.sparse import csr_matrix

        if not len(rows.data):
            raise InputError("every word is in every text, so none weighs anything: give more varied texts")
        weights = csr_matrix((rows.data, rows.indices, rows.indptr), rows.shape)
        settings = resolved(given, Statistics.of(rows), largest_singular_value(weights))
        start = rng.standard_normal((rows.shape[1], settings["n_components"])).astype(np.float32)
        own = {name: value for name, value in settings.items() if name != "n_components"}
        n_threads = usable_threads(self.n_threads)
        words, losses = factorize(
            weights, start, **own, tol=self.tol, n_threads=n_threads, callback=self.callback
        )
        return settings, words, losses
