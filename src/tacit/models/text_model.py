"""What every trainer produces and everything else asks: texts of one or several languages in one space."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from tacit.compute import cosine
from tacit.compute.threads import usable_threads
from tacit.errors import InputError, NotFittedError
from tacit.models.comparison import Comparison, Explanation, compare_pairs, explain_pair
from tacit.models.language import Language
from tacit.models.lexicon import CsrTuple, build_translation_tables, find_paraphrases, stack_lexicons
from tacit.models.measure import score_pairs
from tacit.models.measures import DEFAULT_MEASURE, get_measure
from tacit.models.percentiles import model_percentiles
from tacit.models.text_set import LanguageCodes, TextSet
from tacit.models.word_lookup import ScoredWord, nearest_words, translate_word, unsaid_words
from tacit.text.languages import check_language_code
from tacit.text.vectorizer import TextVectorizer

if TYPE_CHECKING:
    from tacit.storage import StoredModel

logger = logging.getLogger(__name__)

Array = NDArray[Any]


class TextModel:
    """Vectors, similarity, explanations and words of texts, as a trainer has learnt them.

    ``languages`` holds the languages by code, the pivot first; a model of one language is a model of several
    with one of them. Every ``language`` below is such a code; left out, it is detected among the model's, by
    the words each of them was trained on. ``provenance`` tells how the model was made.

    >>> from tacit import WTMF, TextVectorizer
    >>> texts = ["a cat sleeps on the mat", "the kitten sleeps", "a kitten is a young cat",
    ...          "stocks fell sharply", "the market fell", "stocks trade on the market"]
    >>> trainer = WTMF(TextVectorizer(min_df=1), n_components=3, missing_weight=0.1, regularization=1.0)
    >>> model = trainer.fit(texts).model_
    >>> model.compare("my cat", "kittens").score > model.compare("my cat", "markets").score
    True
    """

    def __init__(
        self, languages: dict[str, Language], provenance: dict[str, Any], n_threads: int | None = None
    ) -> None:
        """Take what was learnt."""
        self.languages, self.provenance = languages, provenance
        self.n_threads = n_threads

    @property
    def n_threads(self) -> int | None:
        """How many threads to use; None for every core. No answer depends on it."""
        return self._n_threads

    @n_threads.setter
    def n_threads(self, value: int | None) -> None:
        self._n_threads = value
        for language in self.languages.values():
            language.set_n_threads(self.usable_threads)

    @property
    def usable_threads(self) -> int:
        """How many threads that is here."""
        return usable_threads(self._n_threads)

    @property
    def pivot(self) -> Language:
        """The language that the others are tied to."""
        return next(iter(self.languages.values()))

    @property
    def n_components(self) -> int:
        """The length of a vector."""
        return self.pivot.n_components

    @property
    def n_words(self) -> int:
        """How many words have a vector of their own, in all languages."""
        return sum(len(each.word_vectors) - len(each.borrowed_ids) for each in self.languages.values())

    def language_id(self, code: str) -> int:
        """The place of a language, or an error that lists those there are."""
        name = code.lower() if isinstance(code, str) else code
        if name not in self.languages:
            raise InputError(
                f"the model has no language {code!r}: it has {', '.join(self.languages)}; "
                "add_language adds one"
            )
        return list(self.languages).index(name)

    def get_language(self, code: str) -> Language:
        """The language of a code."""
        return list(self.languages.values())[self.language_id(code)]

    def rename_pivot(self, code: str) -> None:
        """Give the pivot another code, before any language is tied to it."""
        if len(self.languages) > 1:
            raise InputError(f"other languages are tied to {self.pivot.code!r}: it keeps its code")
        pivot = self.pivot
        pivot.code = check_language_code(code)
        self.languages = {pivot.code: pivot}

    def detect(self, texts: Iterable[str]) -> list[str]:
        """The likeliest language of each text among the model's own."""
        codes = list(self.languages)
        return [codes[number] for number in TextSet.from_texts(self, texts).language_ids]

    def encode(self, texts: Iterable[str], language: LanguageCodes = None) -> Array:
        """The vectors of texts, always two-dimensional; a text with no known word has a zero vector."""
        seen = TextSet.from_texts(self, texts, language)
        empty = int(np.count_nonzero(seen.n_known == 0))
        if empty:
            logger.warning("%d of %d texts have no known word: their vectors are zero", empty, len(seen))
        return seen.vectors

    def similarity(
        self,
        a: Iterable[str],
        b: Iterable[str],
        measure: str = DEFAULT_MEASURE,
        language_a: LanguageCodes = None,
        language_b: LanguageCodes = None,
    ) -> Array:
        """How alike every text of ``a`` is with every text of ``b``, a matrix.

        ``latent`` is the papers' cosine; ``blend`` is better at telling how alike people find two texts. All
        measures are in ``tacit.models.measures``.
        """
        found = get_measure(measure)
        if measure == "latent":
            return cosine.every(self.encode(a, language_a), self.encode(b, language_b))
        texts, n_a, n_b = TextSet.from_two_lists(self, a, b, language_a, language_b)
        left, right = np.divmod(np.arange(n_a * n_b), max(n_b, 1))
        return score_pairs(found, texts, left, n_a + right).reshape(n_a, n_b)

    def similarity_pairwise(
        self,
        a: Iterable[str],
        b: Iterable[str],
        measure: str = DEFAULT_MEASURE,
        language_a: LanguageCodes = None,
        language_b: LanguageCodes = None,
    ) -> Array:
        """How alike each text of ``a`` is with the text of ``b`` at the same place."""
        texts, n = self._paired_text_set(a, b, language_a, language_b)
        return score_pairs(get_measure(measure), texts, np.arange(n), n + np.arange(n))

    def compare(
        self,
        a: str,
        b: str,
        measure: str = DEFAULT_MEASURE,
        language_a: str | None = None,
        language_b: str | None = None,
    ) -> Comparison:
        """How alike two texts are, how telling that is, and how much of them the model knows."""
        return self.compare_pairs([a], [b], measure, language_a, language_b)[0]

    def compare_pairs(
        self,
        a: Iterable[str],
        b: Iterable[str],
        measure: str = DEFAULT_MEASURE,
        language_a: LanguageCodes = None,
        language_b: LanguageCodes = None,
    ) -> list[Comparison]:
        """``compare`` for each text of ``a`` with the text of ``b`` at the same place."""
        texts, n = self._paired_text_set(a, b, language_a, language_b)
        return compare_pairs(texts, np.arange(n), n + np.arange(n), get_measure(measure))

    def percentile(
        self,
        scores: Any,
        measure: str = DEFAULT_MEASURE,
        language_a: str | None = None,
        language_b: str | None = None,
    ) -> Array:
        """How many of a hundred random pairs of training texts score no higher than each score.

        A percentile of 99.9 says more than a cosine of 0.5: one pair in a thousand is as alike by chance. The
        pairs are of texts of these languages, by default of the pivot.
        """
        return model_percentiles(self, scores, get_measure(measure).name, language_a, language_b)

    def explain(
        self,
        a: str,
        b: str,
        measure: str = DEFAULT_MEASURE,
        language_a: str | None = None,
        language_b: str | None = None,
    ) -> Explanation:
        """Split the similarity of two texts into what each pair of their words adds to it."""
        return explain_pair(TextSet.from_texts(self, [a, b], [language_a, language_b]), get_measure(measure))

    def unsaid(
        self, text: str, k: int = 10, language: str | None = None, to: str | None = None
    ) -> list[ScoredWord]:
        """The words a text is about but does not say, in its own language or in the language ``to``."""
        return unsaid_words(self, text, k, language, to)

    def nearest_words(
        self, word: str, k: int = 10, min_df: int | None = None, language: str | None = None
    ) -> list[ScoredWord]:
        """The words of the same language used most like this one, with the cosine of their vectors.

        A word of a single context is close to all of it; ``min_df`` leaves out words of fewer texts, by
        default the more the more texts there are.
        """
        return nearest_words(self, word, k, min_df, language)

    def translations(
        self, word: str, language: str | None = None, k: int = 10, to: str | None = None, min_df: int = 1
    ) -> list[ScoredWord]:
        """The words of another language used most like this one, with the cosine of their vectors.

        ``to`` may be left out where there is one other language, or the word is not of the pivot.
        """
        return translate_word(self, word, k, min_df, language, to)

    def add_words(
        self, texts: Iterable[str], min_df: int | None = None, language: str | None = None
    ) -> list[str]:
        """Learn vectors for words met after training, in closed form, from texts that use them.

        A new word must be in ``min_df`` of the texts (by default the vectorizer's). The texts are placed by
        the words the model knows; then each new word gets its best vector. Nothing else moves: the vectors
        of other words, and of texts without the new words, keep their bits. Returns the new words.
        """
        from tacit.models.incremental import learn_new_words

        chosen = self.pivot if language is None else self.get_language(language)
        found = learn_new_words(chosen, texts, min_df, chosen is self.pivot)
        self._clear_tables()
        return found

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
    ) -> Self:
        """Learn a language from pairs of texts, the pivot's first, in one closed-form half-sweep (x-WMF).

        The pivot's texts are folded in; with their vectors fixed, each word of the new language gets its best
        one (Aldarmaki & Diab, SemEval 2016). No other language moves, to the bit, and the order of additions
        does not matter.

        Parameters
        ----------
        vectorizer : how its texts become weights; by default as the pivot's, with its own stems.
        missing_weight : of the half-sweep alone; by default a tenth of the pivot's (the paper: the pivot's).
        regularization : of the half-sweep alone; by default the pivot's.
        borrow : let words without a vector of their own take that of the pivot's word of the same letters.
        translate : also learn which words translate which, for the measures ``matching`` and ``blend``.
        """
        from tacit.models.incremental import learn_language, split_pairs

        sides = split_pairs(self.languages, code, pairs)
        options = (vectorizer, missing_weight, regularization)
        added = learn_language(self.pivot, code.lower(), sides, *options, borrow=borrow, translate=translate)
        self.languages[added.code] = added
        self._clear_tables()
        return self

    def _clear_tables(self) -> None:
        """Drop what is computed from all languages, because one of them has changed.

        Percentiles without a sample of texts to compute them from stay as they are.
        """
        for name in ("stacked_lexicon", "_translations"):
            self.__dict__.pop(name, None)
        for language in self.languages.values():
            if language.sample_texts:
                language.score_quantiles = {}

    @property
    def is_multilingual(self) -> bool:
        """Whether words of several languages can be matched."""
        return len(self.languages) > 1

    @cached_property
    def stacked_lexicon(self) -> CsrTuple:
        """What the words of all languages stand for, language after language: the arrays of a CSR matrix."""
        return stack_lexicons([language.lexicon for language in self.languages.values()])

    def paraphrases(self, words: Array) -> CsrTuple:
        """Which of these words of the pivot are translated alike, see ``paraphrase``."""
        return find_paraphrases(*self._translations, words)

    @cached_property
    def _translations(self) -> tuple[CsrTuple, CsrTuple]:
        pivot, *others = self.languages.values()
        return build_translation_tables([language.lexicon for language in others], len(pivot.word_vectors))

    def save(self, folder: str | Path) -> None:
        """Write the model to a folder, whole or not at all; ``tacit.load`` reads it back."""
        from tacit.models.serialization import card_of
        from tacit.storage import write_model

        write_model(folder, self.to_stored(), card_of(self))

    def to_stored(self) -> StoredModel:
        """The model as plain arrays, numbers and words, for a folder of its own or as a part of another."""
        from tacit.models.serialization import model_to_stored

        return model_to_stored(self)

    @classmethod
    def from_stored(cls, stored: StoredModel, **given: Any) -> TextModel:
        """Rebuild a model from what ``tacit.storage`` has read and checked."""
        from tacit.models.serialization import model_from_stored

        return model_from_stored(stored, **given)

    def _paired_text_set(
        self, a: Iterable[str], b: Iterable[str], language_a: LanguageCodes, language_b: LanguageCodes
    ) -> tuple[TextSet, int]:
        texts, n_a, n_b = TextSet.from_two_lists(self, a, b, language_a, language_b)
        if n_a != n_b:
            raise InputError(f"{n_a} texts against {n_b}: pairs need equally many")
        return texts, n_a


def as_text_model(model_or_trainer: Any) -> TextModel:
    """Return a model, or the model of a fitted trainer."""
    model = getattr(model_or_trainer, "model_", model_or_trainer)
    if isinstance(model, TextModel):
        return model
    name = type(model_or_trainer).__name__
    if hasattr(model_or_trainer, "fit"):
        raise NotFittedError(f"this {name} is not fitted yet: call fit(texts) first")
    raise InputError(f"a {name} is not a model: pass a model or a fitted trainer, such as WTMF().fit(texts)")
