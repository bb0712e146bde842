"""tacit search: the texts of an index most like a query."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.checks import check_choice
from tacit.cli import shared_options as shared
from tacit.cli.output import format_fixed, print_json, print_stderr, warn_unknown_texts, warn_unknown_words
from tacit.cli.tables import is_terminal, print_table, write_results
from tacit.errors import InputError

if TYPE_CHECKING:
    from tacit.search.results import Hits


@click.command(short_help="Find the texts that are most similar to a query.")
@shared.collection_options("index")
@click.argument("query", required=False)
@click.option("--queries", help="Table of queries, or one query per line; - reads standard input.")
@click.option("--query-column", help="Column of --queries: its name, or its number (default: detected).")
@click.option("--where", multiple=True, help="Condition on a column, such as 'price<10'; may be repeated.")
@shared.top_option
@click.option("--offset", type=shared.NON_NEGATIVE_INT, help="Number of hits to skip.")
@click.option("--counts", is_flag=True, help="Count the texts with each value of the columns.")
@click.option("--explain", is_flag=True, help="Show the words behind each match.")
@shared.outside_option
@shared.measure_option("hybrid", default="hybrid")
@shared.language_option
@click.option("--trusted", is_flag=True, help="Use the search graph; only for folders you created.")
@shared.table_output_option
@shared.threads_option
@shared.json_option
def search(
    index: shared.Collection, query: str | None, queries: str | None, query_column: str | None,
    outside_vectors: str | None, explain: bool, trusted: bool, output: Path | None, n_threads: int | None,
    as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """List the texts of INDEX most similar to QUERY: score, match strength, id, text.

    INDEX is an index, or a file of texts, such as faq.csv.

    --queries FILE prints each query of a file, then its hits. A condition of --where is a column, one of
    = != < <= > >= and a value, in double quotes if it has spaces: 'team="customer care"'. All conditions
    must hold. With --offset or --counts, --json prints an object instead of a list of hits.
    """
    from tacit.models.vector_files import read_vectors
    from tacit.search.filters import Filter
    from tacit.search.match_strength import NO_GOOD_MATCH
    from tacit.search.ranking import SEARCH_MEASURES
    from tacit.workflows.table_inputs import read_queries

    if (query is None) == (queries is None):
        raise InputError("give a query, or --queries FILE with one query per line")
    if query_column is not None and queries is None:
        raise InputError(f"--query-column {query_column} needs --queries FILE; --column is that of the texts")
    check_choice("measure", options["measure"], SEARCH_MEASURES)
    has_conditions, options["where"] = bool(options["where"]), Filter.parse(options["where"])
    texts = [str(query)] if queries is None else read_queries(queries, query_column)
    if outside_vectors is not None:
        options["outside_vectors"] = read_vectors(outside_vectors)
    results = index.open_index(n_threads, trusted).search_many(texts, **options)
    write_results(output, results[0] if queries is None else results)
    offset, counts = options["offset"], options["counts"]
    if as_json:
        _print_json(texts, results, several=queries is not None, paged=offset is not None or counts)
        return
    for text, hits in zip(texts, results, strict=True):
        if queries is not None:
            click.echo(text)
        if hits:
            _print_hits(hits, explain)
            warn_unknown_words(hits.unknown_words)
        if hits and hits.match == NO_GOOD_MATCH:
            print_stderr(f"no good match for {text[:60]!r}: the hits have little in common with it")
    if counts:
        _print_counts(results[0])
    if any(hits.more for hits in results):
        print_stderr(f"more hits follow: --offset {(offset or 0) + options['k']}")
    without_hits = [] if offset else [text for text, hits in zip(texts, results, strict=True) if not hits]
    if without_hits and has_conditions:
        total = f"{results[0].total:,} texts that meet the conditions"
        print_stderr(f"no hits for {without_hits[0]!r} among the {total}")
    else:
        warn_unknown_texts(without_hits, f"no text of {index.path} is similar; try other words")


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


def _print_hits(hits: Hits, explain: bool) -> None:
    """Print a line for each hit; on a terminal its words that match are marked."""
    rows, marks = [], []
    for hit in hits:
        row = [format_fixed(hit.score, 3), hit.match or "", hit.id, hit.text]
        if explain:
            reasons = [] if hit.outside is None else [f"outside vectors {hit.outside:+.2f}"]
            reasons += [f"{a} ~ {b} {format_fixed(share, 2)}" for a, b, share in hit.words]
            row.append(f"because {', '.join(reasons)}" if reasons else "")
        rows.append(row)
        marks.append([word for _, word, _ in hit.words] if is_terminal() else [])
    print_table(["score", "match", "id", "text", *["words"] * explain], rows, marks)
