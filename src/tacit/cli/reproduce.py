"""tacit reproduce: the papers' tables and figures again, paper and ours side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit.cli.common import at_least_one, complain, progress, threads_option, verb

if TYPE_CHECKING:
    from tacit.evaluation.reproduction import Laboratory, Reproduction


@click.command(short_help="Make the papers' tables and figures again.")
@click.argument("names", metavar="NAME...|all", nargs=-1)
@click.option("--out", help="The folder for results; numbers already in it are used.")
@click.option("--data", help="The folder of corpora and evaluation data; by default $TACIT_DATA.")
@click.option(
    "--seeds", type=at_least_one, default=10, show_default=True, help="Runs of each model with chance in it."
)
@click.option(
    "--lda-iterations", type=at_least_one, help="Of Gibbs sampling: by default 500; the paper has 5000."
)
@click.option("--list", "listed", is_flag=True, help="List the names.")
@threads_option
@verb
def reproduce(
    names: tuple[str, ...],
    out: str | None,
    data: str | None,
    seeds: int,
    lda_iterations: int | None,
    listed: bool,
    threads: int | None,
) -> None:
    """Train the models of a published table or figure and set their numbers beside the printed ones.

    Writes NAME.json, NAME.md and for figures NAME.png. Each trained model's numbers are kept in the folder's
    cache as soon as they are known: stopped, the same command takes up from there.
    """
    from tacit.errors import InputError
    from tacit.evaluation.reproduction import REPRODUCTIONS, Laboratory, find_reproductions

    if listed:
        for table in REPRODUCTIONS.values():
            click.echo(f"{table.name:17}{table.title}")
        return
    if not names or out is None:
        raise InputError("name what to reproduce and --out DIR; `tacit reproduce --list` lists the names")
    tables = find_reproductions(names)
    if lda_iterations is not None:
        tables = [table.with_lda_iterations(lda_iterations) for table in tables]
    _log_nothing()
    laboratory = Laboratory(Path(out, "cache"), data, threads)
    _run(tables, laboratory, seeds)
    for table in tables:
        _write(table, laboratory, seeds, out)


def _run(tables: list[Reproduction], laboratory: Laboratory, seeds: int) -> None:
    """Run what is not known yet, corpus by corpus, with a bar that counts experiments."""
    wanted = [experiment for table in tables for experiment in table.experiments(seeds)]
    laboratory.check(wanted)
    missing = {experiment.title: experiment for experiment in wanted if laboratory.known(experiment) is None}
    experiments = sorted(missing.values(), key=lambda experiment: experiment.corpus)
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


def _write(table: Reproduction, laboratory: Laboratory, seeds: int, out: str) -> None:
    """Write what came of one table, and say where."""
    from tacit.errors import MissingExtraError
    from tacit.evaluation.reproduction import draw, summarize, write_report

    report = summarize(table, laboratory, seeds)
    write_report(report, out)
    click.echo(Path(out, f"{table.name}.md"))
    if table.plot is not None:
        try:
            draw(table, report, out)
        except MissingExtraError as error:
            complain(f"{table.name}.png is not drawn: {error}")


def _log_nothing() -> None:
    """Warnings about texts without known words are for the reports."""
    import logging

    logging.getLogger("tacit").addHandler(logging.NullHandler())
    logging.getLogger("tacit").propagate = False
