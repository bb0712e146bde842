"""tacit search: the texts of an index most like a query."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.cli.common import (
    fixed,
    index_argument,
    json_option,
    load_index,
    measure_option,
    no_known_word,
    print_json,
    threads_option,
    top_option,
    verb,
)

if TYPE_CHECKING:
    from tacit.search.results import Hit


@click.command(short_help="Find the texts of an index most like a query.")
@index_argument
@click.argument("query", required=False)
@click.option("--queries", help="A file of queries, one a line; - is standard input.")
@top_option
@click.option("--explain", is_flag=True, help="Show the words that made each match.")
@measure_option("search")
@click.option("--language", help="The code of the query's language; left out, it is detected.")
@click.option(
    "--trusted",
    is_flag=True,
    help="Search by the index's graph, if it has one; for a folder you wrote yourself.",
)
@threads_option
@json_option
@verb
def search(
    index: str,
    query: str | None,
    queries: str | None,
    top: int,
    explain: bool,
    measure: str,
    language: str | None,
    trusted: bool,
    threads: int | None,
    as_json: bool,
) -> None:
    """List the texts of INDEX most like QUERY: score, percentile among random pairs, id, text.

    With --queries FILE, those of each query of a file, under the query.
    """
    from tacit.errors import InputError
    from tacit.search.ranking import check_search_measure

    if (query is None) == (queries is None):
        raise InputError("give a query, or --queries FILE with one a line")
    check_search_measure(measure)
    asked = [str(query)] if queries is None else _queries(queries)
    loaded = load_index(index, threads, trusted=trusted)
    found = loaded.search_many(asked, top, measure, language=language)
    if as_json:
        answers = [[hit.to_dict() for hit in hits] for hits in found]
        several = [{"query": one, "hits": hits} for one, hits in zip(asked, answers, strict=True)]
        print_json(several if queries is not None else answers[0])
        return
    for one, hits in zip(asked, found, strict=True):
        if queries is not None:
            click.echo(one)
        for hit in hits:
            _show(hit, explain)
    unknown = (one for one, hits in zip(asked, found, strict=True) if not hits)
    no_known_word(unknown, so=f"nothing in {index} is like it; try other words")


def _queries(file: str) -> list[str]:
    from tacit.corpora import read_lines
    from tacit.errors import InputError

    found = list(read_lines(file))
    if not found:
        raise InputError(f"{file} is empty: put a query on each line")
    return found


def _show(hit: Hit, explain: bool) -> None:
    text = " ".join(hit.text.split())
    click.echo(f"{fixed(hit.score, 3):>6}  {fixed(hit.percentile, 1):>5} %  {hit.id}  {text}")
    if explain and hit.words:
        pairs = ", ".join(f"{a} ~ {b} {fixed(share, 2)}" for a, b, share in hit.words)
        click.echo(f"{'':16}because {pairs}")
