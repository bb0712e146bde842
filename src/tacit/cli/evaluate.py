"""tacit evaluate: how good a model is, on standard sets or on pairs of the user's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.common import (
    complain,
    load_model,
    measure_option,
    progress,
    threads_option,
    verb,
)

if TYPE_CHECKING:
    from tacit.evaluation import Result, Task

_METRICS = (
    "pearson", "spearman", "accuracy", "f1", "atop", "atop_sampled", "recall_at_10", "mrr",
    "v_measure", "paired_f", "supervised_recall", "supervised_recall_shares",
    "supervised_recall_60", "clusters",
)  # fmt: skip


@click.command(short_help="Measure a model on standard sets, or on pairs of your own.")
@click.argument("tasks", metavar="TASK...", nargs=-1)
@click.option(
    "--model",
    "models",
    multiple=True,
    help="A model folder; for wsi10 one for nouns and one for verbs, or one for both.",
)
@measure_option()
@click.option("--file", "file", help="For the task pairs: a TSV file of score, text, text.")
@click.option("--languages", help="For the task pairs: the codes of the two texts, as en,es.")
@click.option("--data", help="The folder of evaluation data; by default $TACIT_DATA.")
@click.option("--json", "json_file", help="Write the results as JSON to this file; - is standard output.")
@click.option("--list", "listed", is_flag=True, help="List the tasks.")
@threads_option
@verb
def evaluate(
    tasks: tuple[str, ...],
    models: tuple[str, ...],
    measure: str,
    file: str | None,
    languages: str | None,
    data: str | None,
    json_file: str | None,
    listed: bool,
    threads: int | None,
) -> None:
    """Say how well a model does the tasks named, beside chance, tf-idf and the published figures.

    The task `pairs` takes a file of your own: a score, a text and a text a line, with tabs between.
    """
    from tacit.errors import InputError
    from tacit.evaluation import TASKS

    if listed:
        for task in TASKS.values():
            click.echo(f"{task.name:16}{task.title}")
        return
    if not tasks or not models:
        raise InputError("name tasks and --model MODEL; `tacit evaluate --list` lists the tasks")
    chosen = [_chosen(name, file, languages) for name in tasks]
    results = _results(chosen, models, measure, data, threads)
    if json_file != "-":
        for task in chosen:
            _show(task, results[task.name])
    if json_file is not None:
        _write([result.to_dict() for of_task in results.values() for result in of_task], json_file)


def _chosen(name: str, file: str | None, languages: str | None) -> Task:
    from tacit.errors import InputError
    from tacit.evaluation import pairs_task
    from tacit.evaluation.tasks import find_task

    if name != "pairs":
        if languages is not None:
            raise InputError(f"--languages is for the task pairs; {name} knows its own")
        return find_task(name)
    if file is None:
        raise InputError("the task pairs needs --file FILE.tsv: score, text, text, with tabs between")
    if languages is None:
        return pairs_task(file)
    one, comma, other = languages.partition(",")
    if not comma:
        raise InputError(f"--languages {languages}: give two codes, as en,es")
    return pairs_task(file, (one, other))


def _results(
    tasks: list[Task], folders: tuple[str, ...], measure: str, data: str | None, threads: int | None
) -> dict[str, list[Result]]:
    """What the models and what stands beside them reach on each task."""
    from tacit.evaluation import evaluate as run

    scorers = _scorers({task.kind for task in tasks}, folders, measure, threads)
    results: dict[str, list[Result]] = {task.name: [] for task in tasks}
    with progress("{task.fields[note]}") as bar:
        shown = bar.add_task("evaluating", total=sum(len(scorers[task.kind]) for task in tasks), note="")
        for task in tasks:
            for scorer in scorers[task.kind]:
                bar.update(shown, note=f"{task.name}: {scorer.name}")
                results[task.name].append(run(task, scorer, data))
                bar.advance(shown)
    return results


def _scorers(
    kinds: set[str], folders: tuple[str, ...], measure: str, threads: int | None
) -> dict[str, list[Any]]:
    """What is measured by tasks of each kind."""
    from tacit.errors import InputError

    if kinds == {"senses"}:
        return {"senses": _sense_scorers(folders)}
    if "senses" in kinds:
        raise InputError(
            "wsi10 needs models of senses, and the other tasks one of texts: evaluate them apart"
        )
    if len(folders) > 1:
        raise InputError(f"{len(folders)} models were named, and one is evaluated at a time, but for wsi10")
    from tacit.evaluation.searching import find_searchers

    model = load_model(folders[0], threads)
    return {
        kind: find_searchers(model) if kind == "search" else _text_scorers(model, measure) for kind in kinds
    }


def _text_scorers(model: Any, measure: str) -> list[Any]:
    """The model by its measure, what it has to beat (tf-idf, or words that begin alike), and chance."""
    from tacit.evaluation.baselines import CrosslingualScorer, PrefixScorer, RandomScorer, WTMFScorer

    if is_crosslingual(model):
        measures = dict.fromkeys([measure, "latent"])
        scorers = [CrosslingualScorer(model, name, measure=name) for name in measures]
        return [*scorers, PrefixScorer(), RandomScorer()]
    measures = dict.fromkeys([measure, "lexical"])
    return [*(WTMFScorer(model, name, measure=name) for name in measures), RandomScorer()]


def _sense_scorers(folders: tuple[str, ...]) -> list[Any]:
    """The models of senses as one system."""
    from tacit.cli.senses import load_senses
    from tacit.evaluation.senses.answering import SenseSystem

    return [SenseSystem.of(" + ".join(folders), [load_senses(folder) for folder in folders])]


def _show(task: Task, results: list[Result]) -> None:
    """A table for each metric, and how many texts the model could say nothing about."""
    from tacit.evaluation import compare

    metrics = {metric for numbers in results[0].sets.values() for metric in numbers}
    for metric in (name for name in _METRICS if name in metrics):
        click.echo(compare(results, metric, task.figures) + "\n")
    if results[0].without_known_words:
        what = (
            "instances of unknown words are left out"
            if task.kind == "senses"
            else ("texts have no known word and score 0")
        )
        complain(f"{task.name}: {results[0].without_known_words} {what}")


def _write(values: list[dict[str, Any]], file: str) -> None:
    import json

    text = json.dumps(values, indent=2, ensure_ascii=False, allow_nan=False)
    if file == "-":
        click.echo(text)
    else:
        Path(file).write_text(text + "\n", encoding="utf-8")
