"""tacit embed: vectors of the texts of a file, written to another file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.common import (
    column_option,
    complain,
    json_option,
    load_model,
    model_argument,
    print_json,
    progress,
    threads_option,
    verb,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BATCH = 20_000


@click.command(short_help="Write the vectors of texts to a file.")
@model_argument
@click.argument("source", metavar="INPUT")
@click.option("-o", "--out", required=True, help="FILE.npy, FILE.parquet or FILE.safetensors.")
@column_option
@threads_option
@json_option
@verb
def embed(
    model: str, source: str, out: str, column: str | None, threads: int | None, as_json: bool
) -> None:
    """Write a vector for every row of INPUT, in order; a row without a known word gets zeros.

    INPUT is lines of text, TSV, CSV, JSONL or Parquet (.gz too); - is standard input.
    """
    import numpy as np

    from tacit.corpora import open_corpus
    from tacit.errors import InputError

    target = Path(out)
    write = _writers().get(target.suffix)
    if write is None:
        raise InputError(f"{out}: the name must end in {', '.join(_writers())}")
    if target.is_dir() or not target.absolute().parent.is_dir():
        raise InputError(f"{out}: is a folder, or its folder does not exist")
    texts = open_corpus(source, column, keep_blank=True)
    loaded = load_model(model, threads)
    parts, empty = [], 0
    with progress("{task.completed:,} texts") as bar:
        task = bar.add_task("embedding", total=None)
        for batch in _batches(texts):
            rows = loaded.rows(batch)
            parts.append(loaded.encode_rows(rows))
            empty += int(np.count_nonzero(rows.known == 0))
            bar.advance(task, len(batch))
    vectors = np.concatenate(parts) if parts else np.zeros((0, loaded.n_components), np.float32)
    _replace(target, lambda temporary: write(temporary, vectors))
    if as_json:
        print_json({"file": out, "rows": len(vectors), "components": vectors.shape[1], "without_known_word": empty})
    else:
        click.echo(f"{out}: {vectors.shape[0]:,} vectors of {vectors.shape[1]}")
        if empty:
            complain(f"{empty:,} of {len(vectors):,} rows have no known word: their vectors are zero")


def _batches(texts: Iterator[str]) -> Iterator[list[str]]:
    while batch := list(islice(texts, _BATCH)):
        yield batch


def _replace(target: Path, write: Callable[[Path], None]) -> None:
    """Write beside the target, then rename: a crash leaves the old file or the new one."""
    from tacit.errors import InputError

    temporary = target.with_name(f".{target.stem}.{os.getpid()}{target.suffix}")
    try:
        write(temporary)
        temporary.replace(target)
    except OSError as error:
        raise InputError(f"{target} cannot be written: {error.strerror or error}") from None
    finally:
        temporary.unlink(missing_ok=True)


def _writers() -> dict[str, Callable[[Path, NDArray[np.float32]], None]]:
    return {".npy": _write_npy, ".parquet": _write_parquet, ".safetensors": _write_safetensors}


def _write_npy(path: Path, vectors: NDArray[Any]) -> None:
    import numpy as np

    np.save(path, vectors, allow_pickle=False)


def _write_parquet(path: Path, vectors: NDArray[Any]) -> None:
    from tacit.errors import MissingExtraError

    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("writing Parquet", "frames") from None
    values = pyarrow.FixedSizeListArray.from_arrays(vectors.ravel(), vectors.shape[1])
    pyarrow.parquet.write_table(pyarrow.table({"vector": values}), path)


def _write_safetensors(path: Path, vectors: NDArray[Any]) -> None:
    from safetensors.numpy import save_file

    save_file({"vectors": vectors}, path)
