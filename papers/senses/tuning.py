"""Development sets and tuning runs of the sense models: ``python -m papers.senses.tuning shares|beside``.

``shares`` trains on the Senseval words *line*, *hard*, *serve* and *interest*, half of whose occurrences are
held out, and scores keys with all candidates, their shares raised to a power. ``beside`` disambiguates
pseudo-words of parsed verbs, with more or less weight on the terms beside a word. A pseudo-word joins the
occurrences of several words of the training text of SemEval-2010, whose senses are then known. No test text
is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import click

from papers.senses.instances import PARSED_TRAIN, parsed_instances
from papers.senses.scoring import Answer, AnswerKey, Split, supervised_recall, unsupervised_metrics
from papers.senses.training import FACTORS, SIZES
from tacit.evaluation.tasks import find_files, read_columns
from tacit.factorize.nmf import interleaved_nmf
from tacit.senses.base_model import BaseSenseModel, FactorizedCorpus
from tacit.senses.cluster_model import SenseModel
from tacit.senses.cooccurrence import CorpusCounter, build_count_matrices
from tacit.senses.disambiguation import Disambiguation
from tacit.senses.features import Occurrence, build_stop_words
from tacit.senses.local_model import LocalSenseModel
from tacit.text.tokenizers import tokenize

SENSEVAL_WORDS = ("line", "hard", "serve", "interest")
N_TRAIN, N_TEST = 700, 600
N_SPLITS = 5
PSEUDO_WORD_SIZES = (800, 400, 200)
"""The number of occurrences of each member of a pseudo-word: senses are not equally frequent."""

POWERS = (0.5, 1, 2, 4, 8, 16, 32)
BESIDE_WEIGHTS = (1.0, 0.5, 0.25, 0.0)
METRICS = ("v_measure", "paired_f", "recall", "recall_shares", "clusters")
_WORD = "word"

LabeledOccurrences = list[tuple[str, Occurrence]]
Answers = list[tuple[Sequence[str], list[Disambiguation]]]
"""For each word the gold senses of its occurrences, and the answers of a model."""


def read_senseval(word: str, data: str | Path | None = None, seed: int = 0) -> list[tuple[str, str]]:
    """Return the (sense, text) pairs of a word in random order, the occurrence between << and >>."""
    (file,) = find_files("senseval", [f"senses/senseval/{word}.tsv.gz"], data)
    rows = list(read_columns(file, ("sense", "text_with_POS_stripped")))
    Random(seed).shuffle(rows)  # noqa: S311
    return [(sense, text) for sense, text in rows if "<<" in text]


def remove_marks(text: str) -> str:
    """Remove the marks of the occurrence.

    >>> remove_marks("a wash <<line>> .")
    'a wash line .'
    """
    return text.replace("<<", "").replace(">>", "")


def marked_position(text: str) -> int:
    """Return the position of the marked token.

    >>> marked_position("a wash <<line>> .")
    2
    """
    return len(tokenize(text.partition("<<")[0]))


def disambiguate_marked(model: BaseSenseModel, word: str, texts: Sequence[str]) -> list[Disambiguation]:
    """Disambiguate the marked occurrences of a word."""
    return [model.disambiguate(word, remove_marks(text), at=marked_position(text)) for text in texts]


def score_word(
    senses: Sequence[str], answers: Sequence[Disambiguation], power: float = 1.0
) -> dict[str, float]:
    """Score the answers for one word whose senses are known.

    ``recall_shares`` is that of a key with all candidates, their shares raised to a power;
    ``most_frequent`` that of the most frequent sense.
    """
    gold = {str(number): [(sense, 1.0)] for number, sense in enumerate(senses)}
    best: AnswerKey = {_WORD: {str(n): [(str(answer.sense), 1.0)] for n, answer in enumerate(answers)}}
    shared: AnswerKey = {_WORD: {str(n): _raise_shares(answer, power) for n, answer in enumerate(answers)}}
    one: AnswerKey = {_WORD: {name: [("one", 1.0)] for name in gold}}
    metrics = unsupervised_metrics(best, {_WORD: gold})["all"]
    splits = [_draw_split(gold, seed) for seed in range(N_SPLITS)]
    for name, key in (("recall", best), ("recall_shares", shared), ("most_frequent", one)):
        metrics[name] = sum(supervised_recall(key, split) for split in splits) / N_SPLITS
    return metrics


def _raise_shares(answer: Disambiguation, power: float) -> Answer:
    """Return all candidates with their shares raised to a power and normalized."""
    powers = [candidate.share**power for candidate in answer.candidates]
    return [(str(c.sense), p / sum(powers)) for c, p in zip(answer.candidates, powers, strict=True)]


def _draw_split(gold: dict[str, Answer], seed: int) -> Split:
    """Draw four fifths of the occurrences for the mapping and one fifth for the test."""
    names = sorted(gold)
    Random(seed).shuffle(names)  # noqa: S311
    cut = len(names) * 4 // 5
    parts = [{_WORD: {name: gold[name] for name in part}} for part in (names[:cut], names[cut:])]
    return Split(*parts)


def draw_pseudo_words(
    occurrences: Mapping[str, Sequence[Occurrence]], n: int, seed: int = 0
) -> Iterator[tuple[str, LabeledOccurrences, LabeledOccurrences]]:
    """Draw ``n`` pseudo-words: their name, and training and test halves of (word, occurrence).

    Words with too few occurrences are left out, and no word is used twice.
    """
    random = Random(seed)  # noqa: S311
    words = sorted(word for word, items in occurrences.items() if len(items) >= PSEUDO_WORD_SIZES[0])
    random.shuffle(words)
    size = len(PSEUDO_WORD_SIZES)
    for start in range(0, min(n * size, len(words) - size + 1), size):
        members = words[start : start + size]
        labeled = [
            (word, occurrence)
            for word, n_occurrences in zip(members, PSEUDO_WORD_SIZES, strict=True)
            for occurrence in random.sample(list(occurrences[word]), n_occurrences)
        ]
        random.shuffle(labeled)
        yield "+".join(members), labeled[::2], labeled[1::2]


def answer_senseval(model: BaseSenseModel) -> Answers:
    """Train a model on half of the occurrences of the Senseval words, and disambiguate the others."""
    rows = {word: read_senseval(word) for word in SENSEVAL_WORDS}
    texts = [remove_marks(text) for pairs in rows.values() for _, text in pairs[:N_TRAIN]]
    model.fit(texts, words=SENSEVAL_WORDS)
    answers: Answers = []
    for word, pairs in rows.items():
        senses, test_texts = zip(*pairs[N_TRAIN : N_TRAIN + N_TEST], strict=True)
        answers.append((senses, disambiguate_marked(model, word, test_texts)))
    return answers


def average_metrics(answers: Answers, power: float = 1.0) -> dict[str, float]:
    """Return the mean of each metric over words, in per cent except for the number of clusters."""
    metrics = [score_word(senses, results, power) for senses, results in answers]
    return {
        name: (1 if name == "clusters" else 100) * fmean(values[name] for values in metrics)
        for name in METRICS
    }


def tune_shares(n_seeds: int) -> Iterator[str]:
    """Yield lines with the recall of keys with all shares, raised to several powers."""
    small: dict[str, Any] = {"n_clusters": 200, "n_words": 1_500, "n_iter": 30, "n_threads": 1}
    makers: dict[str, Callable[..., BaseSenseModel]] = {
        "conservative": partial(SenseModel, selection="conservative", **small),
        "liberal": partial(SenseModel, **small),
        "local, 3 senses": partial(LocalSenseModel, n_senses=3, n_iter=30, n_restarts=4, n_threads=1),
    }
    for title, make in makers.items():
        runs = [answer_senseval(make(random_state=seed)) for seed in range(n_seeds)]
        share = fmean(a.candidates[0].share for run in runs for _, results in run for a in results)
        recall = fmean(average_metrics(run)["recall"] for run in runs)
        yield f"{title}: recall of the best sense {recall:.2f}, whose mean share is {share:.2f}"
        for power in POWERS:
            values = [average_metrics(run, power)["recall_shares"] for run in runs]
            yield f"  shares to the power of {power:<4g} {fmean(values):.2f}"


def tune_beside_weight(n_seeds: int, n_files: int = 4, n_words: int = 6) -> Iterator[str]:
    """Yield lines with the metrics on pseudo-words of three parsed verbs, by weight of the terms beside."""
    instances = list(parsed_instances(PARSED_TRAIN[-n_files:]))
    words = sorted({instance.word for instance in instances if instance.target.endswith(".v")})
    counter = CorpusCounter(words, "verb", 2_000)
    for instance in instances:
        counter.add(instance.passage)
    stop = build_stop_words("english", "en", "stem", is_parsed=True)
    counts = build_count_matrices(counter, SIZES["verb"][0], 80_000, 2_000, stop, 1.0, 1)
    pseudo_words = list(draw_pseudo_words(counter.occurrences, n_words))
    yield f"{len(pseudo_words)} pseudo-words of three verbs: {', '.join(name for name, _, _ in pseudo_words)}"
    for seed in range(n_seeds):
        factors = interleaved_nmf(counts.A, counts.B, counts.C, random_state=seed, n_threads=1, **FACTORS)
        for weight in BESIDE_WEIGHTS:
            answers: Answers = []
            for name, train, test in pseudo_words:
                model = LocalSenseModel(n_senses=3, beside_weight=weight, random_state=seed, n_threads=1)
                occurrences = {name: [item for _, item in train]}
                model.fit_counts(FactorizedCorpus(counts, factors, occurrences, [name]))
                results = [model.disambiguate_occurrence(occurrence, name) for _, occurrence in test]
                answers.append(([word for word, _ in test], results))
            line = "  ".join(f"{name} {value:.2f}" for name, value in average_metrics(answers).items())
            yield f"  seed {seed}, beside_weight {weight:<4g} {line}"


@click.command()
@click.argument("choice", type=click.Choice(["shares", "beside"]))
@click.option("--seeds", default=3, show_default=True, help="Number of seeds.")
def tune(choice: str, seeds: int) -> None:
    """Print the results on the development set by which a setting was chosen."""
    for line in {"shares": tune_shares, "beside": tune_beside_weight}[choice](seeds):
        click.echo(line)


if __name__ == "__main__":
    tune()
