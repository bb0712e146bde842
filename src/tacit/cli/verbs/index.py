"""tacit index: a collection that can be searched, written to a folder."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.common import (
    at_least_one,
    complain,
    counted_as,
    json_option,
    load_index,
    load_model,
    print_json,
    progress,
    shown_progress,
    threads_option,
    verb,
)
from tacit.cli.reading_options import corpus_option, table_options

PRECISIONS = ("float32", "float16", "int8")  # of tacit.search.vectors, which takes long to import

if TYPE_CHECKING:
    from tacit.corpora import ReadOptions, Record
    from tacit.search.index import Index


@click.command(short_help="Make a collection searchable, or add to one.")
@click.argument("out")
@click.argument("collections", metavar="[COLLECTION]...", nargs=-1)
@click.option("--model", help="A model folder, as `tacit train` writes it; a new index needs one.")
@corpus_option
@table_options
@click.option("--id-column", help="The column of ids; left out, texts are numbered from 1.")
@click.option("--add", is_flag=True, help="Add to the index that is there instead of replacing it.")
@click.option("--delete", multiple=True, metavar="ID", help="Take a text out of the index that is there.")
@click.option("--merge", is_flag=True, help="Put small segments together, without what was deleted.")
@click.option(
    "--vectors",
    type=click.Choice(PRECISIONS),
    help="How a new index keeps vectors: whole (float32), or in half or a quarter of the room.",
)
@click.option(
    "--segment", type=at_least_one, metavar="N", help="Texts of a segment at the most; memory goes with it."
)
@click.option(
    "--approximate", is_flag=True, help="Link a graph for approximate search, for millions of texts."
)
@threads_option
@json_option
@verb
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
    input. Memory is that of one segment, however many texts there are.
    """
    from tacit.errors import InputError
    from tacit.storage import check_target, read_config, writing

    changes = add or merge or bool(delete)
    if not changes and model is None:
        raise InputError(
            "a new index needs --model MODEL; --add, --delete and --merge change one that is there"
        )
    if changes and (model is not None or vectors is not None):
        raise InputError("an index keeps its model and --vectors: leave these out, or --add and --delete")
    if not collections and not corpus and not delete and not merge:
        raise InputError("nothing to index: name a file, - for standard input, or --corpus wordnet")
    read_config(out) if changes else check_target(out)
    started = time.perf_counter()
    records = _records(collections, corpus, column, id_column, reading)
    with writing(out):  # no other writer between reading and saving
        made = load_index(out, threads) if changes else _new(str(model), threads, vectors)
        if segment is not None:
            made.segment_texts = segment
        if delete:
            made.delete(delete)
        added, empty = _add(made, records, out)
        if not added and not delete and not merge:
            raise InputError("there is no text to index: the collection is empty; nothing was written")
        if merge:
            with shown_progress("merging") as told:
                made.merge(out, told)
        if approximate:
            with shown_progress("linking") as told:
                made.link(told)
        made.save(out)
    _report(made, out, added, empty, time.perf_counter() - started, as_json)


def _new(model: str, threads: int | None, vectors: str | None) -> Index:
    from tacit.search.index import Index

    return Index(load_model(model, threads), n_threads=threads, vectors=vectors or PRECISIONS[0])


def _records(
    collections: tuple[str, ...],
    corpora: tuple[str, ...],
    column: str | None,
    id_column: str | None,
    reading: ReadOptions,
) -> Iterator[Record]:
    """All records in the order named; a file that cannot be read is reported before work starts."""
    from itertools import chain

    from tacit.corpora import named_records, open_records
    from tacit.corpora.partitions import matching_files

    named = [named_records(name) for name in corpora]
    files = [file for source in collections for file in matching_files(source)]
    for source in files:
        if source != "-" and not Path(source).is_fifo():
            open_records(source, column, id_column, reading)
    return chain(*named, chain.from_iterable(open_records(s, column, id_column, reading) for s in files))


def _add(made: Index, records: Iterator[Record], out: str) -> tuple[int, int]:
    """Add the records, a segment at a time; returns how many there were, how many without a known word."""
    from itertools import islice

    added = empty = 0
    with progress("{task.completed:,} texts") as bar:
        task = bar.add_task("indexing", total=None)
        while part := list(islice(_counted(records, bar, task, added), made.segment_texts)):
            number, rows = made.now.next_number, len(made.texts)
            names = [str(number + i) if record.id is None else record.id for i, record in enumerate(part)]
            made.add([record.text for record in part], names, [record.columns for record in part])
            empty += made.now.blank(rows)
            added += len(part)
            if len(part) == made.segment_texts:  # there may be more than memory holds
                made.stow(out)
        bar.update(task, completed=added, total=added or 1)
    return added, empty


def _counted(records: Iterator[Record], bar: Any, task: Any, before: int) -> Iterator[Record]:
    for number, record in enumerate(records, before + 1):
        if number % 1000 == 0:
            bar.update(task, completed=number)
        yield record


def _report(made: Index, out: str, added: int, empty: int, seconds: float, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "index": out,
                "texts": len(made),
                "added": added,
                "without_known_word": empty,
                "components": made.model.n_components,
                "segments": len(made.now.segments),
                "seconds": round(seconds, 3),
            }
        )
        return
    click.echo(f"{out}: {counted_as(len(made), 'text')}, {added:,} of them new, {seconds:.1f} s")
    if empty:
        complain(f"{empty:,} of {added:,} texts have no known word: only their spelling is searched")
