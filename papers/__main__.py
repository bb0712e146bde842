"""python -m papers: the papers' tables and figures again, paper and ours side by side."""

from __future__ import annotations

import os
from pathlib import Path

import click

from papers.catalogue import REPRODUCTIONS, find_reproductions
from papers.experiments import Experiment
from papers.laboratory import Laboratory
from papers.page import page as render
from papers.plot import draw
from papers.report import summarize, write_report
from papers.running import missing, run_all, silence
from papers.tables import RUNS, Reproduction
from tacit.cli.error_handling import handle_errors
from tacit.cli.main import run_command
from tacit.cli.output import print_stderr
from tacit.cli.progress_bar import ProgressBar
from tacit.cli.shared_options import POSITIVE_INT, threads_option
from tacit.errors import InputError, MissingExtraError
from tacit.workflows.progress import ProgressEvent


@click.command()
@click.argument("names", metavar="NAME...|all", nargs=-1)
@click.option("--out", help="The folder for results; numbers already in its folder runs are used.")
@click.option("--data", help="The folder of corpora and evaluation data; by default $TACIT_DATA.")
@click.option(
    "--seeds",
    type=POSITIVE_INT,
    default=RUNS,
    show_default=True,
    help="Runs of each model with chance in it, at most.",
)
@click.option("--lda-iterations", type=POSITIVE_INT, help="Of every LDA model; by default as each row says.")
@click.option("--lda-seeds", type=POSITIVE_INT, help="Runs of each LDA model, at most.")
@click.option(
    "--known",
    is_flag=True,
    help="Train nothing: write the tables from the numbers that are there; those of older code are marked.",
)
@click.option("--page", help="Write all results of the folder as one page of Markdown to this file.")
@click.option("--check", is_flag=True, help="Train and write nothing: list what this code has not computed.")
@click.option("--list", "listed", is_flag=True, help="List the names.")
@threads_option
@click.option(
    "--jobs", type=POSITIVE_INT, default=1, show_default=True, help="Processes, which share the threads."
)
@handle_errors
def reproduce(
    names: tuple[str, ...],
    out: str | None,
    data: str | None,
    seeds: int,
    lda_iterations: int | None,
    lda_seeds: int | None,
    known: bool,
    page: str | None,
    check: bool,
    listed: bool,
    threads: int | None,
    jobs: int,
) -> None:
    """Train the models of a published table or figure and set their numbers beside the printed ones.

    Writes NAME.json and for figures NAME.png. Each trained model's numbers are kept in the folder's runs as
    soon as they are known, by settings, data and code: stopped, the same command takes up from there.
    """
    if listed:
        for table in REPRODUCTIONS.values():
            click.echo(f"{table.name:26}{table.title}")
        return
    if not names or out is None:
        raise InputError("name what to reproduce and --out DIR; `python -m papers --list` lists the names")
    tables = [table.with_lda(lda_iterations, lda_seeds) for table in find_reproductions(names)]
    silence()
    laboratory = Laboratory(Path(out, "runs"), data, threads)
    wanted = [experiment for table in tables for experiment in table.experiments(min(seeds, table.runs))]
    laboratory.check(wanted)
    if check:
        _list_missing(wanted, laboratory)
        return
    if not known:
        _run(wanted, laboratory, jobs)
    for table in tables:
        _write(table, laboratory, min(seeds, table.runs), out, known)
    if page is not None:
        _write_page(out, page)


def _list_missing(wanted: list[Experiment], laboratory: Laboratory) -> None:
    """Say what this code has not computed; the exit status tells whether there is any."""
    unknown = missing(wanted, laboratory)
    for experiment in unknown:
        state = "older code" if laboratory.older(experiment) else "not run"
        click.echo(f"{state}: {experiment.title}")
    if unknown:
        raise InputError(f"{len(unknown)} of {len(wanted)} runs are not of this code: run without --check")


def _run(wanted: list[Experiment], laboratory: Laboratory, jobs: int) -> None:
    """Run what is not known yet, with a bar that counts experiments."""
    experiments = missing(wanted, laboratory)
    done = 0
    with ProgressBar() as bar:
        bar(ProgressEvent("reproducing", 0, len(experiments)))
        try:
            for experiment in run_all(experiments, laboratory, jobs):
                done += 1
                bar(ProgressEvent("reproducing", done, len(experiments), experiment.short))
        except KeyboardInterrupt:
            count = f"{done} of {len(experiments)} experiments"
            raise KeyboardInterrupt(f"stopped after {count}; the same command takes up from there") from None


def _write(table: Reproduction, laboratory: Laboratory, seeds: int, out: str, known: bool) -> None:
    """Write what came of one table, and say where."""
    report = summarize(table, laboratory, seeds, known)
    click.echo(write_report(report, out))
    if table.plot is not None and any(row["values"] for row in report["rows"]):
        try:
            draw(table, report, out)
        except MissingExtraError as error:
            print_stderr(f"{table.name}.png is not drawn: {error}")


def _write_page(out: str, page: str) -> None:
    """Write the page; it finds the pictures where they are."""
    target = Path(page)
    images = Path(os.path.relpath(out, target.absolute().parent)).as_posix()
    target.write_text(render(out, f"{images}/"), encoding="utf-8")
    click.echo(target)


def run() -> None:
    """The entry point."""
    run_command(reproduce, "python -m papers")


if __name__ == "__main__":
    run()
