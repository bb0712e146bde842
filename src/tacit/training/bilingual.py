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
from tacit.factorize.als import gram_of
from tacit.factorize.blocks import factorize_blocks
from tacit.factorize.parameters import generator, largest_singular_value
from tacit.factorize.settings import Statistics, resolved
from tacit.models.adding import check_row
from tacit.models.language import Language
from tacit.models.lexicon import Lexicon, learn_lexicon
from tacit.models.percentiles import spread_sample
from tacit.models.text_model import TextModel
from tacit.storage import fingerprint
from tacit.text.codes import check_codes, stemmer_language
from tacit.text.vectorizer import TextVectorizer, WeightedRows
from tacit.training.trainer import Array, Trainer

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

    nested: ClassVar = {"vectorizer": partial(TextVectorizer, min_df=5)}

    def fit(self, rows: Iterable[Row], y: object = None) -> Self:
        """Learn from rows of texts, None for a language that a row lacks; they are read once."""
        codes = check_codes(self.languages)
        given = self._given()
        rng = generator(self.random_state)
        texts, has = read_rows(rows, codes)
        vectorizers = [self._vectorizer(code) for code in codes]
        weighed = [
            spread(vectorizer.fit_rows(side), has[:, number])
            for number, (vectorizer, side) in enumerate(zip(vectorizers, texts, strict=True))
        ]
        settings, vectors = self._factorized(given, weighed, has, rng)
        self._remember(codes, vectorizers, weighed, vectors, texts, has, settings)
        return self

    def _vectorizer(self, code: str) -> TextVectorizer:
        return TextVectorizer(
            **self._nested("vectorizer").get_params() | {"language": stemmer_language(code)}
        )

    def _factorized(
        self,
        given: dict[str, Any],
        weighed: list[WeightedRows],
        has: NDArray[np.bool_],
        rng: np.random.Generator,
    ) -> tuple[dict[str, Any], list[Array]]:
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
        vectors, self.loss_ = factorize_blocks(blocks, start, **self._sweeps(settings))
        return settings, vectors

    def _remember(
        self,
        codes: list[str],
        vectorizers: list[TextVectorizer],
        weighed: list[WeightedRows],
        vectors: list[Array],
        texts: list[list[str]],
        has: NDArray[np.bool_],
        settings: dict[str, Any],
    ) -> None:
        n_threads = usable_threads(self.n_threads)
        languages: dict[str, Language] = {}
        for number, code in enumerate(codes):
            lexicon = Lexicon.empty(len(vectors[number]))
            if number == 0:
                lexicon = Lexicon.identity(len(vectors[0]))
            elif self.translate and np.any(has[:, 0] & has[:, number]):
                lexicon = learn_lexicon(weighed[number], weighed[0], n_threads)
            sides = [texts[number]] if number == 0 else [texts[0], texts[number]]
            languages[code] = language = Language(
                code,
                vectorizers[number],
                vectors[number],
                len(vectors[number]),
                lexicon,
                settings["missing_weight"],
                settings["regularization"],
                np.zeros((0, 0)),
                n_threads,
                sample=[text for side in sides for text in spread_sample(side)],
            )
            language.text_gram = gram_of(language.fold(weighed[number]), n_threads)
        parts = [part for rows in weighed for part in (rows.indptr, rows.indices, rows.data)]
        self.model_ = TextModel(languages, self._provenance(fingerprint(parts), settings), self.n_threads)


def read_rows(rows: Iterable[Row], codes: list[str]) -> tuple[list[list[str]], NDArray[np.bool_]]:
    """The texts of each language, and which languages each row has."""
    texts: list[list[str]] = [[] for _ in codes]
    has: list[list[bool]] = []
    for number, row in enumerate(rows, 1):
        check_row(row, len(codes), number, lacking=True)
        for side, text in zip(texts, row, strict=True):
            if text is not None:
                side.append(text)
        has.append([text is not None for text in row])
    for code, side in zip(codes, texts, strict=True):
        if not side:
            raise InputError(f"no row has a text of {code!r}: give some, or leave the language out")
    return texts, np.array(has, bool)


def spread(rows: WeightedRows, has: NDArray[np.bool_]) -> WeightedRows:
    """The rows of the texts at the places where there is one, empty rows elsewhere."""
    lengths, known, unknown = (np.zeros(len(has), np.int64) for _ in range(3))
    lengths[has], known[has], unknown[has] = np.diff(rows.indptr), rows.known, rows.unknown
    indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    return WeightedRows(indptr, rows.indices, rows.data, (len(has), rows.shape[1]), known, unknown)
