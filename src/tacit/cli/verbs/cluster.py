"""tacit cluster: groups of similar texts in an index."""

from __future__ import annotations

from pathlib import Path

import click

from tacit.cli import shared_options as shared
from tacit.cli.output import ProgressBar, print_json
from tacit.cli.tables import print_table, write_results
from tacit.workflows.progress import stage_callback


@click.command(short_help="Find groups of similar texts and name them.")
@shared.collection_options("index")
@click.option("-k", "--clusters", type=shared.POSITIVE_INT, help="Number of clusters (default: sqrt(n / 2)).")
@shared.seed_option
@click.option("--examples", type=shared.NON_NEGATIVE_INT, default=3, help="Texts shown per cluster.")
@shared.table_output_option
@shared.threads_option
@shared.json_option
def cluster(
    index: shared.Collection, clusters: int | None, random_state: int, examples: int, output: Path | None,
    n_threads: int | None, as_json: bool,
) -> None:  # fmt: skip
    """Print the groups of texts in INDEX, largest first: size, distinctive words, related words, examples.

    INDEX is an index, or a file of texts. --json prints every group with the ids and texts of all its
    members, and --output writes a row for each text.
    """
    loaded = index.open_index(n_threads)
    with ProgressBar() as bar:
        groups = loaded.clusters(clusters, random_state, stage_callback(bar, "clustering"))
    write_results(output, groups)
    if as_json:
        print_json([group.to_dict() for group in groups])
        return
    rows: list[list[str | list[str]]] = []
    for group in groups:
        said, unsaid = (", ".join(word for word, _ in words) for words in (group.said, group.unsaid))
        texts = [f"{name}  {text}" for name, text in zip(group.ids, group.texts, strict=True)]
        rows.append([f"{group.size:,}", said, unsaid, texts[:examples]])
    print_table(["texts", "words", "related words", "examples"], rows)
