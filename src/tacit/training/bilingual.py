"""BilingualWMF: all languages trained at once over sentence-aligned rows (b-WMF)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tacit.compute.threads import usable_threads
from tacit.errors import InputError
from tacit.factorize.als import factorize
from tacit.factorize.parameters import generator, largest_singular_value
from tacit.factorize.row_solver import gram_of
from tacit.factorize.settings import Statistics, resolved
from tacit.models.incremental import check_parallel_row
from tacit.models.language import Language
from tacit.models.lexicon import Lexicon, learn_lexicon
from tacit.models.percentiles import strided_sample
from tacit.storage import fingerprint
from tacit.text.languages import check_language_codes, stemmer_language
from tacit.text.vectorizer import TextVectorizer
from tacit.text.weighting import TfidfRows
from tacit.training.trainer import Array, Trainer, solver_options

Row = Sequence[str | None]


@dataclass(eq=False, repr=False)
class BilingualWMF(Trainer):
    """b-WMF (Aldarmaki & Diab, SemEval 2016): a row is one sentence in several languages, with one vector.

    Parameters
    ----------
    languages : the codes of a row's texts, in their order; the first is the pivot.
    vectorizer : how texts become weights, each language with its own stems.
    n_components, missing_weight, regularization, n_iter, tol, random_state, callback : as for ``WTMF``.
    translate : also learn which words translate which, for the measures ``alignment`` and ``blend``.
    n_threads : None for every core.

    Attributes
    ----------
    model_ : what was learnt, a ``TextModel``; its methods can be called on the trainer too.
    loss_ : the loss after each sweep.

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
        """Learn from rows of texts, None for a language that a row lacks; they are read once."""
        codes = check_language_codes(self.languages)
        given = self._check_settings()
        rng = generator(self.random_state)
        texts, has = read_rows(rows, codes)
        vectorizers = [self._vectorizer(code) for code in codes]
        weighed = [
            spread(vectorizer.fit_transform_rows(side), has[:, number])
            for number, (vectorizer, side) in enumerate(zip(vectorizers, texts, strict=True))
        ]
        settings, vectors, losses = self._factorize(given, weighed, has, rng)
        languages: dict[str, Language] = {}
        for number, code in enumerate(codes):
            sides = [texts[number]] if number == 0 else [texts[0], texts[number]]
            sample = [text for side in sides for text in strided_sample(side)]
            lexicon = self._lexicon(number, weighed, has)
            options = (code, vectorizers[number], vectors[number], settings, sample, lexicon)
            languages[code] = language = self._build_language(*options)
            language.text_gram = gram_of(language.fold_in(weighed[number]), language.n_threads)
        parts = [part for rows in weighed for part in (rows.indptr, rows.indices, rows.data)]
        self._finish(languages, settings, losses, fingerprint(parts))
        return self

    def _vectorizer(self, code: str) -> TextVectorizer:
        return TextVectorizer(
            **self._resolve_estimator("vectorizer").get_params() | {"language": stemmer_language(code)}
        )

    def _factorize(
        self,
        given: dict[str, Any],
        weighed: list[TfidfRows],
        has: NDArray[np.bool_],
        rng: np.random.Generator,
    ) -> tuple[dict[str, Any], list[Array], list[float]]:
        from scipy.sparse import csr_array, hstack

        matrices = [csr_array((rows.data, rows.indices, rows.indptr), rows.shape) for rows in weighed]
        strongest = largest_singular_value(hstack(matrices, format="csr"))
        settings = resolved(given, Statistics.of(*weighed), strongest)
        patterns, group_of = np.unique(has, axis=0, return_inverse=True)
        places = [np.flatnonzero(group_of.ravel() == group) for group in range(len(patterns))]
        blocks = [
            [m[place] if kept else None for m, kept in zip(matrices, pattern, strict=True)]
            for place, pattern in zip(places, patterns, strict=True)
        ]
        shapes = [(matrix.shape[1], settings["n_components"]) for matrix in matrices]
        start = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
        return settings, *factorize(blocks, start, **solver_options(self, settings))

    def _lexicon(self, number: int, weighed: list[TfidfRows], has: NDArray[np.bool_]) -> Lexicon | None:
        """Return what the words of a language mean in the pivot; None for the pivot itself."""
        if number == 0:
            return None
        if self.translate and np.any(has[:, 0] & has[:, number]):
            return learn_lexicon(weighed[number], weighed[0], usable_threads(self.n_threads))
        return Lexicon.empty(weighed[number].shape[1])


def read_rows(rows: Iterable[Row], codes: list[str]) -> tuple[list[list[str]], NDArray[np.bool_]]:
    """The texts of each language, and which languages each row has."""
    texts: list[list[str]] = [[] for _ in codes]
    has: list[list[bool]] = []
    for number, row in enumerate(rows, 1):
        check_parallel_row(row, len(codes), number, allow_missing=True)
        for side, text in zip(texts, row, strict=True):
            if text is not None:
                side.append(text)
        has.append([text is not None for text in row])
    for code, side in zip(codes, texts, strict=True):
        if not side:
            raise InputError(f"no row has a text of {code!r}: give some, or leave the language out")
    return texts, np.array(has, bool)


def spread(rows: TfidfRows, has: NDArray[np.bool_]) -> TfidfRows:
    """The rows of the texts at the places where there is one, empty rows elsewhere."""
    lengths, known, unknown = (np.zeros(len(has), np.int64) for _ in range(3))
    lengths[has], known[has], unknown[has] = np.diff(rows.indptr), rows.n_known, rows.n_unknown
    indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    return TfidfRows(indptr, rows.indices, rows.data, (len(has), rows.shape[1]), known, unknown)
