"""Spelling errors for benchmarks: some words of a text, each with one random edit."""

from __future__ import annotations

import random
import re

MIN_LETTERS = 4
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def misspell(text: str, share: float, rng: random.Random) -> str:
    """Misspell a share of the words of 4 or more letters: a letter is dropped, added, replaced or swapped."""
    return re.sub(r"[^\W\d_]+", lambda word: _misspell_word(word[0], share, rng), text)


def _misspell_word(word: str, share: float, rng: random.Random) -> str:
    if rng.random() >= share or len(word) < MIN_LETTERS:
        return word
    kind, i = rng.choice(("drop", "add", "replace", "swap")), rng.randrange(1, len(word))
    letter = rng.choice(LETTERS)
    if kind == "swap":
        i = min(i, len(word) - 2)
        return word[:i] + word[i + 1] + word[i] + word[i + 2 :]
    return word[:i] + {"drop": "", "add": letter + word[i], "replace": letter}[kind] + word[i + 1 :]


def misspell_all(texts: list[str], share: float, seed: int = 0) -> list[str]:
    """Misspell texts; each text has its own random numbers. With share 0 nothing changes."""
    return (
        [misspell(text, share, random.Random(f"{seed} {i}")) for i, text in enumerate(texts)]
        if share
        else texts
    )
