"""tacit themes: find and name the themes of a collection."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tacit.checks import format_count
from tacit.cli import shared_options as shared
from tacit.cli.output import ProgressBar, print_json, print_stderr
from tacit.errors import InputError
from tacit.workflows import RecordSource

MAX_PRINTED_GROUPS, MAX_PRINTED_THEMES = 12, 3


def parse_names(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Convert values such as ``3=Late parcels`` to a dictionary."""
    pairs = [value.partition("=") for value in values]
    if any(not name for _, _, name in pairs):
        raise InputError("--rename takes the id of a theme and its new name: --rename '3=Late parcels'")
    return {key.strip(): name.strip() for key, _, name in pairs}


def resolve_source(source: RecordSource) -> Any:
    """Return the folder if the only file is one, an index or a work folder; otherwise the source."""
    if not (source.files or source.corpora):
        raise InputError("nothing to read: name a file, - for standard input, or the folder of an index")
    is_folder = len(source.files) == 1 and not source.corpora and Path(source.files[0]).is_dir()
    return source.files[0] if is_folder else source


n_themes_option = click.option(
    "--themes", "n_themes", type=shared.AUTO_INT, default="auto", help="Number of themes, 2 to 500."
)
work_option = click.option("--work", metavar="FOLDER", help="Folder to store the themes in.")
cache_option = shared.option_group(
    "use_cache",
    lambda no_cache: not no_cache,
    click.option("--no-cache", is_flag=True, help="Train again, and keep nothing in the cache."),
)


@click.command(short_help="Find the themes of a collection and name them.")
@shared.source_options("COLLECTION...", corpora=True, ids="Column with ids (default: detected, or numbers).")
@shared.table_output_option
@n_themes_option
@click.option("--by", multiple=True, metavar="COLUMN", help="Compare themes by a column, or over its dates.")
@click.option("--quotes", type=click.IntRange(0, 4), default=1, help="Quotes printed per theme.")
@work_option
@cache_option
@click.option("--add", metavar="FILE", help="Assign the texts of a file to the themes of a work folder.")
@click.option("--rename", "names", multiple=True, metavar="ID=NAME", callback=parse_names,
              help="Rename a theme, such as '3=Late parcels'; may be repeated.")  # fmt: skip
@shared.stemmer_option("auto", "Language code of the texts, or none (default: detected).")
@shared.encoder_option
@shared.seed_option
@shared.threads_option
@shared.json_option
def themes(
    source: RecordSource, output: Path | None, by: tuple[str, ...], quotes: int, add: str | None,
    as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Print the themes of COLLECTION with names, numbers of texts, quotes and sub-themes.

    COLLECTION is a file with one text per line, a table with --column (.gz too), the folder of an index, or a
    --work folder of an earlier call. The same texts give the same themes in any order. Without --work, the
    model and graph of COLLECTION are kept in the cache, so that another number of --themes takes seconds.
    -o writes a row per text: id, text, theme, subtheme, strength, and the other columns.
    """
    from tacit.workflows import find_themes
    from tacit.workflows.table_writing import write_table

    new = None if add is None else RecordSource((add,), options=source.options)
    with ProgressBar() as bar:
        result = find_themes(resolve_source(source), add=new, progress=bar, **options)
    comparisons = [result.compare(column) for column in by]
    if output is not None:
        write_table(output, result.table_columns(), result.table_rows())
        print_stderr(f"{output}: {format_count(len(result.records), 'text')}")
    if as_json:
        print_json(result.to_dict() | {"comparisons": [comparison.to_dict() for comparison in comparisons]})
        return
    for line in describe_themes(result, quotes):
        click.echo(line)
    for comparison in comparisons:
        for line in describe_comparison(comparison):
            click.echo(line)


def describe_themes(result: Any, n_quotes: int) -> list[str]:
    """Return the lines that are printed: a theme, its quotes and its sub-themes."""
    lines = []
    for id, name, n_texts, share, quotes in result.summary_rows(n_quotes):
        indent = "   " if "." in id else ""
        lines.append(
            f"{indent}{id:>{4 if indent else 2}}  {name}: {format_count(n_texts, 'text')}, {share:.0%}"
        )
        lines += [f"      “{quote}”" for quote in quotes.split("\n") if quote and not indent]
    return lines + describe_stability(result)


def describe_stability(result: Any) -> list[str]:
    """Return lines on the agreement of models of half the texts, for the numbers that were compared."""
    if result.stability is None:
        return []
    lines = [f"Stability: models of half the texts agree to {result.stability:.2f} (1 is the maximum)."]
    others = [f"{n} {value:.2f}" for n, value in result.model.agreement_.items() if n != len(result)]
    return lines + ([f"Other numbers of themes: {', '.join(others)} (--themes N)."] if others else [])


def describe_comparison(comparison: Any) -> list[str]:
    """Return a line for each group: the themes that are more frequent there than in all texts."""
    lines = [f"By {comparison.column}{f' ({comparison.period})' if comparison.period else ''}:"]
    for group, n_texts in list(comparison.groups.items())[:MAX_PRINTED_GROUPS]:
        over = [s for s in comparison.shares if s.group == group and s.representation == "over"]
        over.sort(key=lambda s: s.overall - s.share)
        parts = [f"{s.theme} {s.share:.0%} (all: {s.overall:.0%})" for s in over[:MAX_PRINTED_THEMES]]
        more = f"more {'; '.join(parts)}" if parts else "as in all texts"
        lines.append(f"  {group}, {format_count(n_texts, 'text')}: {more}")
    lines += [f"  {theme}: {trend}" for theme, trend in comparison.trends.items()]
    return lines
