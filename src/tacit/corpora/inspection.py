"""Check a stream of texts for problems that degrade a model.

Texts are observed as they pass, in bounded memory and a few microseconds each: how many are empty, which
line is repeated (a signature, a disclaimer), whether a few long documents outweigh many short texts, whether
HTML tags are read as words, and which languages occur.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from tacit.corpora.html_text import TAG_PATTERN
from tacit.text.languages import language_shares

MAX_COUNTED_LINES = 100_000
"""Maximum number of distinct lines counted at once; counts are too low by at most 1 in this many texts."""
SAMPLE_TEXTS = 400
"""Maximum number of texts whose language is detected."""
MIN_REPEATED_SHARE = 0.02
"""A line in at least this share of the texts is reported."""
MIN_TAGGED_SHARE = 0.05
"""HTML tags in at least this share of the texts are reported."""
MIN_LANGUAGE_SHARE = 0.1
"""Languages with a smaller share are ignored."""
LONG_FACTOR = 20
"""A text longer than this many times the median is a long one."""
MIN_LONG_SHARE = 0.25
"""Long texts with at least this share of all characters are reported."""

_KEY_CHARACTERS = 200
_MIN_CHARACTERS = _MIN_TEXTS = 20  # the language of shorter texts, or of fewer, is not detected


class CorpusInspector:
    """Observes texts and returns notes about problems.

    >>> inspector = CorpusInspector()
    >>> texts = ["a cat", "a dog", "Sent from my phone"] + ["Sent from my phone"] * 20
    >>> texts = list(inspector.observe_all(texts))
    >>> inspector.notes()
    ["'Sent from my phone' occurs in 21 of 23 texts: remove it if it is a signature or boilerplate"]
    """

    def __init__(self) -> None:
        self.n_texts = self.n_empty = self.n_with_tags = 0
        self.lengths: Counter[int] = Counter()
        self.longest, self.longest_position = 0, 0
        self.lines: dict[str, int] = {}
        self.sample = ReservoirSample(SAMPLE_TEXTS, max_chars=_KEY_CHARACTERS)

    def observe_all(self, texts: Iterable[str]) -> Iterator[str]:
        """Yield the texts unchanged and observe each."""
        for text in texts:
            self.observe(text)
            yield text

    def observe(self, text: str) -> None:
        """Update the statistics with one text."""
        self.n_texts += 1
        length = len(text)
        if not text.strip():
            self.n_empty += 1
            return
        self.lengths[length] += 1
        if length > self.longest:
            self.longest, self.longest_position = length, self.n_texts
        if "<" in text and TAG_PATTERN.search(text):
            self.n_with_tags += 1
        self._count_lines(text)
        if length >= _MIN_CHARACTERS:
            self.sample.add(text)

    def _count_lines(self, text: str) -> None:
        """Count each distinct line of a text; if there are too many, decrement all counts and drop zeros."""
        for line in (text,) if "\n" not in text else set(text.split("\n")):
            key = line.strip()
            if len(key) > _KEY_CHARACTERS:
                key = f"{key[:_KEY_CHARACTERS]}\0{hash(key)}"
            self.lines[key] = self.lines.get(key, 0) + 1
        if len(self.lines) > MAX_COUNTED_LINES:
            self.lines = {line: count - 1 for line, count in self.lines.items() if count > 1}

    def notes(self, language: str | None = None) -> list[str]:
        """Return one sentence for each problem; ``language`` is the declared language of the texts."""
        if not self.n_texts - self.n_empty:
            return []
        notes = (
            f"{self.n_empty:,} of {self.n_texts:,} texts are empty" if self.n_empty else None,
            self._note_repeated_line(),
            self._note_long_texts(),
            self._note_html(),
            self._note_languages(language),
        )
        return [note for note in notes if note is not None]

    def _note_repeated_line(self) -> str | None:
        """Report the most frequent line if it occurs in many texts."""
        lines = ((count, len(line), line) for line, count in self.lines.items() if line)
        count, _, line = max(lines, default=(0, 0, ""))
        if count < max(5, MIN_REPEATED_SHARE * self.n_texts):
            return None
        line = line.partition("\0")[0]
        quoted = repr(line if len(line) <= 60 else line[:60] + "...")
        if len(self.lines) == 1:
            return f"all {self.n_texts:,} texts are the same: {quoted}"
        texts = f"{count:,} of {self.n_texts:,} texts"
        return f"{quoted} occurs in {texts}: remove it if it is a signature or boilerplate"

    def _note_long_texts(self) -> str | None:
        """Report long texts that together have a large share of all characters."""
        lengths, counts = np.array(sorted(self.lengths.items())).T
        median = int(lengths[np.searchsorted(counts.cumsum(), counts.sum() / 2)])
        is_long = lengths > LONG_FACTOR * median
        share = (lengths * counts)[is_long].sum() / (lengths * counts).sum()
        if share < MIN_LONG_SHARE:
            return None
        texts = f"{counts[is_long].sum():,} of {self.n_texts:,} texts hold {share:.0%} of all characters"
        longest = f"longest: text {self.longest_position:,} with {self.longest:,}; median {median:,}"
        return f"{texts} ({longest}): split long documents into paragraphs"

    def _note_html(self) -> str | None:
        """Report HTML if many texts have tags."""
        if self.n_with_tags < max(2, MIN_TAGGED_SHARE * self.n_texts):
            return None
        texts = f"{self.n_with_tags:,} of {self.n_texts:,} texts"
        return f"{texts} have HTML tags: html=True or --html strips them"

    def _note_languages(self, declared: str | None) -> str | None:
        """Report the languages of the sample if there are several, or if it is not the declared one."""
        if len(self.sample.texts) < _MIN_TEXTS:
            return None
        shares = language_shares(self.sample.texts)
        ranked = sorted(shares, key=lambda code: -shares[code])
        frequent = [code for code in ranked if shares[code] >= MIN_LANGUAGE_SHARE]
        listed = ", ".join(f"{code} {shares[code]:.0%}" for code in frequent)
        if len(frequent) > 1:
            problem = f"the texts seem to be in several languages ({listed})"
            return f"{problem}: train a model for each, or learn from pairs"
        if frequent and declared is not None and shares.get(declared, 0) < MIN_LANGUAGE_SHARE:
            return f"the texts seem to be {listed}, not {declared!r}: set language= or --language"
        return None


class ReservoirSample:
    """Uniform random sample of a stream of texts (Li 1994, algorithm L: it draws few random numbers).

    >>> sample = ReservoirSample(3)
    >>> sum(1 for _ in sample.pass_through(map(str, range(1000)))), len(sample.texts)
    (1000, 3)
    """

    def __init__(self, size: int, seed: int = 0, max_chars: int | None = None) -> None:
        """Sample ``size`` texts; keep the first ``max_chars`` characters of each, by default all."""
        self.size, self.max_chars = size, max_chars
        self.texts: list[str] = []
        self._rng = np.random.default_rng(seed)
        self._n_seen, self._threshold, self._next_row = 0, 1.0, size - 1

    def add(self, text: Any) -> None:
        """Add the next text of the stream; the tokenizer reports values that are not strings."""
        row = self._n_seen
        self._n_seen += 1
        if isinstance(text, str):
            text = text[: self.max_chars]
        if row < self.size:
            self.texts.append(text)
        elif row == self._next_row:
            self.texts[int(self._rng.integers(self.size))] = text
        if row in (self._next_row, self.size - 1):
            self._threshold *= float(self._rng.random()) ** (1 / self.size)
            self._next_row = row + 1 + int(np.log(self._rng.random()) / np.log1p(-self._threshold))

    def pass_through(self, texts: Iterable[str]) -> Iterator[str]:
        """Yield the texts unchanged; after the last one, ``self.texts`` holds the sample."""
        for text in texts:
            self.add(text)
            yield text
