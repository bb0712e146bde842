"""Base class of the sense models: parameters, fit, and conversion to a stored model and back."""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from tacit.checks import AUTO, check_choice, check_float, check_int, format_count, is_auto, suggest_names
from tacit.compute.threads import effective_n_threads
from tacit.corpora.passages import Passage, TextsOrPassages, to_passages
from tacit.errors import InputError
from tacit.factorize.nmf import InterleavedFactors, interleaved_nmf
from tacit.senses.cooccurrence import CooccurrenceCounts, CorpusCounter, build_count_matrices
from tacit.senses.disambiguation import DisambiguationMixin
from tacit.senses.features import POS_TAGS, Occurrence, build_stop_words
from tacit.senses.topics import LatentTopics
from tacit.storage import StoredModel, write_model
from tacit.storage.stored_model import ArrayReader, model_card, restoring
from tacit.text.normalization import make_normalizer
from tacit.types import Array

if TYPE_CHECKING:
    from tacit.senses.cluster_induction import WordClusters

Row = tuple[str, str, str]
"""A row of the stored vocabulary: a kind, a key and a value."""

VocabularyTable = Mapping[str, list[tuple[str, str]]]
"""The keys and values of each kind."""

_NOT_STORED = ("n_threads", "callback", "random_state")

Callback = Callable[[str, int, float], None]

MAX_EXAMPLES = 25
"""The number of example contexts per sense."""

MAX_AUTO_COMPONENTS, WORDS_PER_COMPONENT = 50, 8


class FactorizedCorpus(NamedTuple):
    """A corpus that has been counted and factorized.

    ``occurrences`` are sampled occurrences by normalized word, ``target_words`` the normalized words to
    induce senses for. ``clusters`` are clusters of the words, for ``SenseModel``; None computes them.
    """

    counts: CooccurrenceCounts
    factors: InterleavedFactors
    occurrences: Mapping[str, list[Occurrence]]
    target_words: Collection[str]
    clusters: WordClusters | None = None


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

    max_contexts = 100  # the sample size of each target word; LocalSenseModel makes it a parameter

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
        return self.fit_counts(FactorizedCorpus(counts, self._factorize(counts), occurrences, targets))

    def fit_counts(self, corpus: FactorizedCorpus) -> Self:
        """Induce the senses of words from a corpus that has been counted and factorized.

        Parameters
        ----------
        corpus : FactorizedCorpus
            The corpus.

        Returns
        -------
        BaseSenseModel
            The model itself.
        """
        counts = corpus.counts
        self.is_parsed_, self.n_passages_ = counts.is_parsed, counts.n_passages
        self.counts_ = dict(zip(counts.words, counts.counts.tolist(), strict=True))
        self.divergence_ = corpus.factors.divergence
        self.topics_ = LatentTopics.from_counts(counts, corpus.factors.contexts)
        self.senses_ = self._induce_senses(corpus)
        return self

    @abstractmethod
    def _induce_senses(self, corpus: FactorizedCorpus) -> dict[str, Any]:
        """Return the senses of each target word."""

    @abstractmethod
    def _senses_to_arrays(self) -> tuple[dict[str, Array], list[Row]]:
        """Return the senses as arrays and vocabulary rows."""

    @abstractmethod
    def _senses_from_arrays(self, reader: ArrayReader, table: VocabularyTable) -> dict[str, Any]:
        """Return the senses from the result of ``_senses_to_arrays``."""

    def save(self, folder: str | Path) -> None:
        """Write the model to a folder atomically; ``tacit.load`` reads it.

        Parameters
        ----------
        folder : str or Path
            The folder to write.
        """
        self._check_fitted()
        words = [self.topics_.surface_form(term) for term in self.words_]
        listed = ", ".join(words[:20]) + (" ..." if len(words) > 20 else "")
        summary = (
            f"{type(self).__name__}, the senses of {format_count(len(words), 'word')} ({listed}), "
            f"learned from {format_count(self.n_passages_, 'passage')},\nwith "
            f"{self.topics_.n_components} latent dimensions over "
            f"{len(self.topics_.context_words):,} context words."
        )
        card = model_card("A tacit model of word senses", summary, f"model.senses({words[0]!r})")
        write_model(folder, self.to_stored(), card)

    def to_stored(self) -> StoredModel:
        """Return the contents of the folder of a fitted model.

        Returns
        -------
        StoredModel
            The contents.
        """
        topics = self.topics_
        parameters = {name: value for name, value in self.get_params().items() if name not in _NOT_STORED}
        if not isinstance(parameters["stop_words"], str | None):
            parameters["stop_words"] = sorted(parameters["stop_words"])
        arrays, sense_rows = self._senses_to_arrays()
        rows: list[Row] = [("context", term, "") for term in topics.context_words]
        rows += [("stop", term, "") for term in sorted(topics.stop_words)]
        rows += [("form", form, term) for form, term in topics.lemma_of_form.items()]
        rows += [("shown", term, form) for term, form in topics.surface_forms.items()]
        rows += [("count", word, str(count)) for word, count in self.counts_.items()]
        vocabulary: list[tuple[str, ...]] = [tuple(map(_sanitize, row)) for row in (*rows, *sense_rows)]
        training: dict[str, Any] = {"seed": self.random_state, "passages": self.n_passages_}
        training |= {"parsed": self.is_parsed_, "loss": self.divergence_}
        arrays |= {"context_loads": topics.loadings}
        return StoredModel(type(self).__name__, parameters, training, arrays, vocabulary)

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
        with restoring():
            table: dict[str, list[tuple[str, str]]] = defaultdict(list)
            for kind, key, value in stored.vocabulary:
                table[kind].append((key, value))
            reader = ArrayReader(stored.arrays)
            model = cls(**stored.parameters)
            model.random_state = stored.training["seed"]
            contexts = [term for term, _ in table["context"]]
            loadings = reader.floats("context_loads", np.float32, (len(contexts), None))
            stop = frozenset(term for term, _ in table["stop"])
            model.topics_ = LatentTopics(contexts, loadings, stop, dict(table["form"]), dict(table["shown"]))
            model.counts_ = {word: int(count) for word, count in table["count"]}
            model.is_parsed_ = bool(stored.training["parsed"])
            model.n_passages_ = int(stored.training["passages"])
            model.divergence_ = list(stored.training["loss"])
            model.senses_ = model._senses_from_arrays(reader, table)
            model._check(list(model.words_))
            return model

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
        counter = CorpusCounter(target_words, self.pos, self.max_contexts)
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
                    f"the {kind or 'word '}{word!r} occurs {n} time{'s' * (n != 1)} in the texts, at least "
                    f"{self.min_count} are needed: give more texts, or leave the word out"
                    f"{suggest_names(word, counts.words, 3)}"
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

    def _check(self, words: Collection[str] | None) -> None:
        """Check the parameters and the target words."""
        if isinstance(words, str):
            raise InputError(f"words={words!r} is one word: put it in a list, [{words!r}]", parameter="words")
        if self.pos is not None:
            check_choice("pos", self.pos, POS_TAGS)
        for name, value in self.get_params().items():
            is_default = (name in _AUTO and is_auto(value)) or (name in _OPTIONAL and value is None)
            if name in _RANGES and not is_default:
                check, *bounds = _RANGES[name]
                check(name, value, *bounds)
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


def lists_to_rows(kind: str, lists: list[list[str]]) -> list[Row]:
    """Return a row for each value, with the number of its list as the key."""
    return [(kind, str(number), value) for number, values in enumerate(lists) for value in values]


def rows_to_lists(rows: list[tuple[str, str]], n: int) -> list[list[str]]:
    """Return ``n`` lists of values; the key of a row is the number of its list.

    >>> rows_to_lists([("1", "fish"), ("0", "cache")], 2)
    [['cache'], ['fish']]
    """
    lists: list[list[str]] = [[] for _ in range(n)]
    for number, value in rows:
        lists[int(number)].append(value)
    return lists


def _sanitize(cell: str) -> str:
    """Replace white space by single blanks and lone surrogates by question marks, to fit a row on a line."""
    return " ".join(cell.encode("utf-8", "replace").decode().split())


_check_positive = partial(check_float, exclusive_min=True)
_AUTO, _OPTIONAL = ("n_components", "n_clusters"), ("n_salient", "n_senses", "max_senses", "half_distance")
_RANGES: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("n_words", "n_features", "n_contexts", "max_contexts"), (check_int, 2, 10_000_000)),
    **dict.fromkeys(("n_iter", "min_count"), (check_int, 1, 1_000_000)),
    **dict.fromkeys(("n_components", "n_salient"), (check_int, 1, 10_000)),
    **dict.fromkeys(("n_senses", "max_senses", "n_restarts"), (check_int, 1, 1_000)),
    **dict.fromkeys(("max_df", "threshold"), (check_float, 0, 1)),
    **dict.fromkeys(("frequency", "topic_weight", "beside_weight"), (check_float, 0, 1e6)),
    **dict.fromkeys(("half_distance", "prior"), (_check_positive, 0, 1e6)),
    "n_clusters": (check_int, 2, 1_000_000),
    "random_state": (check_int, 0, 2**63),
}
"""The check of each parameter of both models, and its limits."""
