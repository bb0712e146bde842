"""Read TMX: translation units, each with the text of several languages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tacit.corpora.sources import Source, display_name, open_source, reraise_as_input_error
from tacit.corpora.table_rows import Reader
from tacit.errors import InputError

XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


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

    name, number, file_languages = display_name(source), 0, set()
    errors = ParseError, ValueError, LookupError
    with open_source(source) as stream, reraise_as_input_error(name, "TMX", *errors):
        for _, unit in iterparse(stream):  # noqa: S314 - expat expands no external entity
            if unit.tag != "tu":
                continue
            number += 1
            text_of = dict(_unit_texts(unit))
            file_languages |= set(text_of)
            unit.clear()
            texts = [text_of[code] for code in languages if code in text_of]
            if len(texts) == len(languages):
                yield number, texts
    missing = [code for code in languages if code not in file_languages]
    if missing:
        present = ", ".join(sorted(file_languages)) or "none"
        raise InputError(f"{name} has no texts of {missing[0]!r}; its languages: {present}")


def _unit_texts(unit: Any) -> Iterator[tuple[str, str]]:
    """Yield the language, without its region, and the text of each variant of a translation unit."""
    for variant in unit.iter("tuv"):
        tag = variant.get(XML_LANG) or variant.get("lang") or ""
        segment = variant.find("seg")
        if segment is not None:
            code = tag.lower().replace("_", "-").partition("-")[0]
            yield code, " ".join("".join(segment.itertext()).split())


TMX = Reader("TMX", (".tmx",), row_unit="unit")
READERS = (TMX,)
