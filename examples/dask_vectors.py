"""Vectors by Dask, wherever its workers are: a bag of lines or a dataframe in, one file a partition out.

    python examples/dask_vectors.py MODEL 'texts-*.txt' OUT                  # lines
    python examples/dask_vectors.py MODEL 'texts-*.parquet' OUT --column text  # a table
    python examples/dask_vectors.py ... --scheduler tcp://HOST:8786          # on a cluster

MODEL is a folder that ``tacit train`` wrote, on a disk that every worker sees. A worker maps it once
and for all; a partition's texts and vectors are in memory while it is worked on, and nothing else. Needs
``pip install 'tacit[scale,frames]' 'dask[dataframe]'``.
"""

from __future__ import annotations

import argparse
import sys
from functools import cache
from pathlib import Path

import dask
import dask.bag
import dask.dataframe
import numpy as np
import pandas as pd
import pyarrow
import pyarrow.parquet

import tacit


@cache
def model_of(folder: str) -> tacit.TextModel:
    """The model, read once in each worker; Dask has the threads, so each call takes one."""
    model = tacit.load(folder)
    model.n_threads = 1
    return model


def encoded(frame: pd.DataFrame, column: str, folder: str) -> pd.DataFrame:
    """A partition with a column of vectors: what ``map_partitions`` calls."""
    vectors = model_of(folder).encode(frame[column].fillna("").tolist())
    return frame.assign(vector=list(vectors))


def save_table(frame: pd.DataFrame, number: int, out: str) -> str:
    """Write a partition, its vectors as lists of fixed size."""
    path, vectors = Path(out, f"part-{number:05}.parquet"), np.stack([*frame.pop("vector")])
    lists = pyarrow.FixedSizeListArray.from_arrays(vectors.ravel(), vectors.shape[1])
    table = pyarrow.Table.from_pandas(frame, preserve_index=False).append_column("vector", lists)
    pyarrow.parquet.write_table(table, path)
    return str(path)


def embed_table(folder: str, source: str, out: str, column: str) -> list[str]:
    """Parquet in, Parquet out: the same rows with a column more, a file for each partition."""
    frame = dask.dataframe.read_parquet(source)
    meta = frame._meta.assign(vector=pd.Series(dtype=object))
    table = frame.map_partitions(encoded, column, folder, meta=meta)
    return written(out, [dask.delayed(save_table)(part, n, out) for n, part in enumerate(table.to_delayed())])


def written(out: str, parts: list) -> list[str]:
    """The files of all parts, when they are there."""
    Path(out).mkdir(parents=True, exist_ok=True)
    return list(dask.compute(*parts))


def save_part(lines: list[str], number: int, folder: str, out: str) -> str:
    """Write the vectors of a partition's lines."""
    path = Path(out, f"part-{number:05}.npy")
    np.save(path, model_of(folder).encode([line.rstrip("\r\n") for line in lines]))
    return str(path)


def embed_lines(folder: str, source: str, out: str) -> list[str]:
    """Lines in, .npy out."""
    bag = dask.bag.read_text(source, blocksize="16MB" if not source.endswith(".gz") else None)
    delayed = enumerate(bag.to_delayed())
    return written(out, [dask.delayed(save_part)(lines, n, folder, out) for n, lines in delayed])


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model")
    parser.add_argument("source")
    parser.add_argument("out")
    parser.add_argument("--column")
    parser.add_argument("--scheduler", help="The address of a scheduler; left out, threads here.")
    options = parser.parse_args(arguments)
    if options.scheduler:
        from dask.distributed import Client

        Client(options.scheduler)
    if options.column:
        files = embed_table(options.model, options.source, options.out, options.column)
    else:
        files = embed_lines(options.model, options.source, options.out)
    print(f"{options.out}: {len(files)} files")


if __name__ == "__main__":
    main(sys.argv[1:])
