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
from numpy.typing import NDArray

from tacit.checks import check_text_input
from tacit.compute.threads import usable_threads
from tacit.corpora.inspection import ReservoirSample
from tacit.errors import InputError
from tacit.estimator import DenseTransformer
from tacit.factorize.als import Callback, factorize
from tacit.factorize.parameters import largest_singular_value
from tacit.factorize.row_solver import gram_of
from tacit.factorize.settings import AUTO, PAPER, Number, Statistics, check_given
from tacit.models.isotropy import Isotropy, measure_isotropy
from tacit.models.language import Language
from tacit.models.lexicon import Lexicon
from tacit.models.percentiles import MAX_SAMPLE_CHARS, SAMPLE_SIZE
from tacit.models.text_model import TextModel
from tacit.storage import fingerprint
from tacit.text.vectorizer import TextVectorizer
from tacit.text.weighting import TfidfRows

Array = NDArray[Any]


@dataclass(eq=False, repr=False, kw_only=True)
class Trainer(DenseTransformer):
    """``fit`` makes ``model_``; a fitted trainer answers every question that its model does."""

    n_components: int | str = AUTO
    missing_weight: Number = AUTO
    regularization: Number = AUTO
    n_iter: int | str = AUTO
    tol: float = 0.0
    random_state: Any = 0
    n_threads: int | None = None
    callback: Callback | None = None

    model_: TextModel = field(init=False)
    loss_: list[float] = field(init=False)
    trials_: list[Any] = field(init=False)

    def transform(self, texts: Iterable[str]) -> Any:
        """The vectors of texts, as ``model_.encode`` gives them, in the container of ``set_output``."""
        self._check_fitted()
        return self._wrap_output(self.model_.encode(texts), texts)

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:
        """The names of the dimensions: the class and a number."""
        self._check_fitted()
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}{number}" for number in range(self.model_.n_components)], dtype=object)

    def __getattr__(self, name: str) -> Any:
        """Ask the model."""
        is_public = not name.startswith("_") and not name.endswith("_")
        if is_public and "model_" in vars(self) and hasattr(self.model_, name):
            return getattr(self.model_, name)
        if is_public and hasattr(TextModel, name):
            self._check_fitted()
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _check_settings(self) -> dict[str, Any]:
        """Check the settings of the factorization and return them as the user gave them."""
        requested = {name: getattr(self, name) for name in PAPER}
        check_given(self.tol, getattr(self, "text_regularization", None), **requested)
        return requested

    def _build_language(
        self,
        code: str,
        vectorizer: TextVectorizer,
        word_vectors: Array,
        settings: dict[str, Any],
        sample: Sequence[str],
        lexicon: Lexicon | None = None,
    ) -> Language:
        """Return a language whose words have these vectors; the statistics of its texts are still missing.

        ``sample`` are texts for the percentiles; without a ``lexicon`` each word stands for itself.
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
            n_threads=usable_threads(self.n_threads),
            text_regularization=getattr(self, "text_regularization", None),
            sample_texts=list(sample),
        )

    def _finish(
        self,
        languages: dict[str, Language],
        settings: dict[str, Any],
        losses: list[float],
        corpus: str,
        **more: Any,
    ) -> None:
        """Set ``loss_`` and ``model_``; its provenance says how it was trained, as plain values.

        ``corpus`` is the fingerprint of the training texts; ``auto`` names the settings chosen by the data.
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


def solver_options(estimator: Any, settings: dict[str, Any]) -> dict[str, Any]:
    """Return the keyword arguments of ``als.factorize``: all settings but the number of components."""
    options = {name: value for name, value in settings.items() if name != "n_components"}
    n_threads = usable_threads(estimator.n_threads)
    return {**options, "tol": estimator.tol, "n_threads": n_threads, "callback": estimator.callback}


@dataclass(kw_only=True)
class CorpusSummary:
    """What a backend knows of the training texts before the factorization.

    ``vectorizer`` is fitted to them, ``statistics`` and ``largest_singular_value`` are those of the weighted
    rows, ``content`` (arrays or digests) identifies the rows, ``sample`` holds some of the texts.
    """

    vectorizer: TextVectorizer
    statistics: Statistics
    largest_singular_value: float
    content: Sequence[Any]
    sample: Sequence[str]

    def fingerprint(self) -> str:
        """Return a digest of the vocabulary and the rows."""
        terms = "\n".join(self.vectorizer.words_.terms).encode("utf-8", "surrogatepass")
        return fingerprint([terms, *self.content])

    def short_sample(self) -> list[str]:
        """Return the beginnings of as many sampled texts as a model keeps for its percentiles."""
        return [text[:MAX_SAMPLE_CHARS] for text in self.sample[:SAMPLE_SIZE]]


class TrainingBackend(Protocol):
    """Where the texts are and where the factorization runs. ``WTMF.fit_backend`` calls it in this order."""

    supports_background: ClassVar[bool]

    @property
    def provenance(self) -> dict[str, Any]:
        """What the model's provenance says of the backend, read at the end of the training."""

    def prepare(
        self, vectorizer: TextVectorizer, parameters: dict[str, Any]
    ) -> AbstractContextManager[CorpusSummary]:
        """Read the texts and fit the vectorizer; the training is done inside the context.

        ``parameters`` are all that the result depends on besides the texts. A backend that resumes an
        interrupted training compares them.
        """

    def factorize(
        self, trainer: Trainer, settings: dict[str, Any], rng: np.random.Generator
    ) -> tuple[Array, list[float]]:
        """Return the words' vectors, from a start drawn by ``rng``, and the loss after each sweep."""

    def text_statistics(self, language: Language) -> tuple[Array, Isotropy]:
        """Return the Gram matrix of the texts' own vectors, and the spread of their vectors."""


class MemoryBackend:
    """Training in memory. ``vectors`` are the texts' vectors at the end of the training."""

    supports_background: ClassVar[bool] = True
    provenance: ClassVar[dict[str, Any]] = {}

    rows: TfidfRows
    vectors: Array

    def __init__(self, texts: Iterable[str]) -> None:
        """Store the texts, which are read once."""
        self.texts = texts

    @contextmanager
    def prepare(self, vectorizer: TextVectorizer, parameters: dict[str, Any]) -> Iterator[CorpusSummary]:
        """Fit the vectorizer and keep the weighted rows."""
        check_text_input(self.texts)
        sample = ReservoirSample(SAMPLE_SIZE, max_chars=MAX_SAMPLE_CHARS)
        self.rows = rows = vectorizer.fit_transform_rows(sample.pass_through(self.texts))
        statistics = Statistics.of(rows)
        check_weights(statistics)
        yield CorpusSummary(
            vectorizer=vectorizer,
            statistics=statistics,
            largest_singular_value=largest_singular_value(self._matrix()),
            content=(rows.indptr, rows.indices, rows.data),
            sample=sample.texts,
        )

    def factorize(
        self, trainer: Trainer, settings: dict[str, Any], rng: np.random.Generator
    ) -> tuple[Array, list[float]]:
        """Run exact alternating least squares."""
        shape = self.rows.shape[1], settings["n_components"]
        start = rng.standard_normal(shape).astype(np.float32)
        (vectors,), losses = factorize([[self._matrix()]], [start], **solver_options(trainer, settings))
        return vectors, losses

    def text_statistics(self, language: Language) -> tuple[Array, Isotropy]:
        """Compute and keep the texts' vectors."""
        vectors = language.own_fold_in(self.rows)
        gram = gram_of(vectors, language.n_threads)
        self.vectors = vectors if language.background is None else language.fold_in(self.rows)
        return gram, measure_isotropy(self.vectors, language.n_threads)

    def _matrix(self) -> Any:
        from scipy.sparse import csr_matrix

        return csr_matrix((self.rows.data, self.rows.indices, self.rows.indptr), self.rows.shape)


def check_weights(statistics: Statistics) -> None:
    """Raise an error if no word has a weight."""
    if not statistics.n_nonzero:
        raise InputError("every word is in every text, so none weighs anything: give more varied texts")
