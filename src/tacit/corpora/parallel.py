"""Read sentence-aligned text: two columns, two files, or TMX.

An empty side is an error that names its line, because the other lines may not be aligned either.
"""

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

Pair = tuple[str, str]
LocatedPair = tuple[str, list[str]]
"""The location of a pair, for error messages, and its two texts."""


def read_parallel(
    sources: Sequence[Source], languages: Sequence[str], options: ReadOptions = DEFAULT_OPTIONS
) -> Iterator[Pair]:
    """Stream the pairs of a table of two columns, of two files with equally many lines, or of a TMX file.

    ``languages`` are the codes of the two sides; only TMX needs them. This call, not the first iteration,
    raises the errors of the file and its first pair.

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
            f"{len(sources)} files of pairs: give one (a table or TMX), or two with equally many lines"
        )
    if len(sources) == 2:
        pairs = _zip_files(sources[0], sources[1], options.validated())
    elif find_reader(sources[0], TSV) is TMX:
        name = f"{display_name(sources[0])}, {TMX.row_unit}"
        pairs = ((f"{name} {number}", texts) for number, texts in read_tmx_pairs(sources[0], languages))
    else:
        pairs = read_table(sources[0], 2, "a text and its translation", options)
    return prefetch_first(map(_require_both_sides, pairs))


def _zip_files(one: Source, other: Source, options: ReadOptions) -> Iterator[LocatedPair]:
    """Stream pairs of lines; InputError if one file has fewer lines."""
    names = f"{display_name(one)} and {display_name(other)}"
    for left, right in zip_longest(*(numbered_lines(file, options.encoding) for file in (one, other))):
        if left is None or right is None:
            shorter, number = (one, right[0]) if left is None else (other, left[0])
            raise InputError(
                f"{display_name(shorter)} ends before line {number}: {names} need equally many lines"
            )
        if left[1].strip() or right[1].strip():
            yield f"{names}, line {left[0]}", [strip_line_end(left[1]), strip_line_end(right[1])]


def _require_both_sides(pair: LocatedPair) -> Pair:
    """Return the texts of a pair; InputError if one is empty."""
    where, (left, right) = pair
    if not left.strip() or not right.strip():
        side = "first" if not left.strip() else "second"
        raise InputError(f"{where}: the {side} text is empty; give both, or remove the pair")
    return left, right


def read_tmx_pairs(source: Source, languages: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Stream the number of each translation unit that has both languages, from 1, and its two texts.

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

    name, number, languages_found = display_name(source), 0, set()
    errors = ParseError, ValueError, LookupError
    with open_source(source) as stream, reraise_as_input_error(name, "TMX", *errors):
        for _, unit in iterparse(stream):  # noqa: S314 - expat expands no external entity
            if unit.tag != "tu":
                continue
            number += 1
            text_of = dict(_unit_texts(unit))
            languages_found |= set(text_of)
            unit.clear()
            texts = [text_of[code] for code in languages if code in text_of]
            if len(texts) == len(languages):
                yield number, texts
    missing = [code for code in languages if code not in languages_found]
    if missing:
        present = ", ".join(sorted(languages_found)) or "none"
        raise InputError(f"{name} has no texts of {missing[0]!r}; its languages: {present}")


def _unit_texts(unit: Any) -> Iterator[tuple[str, str]]:
    """Yield the language, without its region, and the text of each variant of a translation unit."""
    for variant in unit.iter("tuv"):
        tag = variant.get(XML_LANG) or variant.get("lang") or ""
        segment = variant.find("seg")
        if segment is not None:
            code = tag.lower().replace("_", "-").partition("-")[0]
            yield code, " ".join("".join(segment.itertext()).split())
