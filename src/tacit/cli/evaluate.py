"""tacit evaluate: how good a model is, on standard sets or on pairs of the user's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.common import complain, load_model, measure_option, progress, threads_option, verb

if TYPE_CHECKING:
    from tacit.evaluation import Result, Task

_METRICS = ("pearson", "spearman", "accuracy", "f1", "atop", "atop_sampled")


@click.command(short_help="Measure a model on standard sets, or on pairs of your own.")
@click.argument("tasks", metavar="TASK...", nargs=-1)
@click.option("--model", help="A model folder, as `tacit train` writes it.")
@measure_option("blend")
@click.option("--file", "file", help="For the task pairs: a TSV file of score, text, text.")
@click.option("--data", help="The folder of evaluation data; by default $TACIT_DATA.")
@click.option("--json", "json_file", help="Write the results as JSON to this file; - is standard output.")
@click.option("--list", "listed", is_flag=True, help="List the tasks.")
@threads_option
@verb
def evaluate(
    tasks: tuple[str, ...],
    model: str | None,
    measure: str,
    file: str | None,
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
            click.echo(f"{task.name:8}{task.title}")
        return
    if not tasks or model is None:
        raise InputError("name tasks and --model MODEL; `tacit evaluate --list` lists the tasks")
    chosen = [_chosen(name, file) for name in tasks]
    results = _results(chosen, model, measure, data, threads)
    if json_file != "-":
        for task in chosen:
            _show(task, results[task.name])
    if json_file is not None:
        _write([result.to_dict() for of_task in results.values() for result in of_task], json_file)


def _chosen(name: str, file: str | None) -> Task:
    from tacit.errors import InputError
    from tacit.evaluation import pairs_task
    from tacit.evaluation.tasks import find_task

    if name != "pairs":
        return find_task(name)
    if file is None:
        raise InputError("the task pairs needs --file FILE.tsv: score, text, text, with tabs between")
    return pairs_task(file)


def _results(
    tasks: list[Task], folder: str, measure: str, data: str | None, threads: int | None
) -> dict[str, list[Result]]:
    """The model by the measure asked for, by tf-idf alone, and chance, on each task."""
    from tacit.evaluation import evaluate as run
    from tacit.evaluation.baselines import RandomScorer, WTMFScorer

    model = load_model(folder, threads)
    measures = dict.fromkeys([measure, "lexical"])
    scorers: list[Any] = [*(WTMFScorer(model, name, measure=name) for name in measures), RandomScorer()]
    results: dict[str, list[Result]] = {}
    with progress("{task.fields[note]}") as bar:
        shown = bar.add_task("evaluating", total=len(tasks) * len(scorers), note="")
        for task in tasks:
            results[task.name] = []
            for scorer in scorers:
                bar.update(shown, note=f"{task.name}: {scorer.name}")
                results[task.name].append(run(task, scorer, data))
                bar.advance(shown)
    return results


def _show(task: Task, results: list[Result]) -> None:
    """A table for each metric, and how many texts the model could say nothing about."""
    from tacit.evaluation import compare

    metrics = {metric for numbers in results[0].sets.values() for metric in numbers}
    for metric in (name for name in _METRICS if name in metrics):
        click.echo(compare(results, metric, task.figures) + "\n")
    if results[0].without_known_words:
        complain(f"{task.name}: {results[0].without_known_words} texts have no known word and score 0")


def _write(values: list[dict[str, Any]], file: str) -> None:
    import json

    text = json.dumps(values, indent=2, ensure_ascii=False, allow_nan=False)
    if file == "-":
        click.echo(text)
    else:
        Path(file).write_text(text + "\n", encoding="utf-8")
