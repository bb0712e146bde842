"""The Senseval words *line*, *hard*, *serve* and *interest*: the development set of the local model.

Half of a word's occurrences are learnt from and the other half told apart, by the measures of SemEval-2010.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from papers.senses.keys import Key
from papers.senses.supervised import Split, recall
from papers.senses.unsupervised import unsupervised
from tacit.evaluation.data import find_files, read_columns
from tacit.senses.inducer import SenseInducer

WORDS = ("line", "hard", "serve", "interest")
DRAWS = 5


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
    from tacit.text.tokens import tokenize

    return len(tokenize(text.partition("<<")[0]))


def score(model: SenseInducer, word: str, held_out: list[tuple[str, str]]) -> dict[str, float]:
    """V-measure, paired F, recall of the best sense and of the most frequent one, on occurrences held out."""
    answers, gold = {}, {}
    for number, (sense, text) in enumerate(held_out):
        sense_found = model.disambiguate(word, plain(text), at=place(text)).sense
        answers[str(number)] = [(str(sense_found), 1.0)]
        gold[str(number)] = [(sense, 1.0)]
    system: Key = {word: answers}
    found = unsupervised(system, {word: gold})["all"]
    whole: Key = {word: {name: [("one", 1.0)] for name in gold}}
    splits = [_split(word, gold, draw) for draw in range(DRAWS)]
    found["recall"] = sum(recall(system, split) for split in splits) / DRAWS
    found["most_frequent"] = sum(recall(whole, split) for split in splits) / DRAWS
    return found


def _split(word: str, gold: dict[str, list[tuple[str, float]]], draw: int) -> Split:
    """Four fifths of the occurrences to map clusters by, and one fifth to answer."""
    names = sorted(gold)
    Random(draw).shuffle(names)  # noqa: S311
    cut = len(names) * 4 // 5
    parts = [{word: {name: gold[name] for name in part}} for part in (names[:cut], names[cut:])]
    return Split(*parts)
