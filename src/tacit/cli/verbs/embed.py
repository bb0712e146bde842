"""tacit embed: write the vectors of texts to a file or to a folder of shards."""

from __future__ import annotations

from typing import Any

import click

from tacit.checks import format_count
from tacit.cli import shared_options as shared
from tacit.cli.output import ProgressBar, print_result, print_stderr
from tacit.workflows import RecordSource

VECTOR_SUFFIXES = (".npy", ".parquet", ".safetensors")  # of models.vector_files, which takes long to import


@click.command(short_help="Write the vectors of texts to a file.")
@shared.model_argument
@shared.source_options("INPUT...", required=True, ids="Column with ids, for Parquet files.")
@click.option("-o", "--out", required=True, help="FILE.npy, .parquet, .safetensors, or FOLDER/ for shards.")
@shared.choice_option("--format", ["npy", "parquet"], "File format of shards.", "parquet")
@shared.language_option
@shared.threads_option
@shared.json_option
def embed(model: str, source: RecordSource, out: str, format: str, as_json: bool, **options: Any) -> None:
    """Write a vector for every row of INPUT, in order; a row without a known word gets zeros.

    INPUT is a file with one text per line, a table with --column (.gz too), or a pattern of such files; - is
    standard input. If OUT ends with /, it is a folder: INPUT is split into parts, each part is written to a
    file in the folder, and vectors.json lists them when all are done. Memory does not grow with the number of
    rows.
    """
    from tacit.workflows import write_embeddings
    from tacit.workflows.table_writing import check_output_path

    if not out.endswith(("/", "\\")):
        check_output_path(out, VECTOR_SUFFIXES)
    with ProgressBar() as bar:
        report = write_embeddings(source, model, out, shard_format=format, progress=bar, **options)
    parts = "" if report.shards is None else f" in {format_count(len(report.shards), 'file')}"
    line = f"{out}: {report.rows:,} vectors of {report.components} dimensions{parts}"
    print_result(report.to_dict(), [line], as_json)
    if report.without_known_word and not as_json:
        unknown = f"{report.without_known_word:,} of {report.rows:,} rows"
        print_stderr(f"{unknown} have no known word: their vectors are zero")
