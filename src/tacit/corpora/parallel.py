"""Sentence-aligned text: a TSV file, two files line by line, or TMX.

A side that is empty is an error that names its line: nobody knows whether the other lines are still aligned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from tacit.corpora.files import Source, chomp, numbered_lines, opened, shown, started
from tacit.errors import InputError

Pair = tuple[str, str]


def read_parallel(sources: Sequence[Source], languages: Sequence[str]) -> Iterator[Pair]:
    """Stream the pairs of a file of two columns, of two files, or of a TMX file (by its suffix).

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
    if len(sources) == 2:
        return started(_two_files(sources[0], sources[1]))
    if len(sources) != 1:
        raise InputError(
            f"{len(sources)} files of pairs: give one (TSV or TMX), or two of equally many lines"
        )
    if str(sources[0]).lower().removesuffix(".gz").endswith(".tmx"):
        return started(_tmx(sources[0], languages))
    return started(_tsv(sources[0]))


def _tsv(source: Source) -> Iterator[Pair]:
    name = shown(source)
    for number, line in numbered_lines(source):
        cells = chomp(line).split("\t")
        if cells == [""]:
            continue
        where = f"{name}, line {number}"
        if len(cells) != 2:
            parts = f"{len(cells)} column{'s' * (len(cells) != 1)}"
            raise InputError(f"{where} has {parts}, not 2; put a text, one tab and its translation on a line")
        yield _whole(cells[0], cells[1], where)


def _whole(left: str, right: str, where: str) -> Pair:
    if not left.strip() or not right.strip():
        side = "first" if not left.strip() else "second"
        raise InputError(f"{where}: the {side} text is empty; give both, or take the line out")
    return left, right


def _two_files(one: Source, other: Source) -> Iterator[Pair]:
    names = f"{shown(one)} and {shown(other)}"
    lines = zip_longest(numbered_lines(one), numbered_lines(other))
    for left, right in lines:
        if left is None or right is None:
            short, number = (one, right[0]) if left is None else (other, left[0])
            raise InputError(f"{shown(short)} ends before line {number}: {names} need equally many lines")
        if not left[1].strip() and not right[1].strip():
            continue
        yield _whole(chomp(left[1]), chomp(right[1]), f"{names}, line {left[0]}")


def _tmx(source: Source, languages: Sequence[str]) -> Iterator[Pair]:
    """The units of a TMX file that have both languages; a unit's number counts from 1."""
    from xml.etree.ElementTree import ParseError, iterparse

    number, there = 0, set()
    with opened(source) as stream:
        try:
            for _, unit in iterparse(stream):  # noqa: S314 - expat expands no external entity
                if unit.tag != "tu":
                    continue
                number += 1
                texts = dict(_segments(unit))
                there |= set(texts)
                found = [texts.get(code) for code in languages]
                unit.clear()
                if found[0] is not None and found[1] is not None:
                    yield _whole(found[0], found[1], f"{shown(source)}, unit {number}")
        except ParseError as error:
            raise InputError(f"{shown(source)} is not TMX ({error}); check the file") from None
    missing = [code for code in languages if code not in there]
    if missing:
        has = ", ".join(sorted(there)) or "none"
        raise InputError(f"{shown(source)} has no texts of {missing[0]!r}; its languages: {has}")


def _segments(unit: Any) -> Iterator[tuple[str, str]]:
    """The language, without its region, and the text of each variant of a unit."""
    for variant in unit.iter("tuv"):
        named = variant.get("{http://www.w3.org/XML/1998/namespace}lang") or variant.get("lang") or ""
        segment = variant.find("seg")
        if segment is not None:
            yield (
                named.lower().replace("_", "-").partition("-")[0],
                " ".join("".join(segment.itertext()).split()),
            )
