"""tacit search: the texts of an index most like a query."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.cli.common import (
    complain,
    fixed,
    index_argument,
    json_option,
    load_index,
    measure_option,
    print_json,
    threads_option,
    top_option,
    verb,
)

if TYPE_CHECKING:
    from tacit.search.results import Hit


@click.command(short_help="Find the texts of an index most like a query.")
@index_argument
@click.argument("query")
@top_option
@click.option("--explain", is_flag=True, help="Show the words that made each match.")
@measure_option("search")
@click.option("--language", help="The code of the query's language; left out, it is detected.")
@click.option("--exact", is_flag=True, help="Look at every text, even if the index has a graph.")
@threads_option
@json_option
@verb
def search(
    index: str,
    query: str,
    top: int,
    explain: bool,
    measure: str,
    language: str | None,
    exact: bool,
    threads: int | None,
    as_json: bool,
) -> None:
    """List the texts of INDEX most like QUERY: score, percentile among random pairs, id, text."""
    from tacit.search.ranking import check_search_measure

    check_search_measure(measure)
    loaded = load_index(index, threads)
    approximate = False if exact else None
    hits = loaded.search(query, top, measure, approximate=approximate, language=language)
    if as_json:
        print_json([hit.to_dict() for hit in hits])
        return
    if not hits:
        complain(f"nothing in {index} is like the query: it has no known word; try others")
    for hit in hits:
        _show(hit, explain)


def _show(hit: Hit, explain: bool) -> None:
    text = " ".join(hit.text.split())
    click.echo(f"{fixed(hit.score, 3):>6}  {fixed(hit.percentile, 1):>5} %  {hit.id}  {text}")
    if explain and hit.words:
        pairs = ", ".join(f"{a} ~ {b} {fixed(share, 2)}" for a, b, share in hit.words)
        click.echo(f"{'':16}because {pairs}")
