"""tacit evaluate: the quality of a model on standard tasks or on a table of judged pairs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.checks import format_count
from tacit.cli import shared_options as shared
from tacit.cli.output import ProgressBar, print_json, print_stderr
from tacit.errors import InputError
from tacit.workflows.loading import load
from tacit.workflows.progress import ProgressEvent

if TYPE_CHECKING:
    from tacit.corpora import ReadOptions
    from tacit.evaluation import Result, Task


@click.command(short_help="Measure a model on standard sets, or on pairs of your own.")
@click.argument("tasks", metavar="TASK...", nargs=-1)
@click.option("--model", help="Model folder.")
@shared.measure_option()
@click.option("--file", "file", help="Table for the task pairs: score, text, text.")
@shared.reading_options
@click.option("--languages", help="Language codes of the two texts, for the task pairs: en,es.")
@click.option("--data", help="Folder of evaluation data (default: $TACIT_DATA).")
@click.option("--json", "json_file", help="Write the results as JSON to this file, or - for standard output.")
@click.option("--list", "list_tasks", is_flag=True, help="List the tasks.")
@shared.threads_option
def evaluate(
    tasks: tuple[str, ...], model: str | None, measure: str, data: str | None, json_file: str | None,
    list_tasks: bool, n_threads: int | None, **pairs: Any,
) -> None:  # fmt: skip
    """Evaluate a model on TASKS, in comparison with chance, tf-idf and published figures.

    The task `pairs` reads a table of your own, with a score and two texts in each row.
    """
    from tacit.evaluation import TASKS

    if list_tasks:
        for task in TASKS.values():
            click.echo(f"{task.name:16}{task.title}")
        return
    if not tasks or model is None:
        raise InputError("name tasks and --model MODEL; `tacit evaluate --list` lists the tasks")
    selected = [_select_task(name, **pairs) for name in tasks]
    results = _results(selected, load(model, "model", n_threads), measure, data)
    if json_file != "-":
        for task in selected:
            _show(task, results[task.name])
    values = [result.to_dict() for results_of_task in results.values() for result in results_of_task]
    if json_file == "-":
        print_json(values)
    elif json_file is not None:
        text = json.dumps(values, indent=2, ensure_ascii=False, allow_nan=False)
        Path(json_file).write_text(text + "\n", encoding="utf-8")


def _select_task(name: str, file: str | None, languages: str | None, reading: ReadOptions) -> Task:
    from tacit.evaluation import find_task, pairs_task

    if name != "pairs":
        if languages is not None:
            raise InputError(f"--languages is only for the task pairs; the languages of {name} are fixed")
        return find_task(name)
    if file is None:
        raise InputError("the task pairs needs --file FILE.tsv: score, text, text, with tabs between")
    if languages is None:
        return pairs_task(file, read_options=reading)
    one, comma, other = languages.partition(",")
    if not comma:
        raise InputError(f"--languages {languages}: give two codes, such as en,es")
    return pairs_task(file, (one, other), reading)


def _results(tasks: list[Task], model: Any, measure: str, data: str | None) -> dict[str, list[Result]]:
    """Evaluate the model and the baselines on each task."""
    from tacit.evaluation import evaluate as run

    runs = [(task, scorer) for task in tasks for scorer in task.kind.make_scorers(model, measure)]
    results: dict[str, list[Result]] = {task.name: [] for task in tasks}
    with ProgressBar() as bar:
        for number, (task, scorer) in enumerate(runs):
            bar(ProgressEvent("evaluating", number, len(runs), f"{task.name}: {scorer.name}"))
            results[task.name].append(run(task, scorer, data))
        bar(ProgressEvent("evaluating", len(runs), len(runs)))
    return results


def _show(task: Task, results: list[Result]) -> None:
    """Print a table for each metric, and the number of texts without a known word."""
    from tacit.evaluation import format_comparison, format_thresholds

    for metric in task.kind.metrics:
        if any(metric in values for result in results for values in (result.summary, *result.sets.values())):
            click.echo(format_comparison(results, metric, task.published) + "\n")
    if thresholds := format_thresholds(results[0]):
        click.echo(thresholds + "\n")
    unknown = results[0].without_known_words
    if unknown:
        print_stderr(f"{task.name}: {format_count(unknown, 'text')} without a known word; score 0")
