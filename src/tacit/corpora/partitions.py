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
from itertools import chain, islice, pairwise
from pathlib import Path

from tacit.checks import check_int
from tacit.corpora.delimited import choose_delimiter
from tacit.corpora.lines import MAX_LINE_BYTES, UTF16_BOMS, is_ascii_compatible
from tacit.corpora.readers import TSV, Reader
from tacit.corpora.reading import (
    Record,
    choose_reader,
    read_named_records,
    read_named_texts,
    read_records,
    read_texts,
)
from tacit.corpora.sources import GZIP_MAGIC, FileRange, Source, open_source
from tacit.corpora.table_rows import DEFAULT_OPTIONS, Column, ReadOptions, has_header
from tacit.errors import InputError

PARTITION_BYTES = 1 << 24
"""Bytes of text of a partition, about."""

_DELIMITER_SAMPLE_LINES = 100


@dataclass(frozen=True)
class SourcePart:
    """A file or a part of one, with how it is read; or a corpus by name."""

    source: str
    part: FileRange | None
    column: str | None
    options: ReadOptions
    file_size: int
    modified: int
    named: bool = False

    @property
    def size(self) -> int:
        """About how many bytes it has."""
        if self.part is None or self.part.unit != "byte":
            return self.file_size
        return self.part.stop - self.part.start

    def identity(self) -> str:
        """The text that stands for this piece in the digest of a training, stored in work folders.

        It names the file, its part, its state and how it is read. The names in it are those of the first
        version and stay when a class or a field is renamed: otherwise no stopped training could be resumed.
        """
        part, options = self.part, self.options
        part_text = part and (
            f"FileRange(path={part.path!r}, start={part.start!r}, stop={part.stop!r}, head={part.head!r}, "
            f"unit={part.unit!r})"
        )
        options_text = (
            f"ReadOptions(delimiter={options.delimiter!r}, encoding={options.encoding!r}, "
            f"header={options.header!r}, html={options.html!r})"
        )
        return (
            f"Piece(source={self.source!r}, part={part_text}, column={self.column!r}, "
            f"options={options_text}, file_size={self.file_size!r}, modified={self.modified!r}, "
            f"named={self.named!r})"
        )

    @property
    def _opened(self) -> Source:
        return self.source if self.part is None else self.part

    def texts(self, keep_blank: bool = False) -> Iterator[str]:
        """Stream its texts."""
        if self.named:
            return read_named_texts(self.source)
        self.check()
        return read_texts(self._opened, self.column, self.options, keep_blank)

    def records(self, id_column: Column = None) -> Iterator[Record]:
        """Stream its texts with their ids and other columns."""
        if self.named:
            return read_named_records(self.source)
        self.check()
        return read_records(self._opened, self.column, id_column, self.options)

    def check(self) -> None:
        """Raise an error if the file is gone, or is not as it was when the corpus was partitioned."""
        if self.named:
            return
        size, modified = _size_and_mtime(self.source)
        if size != self.file_size:
            change = f"it has {size:,} bytes and had {self.file_size:,}"
        elif modified != self.modified:
            change = "it was written again"
        else:
            return
        raise InputError(f"{self.source} has changed since the work began ({change}): begin anew")


@dataclass(frozen=True)
class Partition:
    """Part of a corpus: it can be sent to another process, and streams its texts in bounded memory.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "notes.txt")
    ...     _ = path.write_text("a cat\\na dog\\na bird\\n", encoding="utf-8")
    ...     [list(part.texts()) for part in partition_corpus([path], size=8)]
    [['a cat', 'a dog'], ['a bird']]
    """

    number: int
    pieces: tuple[SourcePart, ...]

    @property
    def name(self) -> str:
        """What an error calls it."""
        first, more = self.pieces[0], len(self.pieces) - 1
        shown = first.source if first.part is None else first.part.shown
        return f"{shown}{f' and {more} more' if more else ''}"

    @property
    def size(self) -> int:
        """About how many bytes it has."""
        return sum(piece.size for piece in self.pieces)

    def texts(self, keep_blank: bool = False) -> Iterator[str]:
        """Stream its texts."""
        return chain.from_iterable(piece.texts(keep_blank) for piece in self.pieces)

    def records(self, id_column: Column = None) -> Iterator[Record]:
        """Stream its texts with their ids and other columns."""
        return chain.from_iterable(piece.records(id_column) for piece in self.pieces)

    def check(self) -> None:
        """Raise an error that names a file which is gone or has changed."""
        for piece in self.pieces:
            piece.check()


def partition_corpus(
    inputs: Sequence[str | Path],
    column: Column = None,
    options: ReadOptions = DEFAULT_OPTIONS,
    *,
    corpora: Iterable[str] = (),
    size: int = PARTITION_BYTES,
) -> list[Partition]:
    """The partitions of files, of patterns (``logs/*.jsonl``, in the order of names), and of corpora.

    A file longer than ``size`` bytes is cut in parts of about as many. What is wrong with a file that is
    there is found when it is read.
    """
    check_int("size", size)
    name = None if column is None else str(column)
    pieces = [SourcePart(corpus, None, None, options, size, 0, named=True) for corpus in corpora]
    for path in expand_patterns(inputs):
        if path == "-":
            raise InputError("standard input is read once and cannot be cut: save it to a file first")
        pieces += _split_source(path, name, options.checked(), size)
    return [Partition(number, group) for number, group in enumerate(_pack_parts(pieces, size))]


def expand_patterns(inputs: Sequence[str | Path]) -> Iterator[str]:
    """Every file, in the place of a pattern those that it matches."""
    for given in map(str, inputs):
        yield from _expand_pattern(given)


def _expand_pattern(given: str) -> list[str]:
    """The files that match a pattern, in the order of their names; anything else stands for itself.

    >>> _expand_pattern("-"), _expand_pattern("notes.txt")
    (['-'], ['notes.txt'])
    """
    if os.path.exists(given) or not has_magic(given):
        return [given]
    found = sorted(path for path in glob(given, recursive=True) if os.path.isfile(path))
    if not found:
        raise InputError(f"no file matches {given}; check the pattern")
    return found


def _split_source(path: str, column: str | None, options: ReadOptions, size: int) -> Iterator[SourcePart]:
    file_size, modified = _size_and_mtime(path)
    reader = choose_reader(path, column)
    parts = split_file(path, reader, column, options, size) if file_size > size else []
    for part, part_options in parts:
        yield SourcePart(path, part, column, part_options, file_size, modified)
    if not parts:
        yield SourcePart(path, None, column, options, file_size, modified)


def _size_and_mtime(path: str) -> tuple[int, int]:
    """How large a file is, and when it was written."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        raise InputError(f"no such file: {path}; check the path") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; check the path") from None
    return found.st_size, found.st_mtime_ns


def _pack_parts(pieces: Iterable[SourcePart], size: int) -> Iterator[tuple[SourcePart, ...]]:
    """Pieces in their order, so many together as ``size`` bytes hold."""
    group: list[SourcePart] = []
    filled = 0
    for piece in pieces:
        if group and filled + piece.size > size:
            yield tuple(group)
            group, filled = [], 0
        group.append(piece)
        filled += piece.size
    if group:
        yield tuple(group)


def split_file(
    path: str, reader: Reader, column: str | None, options: ReadOptions, size: int
) -> list[tuple[FileRange, ReadOptions]]:
    """Split a file into ranges of about ``size`` bytes, each with the options to read it.

    No text crosses the end of a range. The list is empty for a file that has to be read in one piece: gzip,
    UTF-16, a format that cannot be split, and damaged CSV, for which the reader then names the row.
    """
    import csv

    if not reader.cut or not _has_ascii_line_ends(path, options):
        return []
    if reader.cut == "groups":
        return [(part, options) for part in _pack_row_groups(path, size)]
    delimiter = None
    if reader.cut == "rows" or (reader is TSV and options.delimiter is not None):
        delimiter = _find_delimiter(path, options)
        options = options._replace(delimiter=delimiter)
        if not delimiter.isascii():
            return []
    is_table = reader is TSV or delimiter is not None
    try:
        ends = list(_line_ends(path, size) if delimiter is None else _split_rows(path, size, delimiter))
        has_names = is_table and has_header([column], options.header)
        header = _read_header(path, delimiter) if has_names else b""
    except csv.Error:
        return []
    return [(FileRange(path, a, b, header if a else b""), options) for a, b in pairwise([0, *ends])]


def _has_ascii_line_ends(path: str, options: ReadOptions) -> bool:
    """Test whether lines end in ASCII's byte, by the options and the first bytes."""
    with open_source(path) as stream, open(path, "rb") as raw:
        starts = stream.peek(2)[:2], raw.read(2)  # type: ignore[attr-defined]
    wide = options.encoding is not None and not is_ascii_compatible(options.encoding)
    return not wide and not any(start.startswith((GZIP_MAGIC, *UTF16_BOMS)) for start in starts)


def _line_ends(path: str, size: int) -> Iterator[int]:
    """Yield the first line end at or after each multiple of ``size``, and the end of the file."""
    with open(path, "rb") as file:
        file_size = file.seek(0, io.SEEK_END)
        at = 0
        while at < file_size:
            file.seek(min(at + size, file_size) - 1)
            file.readline(MAX_LINE_BYTES + 1)
            at = file.tell()
            yield at


def _split_rows(path: str, size: int, delimiter: str) -> Iterator[int]:
    """Yield the ends of ranges of whole rows, each of at least ``size`` bytes, and the end of the file."""
    start = end = 0
    for end in _row_ends(path, delimiter):
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


def _find_delimiter(path: str, options: ReadOptions) -> str:
    """Return the delimiter of a whole file, so that all of its parts are read with the same one."""
    with open(path, "rb") as file:
        sample = islice(file, _DELIMITER_SAMPLE_LINES)
        lines = [line.decode(options.encoding or "utf-8", "replace") for line in sample]
    if lines:
        lines[0] = lines[0].removeprefix("\ufeff")
    return choose_delimiter(lines, options)[0]


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


def _pack_row_groups(path: str, size: int) -> list[FileRange]:
    """Group the row groups of a Parquet file into ranges of at least ``size`` bytes."""
    from tacit.corpora.parquet import row_group_sizes

    edges, n_bytes = [0], 0
    sizes = row_group_sizes(path)
    for number, group_bytes in enumerate(sizes, 1):
        n_bytes += group_bytes
        if n_bytes >= size or number == len(sizes):
            edges.append(number)
            n_bytes = 0
    return [FileRange(path, a, b, unit="row group") for a, b in pairwise(edges)]
