"""Write the vectors of texts to one file or to shards."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tacit.corpora.partitions import PARTITION_BYTES
from tacit.errors import InputError
from tacit.models.text_model import TextModel
from tacit.models.vector_files import FORMATS, TextRow, import_pyarrow, write_vectors
from tacit.storage.durable_files import write_atomic
from tacit.workflows.loading import load
from tacit.workflows.progress import Progress, notify, stage_callback
from tacit.workflows.records import RecordSource

MANIFEST = "vectors.json"


@dataclass(frozen=True)
class EmbeddingReport:
    """The result of `write_embeddings`.

    Parameters
    ----------
    out : str
        The file or the folder.
    rows : int
        Number of vectors.
    components : int
        Number of dimensions.
    without_known_word : int
        Number of rows without a known word, whose vectors are zero.
    shards : list of dict, optional
        The files of a folder, each with its name, number of rows, rows without a known word, and the part of
        the source; None for a single file.
    """

    out: str
    rows: int
    components: int
    without_known_word: int
    shards: list[dict[str, Any]] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain values, as ``tacit embed --json`` prints them.

        Returns
        -------
        dict
            The fields; ``file`` or ``folder`` in place of ``out``.
        """
        report = asdict(self)
        out, shards = report.pop("out"), report.pop("shards")
        return {"file": out, **report} if shards is None else {"folder": out, **report, "shards": shards}


def write_embeddings(
    source: RecordSource, model: TextModel | str | Path, out: str, *, shard_format: str = "parquet",
    language: str | None = None, n_threads: int | None = None, progress: Progress | None = None,
) -> EmbeddingReport:  # fmt: skip
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
    is_folder = out.endswith(("/", "\\"))
    suffix = f".{shard_format}" if is_folder else Path(out).suffix
    _check_format(suffix, source.options.id)
    if is_folder and Path(out).exists() and (not Path(out).is_dir() or any(Path(out).iterdir())):
        raise InputError(f"{out} is not empty: name a new folder, or empty it first")
    # this reports unreadable files before the model is loaded
    rows: Iterable[TextRow] | None = None if is_folder else source.rows()
    loaded: TextModel = model if isinstance(model, TextModel) else load(model, "model", n_threads)
    if rows is not None:
        n_rows, n_unknown = _write_rows(loaded, language, rows, Path(out), progress)
        return EmbeddingReport(out, n_rows, loaded.n_components, n_unknown)
    shards: list[dict[str, Any]] = []
    report, partitions, n_bytes = stage_callback(progress, "embedding"), source.partitions(PARTITION_BYTES), 0
    Path(out).mkdir(parents=True, exist_ok=True)
    for part in partitions:
        target = Path(out, f"part-{part.number:05}{suffix}")
        if source.options.id is None:
            rows = ((text, None) for text in part.texts(keep_blank=True))
        else:
            rows = ((record.text, record.id) for record in part.records(source.options.id))
        n_rows, n_unknown = _write_rows(loaded, language, rows, target, None)
        shards.append({"file": target.name, "rows": n_rows, "without_known_word": n_unknown, "of": part.name})
        n_bytes += part.size
        report(n_bytes, sum(part.size for part in partitions) or 1)
    n_rows, n_unknown = (sum(shard[count] for shard in shards) for count in ("rows", "without_known_word"))
    written = EmbeddingReport(str(Path(out)), n_rows, loaded.n_components, n_unknown, shards)
    manifest = json.dumps(written.to_dict(), indent=2).encode("ascii")
    write_atomic(Path(out, MANIFEST), lambda file: file.write(manifest))
    return written


def _check_format(suffix: str, id_column: str | None) -> None:
    """Raise InputError for an unknown format, or one that cannot hold ids."""
    if suffix not in FORMATS:
        raise InputError(f"{suffix!r} is not a format of vectors: use one of {', '.join(FORMATS)}")
    if suffix == ".parquet":
        import_pyarrow()
    elif id_column is not None:
        raise InputError(f"{suffix} holds vectors alone: write .parquet to keep --id-column beside them")


def _write_rows(
    model: TextModel, language: str | None, rows: Iterable[TextRow], target: Path, progress: Progress | None
) -> tuple[int, int]:
    """Write the vectors of one file; returns the number of rows, and of those without a known word."""

    def report(n_done: int) -> None:
        notify(progress, "embedding", n_done, None, "texts")

    report(0)
    counts: list[int] = []
    write_atomic(
        target, lambda file: counts.extend(write_vectors(model, rows, file, target.suffix, language, report))
    )
    return counts[0], counts[1]
