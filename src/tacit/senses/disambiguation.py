"""Look up the senses of a word, find the sense it has in a text, and explain the decision."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from tacit.checks import suggest_names
from tacit.corpora.passages import Passage
from tacit.errors import InputError
from tacit.estimator import Estimator
from tacit.senses.features import Occurrence, find_position, make_occurrence
from tacit.senses.topics import LatentTopics
from tacit.text.normalization import make_normalizer
from tacit.text.tokenizers import tokenize
from tacit.types import Array

MIN_SENSE_WEIGHT = 1e-3
"""The weight of a sense that no sampled occurrence has, so that its divergence is finite."""


@dataclass(frozen=True)
class Sense:
    """A sense of a word.

    Parameters
    ----------
    number : int
        The index of the sense.
    weight : float
        The share of the word's occurrences.
    words : list of str
        Words that are used like the word in this sense, or near it.
    topics : list of list of str
        The top words of the most salient latent dimensions.
    examples : list of str
        Contexts of the word in this sense.
    """

    number: int
    weight: float
    words: list[str]
    topics: list[list[str]]
    examples: list[str]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain values."""
        return asdict(self)


@dataclass(frozen=True)
class Candidate:
    """A sense that a word may have in a text.

    Parameters
    ----------
    sense : int
        The index of the sense.
    divergence : float
        The divergence from the context; the smaller, the better the sense fits.
    share : float
        The probability of the sense among the candidates.
    """

    sense: int
    divergence: float
    share: float


@dataclass(frozen=True)
class Evidence:
    """How much a word of the text adds to the lead of the best sense over the next; the weights sum to it."""

    word: str
    weight: float


@dataclass(frozen=True)
class Disambiguation:
    """The sense that a word has in a text.

    Parameters
    ----------
    word : str
        The normalized word.
    candidates : list of Candidate
        All senses of the word, best first.
    known : list of str
        The context words that the model knows.
    evidence : list of Evidence
        The words that decide, with the largest absolute weight first.
    guessed : bool
        Whether no context word is known, so that the most frequent sense comes first.
    """

    word: str
    candidates: list[Candidate]
    known: list[str]
    evidence: list[Evidence]
    guessed: bool = False

    @property
    def sense(self) -> int:
        """The index of the best sense."""
        return self.candidates[0].sense

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain values."""
        return {"sense": self.sense, **asdict(self)}


def rank_candidates(order: Iterable[int], divergences: Array, shares: Array) -> list[Candidate]:
    """Make candidates of senses in this order."""
    return [Candidate(int(i), float(divergences[i]), float(shares[i])) for i in order]


def sort_evidence(weighted_words: Iterable[tuple[str, float]]) -> list[Evidence]:
    """Sort words by absolute weight, then alphabetically.

    >>> [item.word for item in sort_evidence([("a", 0.1), ("b", -0.3)])]
    ['b', 'a']
    """
    pairs = sorted(weighted_words, key=lambda pair: (-abs(pair[1]), pair[0]))
    return [Evidence(word, weight) for word, weight in pairs]


class WordSenses(ABC):
    """The senses of one word; ``weights`` are their shares of its occurrences."""

    weights: Array
    examples: list[list[str]]

    def sense_ids(self) -> list[int]:
        """Return the ids of the senses, most frequent first."""
        return [int(i) for i in np.argsort(-self.weights, kind="stable")]

    def log_weights(self) -> Array:
        """Return the logarithms of the weights; none is infinite."""
        return np.log(np.maximum(self.weights, MIN_SENSE_WEIGHT))

    @abstractmethod
    def top_terms(self, sense: int) -> list[str]:
        """Return the terms that describe a sense."""

    @abstractmethod
    def top_topics(self, sense: int) -> list[int]:
        """Return the most salient latent dimensions of a sense."""


class DisambiguationMixin(Estimator):
    """Looks up senses and disambiguates; a subclass learns the senses and scores them for an occurrence."""

    language: str | None
    normalize: str
    senses_: dict[str, Any]
    topics_: LatentTopics
    counts_: dict[str, int]
    is_parsed_: bool
    n_passages_: int
    divergence_: list[float]

    @abstractmethod
    def _score_senses(self, occurrence: Occurrence, term: str) -> Disambiguation | None:
        """Rank the senses for an occurrence; None if nothing of its context is known."""

    @property
    def words_(self) -> Collection[str]:
        """The normalized words with known senses."""
        self._check_fitted()
        return self.senses_.keys()

    def senses(self, word: str) -> list[Sense]:
        """Return the senses of a word.

        Parameters
        ----------
        word : str
            The word.

        Returns
        -------
        list of Sense
            The senses, most frequent first.

        Raises
        ------
        InputError
            If the senses of the word are not known.
        """
        term = self._require_known(word)
        senses: WordSenses = self.senses_[term]
        return [
            Sense(
                number=i,
                weight=float(senses.weights[i]),
                words=[self.topics_.surface_form(term) for term in senses.top_terms(i)],
                topics=[self.topics_.top_words(k) for k in senses.top_topics(i)],
                examples=senses.examples[i],
            )
            for i in senses.sense_ids()
        ]

    def disambiguate(self, word: str, text: str | Passage, at: int | None = None) -> Disambiguation:
        """Find the sense of a word in a text.

        If no context word is known, the most frequent sense is returned, marked as ``guessed``.

        Parameters
        ----------
        word : str
            The word.
        text : str or Passage
            The text, which must contain the word.
        at : int, optional
            The position of the token that is meant; None for the first occurrence of the word.

        Returns
        -------
        Disambiguation
            All senses with their divergences, and the evidence.

        Raises
        ------
        InputError
            If the senses of the word are not known, or the text does not contain the word.
        """
        term = self._require_known(word)
        passage = text if isinstance(text, Passage) else self._to_passage(text)
        position = find_position(word, term, passage, at)
        return self.disambiguate_occurrence(make_occurrence(passage, position), term)

    explain = disambiguate

    def disambiguate_occurrence(self, occurrence: Occurrence, term: str) -> Disambiguation:
        """Find the sense of an occurrence of a normalized word.

        Parameters
        ----------
        occurrence : Occurrence
            The token with its context.
        term : str
            The normalized word.

        Returns
        -------
        Disambiguation
            All senses; the most frequent first if no context word is known.
        """
        return self._score_senses(occurrence, term) or self._most_frequent_sense(term)

    def normalize_word(self, word: str) -> str:
        """Return the form of a word under which the model knows it.

        Parameters
        ----------
        word : str
            A single word.

        Returns
        -------
        str
            The stem, or the lower-case word for a parsed corpus.

        Raises
        ------
        InputError
            If it is not a single word.
        """
        if "is_parsed_" not in vars(self):
            self._check_fitted()
        lower = word.strip().lower()
        if not lower or len(lower.split()) > 1:
            raise InputError(f"{word!r} is {len(lower.split())} words: give a single one")
        return lower if self.is_parsed_ else make_normalizer(self.language, self.normalize)([lower])[0]

    def __sklearn_is_fitted__(self) -> bool:
        """Return whether ``fit`` has finished."""
        return "senses_" in vars(self)

    def _most_frequent_sense(self, term: str) -> Disambiguation:
        """Rank the senses by frequency, for a context without a known word."""
        senses: WordSenses = self.senses_[term]
        ranked = rank_candidates(senses.sense_ids(), -senses.log_weights(), senses.weights)
        lead = [Evidence("(frequency)", b.divergence - a.divergence) for a, b in pairwise(ranked[:2])]
        return Disambiguation(term, ranked, [], lead, guessed=True)

    def _to_passage(self, text: str) -> Passage:
        """Tokenize a text and normalize its words as those of the corpus."""
        forms = tokenize(text)
        if self.is_parsed_:
            return Passage(forms, [self.topics_.lemma_of_form.get(form, form) for form in forms])
        return Passage(forms, make_normalizer(self.language, self.normalize)(forms))

    def _require_known(self, word: str) -> str:
        """Return the normalized word, or raise an error if its senses are not known."""
        self._check_fitted()
        term = self.normalize_word(word)
        if term in self.senses_:
            return term
        if term in self.counts_:
            raise InputError(
                f"the senses of {word!r} were not learned, although it occurs {self.counts_[term]:,} times: "
                "train again and name the word (words=..., --word)"
            )
        raise InputError(
            f"the model does not know {word!r}: rare words, very frequent words and stop words are left out "
            f"unless they are named (words=..., --word){suggest_names(word, self.counts_, 3)}"
        )
