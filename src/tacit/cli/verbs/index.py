"""tacit index: build an index of texts, or change one."""

from __future__ import annotations

import time
from typing import Any

import click

from tacit.checks import format_count
from tacit.cli import shared_options as shared
from tacit.cli.output import ProgressBar, print_result, print_stderr, quote_examples
from tacit.errors import InputError
from tacit.workflows import RecordSource

PRECISIONS = ("float32", "float16", "int8")  # of tacit.search.stored_vectors, which takes long to import


@click.command(short_help="Build an index of texts, or change one.")
@click.argument("out")
@shared.source_options("[COLLECTION]...", corpora=True, ids="Column with ids (default: numbers from 1).")
@click.option("--model", help="Model folder; without it, a new index trains a model on its texts.")
@click.option("--add", is_flag=True, help="Add to an existing index.")
@click.option("--delete", multiple=True, metavar="ID", help="Delete the text with this id.")
@click.option("--merge", is_flag=True, help="Merge small segments and drop deleted texts.")
@shared.choice_option("--vectors", PRECISIONS, "Vector precision of a new index.")
@shared.encoder_option
@shared.outside_option
@click.option("--segment", "segment_size", type=shared.POSITIVE_INT, help="Maximum texts per segment.")
@click.option(
    "--max-columns", type=shared.POSITIVE_INT, help="Number of columns that can be filtered (default: 200)."
)
@click.option("--approximate", is_flag=True, help="Build a graph for approximate search.")
@shared.threads_option
@shared.json_option
def index(
    out: str, source: RecordSource, model: str | None, add: bool, delete: tuple[str, ...], merge: bool,
    vectors: str | None, encoder: str | None, as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Write the texts of COLLECTION, with ids and columns, to the index OUT; on failure nothing is written.

    COLLECTION is a file with one text per line, a table with --column (.gz too), or a pattern of such files;
    - is standard input. Without --model, a model is first trained on the texts, whose language is detected.
    With --model, memory does not grow with the number of texts.
    """
    from tacit.workflows import build_index, update_index

    is_update = add or merge or bool(delete)
    if is_update and not (model is vectors is encoder is None):
        problem = "an index keeps its model, precision and encoder"
        raise InputError(f"{problem}: leave out --model, --vectors and --encoder")
    if not (source.files or source.corpora or delete or merge):
        raise InputError("nothing to index: name a file, - for standard input, or --corpus wordnet")
    started = time.perf_counter()
    counts: list[tuple[int, int]] = []
    with ProgressBar() as bar:
        options |= {"on_added": counts.append, "progress": bar}
        if is_update:
            built = update_index(out, source, delete=delete, merge=merge, **options)
        else:
            precision = vectors or PRECISIONS[0]
            built = build_index(source, model, into=out, precision=precision, encoder=encoder, **options)
    ((n_added, n_unknown),) = counts
    seconds = time.perf_counter() - started
    summary = {"index": out, "texts": len(built), "added": n_added, "without_known_word": n_unknown}
    summary |= {"components": built.model.n_components, "segments": len(built.snapshot.segments)}
    line = f"{out}: {format_count(len(built), 'text')}, {n_added:,} of them new, {seconds:.1f} s"
    print_result(summary | {"seconds": round(seconds, 3)}, [line], as_json)
    if n_unknown and not as_json:
        snapshot = built.snapshot
        rows = snapshot.rows_without_known_words(len(snapshot.alive) - n_added)
        examples = quote_examples(snapshot.texts.decode(rows[:3]))
        unknown = f"{n_unknown:,} of {n_added:,} texts have no known word"
        print_stderr(f"{unknown}, such as {examples}: only their spelling is searched")
