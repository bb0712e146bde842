"""tacit duplicates: near-duplicate texts of an index."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tacit.cli import shared_options as shared
from tacit.cli.output import ProgressBar, print_json, print_stderr
from tacit.cli.tables import print_results, write_results
from tacit.workflows.progress import stage_callback

_PAIR_COLUMNS = ("score", "id_a", "text_a", "id_b", "text_b")
_GROUP_COLUMNS = ("group", "score", "id", "text")


@click.command(short_help="List near-duplicate texts.")
@shared.collection_options("index")
@click.option("--threshold", default=0.9, help="Minimum score, 0.5 to 1.")
@click.option("--groups", is_flag=True, help="Group texts by average linkage.")
@click.option("--measure", default="blend", help="Similarity measure: blend or latent.")
@click.option("--exact/--cells", default=None, help="Compare all pairs, or only pairs in the same cell.")
@shared.table_output_option
@shared.threads_option
@shared.json_option
def duplicates(
    index: shared.Collection, groups: bool, output: Path | None, n_threads: int | None, as_json: bool,
    **options: Any,
) -> None:  # fmt: skip
    """List the pairs of texts of INDEX with a score of at least --threshold, most similar first.

    INDEX is an index, or a file of texts. A line has the score, and id and text of both; with --groups, a
    line for each text has the number of its group, the score, id and text.

    With more than 1.5 million texts, or --cells, only texts in the same k-means cell are compared; a line
    then reports the estimated share of pairs that are found.
    """
    from tacit.search.duplicates import JoinOptions

    JoinOptions(**options)  # raises an error before the index is loaded
    loaded = index.open_index(n_threads)
    search = loaded.duplicate_groups if groups else loaded.duplicates
    with ProgressBar() as bar:
        results = search(progress=stage_callback(bar, "comparing"), **options)
    write_results(output, results)
    if as_json:
        print_json([result.to_dict() for result in results])
    elif not results:
        scores = f"a score from {options['threshold']:g} on"
        print_stderr(f"no two texts of {index.path} have {scores}; try a lower --threshold")
    else:
        print_results(results, _GROUP_COLUMNS if groups else _PAIR_COLUMNS)
