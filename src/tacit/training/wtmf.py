"""Weighted Textual Matrix Factorization for texts."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from tacit.checks import check_float
from tacit.errors import InputError
from tacit.factorize.wmf_settings import PAPER_SETTINGS, make_rng, resolve_settings
from tacit.models.language import DEFAULT_SHARE, Background, Language, extend_vocabulary
from tacit.models.lexicon import Lexicon
from tacit.models.text_model import TextModel, as_text_model
from tacit.text.languages import UNNAMED_LANGUAGE, check_language_code
from tacit.text.vectorizer import TextVectorizer
from tacit.training.trainer import MemoryBackend, Trainer, TrainingBackend
from tacit.types import Array

if TYPE_CHECKING:
    from tacit.training.tuning import Trial

logger = logging.getLogger(__name__)

MIN_TEXTS_TO_WARN = 20  # similar vectors are normal for fewer texts
SIMILAR_VECTORS_WARNING = (
    "the vectors of the texts hardly differ (mean cosine %.2f): comparisons depend on words and spelling "
    "only; give more varied texts or a background, or use automatic settings"
)


@dataclass(eq=False, repr=False)
class WTMF(Trainer):
    """Weighted Textual Matrix Factorization (Guo & Diab, ACL 2012): learn from texts, compare any others.

    Parameters
    ----------
    vectorizer : TextVectorizer, optional
        Converts texts to weights; by default ``TextVectorizer()``: English stems, tf-idf.
    n_components : int or "auto"
        Length of a vector. "auto" chooses this and the next three settings from the data, see
        ``tacit.factorize.wmf_settings``; ``WTMF.paper()`` has the values of the paper.
    missing_weight : float or "auto"
        Weight of a word that a text does not use, from 0 to 1.
    regularization : float or "auto"
        Weight of the squared norm of the vectors, from 0.
    n_iter : int or "auto"
        Number of sweeps over texts and words.
    tol : float
        Stop when a sweep lowers the loss by less than this fraction of it.
    random_state : int, numpy.random.Generator or None
        Seed of the start; the same seed gives the same bits for any number of threads.
    n_threads : int, optional
        Number of threads; by default all cores.
    callback : callable, optional
        Called as ``callback(sweep, loss)`` after each sweep; True stops the training.
    language : str, optional
        Language code of the texts; by default that of the vectorizer.
    text_regularization : float, optional
        Regularization when encoding texts after the training; by default as in training. Four times as much
        was better across languages on the development sets.
    background : TextModel, WTMF or iterable of str, optional
        A trained model, or texts to train one on, that knows more words than these texts; see
        ``tacit.models.language``.
    background_share : float
        Weight of the texts in comparison with the background, from 0 to 1.

    Attributes
    ----------
    model_ : TextModel
        The trained model. Its methods can be called on the trainer too.
    loss_ : list of float
        The loss after each sweep.

    Examples
    --------
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
    background_share: float = DEFAULT_SHARE

    default_estimators: ClassVar = {"vectorizer": TextVectorizer}

    @classmethod
    def paper(cls, **changes: Any) -> Self:
        """Create a trainer with the settings and weights of the paper, for a corpus of that kind.

        Parameters
        ----------
        **changes : Any
            Parameters of the constructor that differ from the paper.

        Returns
        -------
        WTMF
            The trainer, not fitted.

        Examples
        --------
        >>> WTMF.paper(n_iter=5).regularization
        20.0
        """
        return cls(**{"vectorizer": TextVectorizer.paper(), **PAPER_SETTINGS, **changes})

    @classmethod
    def tune(
        cls, texts: Sequence[str], *, labels: Sequence[str] | None = None,
        scored_pairs: Sequence[tuple[float, str, str]] | None = None, budget: float = 60.0,
        progress: Callable[[Trial], None] | None = None, **parameters: Any,
    ) -> Self:  # fmt: skip
        """Search for settings and create a trainer with the best ones.

        Settings are compared by the ranks of words hidden from texts; with ``labels``, by the share of texts
        whose nearest text has the same label; with ``scored_pairs``, by correlation.

        Parameters
        ----------
        texts : sequence of str
            The texts.
        labels : sequence of str, optional
            A label for each text.
        scored_pairs : sequence of (float, str, str), optional
            Scores of pairs of texts.
        budget : float
            Time that the search may take, in seconds, on a typical machine.
        progress : callable, optional
            Receives each ``Trial``.
        **parameters : Any
            Other parameters of the constructor.

        Returns
        -------
        WTMF
            The trainer, not fitted; its ``trials_`` are all trials.

        Examples
        --------
        >>> texts = ["a cat sleeps", "the kitten sleeps", "stocks fell", "the market fell", "a cat fell"] * 4
        >>> trainer = WTMF.tune(texts, budget=1)
        >>> len(trainer.trials_)
        9
        """
        from tacit.training.tuning import make_criterion, search_settings

        criterion = make_criterion(texts, labels, scored_pairs)
        settings, trials = search_settings(cls(**parameters), texts, criterion, budget, progress)
        trainer = cls(**{**parameters, **settings})
        trainer.trials_ = trials
        return trainer

    @property
    def word_vectors_(self) -> Array:
        """The words' vectors, words x n_components."""
        return self.model_.pivot.word_vectors

    @property
    def vectorizer_(self) -> TextVectorizer:
        """The fitted vectorizer; ``vectorizer_.words_`` is the vocabulary."""
        return self.model_.pivot.vectorizer

    def fit(self, texts: Iterable[str], y: object = None) -> Self:
        """Learn the words' vectors from texts.

        Parameters
        ----------
        texts : iterable of str
            The texts, which are read once.
        y : object, optional
            Ignored.

        Returns
        -------
        WTMF
            The trainer itself, fitted. If the training fails, an earlier ``model_`` stays.

        Raises
        ------
        InputError
            If a parameter is out of range or the texts have no words.

        Examples
        --------
        >>> texts = ["a cat sleeps", "the kitten sleeps", "stocks fell", "the market fell"]
        >>> WTMF(n_components=2).fit(texts).model_.n_components
        2
        """
        return self.fit_backend(MemoryBackend(texts))

    def fit_transform(self, texts: Iterable[str], y: object = None) -> Any:
        """Learn the words' vectors from texts, and return the vectors of these texts.

        Parameters
        ----------
        texts : iterable of str
            The texts, which are read once.
        y : object, optional
            Ignored.

        Returns
        -------
        array or DataFrame
            Texts x components, with the same bits as from ``encode``.

        Examples
        --------
        >>> texts = ["a cat sleeps", "the kitten sleeps", "stocks fell", "the market fell"]
        >>> WTMF(n_components=2).fit_transform(texts).shape
        (4, 2)
        """
        backend = MemoryBackend(texts)
        self.fit_backend(backend)
        return self._wrap_output(backend.vectors, texts)

    def fit_backend(self, backend: TrainingBackend) -> Self:
        """Learn the words' vectors from the texts of a training backend.

        Parameters
        ----------
        backend : TrainingBackend
            Where the texts are and where the factorization runs: ``MemoryBackend(texts)``, or
            ``PartitionedBackend`` of ``tacit.scale`` for texts that do not fit in memory.

        Returns
        -------
        WTMF
            The trainer itself, fitted. If the training fails, an earlier ``model_`` stays.

        Raises
        ------
        InputError
            If a parameter is out of range, or the backend does not support a background.

        Examples
        --------
        >>> texts = ["a cat sleeps", "the kitten sleeps", "stocks fell", "the market fell"]
        >>> WTMF(n_components=2).fit_backend(MemoryBackend(texts)).model_.n_components
        2
        """
        requested, rng = self._check_settings(), make_rng(self.random_state)
        if self.background is not None and not backend.supports_background:
            raise InputError("a background needs training in memory: leave it out, or use engine memory")
        vectorizer = TextVectorizer(**self._resolve_estimator("vectorizer").get_params())
        code = check_language_code(self.language or vectorizer.language or UNNAMED_LANGUAGE)
        parameters = requested | {
            "seed": repr(self.random_state),
            "tol": self.tol,
            "language": code,
            "vectorizer": _describe_vectorizer(vectorizer),
            "text_regularization": self.text_regularization,
        }
        with backend.prepare(vectorizer, parameters) as corpus:
            settings = resolve_settings(requested, corpus.statistics, corpus.largest_singular_value)
            vectors, losses = backend.factorize(self, settings, rng)
            sample = corpus.short_sample()
            language = self._build_language(code, corpus.vectorizer, vectors, settings, sample)
            if self.background is not None:
                self._attach_background(language)
            language.text_gram, spread = backend.text_statistics(language)
        if spread.is_low and corpus.statistics.n_texts > MIN_TEXTS_TO_WARN:
            logger.warning(SIMILAR_VECTORS_WARNING, spread.mean_cosine)
        provenance = {"spread": spread.to_dict(), **backend.provenance}
        if language.background is not None:
            share = language.background.share
            provenance["background"] = {"words": len(language.word_vectors), "share": share}
        self._finish({code: language}, settings, losses, corpus.fingerprint(), **provenance)
        return self

    def _attach_background(self, language: Language) -> None:
        """Attach the background to a language: add its words, and its vectors of all words."""
        background = self._train_background().pivot
        if background.code != language.code or background.background is not None:
            raise InputError(
                f"the background has language {background.code!r} and the texts {language.code!r}: give a "
                "background of the same language that has no background itself"
            )
        vectors = extend_vocabulary(language.vectorizer, background)
        n_added = len(vectors) - language.n_trained_words
        zeros = np.zeros((n_added, language.word_vectors.shape[1]), np.float32)
        language.word_vectors = np.concatenate([language.word_vectors, zeros])
        language.lexicon = Lexicon.identity(len(vectors))
        share = check_float("background_share", self.background_share, max_value=1)
        options = background.missing_weight, background.regularization, share
        language.background = Background(vectors, *options)
        language.clear_cache()

    def _train_background(self) -> TextModel:
        """Return the model of the background; train it first if the background is given as texts."""
        if isinstance(self.background, TextModel | Trainer):
            return as_text_model(self.background)
        options = {"random_state": self.random_state, "n_threads": self.n_threads, "language": self.language}
        return type(self)(self.vectorizer, **options).fit(self.background).model_


def _describe_vectorizer(vectorizer: TextVectorizer) -> str:
    """Return the parameters of a vectorizer, which identify a training that was stopped.

    The default of ``urls`` is left out: a training from before there was a choice has its own vectorizer.
    """
    default = ("urls", "token")
    return repr(sorted(item for item in vectorizer.params_to_dict().items() if item != default))
