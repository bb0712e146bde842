"""What the models of senses were tuned on: ``python -m papers.senses.development shares|beside``.

``shares`` learns and tells apart the Senseval words, and puts all candidates into the key with their shares
raised to a power. ``beside`` tells pseudo-words apart by a parse, with more or less weight on the terms
beside a word. No test text is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import fmean
from typing import Any

import click

from papers.senses.instances import PARSED_TRAIN, parsed_instances
from papers.senses.pseudowords import pseudo_words
from papers.senses.senseval import WORDS, place, plain, read_senseval, scored
from papers.senses.training import SIZES
from tacit.senses.answers import Disambiguation
from tacit.senses.counting import Collector, observe
from tacit.senses.features import stop_terms
from tacit.senses.local_model import LocalSenseModel
from tacit.senses.model import SenseModel

TRAINED, TOLD_APART = 700, 600
POWERS = (0.5, 1, 2, 4, 8, 16, 32)
BESIDE = (1.0, 0.5, 0.25, 0.0)
SHOWN = ("v_measure", "paired_f", "recall", "recall_shares", "clusters")

Answered = list[tuple[Sequence[str], list[Disambiguation]]]
"""A word an entry: the senses of its occurrences, and what a model said of them."""


def answered_senseval(model: Any) -> Answered:
    """The Senseval words, half of each learnt from and the other half told apart."""
    rows = {word: read_senseval(word) for word in WORDS}
    model.fit([plain(text) for found in rows.values() for _, text in found[:TRAINED]], words=WORDS)
    held_out = {word: found[TRAINED : TRAINED + TOLD_APART] for word, found in rows.items()}
    return [
        (
            [sense for sense, _ in found],
            [model.disambiguate(word, plain(text), at=place(text)) for _, text in found],
        )
        for word, found in held_out.items()
    ]


def means(answered: Answered, power: float = 1.0) -> dict[str, float]:
    """Each measure in per cent, clusters as a count, on average over words."""
    found = [scored(senses, said, power) for senses, said in answered]
    return {
        name: (1 if name == "clusters" else 100) * fmean(numbers[name] for numbers in found) for name in SHOWN
    }


def shares(seeds: int) -> Iterator[str]:
    """Recall with all shares in the key, the shares flattened or sharpened."""
    small: dict[str, Any] = {"n_clusters": 200, "n_words": 1_500, "n_iter": 30, "n_threads": 1}
    makers: dict[str, Callable[..., Any]] = {
        "conservative": partial(SenseModel, selection="conservative", **small),
        "liberal": partial(SenseModel, **small),
        "local, 3 senses": partial(LocalSenseModel, n_senses=3, n_iter=30, n_restarts=4, n_threads=1),
    }
    for title, make in makers.items():
        runs = [answered_senseval(make(random_state=seed)) for seed in range(seeds)]
        first = fmean(a.candidates[0].share for run in runs for _, said in run for a in said)
        best = fmean(means(run)["recall"] for run in runs)
        yield f"{title}: recall of the best alone {best:.2f}; the best has a share of {first:.2f}"
        for power in POWERS:
            found = [means(run, power)["recall_shares"] for run in runs]
            yield f"  shares to the power of {power:<4g} {fmean(found):.2f}"


def beside(seeds: int, files: int = 4, n: int = 6) -> Iterator[str]:
    """Pseudo-words of parsed verbs, three words each, by weight of the terms beside them."""
    passages = list(parsed_instances(PARSED_TRAIN[-files:]))
    words = sorted({instance.word for instance in passages if instance.target.endswith(".v")})
    collector = Collector(words, "verb", 2_000)
    for instance in passages:
        collector.add(instance.passage)
    observed = observe(
        collector, SIZES["verb"][0], 80_000, 2_000, stop_terms("english", "en", "stem", parsed=True), 1.0, 1
    )
    drawn = list(pseudo_words(collector.samples, n))
    yield f"{len(drawn)} pseudo-words of three verbs each: {', '.join(name for name, _, _ in drawn)}"
    for seed in range(seeds):
        factors = SenseModel(random_state=seed, n_threads=1, n_components=50).factorize(observed)
        for weight in BESIDE:
            answered: Answered = []
            for name, learnt, held_out in drawn:
                model = LocalSenseModel(n_senses=3, beside_weight=weight, random_state=seed, n_threads=1)
                model.parsed_ = True
                model.prepare(observed, factors, collector)
                model.induce_from({name: [occurrence for _, occurrence in learnt]}, [name])
                said = [model.decide(occurrence, name) for _, occurrence in held_out]
                answered.append(([word for word, _ in held_out], said))
            numbers = "  ".join(f"{name} {value:.2f}" for name, value in means(answered).items())
            yield f"  seed {seed}, {weight:<4g} counts beside: {numbers}"


@click.command()
@click.argument("what", type=click.Choice(["shares", "beside"]))
@click.option("--seeds", default=3, show_default=True)
def develop(what: str, seeds: int) -> None:
    """Print what one of the choices was made by."""
    for line in {"shares": shares, "beside": beside}[what](seeds):
        click.echo(line)


if __name__ == "__main__":
    develop()
