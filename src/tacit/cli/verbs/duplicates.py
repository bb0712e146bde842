"""tacit duplicates: near-duplicate texts of an index."""

from __future__ import annotations

from typing import Any

import click

from tacit.cli import shared_options as shared
from tacit.cli.output import ProgressBar, format_fixed, print_json, print_stderr
from tacit.workflows.loading import load
from tacit.workflows.progress import stage_callback


@click.command(short_help="List near-duplicate texts of an index.")
@shared.index_argument
@click.option("--threshold", default=0.9, help="Minimum score, 0.5 to 1.")
@click.option("--groups", is_flag=True, help="Group texts by average linkage.")
@click.option("--measure", default="blend", help="Similarity measure: blend or latent.")
@click.option("--exact/--cells", default=None, help="Compare all pairs, or only pairs in the same cell.")
@shared.threads_option
@shared.json_option
def duplicates(index: str, groups: bool, n_threads: int | None, as_json: bool, **options: Any) -> None:
    """List the pairs of texts of INDEX with a score of at least --threshold, most similar first.

    With more than 1.5 million texts, or --cells, only texts in the same k-means cell are compared; one line
    then prints the share of the pairs that this finds.
    """
    from tacit.search.duplicates import JoinOptions

    JoinOptions(**options)  # raises an error before the index is loaded
    loaded = load(index, "index", n_threads)
    search = loaded.duplicate_groups if groups else loaded.duplicates
    with ProgressBar() as bar:
        results = search(progress=stage_callback(bar, "comparing"), **options)
        results = [result.to_dict() for result in results]
    if as_json:
        print_json(results)
        return
    if not results:
        scores = f"a score from {options['threshold']:g} on"
        print_stderr(f"no two texts of {index} have {scores}; try a lower --threshold")
    for result in results:
        click.echo(format_fixed(result["score"], 3))
        for name, text in zip(result["ids"], result["texts"], strict=True) if groups else _pair_lines(result):
            click.echo(f"  {name}  {' '.join(text.split())}")


def _pair_lines(pair: dict[str, str]) -> list[tuple[str, str]]:
    return [(pair["id_a"], pair["text_a"]), (pair["id_b"], pair["text_b"])]
