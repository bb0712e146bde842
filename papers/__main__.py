"""python -m papers: the papers' tables and figures again, paper and ours side by side."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import click

from papers import (
    REPRODUCTIONS,
    Experiment,
    Laboratory,
    Reproduction,
    draw,
    find_reproductions,
    summarize,
    write_report,
    write_systems,
)
from papers import page as render
from papers.report import Report
from tacit.cli.common import at_least_one, complain, progress, threads_option, verb
from tacit.cli.main import run_command
from tacit.errors import InputError, MissingExtraError


@click.command()
@click.argument("names", metavar="NAME...|all", nargs=-1)
@click.option("--out", help="The folder for results; numbers already in it are used.")
@click.option("--data", help="The folder of corpora and evaluation data; by default $TACIT_DATA.")
@click.option(
    "--seeds", type=at_least_one, default=10, show_default=True, help="Runs of each model with chance in it."
)
@click.option(
    "--lda-iterations",
    type=at_least_one,
    default=200,
    show_default=True,
    help="Of Gibbs sampling; the paper has 5000.",
)
@click.option(
    "--lda-seeds", type=at_least_one, default=2, show_default=True, help="Runs of each LDA model, at most."
)
@click.option(
    "--known", is_flag=True, help="Train nothing: write the tables from the numbers that are there."
)
@click.option("--page", help="Write all results of the folder as one page of Markdown to this file.")
@click.option("--list", "listed", is_flag=True, help="List the names.")
@threads_option
@verb
def reproduce(
    names: tuple[str, ...],
    out: str | None,
    data: str | None,
    seeds: int,
    lda_iterations: int,
    lda_seeds: int,
    known: bool,
    page: str | None,
    listed: bool,
    threads: int | None,
) -> None:
    """Train the models of a published table or figure and set their numbers beside the printed ones.

    Writes NAME.json, NAME.md and for figures NAME.png. Each trained model's numbers are kept in the folder's
    cache as soon as they are known: stopped, the same command takes up from there.
    """
    if listed:
        for table in REPRODUCTIONS.values():
            click.echo(f"{table.name:26}{table.title}")
        return
    if not names or out is None:
        raise InputError("name what to reproduce and --out DIR; `python -m papers --list` lists the names")
    tables = [table.with_lda(lda_iterations, lda_seeds) for table in find_reproductions(names)]
    _log_nothing()
    laboratory = Laboratory(Path(out, "cache"), data, threads)
    wanted = [experiment for table in tables for experiment in table.experiments(seeds)]
    laboratory.check(wanted)
    if not known:
        _run(wanted, laboratory)
    reports = [_write(table, laboratory, seeds, out, known) for table in tables]
    _write_systems(reports, out)
    if page is not None:
        _write_page(out, page)


def _run(wanted: list[Experiment], laboratory: Laboratory) -> None:
    """Run what is not known yet, seed by seed, with a bar that counts experiments."""
    missing = {experiment.title: experiment for experiment in wanted if laboratory.known(experiment) is None}
    experiments = sorted(
        missing.values(), key=lambda experiment: (experiment.seed, experiment.corpus, experiment.training)
    )
    done = 0
    with progress("{task.completed}/{task.total}", "{task.fields[note]}") as bar:
        shown = bar.add_task("reproducing", total=len(experiments), note="")
        try:
            for experiment in experiments:
                bar.update(shown, note=experiment.short)
                laboratory.numbers(experiment)
                done += 1
                bar.advance(shown)
        except KeyboardInterrupt:
            count = f"{done} of {len(experiments)} experiments"
            raise KeyboardInterrupt(f"stopped after {count}; the same command takes up from there") from None


def _write(table: Reproduction, laboratory: Laboratory, seeds: int, out: str, known: bool) -> Report:
    """Write what came of one table, and say where."""
    report = summarize(table, laboratory, seeds, known)
    write_report(report, out)
    click.echo(Path(out, f"{table.name}.md"))
    if table.plot is not None and any(line["ours"] is not None for line in report["lines"]):
        try:
            draw(table, report, out)
        except MissingExtraError as error:
            complain(f"{table.name}.png is not drawn: {error}")
    return report


def _write_systems(reports: list[Report], out: str) -> None:
    """For the tables of word senses, one file of all measures by system."""
    senses = [report for report in reports if report["name"].startswith("acl2011-")]
    if senses:
        write_systems(senses, Path(out, "acl2011.json"))
        click.echo(Path(out, "acl2011.json"))


def _write_page(out: str, page: str) -> None:
    """Write the page; it finds the pictures where they are."""
    target = Path(page)
    images = Path(os.path.relpath(out, target.absolute().parent)).as_posix()
    target.write_text(render(out, f"{images}/"), encoding="utf-8")
    click.echo(target)


def _log_nothing() -> None:
    """Warnings about texts without known words are for the reports."""
    logging.getLogger("tacit").addHandler(logging.NullHandler())
    logging.getLogger("tacit").propagate = False


def run() -> None:
    """The entry point."""
    run_command(reproduce, "python -m papers")


if __name__ == "__main__":
    run()
