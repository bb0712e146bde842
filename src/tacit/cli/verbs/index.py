"""tacit index: build an index of texts, or change one."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.error_handling import handle_errors
from tacit.cli.output import format_count, print_json, print_stderr
from tacit.cli.progress_bar import ProgressBar
from tacit.cli.shared_options import POSITIVE_INT, corpus_option, json_option, table_options, threads_option

PRECISIONS = ("float32", "float16", "int8")  # of tacit.search.stored_vectors, which takes long to import

if TYPE_CHECKING:
    from tacit.corpora import ReadOptions
    from tacit.search.index import Index
    from tacit.workflows import AddedRecords, Learned


@click.command(short_help="Make a collection searchable, or add to one.")
@click.argument("out")
@click.argument("collections", metavar="[COLLECTION]...", nargs=-1)
@click.option("--model", help="Model folder; without it, a new index trains a model on its texts.")
@corpus_option
@table_options
@click.option("--id-column", help="Column with ids (default: number the texts from 1).")
@click.option("--add", is_flag=True, help="Add to an existing index.")
@click.option("--delete", multiple=True, metavar="ID", help="Delete the text with this id.")
@click.option("--merge", is_flag=True, help="Merge small segments and drop deleted texts.")
@click.option("--vectors", type=click.Choice(PRECISIONS), help="Vector precision of a new index.")
@click.option("--segment", type=POSITIVE_INT, metavar="N", help="Maximum number of texts per segment.")
@click.option("--approximate", is_flag=True, help="Build a graph for approximate search.")
@threads_option
@json_option
@handle_errors
def index(
    out: str,
    collections: tuple[str, ...],
    model: str | None,
    corpus: tuple[str, ...],
    column: str | None,
    reading: ReadOptions,
    id_column: str | None,
    add: bool,
    delete: tuple[str, ...],
    merge: bool,
    vectors: str | None,
    segment: int | None,
    approximate: bool,
    threads: int | None,
    as_json: bool,
) -> None:
    """Write the texts of a COLLECTION, with ids and other columns, to the index OUT, whole or not at all.

    COLLECTION is lines of text, or a table with --column (.gz too), or a pattern of such files; - is standard
    input. Without --model, a model is trained on the texts first, in the language that is detected. With one,
    memory does not grow with the number of texts.
    """
    from tacit.errors import InputError
    from tacit.workflows import RecordOptions, RecordSource, build_index, load, update_index

    is_update = add or merge or bool(delete)
    if is_update and (model is not None or vectors is not None):
        raise InputError("an index keeps its model and --vectors: leave these out, or --add and --delete")
    if not collections and not corpus and not delete and not merge:
        raise InputError("nothing to index: name a file, - for standard input, or --corpus wordnet")
    started = time.perf_counter()
    source = RecordSource(collections, corpus, RecordOptions(column, id_column, format=reading))
    options: dict[str, Any] = {"approximate": approximate, "segment_size": segment, "n_threads": threads}
    added: list[AddedRecords] = []
    with ProgressBar() as bar:
        if is_update:
            result = update_index(out, source, delete=delete, merge=merge, progress=bar, **options)
            built, counts = result.index, (result.n_added, result.n_unknown)
        else:
            built = build_index(
                source,
                None if model is None else load(model, "model", threads),
                into=out,
                precision=vectors or PRECISIONS[0],
                on_learned=_print_learned,
                on_added=added.append,
                progress=bar,
                **options,
            )
            counts = added[0]
    _print_report(built, out, *counts, time.perf_counter() - started, as_json)


def _print_learned(learned: Learned) -> None:
    """Print the language, the self-check and notes of a model that is trained for the index."""
    lines = [learned.language_note, str(learned.self_check or "")]
    for note in dict.fromkeys([*filter(None, lines), *learned.notes]):
        print_stderr(note)


def _print_report(
    index: Index, out: str, n_added: int, n_unknown: int, seconds: float, as_json: bool
) -> None:
    if as_json:
        print_json(
            {
                "index": out,
                "texts": len(index),
                "added": n_added,
                "without_known_word": n_unknown,
                "components": index.model.n_components,
                "segments": len(index.snapshot.segments),
                "seconds": round(seconds, 3),
            }
        )
        return
    click.echo(f"{out}: {format_count(len(index), 'text')}, {n_added:,} of them new, {seconds:.1f} s")
    if n_unknown:
        print_stderr(
            f"{n_unknown:,} of {n_added:,} texts have no known word: only their spelling is searched"
        )
