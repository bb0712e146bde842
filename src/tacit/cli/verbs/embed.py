"""tacit embed: vectors of the texts of a file, written to another file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

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
    import numpy as np
    from numpy.typing import NDArray

    from tacit.corpora import ReadOptions

_BATCH = 20_000

Writer = Callable[[BinaryIO, "NDArray[np.float32]"], None]


@click.command(short_help="Write the vectors of texts to a file.")
@model_argument
@click.argument("source", metavar="INPUT")
@click.option("-o", "--out", required=True, help="FILE.npy, FILE.parquet or FILE.safetensors.")
@table_options
@language_option
@threads_option
@json_option
@verb
def embed(
    model: str,
    source: str,
    out: str,
    column: str | None,
    reading: ReadOptions,
    language: str | None,
    threads: int | None,
    as_json: bool,
) -> None:
    """Write a vector for every row of INPUT, in order; a row without a known word gets zeros.

    INPUT is lines of text, or a table with --column (.gz too); - is standard input.
    """
    from tacit.corpora import open_corpus

    target, write = _target(out)
    texts = open_corpus(source, column, reading, keep_blank=True)
    vectors, empty = _vectors(load_model(model, threads), texts, language)
    write_whole(target, lambda file: write(file, vectors))
    rows, components = vectors.shape
    if as_json:
        print_json({"file": out, "rows": rows, "components": components, "without_known_word": empty})
        return
    click.echo(f"{out}: {rows:,} vectors of {components}")
    if empty:
        complain(f"{empty:,} of {rows:,} rows have no known word: their vectors are zero")


def _target(out: str) -> tuple[Path, Writer]:
    """The file to write and what writes it; what stands in the way is reported before work starts."""
    writers = {".npy": _write_npy, ".parquet": _write_parquet, ".safetensors": _write_safetensors}
    target = writable_file(out, writers)
    if target.suffix == ".parquet":
        _pyarrow()
    return target, writers[target.suffix]


def _vectors(model: Any, texts: Iterator[str], language: str | None) -> tuple[NDArray[np.float32], int]:
    """The vectors of all texts, and how many of these have no known word."""
    import numpy as np

    from tacit.models.text_set import TextSet

    parts, empty = [np.zeros((0, model.n_components), np.float32)], 0
    with progress("{task.completed:,} texts") as bar:
        task = bar.add_task("embedding", total=None)
        for batch in _batches(texts):
            seen = TextSet.of(model, batch, language)
            parts.append(seen.vectors)
            empty += int(np.count_nonzero(seen.known == 0))
            bar.advance(task, len(batch))
        bar.update(task, total=bar.tasks[task].completed)
    return np.concatenate(parts), empty


def _batches(texts: Iterator[str]) -> Iterator[list[str]]:
    while batch := list(islice(texts, _BATCH)):
        yield batch


def _write_npy(file: BinaryIO, vectors: NDArray[Any]) -> None:
    import numpy as np

    np.save(file, vectors, allow_pickle=False)


def _write_parquet(file: BinaryIO, vectors: NDArray[Any]) -> None:
    pyarrow = _pyarrow()
    values = pyarrow.FixedSizeListArray.from_arrays(vectors.ravel(), vectors.shape[1])
    pyarrow.parquet.write_table(pyarrow.table({"vector": values}), file)


def _pyarrow() -> Any:
    from tacit.errors import MissingExtraError

    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("writing Parquet", "frames") from None
    return pyarrow


def _write_safetensors(file: BinaryIO, vectors: NDArray[Any]) -> None:
    from safetensors.numpy import save

    file.write(save({"vectors": vectors}))
