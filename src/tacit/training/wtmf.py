"""WTMF: vectors for short texts that also know the words the texts do not use."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Self

import numpy as np

from tacit.checks import check_float
from tacit.errors import InputError
from tacit.factorize.parameters import generator
from tacit.factorize.settings import PAPER, resolved
from tacit.models.background import DEFAULT_SHARE, Background, extend_vocabulary
from tacit.models.language import Language
from tacit.models.lexicon import Lexicon
from tacit.models.text_model import TextModel, as_text_model
from tacit.text.languages import UNNAMED_LANGUAGE, check_language_code
from tacit.text.vectorizer import TextVectorizer
from tacit.training.trainer import Array, MemoryBackend, Trainer, TrainingBackend

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
    background_share: float = DEFAULT_SHARE

    default_estimators: ClassVar = {"vectorizer": TextVectorizer}

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
        return self.fit_backend(MemoryBackend(texts))

    def fit_transform(self, texts: Iterable[str], y: object = None) -> Any:
        """Learn, and return the vectors of the same texts: bit for bit what ``encode`` gives them."""
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
            The trainer itself, fitted. A training that fails leaves an earlier ``model_`` as it was.

        Raises
        ------
        InputError
            If a parameter is out of its range, or the backend does not support a background.
        """
        requested, rng = self._check_settings(), generator(self.random_state)
        if self.background is not None and not backend.supports_background:
            raise InputError("a background is for trainings in memory: leave it out, or use engine memory")
        vectorizer = TextVectorizer(**self._resolve_estimator("vectorizer").get_params())
        code = check_language_code(self.language or vectorizer.language or UNNAMED_LANGUAGE)
        parameters = requested | {
            "seed": repr(self.random_state),
            "tol": self.tol,
            "language": code,
            "vectorizer": repr(sorted(vectorizer.params_to_dict().items())),
            "text_regularization": self.text_regularization,
        }
        with backend.prepare(vectorizer, parameters) as corpus:
            settings = resolved(requested, corpus.statistics, corpus.largest_singular_value)
            vectors, losses = backend.factorize(self, settings, rng)
            sample = corpus.short_sample()
            language = self._build_language(code, corpus.vectorizer, vectors, settings, sample)
            if self.background is not None:
                self._attach_background(language)
            language.text_gram, spread = backend.text_statistics(language)
        if spread.is_low and corpus.statistics.n_texts > FEW:
            logger.warning(SAYS_LITTLE, spread.mean_cosine)
        more = {"spread": spread.to_dict(), **backend.provenance}
        if language.background is not None:
            more["background"] = {
                "words": len(language.word_vectors),
                "share": language.background.share,
            }
        self._finish({code: language}, settings, losses, corpus.fingerprint(), **more)
        return self

    def _attach_background(self, language: Language) -> None:
        """Give a language its background: the words it lacks, and vectors for all words that one has."""
        background = self._train_background().pivot
        if background.code != language.code or background.background is not None:
            raise InputError(
                f"the background speaks {background.code!r} and the texts {language.code!r}: give one of the "
                "same language, which has none itself"
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
        """Return the model of the background, trained now if it is texts."""
        if isinstance(self.background, TextModel | Trainer):
            return as_text_model(self.background)
        options = {"random_state": self.random_state, "n_threads": self.n_threads, "language": self.language}
        return type(self)(self.vectorizer, **options).fit(self.background).model_
