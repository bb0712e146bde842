"""tacit evaluate: how good a model is, on standard sets or on pairs of the user's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.common import complain, load_model, measure_option, progress, threads_option, verb
from tacit.cli.reading_options import reading_options

if TYPE_CHECKING:
    from tacit.corpora import ReadOptions
    from tacit.evaluation import Result, Task


@click.command(short_help="Measure a model on standard sets, or on pairs of your own.")
@click.argument("tasks", metavar="TASK...", nargs=-1)
@click.option("--model", help="A model folder.")
@measure_option()
@click.option("--file", "file", help="For the task pairs: a table of score, text, text; by default TSV.")
@reading_options
@click.option("--languages", help="For the task pairs: the codes of the two texts, as en,es.")
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
    reading: ReadOptions,
    languages: str | None,
    data: str | None,
    json_file: str | None,
    listed: bool,
    threads: int | None,
) -> None:
    """Say how well a model does the tasks named, beside chance, tf-idf and the published figures.

    The task `pairs` takes a table of your own: a score, a text and a text a row.
    """
    from tacit.errors import InputError
    from tacit.evaluation import TASKS

    if listed:
        for task in TASKS.values():
            click.echo(f"{task.name:16}{task.title}")
        return
    if not tasks or model is None:
        raise InputError("name tasks and --model MODEL; `tacit evaluate --list` lists the tasks")
    chosen = [_chosen(name, file, languages, reading) for name in tasks]
    results = _results(chosen, load_model(model, threads), measure, data)
    if json_file != "-":
        for task in chosen:
            _show(task, results[task.name])
    if json_file is not None:
        _write([result.to_dict() for of_task in results.values() for result in of_task], json_file)


def _chosen(name: str, file: str | None, languages: str | None, reading: ReadOptions) -> Task:
    from tacit.errors import InputError
    from tacit.evaluation import find_task, pairs_task

    if name != "pairs":
        if languages is not None:
            raise InputError(f"--languages is for the task pairs; {name} knows its own")
        return find_task(name)
    if file is None:
        raise InputError("the task pairs needs --file FILE.tsv: score, text, text, with tabs between")
    if languages is None:
        return pairs_task(file, reading=reading)
    one, comma, other = languages.partition(",")
    if not comma:
        raise InputError(f"--languages {languages}: give two codes, as en,es")
    return pairs_task(file, (one, other), reading)


def _results(tasks: list[Task], model: Any, measure: str, data: str | None) -> dict[str, list[Result]]:
    """What the model and what stands beside it reach on each task."""
    from tacit.evaluation import evaluate as run

    runs = [(task, scorer) for task in tasks for scorer in task.kind.scorers(model, measure)]
    results: dict[str, list[Result]] = {task.name: [] for task in tasks}
    with progress("{task.fields[note]}") as bar:
        shown = bar.add_task("evaluating", total=len(runs), note="")
        for task, scorer in runs:
            bar.update(shown, note=f"{task.name}: {scorer.name}")
            results[task.name].append(run(task, scorer, data))
            bar.advance(shown)
    return results


def _show(task: Task, results: list[Result]) -> None:
    """A table for each metric, and how many texts the model could say nothing about."""
    from tacit.evaluation import compare

    for metric in task.kind.metrics:
        click.echo(compare(results, metric, task.figures) + "\n")
    unknown = results[0].without_known_words
    if unknown:
        complain(f"{task.name}: {unknown} texts have no known word and score 0")


def _write(values: list[dict[str, Any]], file: str) -> None:
    import json

    text = json.dumps(values, indent=2, ensure_ascii=False, allow_nan=False)
    if file == "-":
        click.echo(text)
    else:
        Path(file).write_text(text + "\n", encoding="utf-8")
