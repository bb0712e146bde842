"""Read JSON Lines: an object on each line, with its own keys."""

from __future__ import annotations

from functools import partial
from typing import Any

from tacit.corpora.column_kinds import MAX_NESTING, check_nesting
from tacit.corpora.table_rows import (
    ColumnRequest,
    Lines,
    Reader,
    ReadOptions,
    TableRows,
    find_column,
    read_source,
)
from tacit.errors import InputError


def read_json_rows(lines: Lines, name: str, request: ColumnRequest, options: ReadOptions) -> TableRows:
    r"""Stream the objects of JSON Lines; an empty line is a blank row.

    >>> lines = iter([(1, '{"id": 7, "text": "how?"}\n')])
    >>> list(read_json_rows(lines, "faq.jsonl", ColumnRequest(("text",), include_others=True), ReadOptions()))
    [(1, ['how?'], {'id': 7})]
    """
    for number, line in lines:
        if not line.strip():
            yield number, [], {}
            continue
        where = f"{name}, line {number}"
        row = _parse_object(line, where)
        keys = list(row)
        values = [row[keys[find_column(keys, column, where)]] for column in request.columns]
        rest = {key: row[key] for key in keys if key not in request.columns} if request.include_others else {}
        yield number, values, rest


def _parse_object(line: str, where: str) -> dict[str, Any]:
    """Parse a line that must be one JSON object without lone surrogates."""
    import json

    try:
        row: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where} is not JSON ({error}); write one JSON object per line") from None
    if not isinstance(row, dict):
        raise InputError(f"{where} is a JSON {type(row).__name__}; write one JSON object per line")
    if line.count("[") + line.count("{") > MAX_NESTING:
        check_nesting(row, where)
    if "\\u" in line:
        try:
            json.dumps(row, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            problem = "not valid Unicode (a lone surrogate, \\ud800-\\udfff)"
            raise InputError(f"{where} is {problem}; fix it") from None
    return row


READERS = (Reader("JSONL", (".jsonl", ".ndjson"), partial(read_source, read_json_rows), split_at="lines"),)
