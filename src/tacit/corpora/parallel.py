"""Read sentence-aligned text: two columns, two files, or TMX."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from tacit.corpora.lines import numbered_lines, strip_line_end
from tacit.corpora.readers import TMX, TSV, find_reader
from tacit.corpora.reading import read_table
from tacit.corpora.sources import Source, display_name, open_source, prefetch_first, reraise_as_input_error
from tacit.corpora.table_rows import DEFAULT_OPTIONS, ReadOptions
from tacit.errors import InputError

XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def read_tmx_pairs(source: Source, languages: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Stream the number of each unit that has both languages, counted from 1, and its two texts.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> variant = '<tuv xml:lang="{}"><seg>{}</seg></tuv>'.format
    >>> unit = "<tu>" + variant("en-GB", "a cat") + variant("es", "un gato") + "</tu>"
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "cats.tmx")
    ...     _ = path.write_text(f"<tmx><body>{unit}</body></tmx>", encoding="utf-8")
    ...     list(read_tmx_pairs(path, ["es", "en"]))
    [(1, ['un gato', 'a cat'])]
    """
    from xml.etree.ElementTree import ParseError, iterparse

    number, there = 0, set()
    with (
        open_source(source) as stream,
        reraise_as_input_error(display_name(source), "TMX", ParseError, ValueError, LookupError),
    ):
        for _, unit in iterparse(stream):  # noqa: S314 - expat expands no external entity
            if unit.tag != "tu":
                continue
            number += 1
            texts = dict(_unit_texts(unit))
            there |= set(texts)
            unit.clear()
            found = [texts[code] for code in languages if code in texts]
            if len(found) == len(languages):
                yield number, found
    missing = [code for code in languages if code not in there]
    if missing:
        has = ", ".join(sorted(there)) or "none"
        raise InputError(f"{display_name(source)} has no texts of {missing[0]!r}; its languages: {has}")


def _unit_texts(unit: Any) -> Iterator[tuple[str, str]]:
    """The language, without its region, and the text of each variant of a unit."""
    for variant in unit.iter("tuv"):
        named = variant.get(XML_LANG) or variant.get("lang") or ""
        segment = variant.find("seg")
        if segment is not None:
            code = named.lower().replace("_", "-").partition("-")[0]
            yield code, " ".join("".join(segment.itertext()).split())


Pair = tuple[str, str]
LocatedPair = tuple[str, list[str]]
"""Where a pair is, and its texts."""


def read_parallel(
    sources: Sequence[Source], languages: Sequence[str], options: ReadOptions = DEFAULT_OPTIONS
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
        return prefetch_first(map(_require_both_sides, _zip_files(sources[0], sources[1], options.checked())))
    if find_reader(sources[0], TSV) is TMX:
        name = f"{display_name(sources[0])}, {TMX.unit}"
        units = read_tmx_pairs(sources[0], languages)
        return prefetch_first(_require_both_sides((f"{name} {number}", texts)) for number, texts in units)
    return prefetch_first(
        map(_require_both_sides, read_table(sources[0], 2, "a text and its translation", options))
    )


def _zip_files(one: Source, other: Source, options: ReadOptions) -> Iterator[LocatedPair]:
    names = f"{display_name(one)} and {display_name(other)}"
    for left, right in zip_longest(*(numbered_lines(file, options.encoding) for file in (one, other))):
        if left is None or right is None:
            short, number = (one, right[0]) if left is None else (other, left[0])
            raise InputError(
                f"{display_name(short)} ends before line {number}: {names} need equally many lines"
            )
        if left[1].strip() or right[1].strip():
            yield f"{names}, line {left[0]}", [strip_line_end(left[1]), strip_line_end(right[1])]


def _require_both_sides(placed: LocatedPair) -> Pair:
    """A pair, both of whose texts are there."""
    where, (left, right) = placed
    if not left.strip() or not right.strip():
        side = "first" if not left.strip() else "second"
        raise InputError(f"{where}: the {side} text is empty; give both, or take it out")
    return left, right
