"""python -m papers: reproduce the tables and figures of the papers, with their numbers and ours."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import click

from papers.experiments.run_cache import RUNS as RUNS_FILE
from papers.experiments.runner import (
    ExperimentRunner,
    compute_experiments,
    pending_experiments,
    run_experiments,
)
from papers.experiments.verification import Verification, max_printed_decimals, select_fastest, select_under
from papers.report.page import render_page
from papers.report.plots import draw
from papers.report.summary import build_report, write_report
from papers.specs import RUNS, Experiment, TableSpec
from papers.tables.catalogue import ALL_TABLES, find_tables
from tacit.cli.error_handling import handle_errors
from tacit.cli.main import run_command
from tacit.cli.output import ProgressBar, print_json, print_stderr
from tacit.cli.shared_options import POSITIVE_INT, json_option, threads_option
from tacit.errors import InputError, MissingExtraError
from tacit.workflows.progress import ProgressEvent

_names = click.argument("names", metavar="NAME...|all", nargs=-1, required=True)
_seeds = click.option(
    "--seeds", type=POSITIVE_INT, default=RUNS, show_default=True, help="Seeds per random model, at most."
)
_jobs = click.option(
    "--jobs", type=POSITIVE_INT, default=1, show_default=True, help="Processes, which share the threads."
)


def _runner_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say where runs and data are."""
    data = click.option("--data", help="Folder of corpora and evaluation data; by default $TACIT_DATA.")
    runs = click.option(
        "--runs", default=RUNS_FILE, help="File of run records; by default that of the repository."
    )
    return data(runs(command))


class Seconds(click.ParamType[Any]):
    """A time such as 10s or 2min; a plain number is in seconds."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the time in seconds."""
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(s|min|)", str(value))
        if match is None:
            self.fail(f"{value!r} is not a time: give it as 10s or 2min", param, ctx)
        return float(match[1]) * (60 if match[2] == "min" else 1)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
def app() -> None:
    """Reproduce the tables and figures of the papers, with the printed numbers beside ours."""


@app.command("list")
@handle_errors
def list_names() -> None:
    """List the names of all tables and figures."""
    for table in ALL_TABLES.values():
        click.echo(f"{table.name:26}{table.title}")


@app.command()
@_names
@click.option("--out", required=True, help="Folder for NAME.json and, for figures, NAME.png.")
@_seeds
@click.option("--lda-iterations", type=POSITIVE_INT, help="For all LDA models; by default as each row says.")
@click.option("--lda-seeds", type=POSITIVE_INT, help="Seeds per LDA model, at most.")
@click.option("--known", is_flag=True, help="Train nothing: write the tables from the recorded runs.")
@_runner_options
@threads_option
@_jobs
@handle_errors
def run(
    names: tuple[str, ...],
    out: str,
    seeds: int,
    lda_iterations: int | None,
    lda_seeds: int | None,
    known: bool,
    data: str | None,
    runs: str,
    n_threads: int | None,
    jobs: int,
) -> None:
    """Train the models of tables and figures, and write their numbers beside the printed ones.

    Runs that are recorded are not computed again. Each new one is recorded as soon as it is done: after an
    interruption, the same command resumes.
    """
    tables = [table.with_lda(lda_iterations, lda_seeds) for table in find_tables(names)]
    runner = ExperimentRunner(runs, data, n_threads)
    experiments = _experiments(tables, seeds)
    runner.check_inputs(experiments)
    Path(out).mkdir(parents=True, exist_ok=True)
    if not known:
        _run_missing(experiments, runner, jobs)
    for table in tables:
        _write(table, runner, min(seeds, table.runs), out, known)


@app.command()
@_names
@_seeds
@_runner_options
@handle_errors
def check(names: tuple[str, ...], seeds: int, data: str | None, runs: str) -> None:
    """List the runs that are not recorded; exit with 1 if there are any."""
    runner = ExperimentRunner(runs, data)
    experiments = _experiments(find_tables(names), seeds)
    runner.check_inputs(experiments)
    unknown = pending_experiments(experiments, runner)
    for experiment in unknown:
        click.echo(experiment.title)
    if unknown:
        raise InputError(
            f"{len(unknown)} of {len(experiments)} runs are not recorded: `python -m papers run`"
        )


@app.command()
@click.argument("results")
@click.argument("file")
@handle_errors
def page(results: str, file: str) -> None:
    """Write all results of the folder RESULTS as one page of Markdown to FILE."""
    target = Path(file)
    images = Path(os.path.relpath(results, target.absolute().parent)).as_posix()
    target.write_text(render_page(results, f"{images}/"), encoding="utf-8")
    click.echo(target)


@app.command()
@click.argument("names", metavar="[NAME...|all]", nargs=-1)
@click.option("--all-under", type=Seconds(), help="Recompute all runs recorded with less than this time.")
@click.option("--sample", type=POSITIVE_INT, help="At most this many of them, evenly spread.")
@_runner_options
@threads_option
@_jobs
@json_option
@handle_errors
def verify(
    names: tuple[str, ...],
    all_under: float | None,
    sample: int | None,
    data: str | None,
    runs: str,
    n_threads: int | None,
    jobs: int,
    as_json: bool,
) -> None:
    """Recompute recorded runs and compare all their figures; exit with 1 if one differs.

    By default the fastest rows of each paper, which take less than a minute. A figure differs if it is not
    the same to the digits that the page prints.
    """
    if names and all_under is None:
        raise InputError("give --all-under with names: the fastest rows are those of all papers")
    runner = ExperimentRunner(runs, data, n_threads)
    tables = find_tables(names or ["all"])
    runner.check_inputs(_experiments(tables, RUNS))
    selected = select_fastest(runner) if all_under is None else select_under(runner, tables, all_under)
    if sample is not None:
        selected = [selected[index * len(selected) // sample] for index in range(min(sample, len(selected)))]
    if not selected:
        raise InputError(f"{runs} has none of these runs: `python -m papers run` computes them")
    start = perf_counter()
    outcome = _verify(selected, runner, jobs, as_json)
    seconds = round(perf_counter() - start, 1)
    if as_json:
        print_json({**outcome.to_dict(), "seconds": seconds})
    else:
        click.echo(f"{outcome} ({seconds:.0f} s).")
    if outcome.differences:
        raise SystemExit(1)


def _verify(
    experiments: Sequence[Experiment], runner: ExperimentRunner, jobs: int, as_json: bool
) -> Verification:
    """Recompute runs with a progress bar, and print differences."""
    outcome = Verification(max_printed_decimals(ALL_TABLES.values()))
    with ProgressBar() as bar:
        bar(ProgressEvent("verifying", 0, len(experiments)))
        for experiment, record in compute_experiments(experiments, runner, jobs):
            recorded = runner.run(experiment)
            for difference in outcome.compare(experiment.title, recorded.numbers, record.numbers):
                if not as_json:
                    click.echo(difference)
            detail = f"{experiment.label}, {len(outcome.differences)} differences"
            bar(ProgressEvent("verifying", outcome.runs, len(experiments), detail))
    return outcome


def _experiments(tables: Sequence[TableSpec], seeds: int) -> list[Experiment]:
    return [experiment for table in tables for experiment in table.experiments(min(seeds, table.runs))]


def _run_missing(experiments: Sequence[Experiment], runner: ExperimentRunner, jobs: int) -> None:
    """Compute the runs that are not recorded, with a progress bar; then sort the file of records."""
    pending = pending_experiments(experiments, runner)
    done = 0
    with ProgressBar() as bar:
        bar(ProgressEvent("reproducing", 0, len(pending)))
        try:
            for experiment in run_experiments(pending, runner, jobs):
                done += 1
                bar(ProgressEvent("reproducing", done, len(pending), experiment.label))
        except KeyboardInterrupt:
            count = f"{done} of {len(pending)} runs"
            raise KeyboardInterrupt(f"stopped after {count}; the same command resumes") from None
    if done:
        runner.cache.sort()


def _write(table: TableSpec, runner: ExperimentRunner, seeds: int, out: str, known: bool) -> None:
    """Write the results of one table, and print where."""
    report = build_report(table, runner, seeds, known)
    click.echo(write_report(report, out))
    if table.plot is not None and any(row["values"] for row in report["rows"]):
        try:
            draw(table, report, out)
        except MissingExtraError as error:
            print_stderr(f"{table.name}.png is not drawn: {error}")


def main() -> None:
    """Run the command line."""
    run_command(app, "python -m papers")


if __name__ == "__main__":
    main()
