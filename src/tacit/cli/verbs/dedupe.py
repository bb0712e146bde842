"""tacit dedupe: remove exact copies of a list, and list near copies for review."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tacit.checks import format_count
from tacit.cli import shared_options as shared
from tacit.cli.output import ProgressBar
from tacit.cli.pair_output import print_cuts, print_figures, print_table_json
from tacit.corpora import ReadOptions
from tacit.errors import InputError


@click.command(short_help="Remove exact copies, list near copies.")
@click.argument("file", required=False)
@click.option("--column", multiple=True, help="Text column of a table; several are joined.")
@click.option("--id-column", help="Column with ids (default: detected, or row numbers).")
@shared.reading_options
@shared.table_output_option
@click.option(
    "--review", metavar="TABLE", callback=shared.check_table, help="Write groups of copies to this table."
)
@click.option("--escape", is_flag=True, help="Escape cells of --output that spreadsheets read as formulas.")
@shared.decision_options
@shared.show_cut_option
@shared.work_option
@shared.stemmer_option("auto", "Language code for the stemmer, auto to detect it, or none.")
@shared.encoder_option
@shared.threads_option
@shared.json_option
def dedupe(
    file: str | None, column: tuple[str, ...], id_column: str | None, reading: ReadOptions,
    limits: dict[str, Any], output: Any, review: Any, escape: bool, show_cut: bool, as_json: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Write the rows of FILE without exact copies to --output, and groups of near copies to --review.

    Near copies are removed only with --threshold, or with judgements of `tacit teach` in the --work folder.
    FILE is never changed.
    """
    from tacit.workflows import dedupe as dedupe_list
    from tacit.workflows import write_clean
    from tacit.workflows.table_writing import write_table

    if output is not None and file is not None and output.resolve() == Path(file).resolve():
        raise InputError(f"{file} is the input, which is never changed: name another file for --output")
    source = shared.create_source(file, column, id_column, reading)
    with ProgressBar() as bar:
        result = dedupe_list(source, **limits, **options, progress=bar)
    if output is not None:
        write_clean(output, result, source, escape)
    if review is not None:
        write_table(review, result.table_columns(), result.table_rows())
    n_removed = len(result.removed_rows)
    if as_json:
        n_kept = len(result.records) - n_removed
        print_table_json(result, removed=n_removed, stay=n_kept, cut=result.cut)
        return
    if show_cut:
        print_cuts(result.pairs)
    elif review is None:
        for group in result.groups:
            click.echo("")
            for member in group:
                record = result.records[member.row]
                score = "" if member.score is None else f"{member.score:.3f}"
                click.echo(f"{member.decision:15}{score:7}{record.id}  {' '.join(record.text.split())}")
    groups = format_count(len(result.groups), "group")
    rows = format_count(len(result.records), "row")
    print_figures(f"{rows}, {groups} of copies, {n_removed:,} removed", result)
