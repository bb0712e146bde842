"""Base class of the sense models: parameters, fit, save."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from tacit.checks import AUTO, check_choice, check_float, check_int, is_auto, suggest_names
from tacit.compute.threads import effective_n_threads
from tacit.corpora.passages import Passage, TextsOrPassages, to_passages
from tacit.errors import InputError
from tacit.factorize.nmf import InterleavedFactors, interleaved_nmf
from tacit.senses.cooccurrence import CooccurrenceCounts, CorpusCounter, build_count_matrices
from tacit.senses.disambiguation import DisambiguationMixin
from tacit.senses.features import POS_TAGS, Occurrence, build_stop_words
from tacit.senses.topics import LatentTopics
from tacit.text.normalization import make_normalizer
from tacit.types import Array

if TYPE_CHECKING:
    from tacit.senses.cluster_induction import WordClusters
    from tacit.senses.serialization import Row, VocabularyTable
    from tacit.storage.stored_model import ArrayReader, StoredModel

Callback = Callable[[str, int, float], None]

MAX_EXAMPLES = 25
"""The number of example contexts per sense."""

MAX_AUTO_COMPONENTS, WORDS_PER_COMPONENT = 50, 8


@dataclass(eq=False, repr=False, kw_only=True)
class BaseSenseModel(DisambiguationMixin):
    """Base class of the sense models; subclasses implement the induction of senses."""

    pos: str | None = None
    language: str | None = "en"
    normalize: str = "stem"
    stop_words: Collection[str] | str | None = "english"
    n_words: int = 5_000
    n_features: int = 80_000
    n_contexts: int = 2_000
    n_components: int | str = AUTO
    n_iter: int = 50
    min_count: int = 3
    max_df: float = 0.4
    random_state: int = 0
    n_threads: int | None = None
    callback: Callback | None = None

    senses_: dict[str, Any] = field(init=False)
    topics_: LatentTopics = field(init=False)
    counts_: dict[str, int] = field(init=False)
    is_parsed_: bool = field(init=False)
    n_passages_: int = field(init=False)
    divergence_: list[float] = field(init=False)

    def fit(self, corpus: TextsOrPassages, words: Collection[str] | None = None) -> Self:
        """Induce the senses of words from a corpus, which is read once.

        Parameters
        ----------
        corpus : iterable of str or iterable of Passage
            Texts, one paragraph each, or parsed passages.
        words : collection of str, optional
            The words to induce senses for; None for the most frequent words.

        Returns
        -------
        BaseSenseModel
            The model itself.

        Raises
        ------
        InputError
            If a parameter is out of range, or the corpus has too little text or too few occurrences of a
            word.
        """
        self._check(words)
        vars(self).pop("senses_", None)  # if this fit fails, the model is not fitted
        counter = self._count_corpus(corpus, words)
        stop = build_stop_words(self.stop_words, self.language, self.normalize, self.is_parsed_)
        sizes = (self.n_words, self.n_features, self.n_contexts)
        counts = build_count_matrices(counter, *sizes, stop, self.max_df, self.min_count)
        if words is None:
            targets, occurrences = counts.words, counter.collect_examples(set(counts.words))
        else:
            targets, occurrences = self._require_frequent(words, counter, counts), counter.occurrences
        return self.fit_counts(counts, self._factorize(counts), occurrences, targets)

    def fit_counts(
        self,
        counts: CooccurrenceCounts,
        factors: InterleavedFactors,
        occurrences: Mapping[str, list[Occurrence]],
        target_words: Collection[str],
        clusters: WordClusters | None = None,
    ) -> Self:
        """Induce the senses of words from a corpus that has been counted and factorized.

        Parameters
        ----------
        counts : CooccurrenceCounts
            The counts of the corpus.
        factors : InterleavedFactors
            Their factorization.
        occurrences : mapping of str to list of Occurrence
            Sampled occurrences by normalized word.
        target_words : collection of str
            The normalized words to induce senses for.
        clusters : WordClusters, optional
            Clusters of the words, for ``SenseModel``; None computes them.

        Returns
        -------
        BaseSenseModel
            The model itself.
        """
        self.is_parsed_, self.n_passages_ = counts.is_parsed, counts.n_passages
        self.counts_ = dict(zip(counts.words, counts.counts.tolist(), strict=True))
        self.divergence_ = factors.divergence
        self.topics_ = LatentTopics.from_counts(counts, factors.contexts)
        self.senses_ = self._induce_senses(counts, factors, occurrences, target_words, clusters)
        return self

    @abstractmethod
    def _induce_senses(
        self,
        counts: CooccurrenceCounts,
        factors: InterleavedFactors,
        occurrences: Mapping[str, list[Occurrence]],
        target_words: Collection[str],
        clusters: WordClusters | None,
    ) -> dict[str, Any]:
        """Return the senses of each target word."""

    @abstractmethod
    def _senses_to_arrays(self) -> tuple[dict[str, Array], list[Row]]:
        """Return the senses as arrays and vocabulary rows."""

    @abstractmethod
    def _senses_from_arrays(self, reader: ArrayReader, table: VocabularyTable) -> None:
        """Restore the senses that ``_senses_to_arrays`` returned."""

    def save(self, folder: str | Path) -> None:
        """Write the model to a folder atomically; ``tacit.load`` reads it.

        Parameters
        ----------
        folder : str or Path
            The folder to write.
        """
        from tacit.senses.serialization import card, to_stored
        from tacit.storage import write_model

        self._check_fitted()
        write_model(folder, to_stored(self), card(self))

    @classmethod
    def from_stored(cls, stored: StoredModel) -> Self:
        """Restore a model from the contents of a folder.

        Parameters
        ----------
        stored : StoredModel
            The contents.

        Returns
        -------
        BaseSenseModel
            The model.

        Raises
        ------
        ModelError
            If the parts of the model do not fit together.
        """
        from tacit.senses.serialization import from_stored

        return from_stored(cls, stored)

    def _count_corpus(self, corpus: TextsOrPassages, words: Collection[str] | None) -> CorpusCounter:
        """Count the passages of a corpus in one pass."""
        passages = to_passages(corpus, self.language, self.normalize)
        first: list[Passage] = []
        while not (first and len(first[-1])) and (passage := next(passages, None)) is not None:
            first.append(passage)  # an empty passage does not show whether the corpus is parsed
        if not first:
            raise InputError("there is no text to learn from: the corpus is empty")
        self.is_parsed_ = first[-1].is_parsed
        if self.pos is not None and not self.is_parsed_:
            raise InputError(
                f"pos={self.pos!r} needs parsed text: give CoNLL-U or spaCy's parse, or leave it out",
                parameter="pos",
            )
        target_words = [self.normalize_word(word) for word in words or ()]
        counter = CorpusCounter(target_words, self.pos, self._max_occurrences)
        for passage in chain(first, passages):
            counter.add(passage)
            if self.callback is not None and counter.n_passages % 100 == 0:
                self.callback("passages", counter.n_passages, float("nan"))
        return counter

    def _require_frequent(
        self, words: Collection[str], counter: CorpusCounter, counts: CooccurrenceCounts
    ) -> list[str]:
        """Return the normalized words, or raise an error if the corpus has too few occurrences of one."""
        terms = [self.normalize_word(word) for word in words]
        for word, term in zip(words, terms, strict=True):
            n = counter.words.count(term)
            if n < self.min_count:
                kind = f"{self.pos} " if self.pos else ""
                raise InputError(
                    f"the corpus has the {kind}{word!r} {n} time{'s' * (n != 1)}: give more text, "
                    f"or leave the word out{suggest_names(word, counts.words, 3)}"
                )
        return terms

    def _factorize(self, counts: CooccurrenceCounts) -> InterleavedFactors:
        """Factorize the count matrices."""
        report = self.callback
        return interleaved_nmf(
            counts.A, counts.B, counts.C,
            resolve_auto(self.n_components, MAX_AUTO_COMPONENTS, counts),
            self.n_iter,
            random_state=self.random_state,
            n_threads=self.n_threads,
            callback=None if report is None else lambda done, loss: report("iterations", done, loss),
        )  # fmt: skip

    @property
    def _max_occurrences(self) -> int:
        """The number of occurrences that are sampled of each target word."""
        return 100

    def _check(self, words: Collection[str] | None) -> None:
        """Check the parameters and the target words."""
        if isinstance(words, str):
            raise InputError(f"words={words!r} is one word: put it in a list, [{words!r}]", parameter="words")
        if self.pos is not None:
            check_choice("pos", self.pos, POS_TAGS)
        for name, bounds in _RANGES.items():
            if not (name == "n_components" and is_auto(self.n_components)):
                check_int(name, getattr(self, name), *bounds)
        check_float("max_df", self.max_df, 0, 1)
        effective_n_threads(self.n_threads)
        make_normalizer(self.language, self.normalize)
        is_list = not isinstance(self.stop_words, str | None)
        if is_list and not all(isinstance(word, str) for word in self.stop_words or ()):
            raise InputError("stop_words holds an item that is not a string: give words, 'english', or None")
        if self.stop_words != "english":  # "english" is valid, and its list takes scikit-learn to import
            build_stop_words(self.stop_words, self.language, self.normalize, is_parsed=False)


def resolve_auto(value: Any, max_auto: int, counts: CooccurrenceCounts) -> int:
    """Return a size; "auto" is one for every 8 words, from 2 to ``max_auto``."""
    if not is_auto(value):
        return int(value)
    return max(2, min(max_auto, len(counts.words) // WORDS_PER_COMPONENT))


_RANGES = {
    **dict.fromkeys(("n_words", "n_features", "n_contexts"), (2, 10_000_000)),
    **dict.fromkeys(("n_iter", "min_count"), (1, 1_000_000)),
    "n_components": (1, 10_000),
    "random_state": (0, 2**63),
}
