"""tacit search: the texts of an index most like a query."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.checks import check_choice
from tacit.cli import shared_options as shared
from tacit.cli.output import format_fixed, print_json, print_stderr, warn_unknown_texts
from tacit.workflows.loading import load

if TYPE_CHECKING:
    from tacit.search.results import Hit, Hits


@click.command(short_help="Find the texts of an index most like a query.")
@shared.index_argument
@click.argument("query", required=False)
@click.option("--queries", help="File with one query per line; - reads standard input.")
@click.option(
    "--where",
    multiple=True,
    metavar="CONDITION",
    help="Search only texts whose columns meet a condition, such as 'price<10'; may be repeated.",
)
@shared.top_option
@click.option("--offset", type=click.IntRange(min=0), help="Number of hits to skip.")
@click.option("--counts", is_flag=True, help="Count the texts with each value of the columns.")
@click.option("--explain", is_flag=True, help="Show the words behind each match.")
@shared.measure_option("search")
@shared.language_option
@click.option("--trusted", is_flag=True, help="Use the search graph; only for folders you created.")
@shared.threads_option
@shared.json_option
def search(
    index: str,
    query: str | None,
    queries: str | None,
    where: tuple[str, ...],
    top: int,
    offset: int | None,
    counts: bool,
    explain: bool,
    measure: str,
    language: str | None,
    trusted: bool,
    threads: int | None,
    as_json: bool,
) -> None:
    """List the texts of INDEX most like QUERY: score, percentile among random pairs, id, text.

    With --queries FILE, those of each query of a file, under the query. A condition of --where is a column,
    one of = != < <= > >= and a value, in double quotes if it has spaces: 'team="customer care"'. All
    conditions must hold. With --offset or --counts, --json prints an object instead of a list of hits.
    """
    from tacit.errors import InputError
    from tacit.search.filters import Filter
    from tacit.search.ranking import SEARCH_MEASURES

    if (query is None) == (queries is None):
        raise InputError("give a query, or --queries FILE with one a line")
    check_choice("measure", measure, SEARCH_MEASURES)
    conditions = Filter.parse(where)
    texts = [str(query)] if queries is None else _read_queries(queries)
    loaded = load(index, "index", threads, trusted=trusted)
    results = loaded.search_many(
        texts, top, measure, where=conditions, offset=offset, counts=counts, language=language
    )
    if as_json:
        _print_json(texts, results, several=queries is not None, paged=offset is not None or counts)
        return
    for text, hits in zip(texts, results, strict=True):
        if queries is not None:
            click.echo(text)
        for hit in hits:
            _print_hit(hit, explain)
    if counts:
        _print_counts(results[0])
    if any(hits.more for hits in results):
        print_stderr(f"more hits follow: --offset {(offset or 0) + top}")
    without_hits = [text for text, hits in zip(texts, results, strict=True) if not hits]
    if without_hits and not offset:
        _warn_without_hits(without_hits, index, results[0].total if where else None)


def _warn_without_hits(texts: list[str], index: str, n_filtered: int | None) -> None:
    if n_filtered is None:
        warn_unknown_texts(texts, f"nothing in {index} is like it; try other words")
    else:
        print_stderr(f"no hits for {texts[0]!r} among the {n_filtered:,} texts that meet the conditions")


def _print_json(texts: list[str], results: list[Hits], several: bool, paged: bool) -> None:
    """Print a list of hits, or with ``paged`` an object, for one query or each of several."""
    hits = [page.to_dict() if paged else [hit.to_dict() for hit in page] for page in results]
    if not several:
        print_json(hits[0])
        return
    pages = [page if isinstance(page, dict) else {"hits": page} for page in hits]
    print_json([{"query": text, **page} for text, page in zip(texts, pages, strict=True)])


def _print_counts(hits: Hits) -> None:
    """Print each column and its values, with the number of texts in parentheses."""
    for column, values in (hits.counts or {}).items():
        shown = ["(empty)" if each["value"] == "" else each["value"] for each in values]
        numbers = [f"{value} ({each['n']:,})" for value, each in zip(shown, values, strict=True)]
        click.echo(f"{column}: {', '.join(numbers)}")


def _read_queries(file: str) -> list[str]:
    from tacit.errors import InputError
    from tacit.workflows import read_lines

    queries = list(read_lines(file))
    if not queries:
        raise InputError(f"{file} is empty: put a query on each line")
    return queries


def _print_hit(hit: Hit, explain: bool) -> None:
    text = " ".join(hit.text.split())
    click.echo(f"{format_fixed(hit.score, 3):>6}  {format_fixed(hit.percentile, 1):>5} %  {hit.id}  {text}")
    if explain and hit.words:
        pairs = ", ".join(f"{a} ~ {b} {format_fixed(share, 2)}" for a, b, share in hit.words)
        click.echo(f"{'':16}because {pairs}")
