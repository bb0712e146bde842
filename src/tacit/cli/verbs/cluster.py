"""tacit cluster: groups of similar texts in an index."""

from __future__ import annotations

import click

from tacit.checks import format_count
from tacit.cli import shared_options as shared
from tacit.cli.output import ProgressBar, print_json
from tacit.workflows.loading import load
from tacit.workflows.progress import stage_callback


@click.command(short_help="Find the groups of texts in an index and name them.")
@shared.index_argument
@click.option("-k", "--clusters", type=shared.POSITIVE_INT, help="Number of clusters (default: sqrt(n / 2)).")
@shared.seed_option
@click.option("--examples", type=shared.NON_NEGATIVE_INT, default=3, help="Texts shown per cluster.")
@shared.threads_option
@shared.json_option
def cluster(
    index: str, clusters: int | None, random_state: int, examples: int, n_threads: int | None, as_json: bool
) -> None:
    """Print the groups of texts in INDEX, largest first: size, distinctive words, example texts.

    --json prints every group with the ids and texts of all its members.
    """
    loaded = load(index, "index", n_threads)
    with ProgressBar() as bar:
        groups = loaded.clusters(clusters, random_state, stage_callback(bar, "clustering"))
    if as_json:
        print_json([group.to_dict() for group in groups])
        return
    for group in groups:
        click.echo(f"{format_count(group.size, 'text')}: {', '.join(word for word, _ in group.said)}")
        if group.unsaid:
            click.echo(f"  unsaid: {', '.join(word for word, _ in group.unsaid)}")
        for name, text in list(zip(group.ids, group.texts, strict=True))[:examples]:
            click.echo(f"  {name}  {' '.join(text.split())}")
