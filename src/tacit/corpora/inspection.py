"""What a collection looks like while it passes by: what would spoil a model is told in a few lines.

Texts are watched as a stream, in bounded memory, for a few microseconds each: how many are empty, which line
returns again and again (a signature, a disclaimer), whether a few long documents outweigh many short texts,
whether tags of HTML are read as words, and which languages are spoken.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from tacit.corpora.html_text import TAG_PATTERN
from tacit.text.languages import language_shares

MAX_COUNTED_LINES = 100_000
"""So many distinct lines are counted at once; a count falls short by at most 1 in so many texts."""
SAMPLE_TEXTS = 400
"""How many texts are asked for their language, at most."""

MIN_REPEATED_SHARE = 0.02
"""The part of the texts from which on a line that returns is named."""
MIN_TAGGED_SHARE = 0.05
MIN_LANGUAGE_SHARE = 0.1
LONG_FACTOR = 20
"""A text of so many times the median length is a long one."""
MIN_LONG_SHARE = 0.25
"""The part of all characters from which on long texts are named."""

_KEY_CHARACTERS = 200
_MIN_CHARACTERS = 20  # characters below which the language of a text is a guess


class CorpusInspector:
    """Watches texts on their way and knows what to say of them.

    >>> seen = CorpusInspector()
    >>> texts = list(seen.watch(["a cat", "a dog", "Sent from my phone"] + ["Sent from my phone"] * 20))
    >>> seen.notes()
    ["'Sent from my phone' stands in 21 of 23 texts: leave it out if it is a signature or a form"]
    """

    def __init__(self) -> None:
        self.n_texts = self.empty = self.tagged = self.telling = 0
        self.lengths: Counter[int] = Counter()
        self.longest, self.longest_at = 0, 0
        self.lines: dict[str, int] = {}
        self.sample: list[str] = []
        self._dice = random.Random(0)  # noqa: S311 - a sample, and the same one every time

    def watch(self, texts: Iterable[str]) -> Iterator[str]:
        """Pass texts on and look at each."""
        for text in texts:
            self.look(text)
            yield text

    def look(self, text: str) -> None:
        """Look at one text."""
        self.n_texts += 1
        length = len(text)
        if not text.strip():
            self.empty += 1
            return
        self.lengths[length] += 1
        if length > self.longest:
            self.longest, self.longest_at = length, self.n_texts
        if "<" in text and TAG_PATTERN.search(text):
            self.tagged += 1
        self._count_lines(text)
        self._keep(text)

    def _count_lines(self, text: str) -> None:
        """Count each line of a text once; when there are too many, all lose one and the rare ones go."""
        for line in (text,) if "\n" not in text else set(text.split("\n")):
            key = line.strip()
            if len(key) > _KEY_CHARACTERS:
                key = f"{key[:_KEY_CHARACTERS]}\0{hash(key)}"
            self.lines[key] = self.lines.get(key, 0) + 1
        if len(self.lines) > MAX_COUNTED_LINES:
            self.lines = {line: count - 1 for line, count in self.lines.items() if count > 1}

    def _keep(self, text: str) -> None:
        """Keep a sample in which every text of some length has the same chance to be."""
        if len(text) < _MIN_CHARACTERS:
            return
        self.telling += 1
        if len(self.sample) < SAMPLE_TEXTS:
            self.sample.append(text[:_KEY_CHARACTERS])
            return
        place = int(self._dice.random() * self.telling)
        if place < SAMPLE_TEXTS:
            self.sample[place] = text[:_KEY_CHARACTERS]

    def notes(self, language: str | None = None) -> list[str]:
        """Say what should be looked into, a line each; ``language`` is the one the texts are said to have."""
        if not self.n_texts - self.empty:
            return []
        found = (self._empty(), self._repeated(), self._long(), self._html(), self._languages(language))
        return [note for note in found if note is not None]

    def _empty(self) -> str | None:
        return f"{self.empty:,} of {self.n_texts:,} texts are empty" if self.empty else None

    def _repeated(self) -> str | None:
        lines = ((count, len(line), line) for line, count in self.lines.items() if line)
        count, _, line = max(lines, default=(0, 0, ""))
        if count < max(5, MIN_REPEATED_SHARE * self.n_texts):
            return None
        shown = line.partition("\0")[0]
        shown = repr(shown if len(shown) <= 60 else shown[:60] + "...")
        if len(self.lines) == 1:
            return f"all {self.n_texts:,} texts are the same: {shown}"
        times = f"{count:,} of {self.n_texts:,} texts"
        return f"{shown} stands in {times}: leave it out if it is a signature or a form"

    def _long(self) -> str | None:
        """Name long texts that together have a good part of all characters."""
        median = self._median()
        limit = LONG_FACTOR * median
        long = {length: count for length, count in self.lengths.items() if length > limit}
        part = _total_characters(long) / _total_characters(self.lengths)
        if part < MIN_LONG_SHARE:
            return None
        most = f"text {self.longest_at:,} has {self.longest:,}, half of all at most {median:,}"
        return (
            f"{sum(long.values()):,} of {self.n_texts:,} texts have {part:.0%} of all characters ({most}): "
            "split long documents into paragraphs"
        )

    def _median(self) -> int:
        below, half = 0, sum(self.lengths.values()) / 2
        for length in sorted(self.lengths):
            below += self.lengths[length]
            if below >= half:
                break
        return length

    def _html(self) -> str | None:
        if self.tagged < max(2, MIN_TAGGED_SHARE * self.n_texts):
            return None
        return f"{self.tagged:,} of {self.n_texts:,} texts have HTML tags: html=True or --html strips them"

    def _languages(self, declared: str | None) -> str | None:
        """Name the languages of a sample, if there are several or if it is not the declared one."""
        if len(self.sample) < _MIN_CHARACTERS:
            return None
        parts = language_shares(self.sample)
        many = {
            code: parts[code]
            for code in sorted(parts, key=lambda c: -parts[c])
            if parts[code] >= MIN_LANGUAGE_SHARE
        }
        shown = ", ".join(f"{code} {part:.0%}" for code, part in many.items())
        if len(many) > 1:
            return (
                f"the texts seem to be of several languages ({shown}): train each apart, or learn from pairs"
            )
        if (
            declared is not None
            and many
            and declared not in many
            and parts.get(declared, 0) < MIN_LANGUAGE_SHARE
        ):
            return f"the texts seem to be {shown}, not {declared!r}: say so with language= or --language"
        return None


def _total_characters(lengths: dict[int, int]) -> int:
    return sum(length * count for length, count in lengths.items())


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

    def pass_through(self, texts: Iterable[str]) -> Iterator[str]:
        """Yield the texts unchanged; after the last one, ``self.texts`` holds the sample."""
        threshold, next_row = 1.0, self.size - 1
        for row, text in enumerate(texts):
            if row < self.size:
                self.texts.append(self._truncate(text))
            elif row == next_row:
                self.texts[int(self._rng.integers(self.size))] = self._truncate(text)
            if row in (next_row, self.size - 1):
                threshold *= float(self._rng.random()) ** (1 / self.size)
                next_row = row + 1 + int(np.log(self._rng.random()) / np.log1p(-threshold))
            yield text

    def _truncate(self, text: Any) -> Any:
        """Truncate a text; the tokenizer reports values that are not strings."""
        return text[: self.max_chars] if isinstance(text, str) else text
