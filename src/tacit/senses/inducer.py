"""What the two models of senses share: reading a corpus, latent topics, questions and answers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from tacit.checks import check_choice, check_float, check_int, suggest_names
from tacit.compute.threads import usable_threads
from tacit.corpora.passages import Passage
from tacit.errors import InputError
from tacit.estimator import Estimator
from tacit.factorize.settings import AUTO, is_auto
from tacit.senses.answers import Disambiguation, Evidence, Sense, candidates
from tacit.senses.counting import Collector, Observations, observe
from tacit.senses.features import TAGS, Occurrence, occurrence_of, stop_terms
from tacit.senses.passages import Corpus, passages_of
from tacit.senses.topics import InterleavedNMF, Topics, loads
from tacit.text.normalization import make_normalizer
from tacit.text.tokenizers import tokenize

if TYPE_CHECKING:
    from tacit.senses.serialization import Row, Table
    from tacit.storage.stored_model import ArrayReader, StoredModel

Array = NDArray[Any]
Callback = Callable[[str, int, float], None]

N_EXAMPLES = 25
"""Contexts kept to show a sense by."""
LEAST = 1e-3
"""The weight of a sense that no sampled occurrence has, so that it is not impossible."""


class WordSenses(Protocol):
    """The senses of one word, however they were found; ``weights`` are shares of its occurrences."""

    weights: Array
    examples: list[list[str]]

    def numbers(self) -> list[int]:
        """The senses there are, by number."""

    def typical(self, sense: int) -> list[str]:
        """The terms that show a sense."""

    def dimensions(self, sense: int) -> list[int]:
        """The latent dimensions that stand out in a sense."""


@dataclass(eq=False, repr=False, kw_only=True)
class SenseInducer(Estimator):
    """Reads a corpus, learns latent topics, and answers for words; how senses are found is not its own."""

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
    topics_: Topics = field(init=False)
    counts_: dict[str, int] = field(init=False)
    parsed_: bool = field(init=False)
    n_passages_: int = field(init=False)
    divergence_: list[float] = field(init=False)

    def fit(self, corpus: Corpus, words: Collection[str] | None = None) -> Self:
        """Learn the senses of words from a corpus, which is read once.

        Parameters
        ----------
        corpus : texts, a paragraph each; or passages that a parser has seen, as ``read_conllu`` and
            ``spacy_passages`` give them.
        words : the words to find senses of; left out, the most frequent ones.
        """
        self._check(words)
        vars(self).pop("senses_", None)  # what was learnt before does not go with what is read now
        observed, collected = self._observe(corpus, words)
        factors = self.factorize(observed)
        self.prepare(observed, factors, collected)
        asked = None if words is None else [self.term(word) for word in words]
        for term, word in zip(asked or [], words or [], strict=True):
            if self.counts_.get(term, 0) < self.min_count:
                raise self._too_rare(word, collected)
        self._induce(observed, factors, collected, asked)
        return self

    def prepare(self, observed: Observations, factors: InterleavedNMF, collected: Collector) -> None:
        """Keep what both kinds of model need of a corpus and its factors."""
        self.n_passages_ = observed.n_passages
        self.counts_ = dict(zip(observed.words, observed.counts.tolist(), strict=True))
        self.divergence_ = factors.divergence_
        pairs = [pair for pair, _ in reversed(collected.forms.most_common()) if pair[1]]
        forms = dict(pairs) if self.parsed_ else {}  # the most frequent comes last, and stays
        shown = {} if self.parsed_ else {term: form for form, term in pairs}
        forms, shown = ({a: b for a, b in table.items() if a != b} for table in (forms, shown))
        self.topics_ = Topics(observed.contexts, loads(factors.contexts_), observed.stop_words, forms, shown)

    def factorize(self, observed: Observations) -> InterleavedNMF:
        """Factorize the three matrices."""
        note = self.callback
        show = None if note is None else lambda done, loss: note("iterations", done, loss)
        n_components = by_words(self.n_components, MOST_COMPONENTS, observed)
        return InterleavedNMF(
            n_components, self.n_iter, random_state=self.random_state, n_threads=self.n_threads, callback=show
        ).fit(observed.A, observed.B, observed.C)  # fmt: skip

    def __sklearn_is_fitted__(self) -> bool:
        """Whether ``fit`` has come to its end."""
        return "senses_" in vars(self)

    @abstractmethod
    def _induce(
        self, observed: Observations, factors: InterleavedNMF, collected: Collector, asked: list[str] | None
    ) -> None:
        """Find the senses."""

    @abstractmethod
    def _decide(self, occurrence: Occurrence, term: str) -> Disambiguation | None:
        """Which sense an occurrence has; None where nothing of its context is known."""

    @abstractmethod
    def _pack(self) -> tuple[dict[str, Array], list[Row]]:
        """The senses as arrays and rows of words."""

    @abstractmethod
    def _unpack(self, reader: ArrayReader, table: Table) -> None:
        """Read the senses that ``_pack`` returned."""

    @property
    def words_(self) -> Collection[str]:
        """The terms whose senses are known."""
        self._check_fitted()
        return self.senses_.keys()

    def senses(self, word: str) -> list[Sense]:
        """The senses of a word, the most frequent first; a word with one sense has one."""
        term = self._known(word)
        found: WordSenses = self.senses_[term]
        return [
            Sense(
                number=i,
                weight=float(found.weights[i]),
                words=[self.topics_.surface(term) for term in found.typical(i)],
                topics=[self.topics_.top_words(k) for k in found.dimensions(i)],
                examples=found.examples[i],
            )
            for i in _commonest_first(found)
        ]

    def disambiguate(self, word: str, text: str | Passage, at: int | None = None) -> Disambiguation:
        """Which sense a word has in a text, with the divergence of every candidate.

        The word is looked for in the text; ``at`` is the number of its token where another than the first
        is meant. Where no word around it is known, the answer is its commonest sense, ``guessed``.
        """
        term = self._known(word)
        passage = text if isinstance(text, Passage) else self._passage(text)
        return self.decide(occurrence_of(passage, _place(word, term, passage, at)), term)

    def explain(self, word: str, text: str | Passage, at: int | None = None) -> Disambiguation:
        """As :meth:`disambiguate`: its ``evidence`` says which words of the text speak for the sense."""
        return self.disambiguate(word, text, at)

    def decide(self, occurrence: Occurrence, term: str) -> Disambiguation:
        """Which sense an occurrence has; of a context that says nothing, the commonest."""
        return self._decide(occurrence, term) or self._guess(term)

    def term(self, word: str) -> str:
        """The term of a word as people write it."""
        if "parsed_" not in vars(self):
            self._check_fitted()
        lower = word.strip().lower()
        if not lower or len(lower.split()) > 1:
            raise InputError(f"{word!r} is {len(lower.split())} words: give a single one")
        return lower if self.parsed_ else make_normalizer(self.language, self.normalize)([lower])[0]

    def save(self, folder: str | Path) -> None:
        """Write the model to a folder, whole or not at all; ``tacit.load`` reads it back."""
        from tacit.senses.serialization import card, to_stored
        from tacit.storage import write_model

        self._check_fitted()
        write_model(folder, to_stored(self), card(self))

    @classmethod
    def from_stored(cls, stored: StoredModel) -> Self:
        """Rebuild a model from what ``tacit.storage`` has read and checked."""
        from tacit.senses.serialization import from_stored

        return from_stored(cls, stored)

    def _guess(self, term: str) -> Disambiguation:
        """The commonest sense, for there is nothing else to go by."""
        found: WordSenses = self.senses_[term]
        order = _commonest_first(found)
        divergences = -np.log(np.maximum(found.weights, LEAST))
        ranked = candidates(order, divergences, found.weights)
        lead = [Evidence("(frequency)", b.divergence - a.divergence) for a, b in pairwise(ranked[:2])]
        return Disambiguation(term, ranked, [], lead, guessed=True)

    def _observe(self, corpus: Corpus, words: Collection[str] | None) -> tuple[Observations, Collector]:
        passages = passages_of(corpus, self.language, self.normalize)
        head: list[Passage] = []
        while not (head and len(head[-1])) and (passage := next(passages, None)) is not None:
            head.append(passage)  # an empty text does not say whether a parser has been here
        if not head:
            raise InputError("there is no text to learn from: the corpus is empty")
        self.parsed_ = head[-1].parsed
        asked = [] if words is None else [self.term(word) for word in words]
        collector = Collector(asked, self.pos, self._n_samples)
        for passage in chain(head, passages):
            collector.add(passage)
            if self.callback is not None and collector.n_passages % 100 == 0:
                self.callback("passages", collector.n_passages, float("nan"))
        if self.pos is not None and not self.parsed_:
            raise InputError(
                f"pos={self.pos!r} needs parsed text: give CoNLL-U or spaCy's parse, or leave it out",
                parameter="pos",
            )
        stop = stop_terms(self.stop_words, self.language, self.normalize, self.parsed_)
        sizes = (self.n_words, self.n_features, self.n_contexts)
        return observe(collector, *sizes, stop, self.max_df, self.min_count), collector

    @property
    def _n_samples(self) -> int:
        """How many occurrences of each word asked for are kept."""
        return 100

    def _passage(self, text: str) -> Passage:
        """A text with its terms as the corpus had them."""
        forms = tokenize(text)
        if self.parsed_:
            return Passage(forms, [self.topics_.forms.get(form, form) for form in forms])
        return Passage(forms, make_normalizer(self.language, self.normalize)(forms))

    def _known(self, word: str) -> str:
        """The term of a word whose senses are known, or an error that says what is known of it."""
        self._check_fitted()
        term = self.term(word)
        if term in self.senses_:
            return term
        if term in self.counts_:
            raise InputError(
                f"the senses of {word!r} were not asked for, though the corpus has it {self.counts_[term]:,} "
                "times: name it in words when training"
            )
        least = min(self.counts_.values())
        raise InputError(
            f"the model does not know {word!r}: it was seen fewer than {least} times, or not at all"
            f"{suggest_names(word, self.counts_, 3)}"
        )

    def _too_rare(self, word: str, collected: Collector) -> InputError:
        place = collected.words.index.get(self.term(word))
        seen = collected.words.counts[place] if place is not None else 0
        what = f"{self.pos} " if self.pos else ""
        return InputError(
            f"the corpus has the {what}{word!r} {seen} time{'s' * (seen != 1)}: give more text, "
            f"or leave the word out{suggest_names(word, self.counts_, 3)}"
        )

    def _check(self, words: Collection[str] | None) -> None:
        if isinstance(words, str):
            raise InputError(f"words={words!r} is one word: put it in a list, [{words!r}]", parameter="words")
        if self.pos is not None:
            check_choice("pos", self.pos, TAGS)
        for name, (least, most) in _RANGES.items():
            if not (name == "n_components" and is_auto(self.n_components)):
                check_int(name, getattr(self, name), least, most)
        check_float("max_df", self.max_df, 0, 1)
        usable_threads(self.n_threads)
        make_normalizer(self.language, self.normalize)
        if not isinstance(self.stop_words, str | None) and not all(
            isinstance(word, str) for word in self.stop_words
        ):
            raise InputError("stop_words holds what is no word: give words, the name of a list, or None")
        if self.stop_words != "english":  # a list that takes scikit-learn to import, and is sound
            stop_terms(self.stop_words, self.language, self.normalize, parsed=False)


MOST_COMPONENTS, WORDS_EACH = 50, 8
"""Latent dimensions of a large corpus, and how many words one stands for in a small one."""


def by_words(given: Any, most: int, observed: Observations) -> int:
    """A number as it is given, or by how many words there are."""
    return max(2, min(most, len(observed.words) // WORDS_EACH)) if is_auto(given) else int(given)


_RANGES = {
    **dict.fromkeys(("n_words", "n_features", "n_contexts"), (2, 10_000_000)),
    **dict.fromkeys(("n_iter", "min_count"), (1, 1_000_000)),
    "n_components": (1, 10_000),
    "random_state": (0, 2**63),
}


def _commonest_first(found: WordSenses) -> list[int]:
    return sorted(found.numbers(), key=lambda i: (-found.weights[i], i))


def _place(word: str, term: str, passage: Passage, at: int | None) -> int:
    """Where the word is in a passage: the place given, or its first."""
    if not len(passage):
        raise InputError(f"the text has no word: give the text around {word!r}, with {word!r} in it")
    if at is not None:
        if not 0 <= at < len(passage):
            raise InputError(f"at={at}: the text has the tokens 0 to {len(passage) - 1}", parameter="at")
        return at
    if term not in passage.terms:
        shown = " ".join(passage.forms)
        raise InputError(f"the text {shown!r:.60} does not have the word {word!r}: give a text that does")
    return passage.terms.index(term)
