"""Pseudo-words: the development set of models that learn from a parse, for the Senseval words have none.

Occurrences of several words are taken for those of one, whose senses are then known: which word it was. They
are of the training text of SemEval-2010; its test text and its senses are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from tacit.senses.features import Occurrence

SIZES = (800, 400, 200)
"""Occurrences of each of a pseudo-word's words: senses are not alike in number."""

Labelled = list[tuple[str, Occurrence]]


def pseudo_words(
    samples: Mapping[str, Sequence[Occurrence]], n: int, seed: int = 0
) -> Iterator[tuple[str, Labelled, Labelled]]:
    """Draw ``n`` pseudo-words; each is its name, and two halves of (word, occurrence), shuffled.

    Words with too few occurrences are left out, and none is taken twice.
    """
    random = Random(seed)  # noqa: S311
    words = sorted(word for word, found in samples.items() if len(found) >= SIZES[0])
    random.shuffle(words)
    for start in range(0, min(n * len(SIZES), len(words) - len(SIZES) + 1), len(SIZES)):
        members = words[start : start + len(SIZES)]
        found = [
            (word, occurrence)
            for word, size in zip(members, SIZES, strict=True)
            for occurrence in random.sample(list(samples[word]), size)
        ]
        random.shuffle(found)
        yield "+".join(members), found[::2], found[1::2]
