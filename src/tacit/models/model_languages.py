"""The languages of a model: look up, add, share tables."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from tacit.compute.threads import effective_n_threads
from tacit.errors import InputError
from tacit.models.language import Language
from tacit.models.lexicon import CsrTuple, build_translation_tables, find_paraphrases, stack_lexicons
from tacit.text.languages import check_language_code
from tacit.text.vectorizer import TextVectorizer
from tacit.types import Array

if TYPE_CHECKING:
    from tacit.models.outside import Outside


class ModelLanguages:
    """The languages of a model by code; the first is the pivot, whose space the others share."""

    outside: Outside | None = None
    """Where outside vectors of texts come from, if the model compares them as well."""

    def __init__(self, languages: dict[str, Language], n_threads: int | None = None) -> None:
        """Store the languages; ``n_threads`` is None for all cores."""
        self.languages = languages
        self.n_threads = n_threads

    @property
    def n_threads(self) -> int | None:
        """Number of threads; None for all cores. Results do not depend on it."""
        return self._n_threads

    @n_threads.setter
    def n_threads(self, value: int | None) -> None:
        self._n_threads = value
        for language in self.languages.values():
            language.set_n_threads(self.usable_threads)

    @property
    def usable_threads(self) -> int:
        """Number of threads that are used on this machine."""
        return effective_n_threads(self._n_threads)

    @property
    def pivot(self) -> Language:
        """The language that the others were aligned with."""
        return next(iter(self.languages.values()))

    @property
    def n_components(self) -> int:
        """Number of components of a vector."""
        return self.pivot.n_components

    @property
    def n_words(self) -> int:
        """Number of words with a vector of their own, in all languages."""
        return sum(language.n_own_words for language in self.languages.values())

    @property
    def is_multilingual(self) -> bool:
        """Whether the model has several languages, so that words can be matched through translations."""
        return len(self.languages) > 1

    def language_id(self, code: str) -> int:
        """Return the position of a language in the model.

        Parameters
        ----------
        code : str
            Code of the language; an unknown code raises InputError.

        Returns
        -------
        int
            The position; the pivot has 0.
        """
        name = code.lower() if isinstance(code, str) else code
        if name not in self.languages:
            codes = ", ".join(self.languages)
            problem = f"the model has no language {code!r}: it has {codes}"
            raise InputError(problem, remedy="add it with add_language")
        return list(self.languages).index(name)

    def get_language(self, code: str) -> Language:
        """Return a language.

        Parameters
        ----------
        code : str
            Code of the language; an unknown code raises InputError.

        Returns
        -------
        Language
            The language.
        """
        return list(self.languages.values())[self.language_id(code)]

    def rename_pivot(self, code: str) -> None:
        """Change the code of the only language.

        Parameters
        ----------
        code : str
            The new code.
        """
        if self.is_multilingual:
            raise InputError(
                f"the language {self.pivot.code!r} cannot be renamed: the other languages are aligned with it"
            )
        pivot = self.pivot
        pivot.code = check_language_code(code)
        self.languages = {pivot.code: pivot}

    def add_words(
        self, texts: Iterable[str], min_df: int | None = None, language: str | None = None
    ) -> list[str]:
        """Learn vectors of new words in closed form, from texts that use them.

        The texts are encoded by their known words; then each new word gets its optimal vector. The vectors of
        other words, and of texts without new words, keep their bits.

        Parameters
        ----------
        texts : iterable of str
            Texts with new words.
        min_df : int, optional
            Number of the texts that a new word must be in; by default the vectorizer's.
        language : str, optional
            Language of the texts; by default the pivot.

        Returns
        -------
        list of str
            The new words.
        """
        from tacit.models.incremental import learn_new_words

        target = self.pivot if language is None else self.get_language(language)
        words = learn_new_words(target, texts, min_df, target is self.pivot)
        self._clear_tables()
        return words

    def add_language(
        self, code: str, pairs: Iterable[tuple[str, str]], *, vectorizer: TextVectorizer | None = None,
        missing_weight: float | None = None, regularization: float | None = None, borrow: bool = True,
        translate: bool = True,
    ) -> Self:  # fmt: skip
        """Learn a language from pairs of texts in one closed-form half-sweep (x-WMF).

        The pivot's texts are encoded. With their vectors fixed, each word of the new language gets its
        optimal vector (Aldarmaki & Diab, SemEval 2016). Other languages keep their bits, and the order in
        which languages are added does not matter.

        Parameters
        ----------
        code : str
            Code of the new language.
        pairs : iterable of (str, str)
            A text of the pivot and its translation.
        vectorizer : TextVectorizer, optional
            Template of the vectorizer; by default the pivot's, with the language's own stemmer.
        missing_weight : float, optional
            For the half-sweep; by default a tenth of the pivot's (the paper: the pivot's).
        regularization : float, optional
            For the half-sweep; by default the pivot's.
        borrow : bool
            Let words without a vector use that of the pivot's word with the same letters.
        translate : bool
            Also learn a translation lexicon, for the measures ``matching`` and ``blend``.

        Returns
        -------
        Self
            The model.
        """
        from tacit.models.incremental import learn_language, split_pairs

        texts = split_pairs(self.languages, code, pairs)
        language = learn_language(
            self.pivot, code.lower(), texts, vectorizer, missing_weight, regularization, borrow, translate
        )
        self.languages[language.code] = language
        self._clear_tables()
        return self

    def with_encoder(self, encoder: Any, share: float | None = None, texts: Iterable[str] = ()) -> Self:
        """Return a model that also compares texts by the vectors of an encoder.

        The measure ``blend`` becomes share cos + (1 - share) blend, with the cosine of these vectors.

        Parameters
        ----------
        encoder : object, str or Path
            The result of ``tacit.load_encoder`` or the folder it reads, or any object with a method
            ``encode`` that returns an array of texts x dimensions for a list of texts. Of the former, the
            model stores the vectors of its words and of common words.
        share : float, optional
            Share of the encoder in a score, from 0 to 1; by default 0.6, or 0.2 to 0.6 for an encoder of
            ``load_encoder``: the less, the more texts the model was trained on.
        texts : iterable of str, optional
            Texts of the collection, whose words the model stores the vectors of, too.

        Returns
        -------
        Self
            A model of the same words and vectors.
        """
        from tacit.models.outside import attach_encoder

        return attach_encoder(self, encoder, share, list(texts))

    @cached_property
    def stacked_lexicon(self) -> CsrTuple:
        """Lexicons of all languages, one after the other, as CSR arrays."""
        return stack_lexicons([language.lexicon for language in self.languages.values()])

    @cached_property
    def _translation_tables(self) -> tuple[CsrTuple, CsrTuple]:
        pivot, *others = self.languages.values()
        return build_translation_tables([language.lexicon for language in others], len(pivot.word_vectors))

    def paraphrases(self, words: Array) -> CsrTuple:
        """Return the paraphrase scores of words of the pivot, see ``lexicon``.

        Parameters
        ----------
        words : array of int
            Columns of the words in the vocabulary of the pivot.

        Returns
        -------
        tuple of arrays
            CSR arrays, pivot words x pivot words; rows of other words are empty.
        """
        return find_paraphrases(*self._translation_tables, words)

    def _clear_tables(self) -> None:
        """Drop what was computed from all languages, after one of them has changed.

        Score quantiles stay if there is no sample of texts to estimate them from.
        """
        for name in ("stacked_lexicon", "_translation_tables"):
            self.__dict__.pop(name, None)
        for language in self.languages.values():
            if language.sample_texts:
                language.score_quantiles = {}
