"""tacit link: match the rows of two lists."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tacit.checks import format_count
from tacit.cli import shared_options as shared
from tacit.cli.output import ProgressBar
from tacit.cli.pair_output import pair_lines, print_cuts, print_figures, print_table_json
from tacit.corpora import ReadOptions


@click.command(short_help="Match the rows of two lists.")
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option("--column", multiple=True, help="Text column of both tables; several are joined.")
@click.option("--id-column", help="Column with ids in both tables (default: detected, or row numbers).")
@click.option("--column-b", multiple=True, help="Text column of B, if it has another name.")
@click.option("--id-column-b", help="Column with ids of B, if it has another name.")
@shared.reading_options
@click.option("--many", is_flag=True, help="Allow several matches per row: all pairs above the threshold.")
@shared.decision_options
@shared.show_cut_option
@shared.work_option
@shared.table_output_option
@shared.stemmer_option("auto", "Language code for the stemmer, auto to detect it, or none.")
@shared.encoder_option
@shared.threads_option
@shared.json_option
def link(
    a: str | None, b: str | None, column: tuple[str, ...], id_column: str | None, column_b: tuple[str, ...],
    id_column_b: str | None, reading: ReadOptions, limits: dict[str, Any], show_cut: bool,
    output: Path | None, as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Link the rows of the files A and B that are about the same thing, without labels.

    Each link is printed with its score and the evidence for it. Without A and B, the lists in the --work
    folder are linked again, with the judgements of `tacit teach`.
    """
    from tacit.workflows import link as link_lists
    from tacit.workflows.table_writing import write_table

    list_a = shared.create_source(a, column, id_column, reading)
    list_b = shared.create_source(b, column_b or column, id_column_b or id_column, reading)
    with ProgressBar() as bar:
        links = link_lists(list_a, list_b, **limits, **options, progress=bar)
    if output is not None:
        write_table(output, links.table_columns(), links.table_rows())
    if as_json:
        print_table_json(links, cut=links.cut)
        return
    if show_cut:
        print_cuts([*links.links, *links.others])
    elif output is None:
        for pair in links:
            click.echo("\n".join(pair_lines(pair)))
    print_figures(format_count(len(links), "link"), links)
