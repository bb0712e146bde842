"""Where a large file can be cut: at the ends of lines, of rows with quoted cells, or of groups of rows."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import islice, pairwise

import numpy as np

from tacit.corpora.decoding import MAX_LINE, UTF16_BOMS
from tacit.corpora.files import GZIP_MAGIC, opened
from tacit.corpora.options import ReadOptions, ascii_compatible
from tacit.corpora.ranges import FileRange
from tacit.corpora.readers import TSV, Reader
from tacit.corpora.separated import found_mark
from tacit.corpora.tables import has_header

_PIECE = 1 << 22
_SAMPLE = 100
_ASCII = 127


def cut_file(
    path: str, reader: Reader, column: str | None, options: ReadOptions, size: int
) -> list[tuple[FileRange, ReadOptions]]:
    """The parts of a file of about ``size`` bytes each, and how they are read; none if it has to be whole.

    Texts never lie across two parts. Gzip, UTF-16 and formats without ends to cut at stay whole.
    """
    if not reader.cut or not _in_ascii(path, options):
        return []
    if reader.cut == "groups":
        return [(part, options) for part in _groups(path, size)]
    mark = None
    if reader.cut == "rows" or (reader is TSV and options.delimiter is not None):
        mark, options = _mark(path, options)
        if mark > _ASCII:
            return []
    table = reader is TSV or mark is not None
    head = _header(path, mark) if table and has_header([column], options.header) else b""
    ends = _line_ends(path, size) if mark is None else _row_ends(path, size, mark)
    return [(FileRange(path, a, b, head if a else b""), options) for a, b in pairwise([0, *ends])]


def _in_ascii(path: str, options: ReadOptions) -> bool:
    """Whether lines end in ASCII's byte, as far as options and the first bytes tell."""
    with opened(path) as stream, open(path, "rb") as raw:
        marks = stream.peek(2)[:2], raw.read(2)  # type: ignore[attr-defined]
    wide = options.encoding is not None and not ascii_compatible(options.encoding)
    return not wide and not any(mark.startswith((GZIP_MAGIC, *UTF16_BOMS)) for mark in marks)


def _line_ends(path: str, size: int) -> Iterator[int]:
    """The first line end at or after each multiple of ``size``, and the end of the file."""
    with open(path, "rb") as file:
        whole = file.seek(0, io.SEEK_END)
        at = 0
        while at < whole:
            file.seek(min(at + size, whole) - 1)
            file.readline(MAX_LINE + 1)
            at = file.tell()
            yield at


def _row_ends(path: str, size: int, mark: int) -> Iterator[int]:
    """The same for rows, whose quoted cells may hold line ends: the file is read once."""
    from tacit.text.quotes import row_end

    state, at, due = np.zeros(1, np.int64), 0, size
    with open(path, "rb") as file:
        while piece := file.read(_PIECE):
            codes, start = np.frombuffer(piece, np.uint8), 0
            while start < len(codes):
                # a row that ends before the place is due only moves the state along
                start = int(row_end(codes, start, max(due - at - 1, start), mark, state))
                if start <= len(codes) and state[0] == 0 and at + start >= due and piece[start - 1] == 10:
                    yield at + start
                    due = at + start + size
            at += len(piece)
    if at > due - size:
        yield at


def _mark(path: str, options: ReadOptions) -> tuple[int, ReadOptions]:
    """What separates the cells, which every part is then told."""
    encoding = options.encoding or "utf-8"
    with open(path, "rb") as file:
        lines = [line.decode(encoding, "replace") for line in islice(file, _SAMPLE)]
    if lines:
        lines[0] = lines[0].removeprefix("\ufeff")
    mark, _ = found_mark(lines, options)
    return ord(mark), options._replace(delimiter=mark)


def _header(path: str, mark: int | None) -> bytes:
    """The bytes up to the end of the first row that is not blank."""
    from tacit.text.quotes import row_end

    found, state = b"", np.zeros(1, np.int64)
    with open(path, "rb") as file:
        for line in file:
            found += line
            if mark is not None:
                row_end(np.frombuffer(line, np.uint8), 0, len(line), mark, state)
            if state[0] == 0 and line.removeprefix(b"\xef\xbb\xbf").strip() and not line.startswith(b"sep="):
                break
    return found if found.endswith(b"\n") else found + b"\n"


def _groups(path: str, size: int) -> list[FileRange]:
    """Row groups of Parquet, as many together as ``size`` bytes have."""
    from tacit.corpora.parquet import group_sizes

    edges, filled = [0], 0
    sizes = group_sizes(path)
    for number, bytes_ in enumerate(sizes, 1):
        filled += bytes_
        if filled >= size or number == len(sizes):
            edges.append(number)
            filled = 0
    return [FileRange(path, a, b, unit="row group") for a, b in pairwise(edges)]
