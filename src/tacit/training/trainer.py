"""Base class of trainers: parameters, building the model, and the in-memory backend.

A trainer takes its texts from a training backend, which decides where the work is done: ``MemoryBackend``
here, ``PartitionedBackend`` of ``tacit.scale`` for texts on disk or on a Dask cluster.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np

from tacit.checks import AUTO, check_text_input
from tacit.compute.threads import effective_n_threads
from tacit.corpora.inspection import ReservoirSample
from tacit.errors import InputError
from tacit.estimator import DenseTransformer
from tacit.factorize.als import SweepCallback, factorize
from tacit.factorize.row_solver import gram_matrix
from tacit.factorize.spectral import largest_singular_value
from tacit.factorize.wmf_settings import (
    PAPER_SETTINGS,
    FloatOrAuto,
    MatrixStatistics,
    check_requested_settings,
)
from tacit.models.isotropy import Isotropy, measure_isotropy
from tacit.models.language import Language
from tacit.models.lexicon import Lexicon
from tacit.models.percentiles import MAX_SAMPLE_CHARS, SAMPLE_SIZE
from tacit.models.text_model import TextModel
from tacit.storage import fingerprint
from tacit.text.vectorizer import TextVectorizer
from tacit.types import Array


@dataclass(eq=False, repr=False, kw_only=True)
class FactorizationParameters:
    """Parameters that all trainers have in common, see `tacit.WTMF`."""

    n_components: int | str = AUTO
    missing_weight: FloatOrAuto = AUTO
    regularization: FloatOrAuto = AUTO
    n_iter: int | str = AUTO
    tol: float = 0.0
    random_state: Any = 0
    n_threads: int | None = None
    callback: SweepCallback | None = None

    loss_: list[float] = field(init=False)

    def _check_settings(self) -> dict[str, Any]:
        """Check the settings of the factorization and return them, "auto" unresolved."""
        requested = {name: getattr(self, name) for name in PAPER_SETTINGS}
        check_requested_settings(self.tol, getattr(self, "text_regularization", None), **requested)
        return requested

    def _solver_options(self, settings: dict[str, Any]) -> dict[str, Any]:
        """Return the keyword arguments of ``als.factorize``."""
        options = {name: value for name, value in settings.items() if name != "n_components"}
        n_threads = effective_n_threads(self.n_threads)
        return {**options, "tol": self.tol, "n_threads": n_threads, "callback": self.callback}


@dataclass(eq=False, repr=False, kw_only=True)
class Trainer(FactorizationParameters, DenseTransformer):
    """Base class of trainers. After ``fit``, the methods of ``model_`` can be called on the trainer too."""

    model_: TextModel = field(init=False)
    trials_: list[Any] = field(init=False)

    def transform(self, texts: Iterable[str]) -> Any:
        """Compute the vectors of texts.

        Parameters
        ----------
        texts : iterable of str
            The texts.

        Returns
        -------
        array or DataFrame
            Texts x components, as ``model_.encode`` returns them; a DataFrame if ``set_output`` asks for one.

        Raises
        ------
        NotFittedError
            If ``fit`` has not been called.

        Examples
        --------
        >>> from tacit import WTMF
        >>> texts = ["a cat sleeps", "the kitten sleeps", "stocks fell", "the market fell"]
        >>> WTMF(n_components=2).fit(texts).transform(["a cat"]).shape
        (1, 2)
        """
        self._check_fitted()
        return self._wrap_output(self.model_.encode(texts), texts)

    def get_feature_names_out(self, input_features: object = None) -> Array:
        """Return the names of the components, for scikit-learn.

        Parameters
        ----------
        input_features : object, optional
            Ignored.

        Returns
        -------
        array of str
            The name of the class in lower case and a number, such as ``wtmf0``.

        Examples
        --------
        >>> from tacit import WTMF
        >>> texts = ["a cat sleeps", "the kitten sleeps", "stocks fell", "the market fell"]
        >>> list(WTMF(n_components=2).fit(texts).get_feature_names_out())
        ['wtmf0', 'wtmf1']
        """
        self._check_fitted()
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}{number}" for number in range(self.model_.n_components)], dtype=object)

    def __getattr__(self, name: str) -> Any:
        """Get a public attribute of the model."""
        is_public = not name.startswith("_") and not name.endswith("_")
        if is_public and "model_" in vars(self) and hasattr(self.model_, name):
            return getattr(self.model_, name)
        if is_public and hasattr(TextModel, name):
            self._check_fitted()
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _build_language(
        self, code: str, vectorizer: TextVectorizer, word_vectors: Array, settings: dict[str, Any],
        sample: Sequence[str], lexicon: Lexicon | None = None,
    ) -> Language:  # fmt: skip
        """Create a language; its ``text_gram`` is set later.

        ``sample`` are texts for the percentiles; without a ``lexicon`` each word translates to itself.
        """
        n = len(word_vectors)
        return Language(
            code=code,
            vectorizer=vectorizer,
            word_vectors=word_vectors,
            n_trained_words=n,
            lexicon=Lexicon.identity(n) if lexicon is None else lexicon,
            missing_weight=settings["missing_weight"],
            regularization=settings["regularization"],
            text_gram=np.zeros((0, 0)),
            n_threads=effective_n_threads(self.n_threads),
            text_regularization=getattr(self, "text_regularization", None),
            sample_texts=list(sample),
        )

    def _finish(
        self, languages: dict[str, Language], settings: dict[str, Any], losses: list[float], corpus: str,
        **more: Any,
    ) -> None:  # fmt: skip
        """Set ``loss_`` and ``model_``, whose provenance records how it was trained.

        ``corpus`` is the fingerprint of the training texts; ``auto`` names the settings chosen from the data.
        """
        seed = self.random_state
        provenance = {
            "trainer": type(self).__name__,
            "settings": settings,
            "auto": [name for name, value in self._check_settings().items() if isinstance(value, str)],
            "seed": seed if isinstance(seed, int | None) else repr(seed),
            "corpus": corpus,
            "loss": losses,
            **more,
        }
        model = TextModel(languages, provenance, self.n_threads)
        self.loss_, self.model_ = losses, model


@dataclass(kw_only=True)
class CorpusSummary:
    """Results of a backend before the factorization.

    ``vectorizer`` is fitted to the texts, ``statistics`` and ``largest_singular_value`` are those of the
    weighted rows, ``content`` (arrays or digests) identifies the rows, ``sample`` is a random sample of the
    texts.
    """

    vectorizer: TextVectorizer
    statistics: MatrixStatistics
    largest_singular_value: float
    content: Sequence[Any]
    sample: Sequence[str]

    def fingerprint(self) -> str:
        """Return a digest of the vocabulary and the rows."""
        terms = "\n".join(self.vectorizer.words_.terms).encode("utf-8", "surrogatepass")
        return fingerprint([terms, *self.content])

    def short_sample(self) -> list[str]:
        """Return the sample that a model keeps for its percentiles, with truncated texts."""
        return [text[:MAX_SAMPLE_CHARS] for text in self.sample[:SAMPLE_SIZE]]


class TrainingBackend(Protocol):
    """Reads the texts and runs the factorization; ``WTMF.fit_backend`` calls its methods in this order."""

    supports_background: ClassVar[bool]

    @property
    def provenance(self) -> dict[str, Any]:
        """Entries of the backend in the model's provenance, read at the end of the training."""

    def prepare(
        self, vectorizer: TextVectorizer, parameters: dict[str, Any]
    ) -> AbstractContextManager[CorpusSummary]:
        """Read the texts and fit the vectorizer; the training runs inside the context.

        ``parameters`` are all parameters that affect the result; a backend that resumes an interrupted
        training compares them.
        """

    def factorize(
        self, trainer: Trainer, settings: dict[str, Any], rng: np.random.Generator
    ) -> tuple[Array, list[float]]:
        """Return the words' vectors, from a random start, and the loss after each sweep."""

    def text_statistics(self, language: Language) -> tuple[Array, Isotropy]:
        """Return the Gram matrix of the texts' own vectors, and the spread of their vectors."""


class MemoryBackend:
    """Training backend in memory; after the training, ``vectors`` are those of the texts."""

    supports_background: ClassVar[bool] = True
    provenance: ClassVar[dict[str, Any]] = {}

    matrix: Any
    vectors: Array

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = texts

    @contextmanager
    def prepare(self, vectorizer: TextVectorizer, parameters: dict[str, Any]) -> Iterator[CorpusSummary]:
        """Fit the vectorizer and keep the weighted rows."""
        check_text_input(self.texts)
        sample = ReservoirSample(SAMPLE_SIZE, max_chars=MAX_SAMPLE_CHARS)
        rows = vectorizer.fit_transform_rows(sample.pass_through(self.texts))
        statistics = MatrixStatistics.from_matrices(rows)
        check_weights(statistics)
        self.matrix = rows.to_scipy()
        yield CorpusSummary(
            vectorizer=vectorizer,
            statistics=statistics,
            largest_singular_value=largest_singular_value(self.matrix),
            content=(rows.indptr, rows.indices, rows.data),
            sample=sample.texts,
        )

    def factorize(
        self, trainer: Trainer, settings: dict[str, Any], rng: np.random.Generator
    ) -> tuple[Array, list[float]]:
        """Run exact alternating least squares."""
        shape = self.matrix.shape[1], settings["n_components"]
        start = rng.standard_normal(shape).astype(np.float32)
        (vectors,), losses = factorize([[self.matrix]], [start], **trainer._solver_options(settings))
        return vectors, losses

    def text_statistics(self, language: Language) -> tuple[Array, Isotropy]:
        """Compute the texts' vectors, and store them in ``vectors``."""
        vectors = language.own_fold_in(self.matrix)
        gram = gram_matrix(vectors, language.n_threads)
        self.vectors = vectors
        if language.background is not None:
            self.vectors = language.encode(self.matrix)
            language.background.text_gram = gram_matrix(self.vectors, language.n_threads)
        return gram, measure_isotropy(self.vectors, language.n_threads)


def check_weights(statistics: MatrixStatistics) -> None:
    """Raise `InputError` if all weights are zero."""
    if not statistics.n_nonzero:
        raise InputError("every word is in every text, so that all weights are zero: give more varied texts")
