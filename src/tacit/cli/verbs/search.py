"""tacit search: the texts of an index most like a query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tacit.checks import check_choice
from tacit.cli import shared_options as shared
from tacit.cli.output import format_fixed, print_json, print_stderr, warn_unknown_texts
from tacit.errors import InputError
from tacit.workflows import read_lines
from tacit.workflows.loading import load

if TYPE_CHECKING:
    from tacit.search.results import Hit, Hits


@click.command(short_help="Find the texts of an index that are most similar to a query.")
@shared.index_argument
@click.argument("query", required=False)
@click.option("--queries", help="File with one query per line; - reads standard input.")
@click.option("--where", multiple=True, help="Condition on a column, such as 'price<10'; may be repeated.")
@shared.top_option
@click.option("--offset", type=shared.NON_NEGATIVE_INT, help="Number of hits to skip.")
@click.option("--counts", is_flag=True, help="Count the texts with each value of the columns.")
@click.option("--explain", is_flag=True, help="Show the words behind each match.")
@shared.measure_option("hybrid", default="hybrid")
@shared.language_option
@click.option("--trusted", is_flag=True, help="Use the search graph; only for folders you created.")
@shared.threads_option
@shared.json_option
def search(
    index: str, query: str | None, queries: str | None, explain: bool, trusted: bool, n_threads: int | None,
    as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """List the texts of INDEX most similar to QUERY: score, match strength, id, text.

    --queries FILE prints each query of a file, then its hits. A condition of --where is a column, one of
    = != < <= > >= and a value, in double quotes if it has spaces: 'team="customer care"'. All conditions
    must hold. With --offset or --counts, --json prints an object instead of a list of hits.
    """
    from tacit.search.filters import Filter
    from tacit.search.match_strength import NO_GOOD_MATCH
    from tacit.search.ranking import SEARCH_MEASURES

    if (query is None) == (queries is None):
        raise InputError("give a query, or --queries FILE with one query per line")
    check_choice("measure", options["measure"], SEARCH_MEASURES)
    has_conditions, options["where"] = bool(options["where"]), Filter.parse(options["where"])
    texts = [str(query)] if queries is None else _read_queries(queries)
    results = load(index, "index", n_threads, trusted=trusted).search_many(texts, **options)
    offset, counts = options["offset"], options["counts"]
    if as_json:
        _print_json(texts, results, several=queries is not None, paged=offset is not None or counts)
        return
    for text, hits in zip(texts, results, strict=True):
        if queries is not None:
            click.echo(text)
        for hit in hits:
            _print_hit(hit, explain)
        if hits and hits.match == NO_GOOD_MATCH:
            print_stderr(f"nothing like {text[:60]!r} here: the hits share little with it")
    if counts:
        _print_counts(results[0])
    if any(hits.more for hits in results):
        print_stderr(f"more hits follow: --offset {(offset or 0) + options['k']}")
    without_hits = [] if offset else [text for text, hits in zip(texts, results, strict=True) if not hits]
    if without_hits and has_conditions:
        total = f"{results[0].total:,} texts that meet the conditions"
        print_stderr(f"no hits for {without_hits[0]!r} among the {total}")
    else:
        warn_unknown_texts(without_hits, f"nothing in {index} is like it; try other words")


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
        names = ["(empty)" if entry["value"] == "" else entry["value"] for entry in values]
        numbers = [f"{name} ({entry['n']:,})" for name, entry in zip(names, values, strict=True)]
        click.echo(f"{column}: {', '.join(numbers)}")


def _read_queries(file: str) -> list[str]:
    queries = list(read_lines(file))
    if not queries:
        raise InputError(f"{file} is empty: put a query on each line")
    return queries


def _print_hit(hit: Hit, explain: bool) -> None:
    text = " ".join(hit.text.split())
    match = "" if hit.match is None else f"{hit.match:13}  "
    click.echo(f"{format_fixed(hit.score, 3):>6}  {match}{hit.id}  {text}")
    if explain and hit.words:
        pairs = ", ".join(f"{a} ~ {b} {format_fixed(share, 2)}" for a, b, share in hit.words)
        click.echo(f"{'':16}because {pairs}")
