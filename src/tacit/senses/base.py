"""What the two models of senses share: reading a corpus, the latent space, questions and answers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Self

from tacit.corpora.passages import Passage
from tacit.errors import InputError
from tacit.estimator import Estimator
from tacit.senses.answers import Disambiguation, Sense
from tacit.senses.checks import number, whole
from tacit.senses.collect import Collector, Occurrence
from tacit.senses.extract import TAGS
from tacit.senses.interleaved import InterleavedNMF
from tacit.senses.matrices import Observations, observe
from tacit.senses.reading import Corpus, occurrence_of, passages_of, place_of, plain_passage, stop_terms
from tacit.senses.space import Space, loads
from tacit.text.languages import normalizer

if TYPE_CHECKING:
    from tacit.storage import Stored

Callback = Callable[[str, int, float], None]


class SenseInducer(Estimator):
    """Reads a corpus, learns the latent space, and answers for words; how senses are found is not its own."""

    _RESULT: str
    """The attribute that ``fit`` sets last."""

    pos: str | None
    language: str | None
    normalize: str
    stop_words: Collection[str] | str | None
    n_words: int
    n_features: int
    n_contexts: int
    n_components: int
    n_iter: int
    min_count: int
    max_df: float
    random_state: int
    n_threads: int | None
    callback: Callback | None

    space_: Space
    counts_: dict[str, int]
    parsed_: bool
    n_passages_: int
    divergence_: list[float]

    def fit(self, corpus: Corpus, words: Collection[str] | None = None) -> Self:
        """Learn the senses of words from a corpus, which is read once.

        Parameters
        ----------
        corpus : texts, a paragraph each; or passages that a parser has seen, as ``read_conllu`` and
            ``spacy_passages`` give them.
        words : the words to find senses of; left out, the most frequent ones.
        """
        self._check(words)
        return self.fit_observed(*self._observe(corpus, words), words)

    def fit_observed(
        self, observed: Observations, collected: Collector, words: Collection[str] | None
    ) -> Self:
        """Learn from what has been counted already."""
        factors = self.factorize(observed)
        self.prepare(observed, factors, collected)
        asked = None if words is None else [self.term(word) for word in words]
        for term, word in zip(asked or [], words or [], strict=True):
            if self.counts_.get(term, 0) < self.min_count:
                raise self._unknown(word, collected)
        self._induce(observed, factors, collected, asked)
        return self

    def prepare(self, observed: Observations, factors: InterleavedNMF, collected: Collector) -> None:
        """Keep what both kinds of model need of a corpus and its factors."""
        self.n_passages_ = observed.n_passages
        self.counts_ = dict(zip(observed.words, observed.counts.tolist(), strict=True))
        self.divergence_ = factors.divergence_
        self.space_ = self._space(observed, factors, collected)

    def factorize(self, observed: Observations) -> InterleavedNMF:
        """Factorize the three matrices."""
        note = self.callback
        show = None if note is None else lambda done, loss: note("iterations", done, loss)
        return InterleavedNMF(
            self.n_components, self.n_iter, random_state=self.random_state, n_threads=self.n_threads,
            callback=show,
        ).fit(observed.A, observed.B, observed.C)  # fmt: skip

    def __sklearn_is_fitted__(self) -> bool:
        """Whether ``fit`` has come to its end."""
        return self._RESULT in vars(self)

    @abstractmethod
    def _induce(
        self,
        observed: Observations,
        factors: InterleavedNMF,
        collected: Collector,
        asked: list[str] | None,
    ) -> None:
        """Find the senses."""

    @abstractmethod
    def senses(self, word: str) -> list[Sense]:
        """The senses of a word, the most frequent first; a word with one sense has one."""

    @abstractmethod
    def decide(self, occurrence: Occurrence, term: str) -> Disambiguation:
        """Which sense an occurrence has."""

    @property
    @abstractmethod
    def words_(self) -> Collection[str]:
        """The terms whose senses are known."""

    @abstractmethod
    def to_stored(self) -> Stored:
        """The model as plain arrays, numbers and words."""

    def disambiguate(self, word: str, text: str | Passage, at: int | None = None) -> Disambiguation:
        """Which sense a word has in a text, with the divergence of every candidate.

        The word is looked for in the text; ``at`` is the number of its token where another than the first
        is meant.
        """
        term = self._known(word)
        passage = text if isinstance(text, Passage) else plain_passage(text, self._terms)
        place = place_of(word, term, passage, at)
        return self.decide(occurrence_of(passage, place), term)

    def explain(self, word: str, text: str | Passage, at: int | None = None) -> Disambiguation:
        """As :meth:`disambiguate`: its ``evidence`` says which words of the text speak for the sense."""
        return self.disambiguate(word, text, at)

    def term(self, word: str) -> str:
        """The term of a word as people write it."""
        lower = word.strip().lower()
        if not lower or len(lower.split()) > 1:
            raise InputError(f"{word!r} is {len(lower.split())} words: give a single one")
        return lower if self.parsed_ else normalizer(self.language, self.normalize)([lower])[0]

    def save(self, folder: str | Path) -> None:
        """Write the model to a folder, whole or not at all; ``tacit.load`` reads it back."""
        from tacit.senses.stored import save_senses

        self._check_fitted()
        save_senses(self, folder)

    def _observe(self, corpus: Corpus, words: Collection[str] | None) -> tuple[Observations, Collector]:
        passages = passages_of(corpus, self.language, self.normalize)
        collector = None
        for passage in passages:
            if collector is None:
                self.parsed_ = passage.parsed
                asked = [] if words is None else [self.term(word) for word in words]
                collector = Collector(asked, self.pos, self._n_samples)
            collector.add(passage)
            if self.callback is not None and collector.n_passages % 100 == 0:
                self.callback("passages", collector.n_passages, float("nan"))
        if collector is None:
            raise InputError("there is no text to learn from: the corpus is empty")
        if self.pos is not None and not self.parsed_:
            raise InputError(
                f"pos={self.pos!r} needs parsed text: give CoNLL-U or spaCy's parse, or pos=None"
            )
        stop = stop_terms(self.stop_words, self.language, self.normalize, self.parsed_)
        sizes = (self.n_words, self.n_features, self.n_contexts)
        return observe(collector, *sizes, stop, self.max_df, self.min_count), collector

    def _space(self, observed: Observations, factors: InterleavedNMF, collected: Collector) -> Space:
        """Read the factors as p(dimension | item), and keep how terms and forms belong together."""
        pairs = [pair for pair, _ in reversed(collected.forms.most_common()) if pair[1]]
        forms = dict(pairs) if self.parsed_ else {}  # the most frequent comes last, and stays
        shown = {} if self.parsed_ else {term: form for form, term in pairs}
        forms, shown = ({a: b for a, b in table.items() if a != b} for table in (forms, shown))
        return Space(observed.contexts, loads(factors.contexts_), observed.stop_words, forms, shown)

    @property
    def _n_samples(self) -> int:
        """How many occurrences of each word asked for are kept."""
        return 100

    def _terms(self, forms: list[str]) -> list[str]:
        """The terms of a text's tokens, as the corpus had them."""
        if self.parsed_:
            return [self.space_.forms.get(form, form) for form in forms]
        return normalizer(self.language, self.normalize)(forms)

    def _known(self, word: str) -> str:
        """The term of a word whose senses are known, or an error that says what is known of it."""
        self._check_fitted()
        term = self.term(word)
        if term in self.words_:
            return term
        if term in self.counts_:
            raise InputError(
                f"the senses of {word!r} were not asked for, though the corpus has it {self.counts_[term]:,} "
                "times: name it in words when training"
            )
        raise self._unknown(word)

    def _unknown(self, word: str, collected: Collector | None = None) -> InputError:
        near = get_close_matches(word.lower(), list(self.counts_), n=3)
        hint = f"; did you mean {', '.join(near)}?" if near else ""
        if collected is None:
            least = min(self.counts_.values())
            return InputError(
                f"the model does not know {word!r}: it was seen fewer than {least} times, or not at all{hint}"
            )
        place = collected.words.index.get(self.term(word))
        seen = collected.words.counts[place] if place is not None else 0
        what = f"{self.pos} " if self.pos else ""
        return InputError(
            f"the corpus has the {what}{word!r} {seen} time{'s' * (seen != 1)}: give more text, "
            f"or leave the word out{hint}"
        )

    def _check(self, words: Collection[str] | None) -> None:
        if isinstance(words, str):
            raise InputError(f"words={words!r} is one word: put it in a list, [{words!r}]")
        if self.pos is not None and self.pos not in TAGS:
            raise InputError(f"pos={self.pos!r}: use one of {', '.join(TAGS)}, or None for all words")
        for name, least, most in _WHOLE:
            whole(name, getattr(self, name), least, most)
        number("max_df", self.max_df, 0, 1)
        normalizer(self.language, self.normalize)
        stop_terms(self.stop_words, self.language, self.normalize, parsed=False)


_WHOLE = (
    ("n_words", 2, 10_000_000),
    ("n_features", 2, 10_000_000),
    ("n_contexts", 2, 10_000_000),
    ("n_components", 1, 10_000),
    ("n_iter", 1, 1_000_000),
    ("min_count", 1, 1_000_000),
    ("random_state", 0, 2**63),
)
