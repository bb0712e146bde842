"""JSON lines: one object a line, each with its own keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tacit.corpora.files import Source, numbered_lines, shown
from tacit.corpora.options import ReadOptions
from tacit.corpora.tables import Row, Wanted, choose
from tacit.errors import InputError


def json_rows(source: Source, wanted: Wanted, options: ReadOptions) -> Iterator[Row]:
    """Stream the objects of a file; an empty line is a blank row."""
    return json_rows_of(numbered_lines(source, options.encoding), shown(source), wanted)


def json_rows_of(lines: Iterator[tuple[int, str]], name: str, wanted: Wanted) -> Iterator[Row]:
    r"""Stream the objects of numbered lines.

    >>> lines = iter([(1, '{"id": 7, "text": "how?"}\n')])
    >>> list(json_rows_of(lines, "faq.jsonl", Wanted(("text",), others=True)))
    [(1, ['how?'], {'id': 7})]
    """
    for number, line in lines:
        if not line.strip():
            yield number, [], {}
            continue
        where = f"{name}, line {number}"
        row = _object(line, where)
        keys = list(row)
        values = [row[keys[choose(keys, column, where)]] for column in wanted.columns]
        rest = {key: row[key] for key in keys if key not in wanted.columns} if wanted.others else {}
        yield number, values, rest


def _object(line: str, where: str) -> dict[str, Any]:
    """Parse one line, which must hold an object of whole characters."""
    import json

    try:
        row: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where} is not JSON ({error}); write one JSON object a line") from None
    if not isinstance(row, dict):
        raise InputError(f"{where} is a JSON {type(row).__name__}; write one JSON object a line")
    if "\\u" in line:
        try:
            json.dumps(row, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise InputError(f"{where} holds half a character (a lone \\ud800-\\udfff); mend it") from None
    return row
