"""tacit index: a collection that can be searched, written to a folder."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.common import (
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
    approximate: bool,
    threads: int | None,
    as_json: bool,
) -> None:
    """Write the texts of a COLLECTION, with ids and other columns, to the index OUT, whole or not at all.

    COLLECTION is lines of text, or a table with --column (.gz too); - is standard input.
    """
    from tacit.errors import InputError
    from tacit.storage import check_target, read_config, writing

    changes = add or bool(delete)
    if not changes and model is None:
        raise InputError("a new index needs --model MODEL; --add and --delete change one that is there")
    if changes and model is not None:
        raise InputError("an index keeps its model: leave out --model, or --add and --delete")
    if not collections and not corpus and not delete:
        raise InputError("nothing to index: name a file, - for standard input, or --corpus wordnet")
    read_config(out) if changes else check_target(out)
    started = time.perf_counter()
    records = _records(collections, corpus, column, id_column, reading)
    with writing(out) if changes else nullcontext():  # no other writer between reading and saving
        made = load_index(out, threads) if changes else _new(str(model), threads)
        if delete:
            made.delete(delete)
        added, empty = _add(made, records)
        if not added and not delete:
            raise InputError("there is no text to index: the collection is empty; nothing was written")
        if approximate:
            with shown_progress("linking") as told:
                made.link(told)
        made.save(out)
    _report(made, out, added, empty, time.perf_counter() - started, as_json)


def _new(model: str, threads: int | None) -> Index:
    from tacit.search.index import Index

    return Index(load_model(model, threads), n_threads=threads)


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

    named = [named_records(name) for name in corpora]
    for source in collections:
        if source != "-" and not Path(source).is_fifo():
            open_records(source, column, id_column, reading)
    return chain(
        *named, chain.from_iterable(open_records(s, column, id_column, reading) for s in collections)
    )


def _add(made: Index, records: Iterator[Record]) -> tuple[int, int]:
    """Read the records and add them; returns how many there were, and how many without a known word."""
    texts: list[str] = []
    ids: list[str | None] = []
    columns: list[dict[str, Any]] = []
    with progress("{task.completed:,} texts") as bar:
        task = bar.add_task("reading", total=None)
        for record in records:
            texts.append(record.text)
            ids.append(record.id)
            columns.append(record.columns)
            if len(texts) % 1000 == 0:
                bar.update(task, completed=len(texts))
        bar.update(task, completed=len(texts), total=len(texts) or 1)
    numbers = iter(range(made.now.next_number, made.now.next_number + len(texts)))
    names = [str(next(numbers)) if name is None else name for name in ids]
    before = len(made.now.vectors)
    with shown_progress("indexing") as told:
        made.add(texts, names, columns, told)
    return len(texts), int((~made.now.vectors[before:].any(axis=1)).sum())


def _report(made: Index, out: str, added: int, empty: int, seconds: float, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "index": out,
                "texts": len(made),
                "added": added,
                "without_known_word": empty,
                "components": made.now.vectors.shape[1],
                "seconds": round(seconds, 3),
            }
        )
        return
    click.echo(f"{out}: {counted_as(len(made), 'text')}, {added:,} of them new, {seconds:.1f} s")
    if empty:
        complain(f"{empty:,} of {added:,} texts have no known word: only their spelling is searched")
