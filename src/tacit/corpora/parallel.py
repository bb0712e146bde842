"""Sentence-aligned text: a table of two columns, two files line by line, or a format of translations.

A side that is empty is an error that names its line: nobody knows whether the other lines are still aligned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from tacit.corpora.files import Source, chomp, numbered_lines, shown, started
from tacit.corpora.opening import read_cells
from tacit.corpora.options import AS_FOUND, ReadOptions
from tacit.corpora.readers import TMX, TSV, find_reader
from tacit.corpora.tmx import tmx_pairs
from tacit.errors import InputError

Pair = tuple[str, str]
Placed = tuple[str, list[str]]
"""Where a pair is, and its texts."""


def read_parallel(
    sources: Sequence[Source], languages: Sequence[str], options: ReadOptions = AS_FOUND
) -> Iterator[Pair]:
    """Stream the pairs of a file of two columns, of two files, or of a file of translations such as TMX.

    ``languages`` are the codes of the two sides in their order; only TMX names its own. What is wrong with a
    file, or its first pair, is reported by this call.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     one, other = Path(folder, "a.en"), Path(folder, "a.es")
    ...     _ = one.write_text("a cat\\na dog\\n"), other.write_text("un gato\\nun perro\\n")
    ...     list(read_parallel([one, other], ["en", "es"]))
    [('a cat', 'un gato'), ('a dog', 'un perro')]
    """
    if len(sources) not in (1, 2):
        raise InputError(
            f"{len(sources)} files of pairs: give one (a table or TMX), or two of equally many lines"
        )
    if len(sources) == 2:
        return started(map(_whole, _two_files(sources[0], sources[1], options.checked())))
    if find_reader(sources[0], TSV) is TMX:
        name = f"{shown(sources[0])}, {TMX.unit}"
        units = tmx_pairs(sources[0], languages)
        return started(_whole((f"{name} {number}", texts)) for number, texts in units)
    return started(map(_whole, read_cells(sources[0], 2, "a text and its translation", options)))


def _two_files(one: Source, other: Source, options: ReadOptions) -> Iterator[Placed]:
    names = f"{shown(one)} and {shown(other)}"
    for left, right in zip_longest(*(numbered_lines(file, options.encoding) for file in (one, other))):
        if left is None or right is None:
            short, number = (one, right[0]) if left is None else (other, left[0])
            raise InputError(f"{shown(short)} ends before line {number}: {names} need equally many lines")
        if left[1].strip() or right[1].strip():
            yield f"{names}, line {left[0]}", [chomp(left[1]), chomp(right[1])]


def _whole(placed: Placed) -> Pair:
    """A pair, both of whose texts are there."""
    where, (left, right) = placed
    if not left.strip() or not right.strip():
        side = "first" if not left.strip() else "second"
        raise InputError(f"{where}: the {side} text is empty; give both, or take it out")
    return left, right
