"""Split a corpus into partitions that can be read independently.

Large files are split at the ends of lines, rows or row groups; small files share a partition. A partition
stores the size and modification time of its files: reading one that is missing or has changed is an error.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from glob import glob, has_magic
from itertools import accumulate, chain, pairwise
from pathlib import Path

from tacit.checks import check_int
from tacit.corpora.formats.delimited import TSV, detect_delimiter
from tacit.corpora.lines import MAX_LINE_BYTES, UTF16_BOMS, is_ascii_compatible
from tacit.corpora.reading import (
    choose_reader,
    read_named_records,
    read_named_texts,
    read_records,
    read_texts,
)
from tacit.corpora.sources import GZIP_MAGIC, FileRange, display_name, open_source
from tacit.corpora.table_rows import (
    DEFAULT_OPTIONS,
    Column,
    Reader,
    ReadOptions,
    Record,
    column_names,
    has_header,
)
from tacit.errors import InputError

PARTITION_BYTES = 1 << 24
"""Approximate number of bytes of a partition."""


@dataclass(frozen=True)
class SourcePart:
    """A file or a part of one, with the options to read it; or a named corpus."""

    source: str
    file_range: FileRange | None
    options: ReadOptions
    column: str | None
    file_size: int
    mtime_ns: int
    is_named: bool = False

    @property
    def size(self) -> int:
        """The approximate number of bytes."""
        part = self.file_range
        return part.stop - part.start if part and part.unit == "byte" else self.file_size

    def identity(self) -> str:
        """Return the text that represents this part in the digest of a training, stored in work folders.

        It has the file, its range, size and time, and the options. The names in it are those of the first
        version and do not change when a class or a field is renamed: otherwise no stopped training could be
        resumed.
        """
        part, named = self.file_range, self.options._asdict().items()
        options = ", ".join(f"{name}={value!r}" for name, value in named if name != "max_unpacked")
        part_text = part and (
            f"FileRange(path={part.path!r}, start={part.start!r}, stop={part.stop!r}, head={part.header!r}, "
            f"unit={part.unit!r})"
        )
        return (
            f"Piece(source={self.source!r}, part={part_text}, column={self.column!r}, "
            f"options=ReadOptions({options}), file_size={self.file_size!r}, modified={self.mtime_ns!r}, "
            f"named={self.is_named!r})"
        )

    def texts(self, keep_blank: bool = False) -> Iterator[str]:
        """Stream the texts."""
        if self.is_named:
            return read_named_texts(self.source)
        self.check()
        return read_texts(self.file_range or self.source, self.column, self.options, keep_blank)

    def records(self, id_column: Column = None) -> Iterator[Record]:
        """Stream the texts with their ids and other columns."""
        if self.is_named:
            return read_named_records(self.source)
        self.check()
        return read_records(self.file_range or self.source, self.column, id_column, self.options)

    def check(self) -> None:
        """Raise InputError if the file is missing, or was modified after the corpus was partitioned."""
        if self.is_named:
            return
        size, mtime_ns = _size_and_mtime(self.source)
        if (size, mtime_ns) == (self.file_size, self.mtime_ns):
            return
        change = f" ({self.file_size:,} bytes, now {size:,})" if size != self.file_size else ""
        raise InputError(f"{self.source} was modified after the run started{change}: start again")


@dataclass(frozen=True)
class Partition:
    """Part of a corpus that can be sent to another process; texts are streamed in bounded memory.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "notes.txt")
    ...     _ = path.write_text("a cat\\na dog\\na bird\\n", encoding="utf-8")
    ...     [list(part.texts()) for part in partition_corpus([path], size=8)]
    [['a cat', 'a dog'], ['a bird']]
    """

    number: int
    parts: tuple[SourcePart, ...]

    @property
    def name(self) -> str:
        """The name in error messages."""
        first, n_more = self.parts[0], len(self.parts) - 1
        name = display_name(first.file_range or first.source)
        return f"{name} and {n_more} more" if n_more else name

    @property
    def size(self) -> int:
        """The approximate number of bytes."""
        return sum(part.size for part in self.parts)

    def texts(self, keep_blank: bool = False) -> Iterator[str]:
        """Stream the texts."""
        return chain.from_iterable(part.texts(keep_blank) for part in self.parts)

    def records(self, id_column: Column = None) -> Iterator[Record]:
        """Stream the texts with their ids and other columns."""
        return chain.from_iterable(part.records(id_column) for part in self.parts)

    def check(self) -> None:
        """Raise InputError if a file is missing or was modified."""
        for part in self.parts:
            part.check()


def partition_corpus(
    inputs: Sequence[str | Path], column: Column = None, options: ReadOptions = DEFAULT_OPTIONS, *,
    corpora: Iterable[str] = (), size: int = PARTITION_BYTES,
) -> list[Partition]:  # fmt: skip
    """Return the partitions of named corpora, and of files or patterns (``logs/*.jsonl``, sorted by name).

    A file of more than ``size`` bytes is split into ranges of about this size. Files are not checked here,
    except that they exist.
    """
    check_int("size", size)
    (name,) = column_names(column)
    parts = [SourcePart(corpus, None, options, None, size, 0, is_named=True) for corpus in corpora]
    for path in expand_patterns(inputs):
        if path == "-":
            raise InputError("standard input can be read only once: save it to a file first")
        parts += _split_source(path, name, options.validated(), size)
    return [Partition(number, tuple(group)) for number, group in enumerate(_pack_parts(parts, size))]


def expand_patterns(inputs: Sequence[str | Path]) -> Iterator[str]:
    """Yield all files; a pattern is replaced by the files that match it, sorted by name.

    >>> list(expand_patterns(["-", "notes.txt"]))
    ['-', 'notes.txt']
    """
    for pattern in map(str, inputs):
        if os.path.exists(pattern) or not has_magic(pattern):
            yield pattern
            continue
        paths = sorted(path for path in glob(pattern, recursive=True) if os.path.isfile(path))
        if not paths:
            raise InputError(f"no file matches {pattern}; check the pattern")
        yield from paths


def _split_source(path: str, column: str | None, options: ReadOptions, size: int) -> list[SourcePart]:
    """Return the parts of a file."""
    file_size, mtime_ns = _size_and_mtime(path)
    reader = choose_reader(path, column)
    ranges: Sequence[tuple[FileRange | None, ReadOptions]] = [(None, options)]
    if file_size > size:
        ranges = split_file(path, reader, column, options, size) or ranges
    return [SourcePart(path, *file_range, column, file_size, mtime_ns) for file_range in ranges]


def _size_and_mtime(path: str) -> tuple[int, int]:
    """Return the size and modification time of a file; InputError if it is missing."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        raise InputError(f"no such file: {path}; check the path") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; check the path") from None
    return status.st_size, status.st_mtime_ns


def _pack_parts(parts: Iterable[SourcePart], size: int) -> list[list[SourcePart]]:
    """Group consecutive parts of together at most ``size`` bytes."""
    groups: list[list[SourcePart]] = []
    n_free = 0
    for part in parts:
        if not groups or part.size > n_free:
            groups.append([])
            n_free = size
        groups[-1].append(part)
        n_free -= part.size
    return groups


def split_file(
    path: str, reader: Reader, column: str | None, options: ReadOptions, size: int
) -> list[tuple[FileRange, ReadOptions]]:
    """Split a file into ranges of about ``size`` bytes, each with the options to read it.

    No text crosses the end of a range. The list is empty for a file that has to be read in one piece: gzip,
    UTF-16, a format that cannot be split, and damaged CSV, for which the reader then names the row.
    """
    import csv

    if not (reader.split_at or reader.group_sizes) or not _has_ascii_line_ends(path, options):
        return []
    if reader.group_sizes:
        return [(part, options) for part in _pack_row_groups(path, reader.group_sizes(path), size)]
    delimiter = None
    if reader.split_at == "rows" or (reader is TSV and options.delimiter is not None):
        delimiter = detect_delimiter(path, options)  # one for all parts
        options = options._replace(delimiter=delimiter)
        if not delimiter.isascii():
            return []
    is_table = reader is TSV or delimiter is not None
    try:
        ends = list(_line_ends(path, size) if delimiter is None else _thin(_row_ends(path, delimiter), size))
        has_names = is_table and has_header([column], options.header)
        header = _read_header(path, delimiter) if has_names else b""
    except csv.Error:
        return []
    return [(FileRange(path, a, b, header if a else b""), options) for a, b in pairwise([0, *ends])]


def _has_ascii_line_ends(path: str, options: ReadOptions) -> bool:
    """Return whether lines end with the byte of ASCII, by the options and the first bytes."""
    with open_source(path) as stream, open(path, "rb") as raw:
        starts = stream.peek(2)[:2], raw.read(2)  # type: ignore[attr-defined]
    if options.encoding is not None and not is_ascii_compatible(options.encoding):
        return False
    return not any(start.startswith((GZIP_MAGIC, *UTF16_BOMS)) for start in starts)


def _line_ends(path: str, size: int) -> Iterator[int]:
    """Yield the first line end at or after each multiple of ``size``, and the end of the file."""
    with open(path, "rb") as file:
        file_size = file.seek(0, io.SEEK_END)
        end = 0
        while end < file_size:
            file.seek(min(end + size, file_size) - 1)
            file.readline(MAX_LINE_BYTES + 1)
            end = file.tell()
            yield end


def _thin(ends: Iterable[int], size: int) -> Iterator[int]:
    """Yield those ends that are at least ``size`` after the one before, and the last."""
    start = end = 0
    for end in ends:
        if end - start >= size:
            yield end
            start = end
    if end > start:
        yield end


def _row_ends(path: str, delimiter: str | None) -> Iterator[int]:
    """Yield the end of each row, whose quoted cells may contain line ends, or of each line if None."""
    import csv

    end = 0

    def read_lines() -> Iterator[str]:
        nonlocal end
        with open(path, "rb") as file:
            while line := file.readline(MAX_LINE_BYTES + 1):
                if len(line) > MAX_LINE_BYTES:
                    raise csv.Error("line too long")
                end += len(line)
                yield line.decode("latin-1")  # one character per byte; delimiter and quotes are ASCII

    csv.field_size_limit(MAX_LINE_BYTES)
    for _ in read_lines() if delimiter is None else csv.reader(read_lines(), delimiter=delimiter):
        yield end


def _read_header(path: str, delimiter: str | None) -> bytes:
    """Read the bytes up to the end of the first row that is neither blank nor Excel's ``sep=`` line."""
    header = b""
    with open(path, "rb") as file:
        for end in _row_ends(path, delimiter):
            row = file.read(end - len(header))
            header += row
            if row.removeprefix(b"\xef\xbb\xbf").strip() and not row.startswith(b"sep="):
                break
    return header if header.endswith(b"\n") else header + b"\n"


def _pack_row_groups(path: str, sizes: list[int], size: int) -> list[FileRange]:
    """Group row groups of these sizes into ranges of at least ``size`` bytes."""
    number_at = {end: number for number, end in enumerate(accumulate(sizes), 1)}
    edges = [0, *(number_at[end] for end in _thin(number_at, size))]
    return [FileRange(path, a, b, unit="row group") for a, b in pairwise(edges)]
