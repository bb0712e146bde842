"""b-WMF: several languages from aligned texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tacit.compute.threads import effective_n_threads
from tacit.errors import InputError
from tacit.factorize.als import factorize
from tacit.factorize.row_solver import gram_matrix
from tacit.factorize.spectral import largest_singular_value
from tacit.factorize.wmf_settings import MatrixStatistics, make_rng, resolve_settings
from tacit.models.incremental import check_parallel_row
from tacit.models.language import Language
from tacit.models.lexicon import Lexicon, learn_lexicon
from tacit.models.percentiles import strided_sample
from tacit.storage import fingerprint
from tacit.text.languages import check_language_codes, stemmer_language
from tacit.text.vectorizer import TextVectorizer
from tacit.text.weighting import TfidfRows
from tacit.training.trainer import Trainer

Row = Sequence[str | None]


@dataclass(eq=False, repr=False)
class BilingualWMF(Trainer):
    """b-WMF (Aldarmaki & Diab, SemEval 2016): learn one vector for each row of texts with the same meaning.

    Parameters
    ----------
    languages : sequence of str
        Language codes of the texts of a row, in their order; the first is the pivot.
    vectorizer : TextVectorizer, optional
        Converts texts to weights, with the stemmer of each language; by default words in fewer than 5 texts
        are dropped.
    n_components : int or "auto"
        Length of a vector.
    missing_weight : float or "auto"
        Weight of a word that a text does not use, from 0 to 1.
    regularization : float or "auto"
        Weight of the squared norm of the vectors, from 0.
    n_iter : int or "auto"
        Number of sweeps.
    tol : float
        Stop when a sweep lowers the loss by less than this fraction of it.
    random_state : int, numpy.random.Generator or None
        Seed of the start; the same seed gives the same bits for any number of threads.
    n_threads : int, optional
        Number of threads; by default all cores.
    callback : callable, optional
        Called as ``callback(sweep, loss)`` after each sweep; True stops the training.
    translate : bool
        Also learn word translations, for the measures ``alignment`` and ``blend``.

    Attributes
    ----------
    model_ : TextModel
        The trained model. Its methods can be called on the trainer too.
    loss_ : list of float
        The loss after each sweep.

    Examples
    --------
    >>> pairs = [("a cat sleeps", "un gato duerme"), ("the kitten sleeps", "el gatito duerme"),
    ...          ("stocks fell", "las acciones cayeron"), ("the market fell", "el mercado cayó")]
    >>> model = BilingualWMF(["en", "es"], TextVectorizer(min_df=1), n_components=3, missing_weight=0.1,
    ...                      regularization=1.0).fit([*pairs, ("a kitten is a cat", None)])
    >>> model.similarity(["my cat"], ["gatos", "mercados"], measure="latent", language_b="es").round(1)
    array([[ 1. , -0.2]], dtype=float32)
    """

    languages: Sequence[str] = ("en", "es")
    vectorizer: TextVectorizer | None = None
    _: KW_ONLY
    translate: bool = True

    default_estimators: ClassVar = {"vectorizer": partial(TextVectorizer, min_df=5)}

    def fit(self, rows: Iterable[Row], y: object = None) -> Self:
        """Learn from rows of texts.

        Parameters
        ----------
        rows : iterable of sequences of str
            Each row has one text for each language, None where it is missing. The rows are read once.
        y : object, optional
            Ignored.

        Returns
        -------
        BilingualWMF
            The trainer itself, fitted.

        Raises
        ------
        InputError
            If a parameter is out of range, a row has another number of texts, or a language has no text.

        Examples
        --------
        >>> rows = [("a cat sleeps", "un gato duerme"), ("stocks fell", "las acciones cayeron")]
        >>> trainer = BilingualWMF(["en", "es"], TextVectorizer(min_df=1), n_components=1).fit(rows)
        >>> list(trainer.model_.languages)
        ['en', 'es']
        """
        from scipy.sparse import hstack

        codes = check_language_codes(self.languages)
        requested = self._check_settings()
        rng = make_rng(self.random_state)
        texts, has_text = read_aligned_rows(rows, codes)
        parameters = self._resolve_estimator("vectorizer").get_params()
        vectorizers = [TextVectorizer(**parameters | {"language": stemmer_language(c)}) for c in codes]
        rows_by_language = [
            insert_empty_rows(vectorizer.fit_transform_rows(texts[number]), has_text[:, number])
            for number, vectorizer in enumerate(vectorizers)
        ]
        matrices = [rows.to_scipy() for rows in rows_by_language]
        statistics = MatrixStatistics.from_matrices(*matrices)
        singular_value = largest_singular_value(hstack(matrices, format="csr"))
        settings = resolve_settings(requested, statistics, singular_value)
        shapes = [(matrix.shape[1], settings["n_components"]) for matrix in matrices]
        start = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
        blocks = group_rows(matrices, has_text)
        vectors, losses = factorize(blocks, start, **self._solver_options(settings))
        languages: dict[str, Language] = {}
        for number, code in enumerate(codes):
            sample = [text for i in sorted({0, number}) for text in strided_sample(texts[i])]
            lexicon = self._learn_lexicon(number, rows_by_language, has_text)
            options = (code, vectorizers[number], vectors[number], settings, sample, lexicon)
            languages[code] = language = self._build_language(*options)
            language.text_gram = gram_matrix(language.encode(rows_by_language[number]), language.n_threads)
        content = [part for rows in rows_by_language for part in (rows.indptr, rows.indices, rows.data)]
        self._finish(languages, settings, losses, fingerprint(content))
        return self

    def _learn_lexicon(
        self, number: int, rows_by_language: list[TfidfRows], has_text: NDArray[np.bool_]
    ) -> Lexicon | None:
        """Learn the translations of a language's words to the pivot; None for the pivot itself."""
        if number == 0:
            return None
        rows, pivot_rows = rows_by_language[number], rows_by_language[0]
        if self.translate and np.any(has_text[:, 0] & has_text[:, number]):
            return learn_lexicon(rows, pivot_rows, effective_n_threads(self.n_threads))
        return Lexicon.empty(rows.shape[1])


def read_aligned_rows(rows: Iterable[Row], codes: list[str]) -> tuple[list[list[str]], NDArray[np.bool_]]:
    """Read the texts of each language, and which languages each row has."""
    texts: list[list[str]] = [[] for _ in codes]
    has_text: list[list[bool]] = []
    for number, row in enumerate(rows, 1):
        check_parallel_row(row, len(codes), number, allow_missing=True)
        for language_texts, text in zip(texts, row, strict=True):
            if text is not None:
                language_texts.append(text)
        has_text.append([text is not None for text in row])
    for code, language_texts in zip(codes, texts, strict=True):
        if not language_texts:
            raise InputError(f"no row has a text of {code!r}: give some, or leave the language out")
    return texts, np.array(has_text, bool)


def insert_empty_rows(rows: TfidfRows, has_text: NDArray[np.bool_]) -> TfidfRows:
    """Insert an empty row wherever ``has_text`` is False."""
    lengths, known, unknown = (np.zeros(len(has_text), np.int64) for _ in range(3))
    lengths[has_text], known[has_text], unknown[has_text] = np.diff(rows.indptr), rows.n_known, rows.n_unknown
    indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    return TfidfRows(indptr, rows.indices, rows.data, (len(has_text), rows.shape[1]), known, unknown)


def group_rows(matrices: Sequence[Any], has_text: NDArray[np.bool_]) -> list[list[Any]]:
    """Group the rows by the languages that they have, as ``als.factorize`` takes them."""
    patterns, group_of = np.unique(has_text, axis=0, return_inverse=True)
    return [
        [
            matrix[group_of.ravel() == group] if has_language else None
            for matrix, has_language in zip(matrices, pattern, strict=True)
        ]
        for group, pattern in enumerate(patterns)
    ]
