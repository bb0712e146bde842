"""tacit report: a report about a collection in one file."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import click

from tacit.checks import format_count
from tacit.cli import shared_options as shared
from tacit.cli.output import ProgressBar, print_result
from tacit.cli.verbs.themes import cache_option, n_themes_option, resolve_source, work_option
from tacit.workflows import RecordSource
from tacit.workflows.progress import stage_callback


@click.command(short_help="Write a report about a collection: themes, map, comparisons.")
@shared.source_options("COLLECTION...", corpora=True, ids="Column with ids (default: detected, or numbers).")
@click.option("-o", "--out", required=True, help="Output file: .html, .md, .json or .xlsx.")
@click.option("--title", help="Title of the report (default: the name of the file).")
@n_themes_option
@click.option("--by", multiple=True, metavar="COLUMN",
              help="Compare themes by this column; may be repeated (default: detected).")  # fmt: skip
@work_option
@cache_option
@shared.stemmer_option("auto", "Language code of the texts, or none (default: detected).")
@shared.seed_option
@shared.threads_option
@shared.json_option
def report(
    source: RecordSource, out: str, title: str | None, by: tuple[str, ...], as_json: bool, **options: Any
) -> None:
    """Write a report about COLLECTION to one file: themes with quotes, a map, comparisons, duplicates.

    COLLECTION is read as by `tacit themes`. The .html page needs no network; it can be sent by mail and
    printed.
    """
    from tacit.reports.content import build_report
    from tacit.reports.files import check_report_path, write_report
    from tacit.workflows import find_themes

    target = check_report_path(out)
    name = title or Path([*source.files, *source.corpora, out][0]).absolute().name
    command = shlex.join(["tacit", *sys.argv[1:]])
    with ProgressBar() as bar:
        themes = find_themes(resolve_source(source), progress=bar, **options)
        built = build_report(themes, list(by) or None, name, command, stage_callback(bar, "report"))
    write_report(built, target)
    summary = {"file": out, "texts": len(themes.records), "themes": [theme.name for theme in themes]}
    count = format_count(len(themes.records), "text")
    print_result(summary, [f"{out}: {count}, {format_count(len(themes), 'theme')}"], as_json)
