"""What both methods share once they are trained: texts of several languages in one space."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute import cosine
from tacit.compute.threads import usable_threads
from tacit.crosslingual.chance import chance_quantiles, percentile
from tacit.crosslingual.explanation import explain_pair
from tacit.crosslingual.growth import grown_language, read_sides
from tacit.crosslingual.language import Language
from tacit.crosslingual.lexicon import Table, stacked
from tacit.crosslingual.measures import check_measure, score_pairs
from tacit.crosslingual.paraphrase import paraphrases, translations_of_pivot
from tacit.crosslingual.texts import CrossTexts, Spoken
from tacit.crosslingual.words import find_word, top_words
from tacit.errors import InputError
from tacit.estimator import Estimator
from tacit.text.interning import refuse_one_text
from tacit.text.vectorizer import TextVectorizer

if TYPE_CHECKING:
    from tacit.sentences.explanation import Explanation
    from tacit.storage import Stored

logger = logging.getLogger(__name__)

Array = NDArray[Any]
ScoredWord = tuple[str, float]


class CrosslingualModel(Estimator):
    """Texts of several languages, compared as if they were of one.

    Every ``language`` below is a code such as "es"; left out, it is detected among the model's languages, by
    the words each of them was trained on. ``languages_`` holds the languages by code, the pivot first.
    """

    languages_: dict[str, Language]
    _n_threads: int | None = None

    @property
    def n_threads(self) -> int | None:
        """How many threads to use; None for every core."""
        return self._n_threads

    @n_threads.setter
    def n_threads(self, value: int | None) -> None:
        self._n_threads = value
        for language in getattr(self, "languages_", {}).values():
            language.n_threads = usable_threads(value)
            language.__dict__.pop("fold", None)

    @property
    def pivot_language(self) -> str:
        """The code of the language that the others are tied to."""
        self._check_fitted()
        return next(iter(self.languages_))

    def language_number(self, code: str) -> int:
        """The place of a language, or an error that lists those there are."""
        self._check_fitted()
        codes = list(self.languages_)
        name = code.lower() if isinstance(code, str) else code
        if name not in codes:
            raise InputError(
                f"the model has no language {code!r}: it has {', '.join(codes)}; add_language adds one"
            )
        return codes.index(name)

    def detect(self, texts: Iterable[str]) -> list[str]:
        """The likeliest language of each text among the model's own."""
        self._check_fitted()
        codes = list(self.languages_)
        return [codes[number] for number in CrossTexts(self, texts).spoken]

    def encode(self, texts: Iterable[str], language: Spoken = None) -> Array:
        """The vectors of texts, always two-dimensional; a text with no known word has a zero vector."""
        self._check_fitted()
        return self.encode_texts(CrossTexts(self, texts, language))

    def encode_texts(self, texts: CrossTexts) -> Array:
        """The vectors of texts that are prepared already."""
        empty = int(np.count_nonzero(texts.known == 0))
        if empty:
            logger.warning("%d of %d texts have no known word: their vectors are zero", empty, len(texts))
        return texts.vectors

    def transform(self, texts: Iterable[str]) -> Array:
        """The same as ``encode``, by scikit-learn's name."""
        return self.encode(texts)

    def similarity(
        self,
        a: Iterable[str],
        b: Iterable[str],
        measure: str = "latent",
        language_a: Spoken = None,
        language_b: Spoken = None,
    ) -> Array:
        """How alike every text of ``a`` is with every text of ``b``, a matrix.

        ``latent`` is the paper's cosine, negatives as 0; ``blend`` is better at telling how alike people find
        two texts. All measures are in ``tacit.crosslingual.measures``.
        """
        if measure == "latent":
            found = cosine.every(self.encode(a, language_a), self.encode(b, language_b))
            return np.maximum(found, 0)
        texts, n_a, n_b = self._joined(a, b, language_a, language_b)
        left, right = np.divmod(np.arange(n_a * n_b), n_b) if n_b else (np.zeros(0, int), np.zeros(0, int))
        return score_pairs(texts, left, n_a + right, measure).reshape(n_a, n_b)

    def similarity_pairwise(
        self,
        a: Iterable[str],
        b: Iterable[str],
        measure: str = "latent",
        language_a: Spoken = None,
        language_b: Spoken = None,
    ) -> Array:
        """How alike each text of ``a`` is with the text of ``b`` at the same place."""
        texts, n_a, n_b = self._joined(a, b, language_a, language_b)
        if n_a != n_b:
            raise InputError(f"{n_a} texts against {n_b}: pairs need equally many")
        return score_pairs(texts, np.arange(n_a), n_a + np.arange(n_a), measure)

    def percentile(self, scores: Any, measure: str = "latent", language: str | None = None) -> Array:
        """How many of a hundred random pairs of texts score no higher than each score.

        The pairs are of the texts of ``language`` and of the pivot, as they were read for training; left
        out, it is the first language beside the pivot.
        """
        self._check_fitted()
        check_measure(measure)
        codes = list(self.languages_)
        number = min(1, len(codes) - 1) if language is None else self.language_number(language)
        return percentile(self.chance(codes[number]), scores, measure)

    def chance(self, code: str) -> Array:
        """The quantiles of the scores of random pairs, a row for each measure."""
        language = self.languages_[code]
        if language.chance is None:
            language.chance = chance_quantiles(self, code)
        return language.chance

    def explain(
        self,
        a: str,
        b: str,
        measure: str = "latent",
        language_a: str | None = None,
        language_b: str | None = None,
    ) -> Explanation:
        """Split the similarity of two texts into what each pair of their words adds to it."""
        self._check_fitted()
        return explain_pair(CrossTexts(self, [a, b], [language_a, language_b]), measure)

    def unsaid(
        self, text: str, k: int = 10, language: str | None = None, to: str | None = None
    ) -> list[ScoredWord]:
        """The words a text is about but does not say, in its own language or in the language ``to``."""
        self._check_fitted()
        texts = CrossTexts(self, [text], language)
        spoken = int(texts.spoken[0])
        target = spoken if to is None else self.language_number(to)
        found = texts.languages[target]
        scores = found.word_vectors[: found.n_trained] @ texts.vectors[0]
        if target == spoken:
            said = texts.rows(spoken).indices
            scores[said[said < found.n_trained]] = -np.inf
        return top_words(found, scores, k) if texts.known[0] else []

    def nearest_words(
        self, word: str, k: int = 10, min_df: int = 1, language: str | None = None
    ) -> list[ScoredWord]:
        """The words of the same language used most like this one, with the cosine of their vectors."""
        self._check_fitted()
        found, place = find_word(self, word, language)
        scores = found.unit_words[: found.n_trained] @ found.unit_words[place]
        if place < found.n_trained:
            scores[place] = -np.inf
        scores[found.vectorizer.words_.df[: found.n_trained] < min_df] = -np.inf
        return top_words(found, scores, k)

    def translations(
        self, word: str, language: str | None = None, k: int = 10, to: str | None = None, min_df: int = 1
    ) -> list[ScoredWord]:
        """The words of another language used most like this one, with the cosine of their vectors.

        ``to`` may be left out where there is one other language, or the word is not of the pivot.
        """
        self._check_fitted()
        found, place = find_word(self, word, language)
        others = [code for code in self.languages_ if code != found.code]
        if to is None and len(others) > 1 and found.code == self.pivot_language:
            raise InputError(f"translations of {word!r} into which language? to= one of {', '.join(others)}")
        if not others:
            raise InputError(f"the model has only the language {found.code!r}: add_language adds one")
        target = (
            self.languages_[others[0]]
            if to is None
            else self.languages_[list(self.languages_)[self.language_number(to)]]
        )
        scores = target.unit_words[: target.n_trained] @ found.unit_words[place]
        scores[target.vectorizer.words_.df[: target.n_trained] < min_df] = -np.inf
        return top_words(target, scores, k)

    def add_language(
        self,
        code: str,
        pairs: Iterable[tuple[str, str]],
        *,
        vectorizer: TextVectorizer | None = None,
        missing_weight: float | None = None,
        regularization: float | None = None,
        borrow: bool = True,
        translate: bool = True,
    ) -> CrosslingualModel:
        """Learn a language from pairs of texts, the pivot's first, in one closed-form half-sweep (x-WMF).

        The pivot's texts are folded in; with their vectors fixed, each word of the new language gets its best
        one. No other language moves, to the bit, and the order of additions does not matter.

        Parameters
        ----------
        vectorizer : how its texts become weights; by default as the pivot's, with its own stems.
        missing_weight : of the half-sweep alone; by default a tenth of the pivot's (the paper: the pivot's).
        regularization : of the half-sweep alone; by default the pivot's.
        borrow : let words without a vector of their own take that of the pivot's word of the same letters.
        translate : also learn which words translate which, for the measures ``alignment`` and ``blend``.
        """
        self._check_fitted()
        sides = read_sides(self.languages_, code, pairs)
        added = grown_language(
            self.languages_[self.pivot_language],
            code.lower(),
            sides,
            vectorizer,
            missing_weight,
            regularization,
            borrow=borrow,
            translate=translate,
        )
        self.languages_[added.code] = added
        self._forget_tables()
        return self

    def _forget_tables(self) -> None:
        """Make them anew: the languages have changed."""
        for name in ("lexicons", "_translations"):
            self.__dict__.pop(name, None)

    @cached_property
    def lexicons(self) -> Table:
        """What the words of all languages stand for, language after language: the arrays of a CSR matrix."""
        return stacked([language.lexicon for language in self.languages_.values()])

    def paraphrases(self, words: Array) -> Table:
        """Which of these words of the pivot are translated alike, see ``paraphrase``."""
        return paraphrases(*self._translations, words)

    @cached_property
    def _translations(self) -> tuple[Table, Table]:
        pivot, *others = self.languages_.values()
        return translations_of_pivot([language.lexicon for language in others], len(pivot.word_vectors))

    def save(self, folder: str | Path) -> None:
        """Write the model to a folder, whole or not at all; ``tacit.load`` reads it back."""
        from tacit.crosslingual.stored import save_model

        self._check_fitted()
        save_model(self, folder)

    def to_stored(self) -> Stored:
        """The model as plain arrays, numbers and words, for a folder of its own or as a part of another."""
        from tacit.crosslingual.stored import model_to_stored

        self._check_fitted()
        return model_to_stored(self)

    def _joined(
        self, a: Iterable[str], b: Iterable[str], language_a: Spoken, language_b: Spoken
    ) -> tuple[CrossTexts, int, int]:
        """Two lists of texts as one set, and how many are of each."""
        self._check_fitted()
        for side in (a, b):
            refuse_one_text(side)
        left, right = list(a), list(b)
        spoken = [*_each(language_a, len(left)), *_each(language_b, len(right))]
        texts = CrossTexts(self, chain(left, right), spoken if any(spoken) else None)
        return texts, len(left), len(right)


def _each(language: Spoken, n: int) -> list[str | None]:
    """A language, or None, for each of n texts."""
    if language is None or isinstance(language, str):
        return [language] * n
    found = list(language)
    if len(found) != n:
        raise InputError(f"{len(found)} languages for {n} texts: give one for each text, or one for all")
    return found
