"""Results as tables: conversion to pandas and polars, and an HTML table for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import import_module
from itertools import islice
from typing import Any

from tacit.errors import TacitError

MAX_HTML_ROWS = 50


class ResultTable:
    """Mixin for results that are a list of rows with the same columns.

    A subclass defines `table_columns` and `table_rows`; the cells are plain values that JSON can hold.
    """

    def table_columns(self) -> list[str]:
        """Return the names of the columns.

        Returns
        -------
        list of str
            The columns of the result, then those of the input records.
        """
        raise TypeError(f"{type(self).__name__} must define table_columns")

    def table_rows(self) -> Iterable[Sequence[Any]]:
        """Return the rows.

        Returns
        -------
        iterable of sequence
            The cells of each row, in the order of the columns.
        """
        raise TypeError(f"{type(self).__name__} must define table_rows")

    def to_pandas(self) -> Any:
        """Convert to a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            One row per result.
        """
        return _import_frames("pandas").DataFrame(list(self.table_rows()), columns=self.table_columns())

    def to_polars(self) -> Any:
        """Convert to a polars DataFrame.

        Returns
        -------
        polars.DataFrame
            One row per result.
        """
        polars, columns = _import_frames("polars"), self.table_columns()
        rows = [tuple(row) for row in self.table_rows()]
        # columns of records may mix types, which polars would reject
        values = {name: [row[i] for row in rows] for i, name in enumerate(columns)}
        return polars.DataFrame([polars.Series(name, cells, strict=False) for name, cells in values.items()])

    def _repr_html_(self) -> str:
        """Return an HTML table of the first rows, which notebooks show."""
        return html_table(self.table_columns(), self.table_rows())


def html_table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return an HTML table of the first rows; notebooks align to the right, which is for numbers only."""
    first = list(islice(rows, MAX_HTML_ROWS + 1))
    note = f"<p>The first {MAX_HTML_ROWS} rows.</p>" if len(first) > MAX_HTML_ROWS else ""
    styles = [
        ' style="text-align: left"' if isinstance(cell, str) else "" for cell in (first or [columns])[0]
    ]
    body = "".join(_html_row(row, "td", styles) for row in first[:MAX_HTML_ROWS])
    return f"<table><thead>{_html_row(columns, 'th', styles)}</thead><tbody>{body}</tbody></table>{note}"


def _html_row(cells: Iterable[Any], tag: str, styles: Iterable[str]) -> str:
    """Return a row of an HTML table.

    >>> _html_row(["a < b", 0.25, None], "td", ["", " class='n'", ""])
    "<tr><td>a &lt; b</td><td class='n'>0.25</td><td></td></tr>"
    """
    shown = (
        "" if cell is None else f"{cell:.4g}" if isinstance(cell, float) else str(cell) for cell in cells
    )
    row = "".join(f"<{tag}{style}>{escape(cell)}</{tag}>" for cell, style in zip(shown, styles, strict=True))
    return f"<tr>{row}</tr>"


def _import_frames(library: str) -> Any:
    """Import pandas or polars."""
    try:
        return import_module(library)
    except ImportError:
        raise TacitError(f"this needs {library}: pip install {library}") from None


def name_other_columns(reserved: Sequence[str], records: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the names that the columns of input records get beside the columns of a result.

    >>> name_other_columns(["id", "score"], [{"team": "web", "score": 3}])
    {'team': 'team', 'score': 'score_input'}
    """
    titles: dict[str, str] = {}
    taken = set(reserved)
    for name in dict.fromkeys(name for record in records for name in record):
        titles[name] = name
        while titles[name] in taken:
            titles[name] += "_input"
        taken.add(titles[name])
    return titles
