"""Write the vectors of texts to one file or to shards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from tacit.errors import InputError
from tacit.storage.durable_files import write_atomic
from tacit.workflows.progress import Progress, ProgressEvent, stage_callback
from tacit.workflows.records import RecordSource

if TYPE_CHECKING:
    from tacit.corpora.partitions import Partition
    from tacit.models.text_model import TextModel
    from tacit.models.vector_files import TextRow

MANIFEST = "vectors.json"


@dataclass(frozen=True)
class Shard:
    """One file of a folder of shards."""

    file: str
    rows: int
    without_known_word: int
    of: str


@dataclass(frozen=True)
class EmbeddingReport:
    """What `write_embeddings` wrote; ``shards`` is None for a single file."""

    out: str
    rows: int
    components: int
    without_known_word: int
    shards: list[Shard] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: what ``tacit embed --json`` prints."""
        name = "file" if self.shards is None else "folder"
        report = {name: self.out, "rows": self.rows, "components": self.components}
        report["without_known_word"] = self.without_known_word
        return report if self.shards is None else report | {"shards": [asdict(s) for s in self.shards]}


def write_embeddings(
    source: RecordSource,
    model: TextModel | str | Path,
    out: str,
    *,
    shard_format: str = "parquet",
    language: str | None = None,
    n_threads: int | None = None,
    progress: Progress | None = None,
) -> EmbeddingReport:
    """Write the vector of every row of a source, in order; a row without a known word gets zeros.

    Parameters
    ----------
    source : RecordSource
        The texts; with ``options.id`` the ids are stored beside the vectors, in Parquet.
    model : TextModel, str or Path
        The model, or its folder.
    out : str
        A file whose suffix is .npy, .parquet or .safetensors; or a folder, with / at the end, for one file
        per partition and a manifest.
    shard_format : {"parquet", "npy"}
        File format of the shards.
    language : str, optional
        Language of the texts, for a multilingual model; None detects it.
    n_threads : int, optional
        Number of threads, where the model is loaded from a folder.
    progress : callable, optional
        Receives events of the stage "embedding".

    Returns
    -------
    EmbeddingReport
        Number of rows, components and rows without a known word, and the shards.

    Raises
    ------
    InputError
        If a file cannot be read or written, or the format cannot hold ids.
    """
    from tacit.models.text_model import TextModel
    from tacit.workflows.loading import load

    is_folder = out.endswith(("/", "\\"))
    suffix = f".{shard_format}" if is_folder else Path(out).suffix
    _check_format(suffix, source.options.id)
    if is_folder and Path(out).exists() and (not Path(out).is_dir() or any(Path(out).iterdir())):
        raise InputError(f"{out} is not empty: name a new folder, or empty it first")
    source = replace(source, options=replace(source.options, keep_blank=True))
    rows = None if is_folder else source.rows()  # reports unreadable files before the model is loaded
    if not isinstance(model, TextModel):
        model = cast(TextModel, load(model, "model", n_threads))
    if rows is None:
        return _write_shards(source, model, Path(out), suffix, language, progress)
    n_rows, n_unknown = _write_rows(model, rows, Path(out), language, progress)
    return EmbeddingReport(out, n_rows, model.n_components, n_unknown)


def _check_format(suffix: str, id_column: str | None) -> None:
    from tacit.models.vector_files import FORMATS, import_pyarrow

    if suffix not in FORMATS:
        raise InputError(f"{suffix!r} is no format of vectors: there are {', '.join(FORMATS)}")
    if suffix == ".parquet":
        import_pyarrow()
    elif id_column is not None:
        raise InputError(f"{suffix} holds vectors alone: write .parquet to keep --id-column beside them")


def _write_rows(
    model: TextModel, rows: Iterable[TextRow], target: Path, language: str | None, progress: Progress | None
) -> tuple[int, int]:
    """Write one file; returns the number of rows, and of those without a known word."""
    from tacit.models.vector_files import write_vectors

    counts = [0, 0]

    def report(n_done: int) -> None:
        if progress is not None:
            progress(ProgressEvent("embedding", n_done, None, "texts"))

    def write(file: BinaryIO) -> None:
        counts[:] = write_vectors(model, rows, file, target.suffix, language, report)

    report(0)
    write_atomic(target, write)
    return counts[0], counts[1]


def _write_shards(
    source: RecordSource,
    model: TextModel,
    out: Path,
    suffix: str,
    language: str | None,
    progress: Progress | None,
) -> EmbeddingReport:
    """Write a file for each partition, then the manifest."""
    from tacit.corpora.partitions import PARTITION_BYTES

    partitions = source.partitions(PARTITION_BYTES)
    total, n_bytes = sum(part.size for part in partitions) or 1, 0
    report = stage_callback(progress, "embedding")
    out.mkdir(parents=True, exist_ok=True)
    shards = []
    for part in partitions:
        name = f"part-{part.number:05}{suffix}"
        rows = _partition_rows(part, source.options.id)
        shards.append(Shard(name, *_write_rows(model, rows, out / name, language, None), part.name))
        n_bytes += part.size
        report(n_bytes, total)
    n_rows = sum(shard.rows for shard in shards)
    n_unknown = sum(shard.without_known_word for shard in shards)
    written = EmbeddingReport(str(out), n_rows, model.n_components, n_unknown, shards)
    manifest = json.dumps(written.to_dict(), indent=2).encode("ascii")
    write_atomic(out / MANIFEST, lambda file: file.write(manifest))
    return written


def _partition_rows(part: Partition, id_column: str | None) -> Iterator[TextRow]:
    if id_column is None:
        return ((text, None) for text in part.texts(keep_blank=True))
    return ((record.text, record.id) for record in part.records(id_column))
