"""TMX: translation memories, units of a text in several languages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tacit.corpora.files import Source, damage_named, opened, shown
from tacit.errors import InputError

LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def tmx_pairs(source: Source, languages: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Stream the number of each unit that has both languages, counted from 1, and its two texts.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> variant = '<tuv xml:lang="{}"><seg>{}</seg></tuv>'.format
    >>> unit = "<tu>" + variant("en-GB", "a cat") + variant("es", "un gato") + "</tu>"
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "cats.tmx")
    ...     _ = path.write_text(f"<tmx><body>{unit}</body></tmx>", encoding="utf-8")
    ...     list(tmx_pairs(path, ["es", "en"]))
    [(1, ['un gato', 'a cat'])]
    """
    from xml.etree.ElementTree import ParseError, iterparse

    number, there = 0, set()
    with opened(source) as stream, damage_named(shown(source), "TMX", ParseError, ValueError, LookupError):
        for _, unit in iterparse(stream):  # noqa: S314 - expat expands no external entity
            if unit.tag != "tu":
                continue
            number += 1
            texts = dict(_segments(unit))
            there |= set(texts)
            unit.clear()
            found = [texts[code] for code in languages if code in texts]
            if len(found) == len(languages):
                yield number, found
    missing = [code for code in languages if code not in there]
    if missing:
        has = ", ".join(sorted(there)) or "none"
        raise InputError(f"{shown(source)} has no texts of {missing[0]!r}; its languages: {has}")


def _segments(unit: Any) -> Iterator[tuple[str, str]]:
    """The language, without its region, and the text of each variant of a unit."""
    for variant in unit.iter("tuv"):
        named = variant.get(LANG) or variant.get("lang") or ""
        segment = variant.find("seg")
        if segment is not None:
            code = named.lower().replace("_", "-").partition("-")[0]
            yield code, " ".join("".join(segment.itertext()).split())
