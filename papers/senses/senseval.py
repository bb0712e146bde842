"""The Senseval words *line*, *hard*, *serve* and *interest*: the development set of the local model.

Half of a word's occurrences are learnt from and the other half told apart, by the measures of SemEval-2010.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from papers.senses.keys import Key
from papers.senses.supervised import Split, recall
from papers.senses.unsupervised import unsupervised
from tacit.evaluation.tasks import find_files, read_columns
from tacit.senses.answers import Disambiguation
from tacit.senses.inducer import SenseInducer

WORDS = ("line", "hard", "serve", "interest")
DRAWS = 5
_WORD = "word"


def read_senseval(word: str, data: str | Path | None = None, seed: int = 0) -> list[tuple[str, str]]:
    """The (sense, text) pairs of a word, in a random order; texts keep the word as it is written."""
    (file,) = find_files("senseval", [f"senses/senseval/{word}.tsv.gz"], data)
    rows = list(read_columns(file, ("sense", "text_with_POS_stripped")))
    Random(seed).shuffle(rows)  # noqa: S311
    return [(sense, text) for sense, text in rows if "<<" in text]


def plain(text: str) -> str:
    """A text without the marks of its occurrence.

    >>> plain("a wash <<line>> .")
    'a wash line .'
    """
    return text.replace("<<", "").replace(">>", "")


def place(text: str) -> int:
    """The number of the marked token.

    >>> place("a wash <<line>> .")
    2
    """
    from tacit.text.tokenizers import tokenize

    return len(tokenize(text.partition("<<")[0]))


def score(model: SenseInducer, word: str, held_out: list[tuple[str, str]]) -> dict[str, float]:
    """V-measure, paired F, recall of the best sense and of the most frequent one, on occurrences held out."""
    said = [model.disambiguate(word, plain(text), at=place(text)) for _, text in held_out]
    return scored([sense for sense, _ in held_out], said)


def scored(senses: Sequence[str], said: Sequence[Disambiguation], sharpness: float = 1.0) -> dict[str, float]:
    """The measures of answers for one word whose senses are known.

    ``recall_shares`` has all candidates in the key, their shares to the power of ``sharpness``.
    """
    gold = {str(number): [(sense, 1.0)] for number, sense in enumerate(senses)}
    best: Key = {_WORD: {str(n): [(str(answer.sense), 1.0)] for n, answer in enumerate(said)}}
    shared: Key = {_WORD: {str(n): _shares(answer, sharpness) for n, answer in enumerate(said)}}
    found = unsupervised(best, {_WORD: gold})["all"]
    whole: Key = {_WORD: {name: [("one", 1.0)] for name in gold}}
    splits = [_split(gold, draw) for draw in range(DRAWS)]
    for name, key in (("recall", best), ("recall_shares", shared), ("most_frequent", whole)):
        found[name] = sum(recall(key, split) for split in splits) / DRAWS
    return found


def _shares(answer: Disambiguation, sharpness: float) -> list[tuple[str, float]]:
    powers = [each.share**sharpness for each in answer.candidates]
    return [(str(c.sense), power / sum(powers)) for c, power in zip(answer.candidates, powers, strict=True)]


def _split(gold: dict[str, list[tuple[str, float]]], draw: int) -> Split:
    """Four fifths of the occurrences to map clusters by, and one fifth to answer."""
    names = sorted(gold)
    Random(draw).shuffle(names)  # noqa: S311
    cut = len(names) * 4 // 5
    parts = [{_WORD: {name: gold[name] for name in part}} for part in (names[:cut], names[cut:])]
    return Split(*parts)
