"""Draw synthetic short texts: words by Zipf's law, half of them of a topic."""

from __future__ import annotations

from pathlib import Path

import numpy as np

CHUNK = 100_000


def word_shares(n_words: int, n_topics: int, seed: int = 0) -> np.ndarray:
    """Return the expected share of each word among all words of such texts."""
    shift = np.random.default_rng(seed).integers(0, n_words, n_topics)
    mass = 1 / np.arange(1, n_words + 1)
    mass /= mass.sum()
    topical = np.zeros(n_words)
    for start in shift:
        np.add.at(topical, (np.arange(n_words) * 7 + start) % n_words, mass / n_topics)
    return (mass + topical) / 2


def write_texts(path: Path, n_texts: int, n_words: int = 300_000, n_topics: int = 200, seed: int = 0) -> None:
    """Write ``n_texts`` lines of 4 to 14 words; the same arguments give the same lines."""
    rng = np.random.default_rng(seed)
    names = np.array([f"w{number}" for number in range(n_words)])
    shift = rng.integers(0, n_words, n_topics)
    mass = 1 / np.arange(1, n_words + 1)
    edges = np.cumsum(mass / mass.sum())
    with path.open("w", encoding="ascii") as file:
        for start in range(0, n_texts, CHUNK):
            n = min(CHUNK, n_texts - start)
            lengths = rng.integers(4, 15, n)
            ranks = np.searchsorted(edges, rng.random(lengths.sum())).clip(max=n_words - 1)
            topical = rng.random(len(ranks)) < 0.5
            topics = np.repeat(rng.integers(0, n_topics, n), lengths)
            # each topic shifts the ranks of the words
            words = np.where(topical, (ranks * 7 + shift[topics]) % n_words, ranks)
            ends = np.cumsum(lengths)
            tokens = names[words].tolist()
            begins = np.concatenate([[0], ends[:-1]]).tolist()
            lines = (" ".join(tokens[a:b]) for a, b in zip(begins, ends.tolist(), strict=True))
            file.write("\n".join(lines) + "\n")


def draw_titles(n: int) -> list[str]:
    """Draw titles of 4 to 12 words: half of them general, half of their subject; frequent ones first."""
    rng = np.random.default_rng(0)
    letters = np.array(list("aaaabcdeeeefghiiijklmnooooprstuv"))
    words = ["".join(rng.choice(letters, size)) for size in rng.integers(2, 10, 20_000)]
    titles = []
    for subject in rng.integers(100, size=n):
        size = int(rng.integers(4, 13))
        ranks = (rng.pareto(0.8, size) * 3).astype(int)
        is_topical = rng.random(size) < 0.5
        word_ids = np.where(is_topical, 2000 + 180 * subject + ranks % 180, ranks % 2000)
        titles.append(" ".join(words[i] for i in word_ids))
    return titles
