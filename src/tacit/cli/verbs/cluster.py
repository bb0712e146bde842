"""tacit cluster: the groups of texts in an index."""

from __future__ import annotations

import click

from tacit.cli.common import (
    at_least_one,
    counted_as,
    index_argument,
    json_option,
    load_index,
    print_json,
    shown_progress,
    threads_option,
    verb,
)


@click.command(short_help="Find the groups of texts in an index and name them.")
@index_argument
@click.option("-k", "--clusters", type=at_least_one, help="How many groups; by default some sqrt(n / 2).")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the random start.")
@click.option("--examples", type=click.IntRange(min=0), default=3, show_default=True, help="Texts to show.")
@threads_option
@json_option
@verb
def cluster(
    index: str, clusters: int | None, seed: int, examples: int, threads: int | None, as_json: bool
) -> None:
    """List the groups of texts in INDEX, the largest first: size, words that set it apart, texts.

    With --json, every group with the ids and texts of all its members.
    """
    loaded = load_index(index, threads)
    with shown_progress("clustering") as told:
        found = loaded.clusters(clusters, seed, told)
    if as_json:
        print_json([each.to_dict() for each in found])
        return
    for each in found:
        click.echo(f"{counted_as(each.size, 'text')}: {', '.join(word for word, _ in each.said)}")
        if each.unsaid:
            click.echo(f"  unsaid: {', '.join(word for word, _ in each.unsaid)}")
        for name, text in list(zip(each.ids, each.texts, strict=True))[:examples]:
            click.echo(f"  {name}  {' '.join(text.split())}")
