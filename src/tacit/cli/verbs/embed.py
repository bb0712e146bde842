"""tacit embed: vectors of the texts of files, written to another file or to a folder of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.common import (
    complain,
    json_option,
    language_option,
    load_model,
    model_argument,
    print_json,
    progress,
    threads_option,
    verb,
    writable_file,
    write_whole,
)
from tacit.cli.reading_options import table_options

if TYPE_CHECKING:
    from tacit.corpora import ReadOptions
    from tacit.corpora.partitions import Partition
    from tacit.models.vector_files import Row

ENDINGS = (".npy", ".parquet", ".safetensors")  # of tacit.models.vector_files, which takes long to import
MANIFEST = "vectors.json"


@click.command(short_help="Write the vectors of texts to a file.")
@model_argument
@click.argument("sources", metavar="INPUT...", nargs=-1, required=True)
@click.option("-o", "--out", required=True, help="FILE.npy, .parquet or .safetensors, or FOLDER/ for shards.")
@click.option(
    "--format", "shards", type=click.Choice(["npy", "parquet"]), default="parquet", help="Of shards."
)
@click.option("--id-column", help="The column of ids, kept beside the vectors in Parquet.")
@table_options
@language_option
@threads_option
@json_option
@verb
def embed(
    model: str,
    sources: tuple[str, ...],
    out: str,
    shards: str,
    id_column: str | None,
    column: str | None,
    reading: ReadOptions,
    language: str | None,
    threads: int | None,
    as_json: bool,
) -> None:
    """Write a vector for every row of INPUT, in order; a row without a known word gets zeros.

    INPUT is lines of text, or a table with --column (.gz too), or a pattern of such files; - is standard
    input. An OUT that ends with / is a folder: INPUT is cut in parts, and each is a file there, listed in
    vectors.json when all are done. Memory does not go with the number of rows.
    """
    how = (column, id_column, reading)
    if out.endswith(("/", "\\")):
        report = _folder(model, sources, Path(out), f".{shards}", how, language, threads)
    else:
        report = _file(model, sources, out, how, language, threads)
    if as_json:
        print_json(report)
        return
    parts = f" in {len(report['shards']):,} files" if "shards" in report else ""
    click.echo(f"{out}: {report['rows']:,} vectors of {report['components']}{parts}")
    if report["without_known_word"]:
        missing = f"{report['without_known_word']:,} of {report['rows']:,} rows"
        complain(f"{missing} have no known word: their vectors are zero")


Reading = tuple["str | None", "str | None", "ReadOptions"]


def _file(
    model: str, sources: tuple[str, ...], out: str, how: Reading, language: str | None, threads: int | None
) -> dict[str, Any]:
    from tacit.corpora.partitions import matching_files
    from tacit.models.vector_files import write_vectors

    target = writable_file(out, ENDINGS)
    _check_format(target.suffix, how[1])
    files = [file for source in sources for file in matching_files(source)]
    for file in files:  # what is wrong with one is reported before work starts
        if file != "-" and not Path(file).is_fifo():
            _rows(file, *how)
    rows = chain.from_iterable(_rows(file, *how) for file in files)
    loaded = load_model(model, threads)
    with progress("{task.completed:,} texts") as bar:
        task = bar.add_task("embedding", total=None)
        done: list[int] = []

        def write(file: Any) -> None:
            told = lambda count: bar.update(task, completed=count)  # noqa: E731
            done[:] = write_vectors(loaded, rows, file, target.suffix, language, told)

        write_whole(target, write)
        bar.update(task, total=done[0] or 1)
    components = loaded.n_components
    return {"file": out, "rows": done[0], "components": components, "without_known_word": done[1]}


def _folder(
    model: str, sources: tuple[str, ...], out: Path, ending: str, how: Reading, language: str | None,
    threads: int | None,
) -> dict[str, Any]:  # fmt: skip
    from tacit.corpora.partitions import partitions_of
    from tacit.errors import InputError
    from tacit.models.vector_files import write_vectors

    _check_format(ending, how[1])
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out} is not empty: name a new folder, or empty it first")
    parts = partitions_of(sources, how[0], how[2])
    loaded = load_model(model, threads)
    out.mkdir(parents=True, exist_ok=True)
    shards: list[dict[str, Any]] = []
    with progress("{task.completed:,}/{task.total:,} bytes") as bar:
        task = bar.add_task("embedding", total=sum(part.size for part in parts) or 1)
        for part in parts:
            name = f"part-{part.number:05}{ending}"
            found: list[int] = []

            def write(file: Any, part: Partition = part, found: list[int] = found) -> None:
                found[:] = write_vectors(loaded, _of_partition(part, how[1]), file, ending, language)

            write_whole(out / name, write)
            shards.append({"file": name, "rows": found[0], "without_known_word": found[1], "of": part.name})
            bar.advance(task, part.size)
    report = {
        "folder": str(out),
        "rows": sum(shard["rows"] for shard in shards),
        "components": loaded.n_components,
        "without_known_word": sum(shard["without_known_word"] for shard in shards),
        "shards": shards,
    }
    write_whole(out / MANIFEST, lambda file: file.write(json.dumps(report, indent=2).encode("ascii")))
    return report


def _check_format(ending: str, id_column: str | None) -> None:
    from tacit.errors import InputError
    from tacit.models.vector_files import pyarrow

    if ending == ".parquet":
        pyarrow()
    elif id_column is not None:
        raise InputError(f"{ending} holds vectors alone: write .parquet to keep --id-column beside them")


def _rows(source: str, column: str | None, id_column: str | None, reading: ReadOptions) -> Iterator[Row]:
    from tacit.corpora import open_corpus, open_records

    if id_column is None:
        return ((text, None) for text in open_corpus(source, column, reading, keep_blank=True))
    return ((record.text, record.id) for record in open_records(source, column, id_column, reading))


def _of_partition(part: Partition, id_column: str | None) -> Iterator[Row]:
    if id_column is None:
        return ((text, None) for text in part.texts(keep_blank=True))
    return ((record.text, record.id) for record in part.records(id_column))
