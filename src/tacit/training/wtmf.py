"""WTMF: vectors for short texts that also know the words the texts do not use."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Self

import numpy as np

from tacit.checks import number, only_texts
from tacit.compute.threads import usable_threads
from tacit.errors import InputError
from tacit.factorize.als import factorize, gram_of
from tacit.factorize.parameters import generator, largest_singular_value
from tacit.factorize.settings import PAPER, Statistics, resolved
from tacit.models.background import SHARE, Background, extended_vocabulary
from tacit.models.language import Language
from tacit.models.lexicon import Lexicon
from tacit.models.percentiles import SAMPLE, Reservoir
from tacit.models.spread import spread_of
from tacit.models.text_model import TextModel
from tacit.storage import fingerprint
from tacit.text.codes import UNNAMED, check_code
from tacit.text.vectorizer import TextVectorizer, WeightedRows
from tacit.training.trainer import Array, Trainer

logger = logging.getLogger(__name__)

FEW = 20
SAYS_LITTLE = (
    "the texts' vectors hardly differ (the mean cosine of two of them is %.2f): comparisons rest on words "
    "and letters; give more varied texts, a background, or leave the settings to the data"
)


@dataclass(eq=False, repr=False)
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
    background : a trained model, or texts to train one on, that knows more of the words than these texts do;
        see ``tacit.models.background``.
    background_share : how much the own texts count beside it, from 0 to 1.
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
    array([[1., 0.]], dtype=float32)
    """

    vectorizer: TextVectorizer | None = None
    _: KW_ONLY
    language: str | None = None
    text_regularization: float | None = None
    background: Any = None
    background_share: float = SHARE

    nested: ClassVar = {"vectorizer": TextVectorizer}

    @classmethod
    def paper(cls, **changes: Any) -> Self:
        """A trainer with the paper's own settings and weights, for a corpus like the paper's."""
        return cls(**{"vectorizer": TextVectorizer.paper(), **PAPER, **changes})

    @classmethod
    def tuned(
        cls,
        texts: Sequence[str],
        *,
        labels: Sequence[str] | None = None,
        judged: Sequence[tuple[float, str, str]] | None = None,
        budget: float = 60.0,
        progress: Any = None,
        **parameters: Any,
    ) -> Self:
        """A trainer with settings that were tried on these texts: call ``fit`` next.

        They are compared by how well words hidden from texts are found; with ``labels``, by how often the
        nearest text has the same one; with ``judged`` pairs (a score and two texts), by how well these are
        followed. ``budget`` is about how many seconds that may take; ``trials_`` holds what was tried.
        """
        from tacit.training.tuning import by_hidden_words, by_labels, by_pairs, tune

        trainer = cls(**parameters)
        criterion = by_hidden_words(texts)
        if labels is not None:
            criterion = by_labels(texts, labels)
        if judged is not None:
            criterion = by_pairs(texts, judged)
        settings, trials = tune(trainer, texts, criterion, budget, progress)
        found = cls(**{**parameters, **settings})
        found.trials_ = trials
        return found

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
        self._learn(texts)
        return self

    def fit_transform(self, texts: Iterable[str], y: object = None) -> Any:
        """Learn, and return the vectors of the same texts: bit for bit what ``encode`` gives them."""
        return self._as_asked(self._learn(texts), texts)

    def _learn(self, texts: Iterable[str]) -> Array:
        """Learn; returns the vectors of the texts."""
        given = self._given()
        rng = generator(self.random_state)
        vectorizer = TextVectorizer(**self._nested("vectorizer").get_params())
        code = check_code(self.language or vectorizer.language or UNNAMED)
        only_texts(texts)
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
        language.text_gram = gram_of(language.own_fold(rows), language.n_threads)
        if self.background is not None:
            self._stand_before(language)
        vectors = language.fold(rows)
        terms = "\n".join(vectorizer.words_.terms).encode("utf-8", "surrogatepass")
        corpus = fingerprint([terms, rows.indptr, rows.indices, rows.data])
        spread = spread_of(vectors, language.n_threads)
        if spread.says_little and len(vectors) > FEW:
            logger.warning(SAYS_LITTLE, spread.mean_cosine)
        provenance = self._provenance(corpus, settings) | {"spread": spread.to_dict()}
        if language.background is not None:
            provenance["background"] = {
                "words": len(language.word_vectors),
                "share": language.background.share,
            }
        self.model_ = TextModel({code: language}, provenance, self.n_threads)
        return vectors

    def _stand_before(self, language: Language) -> None:
        """Give a language its background: the words it lacks, and vectors for all that one knows."""
        behind = self.background_model().pivot
        if behind.code != language.code or behind.background is not None:
            raise InputError(
                f"the background speaks {behind.code!r} and the texts {language.code!r}: give one of the "
                "same language, which has none itself"
            )
        n_own, share = language.n_trained, self.background_share
        vectors = extended_vocabulary(language.vectorizer, behind)
        more = np.zeros((len(vectors) - n_own, language.word_vectors.shape[1]), np.float32)
        language.word_vectors = np.concatenate([language.word_vectors, more])
        language.lexicon = Lexicon.identity(len(vectors))
        chosen = number("background_share", share, most=1)
        language.background = Background(vectors, behind.missing_weight, behind.regularization, chosen)
        language.forget()

    def background_model(self) -> TextModel:
        """The background, trained now if it is texts."""
        if isinstance(self.background, TextModel | Trainer):
            return TextModel.of(self.background)
        options = {"random_state": self.random_state, "n_threads": self.n_threads, "language": self.language}
        return type(self)(self.vectorizer, **options).fit(self.background).model_

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
        return settings, *factorize(weights, start, **self._sweeps(settings))
