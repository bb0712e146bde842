"""An MCP server over stdio: search, compare, explain, link, dedupe and themes on local files and folders."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from tacit import __version__
from tacit.checks import check_int
from tacit.errors import InputError, TacitError
from tacit.result_table import ResultTable
from tacit.workflows import dedupe, find_themes, link, open_index, open_model
from tacit.workflows.records import RecordOptions, RecordSource
from tacit.workflows.table_writing import write_table

_WRITING = ("link", "dedupe", "themes")  # the tools that can write a table
MAX_ROWS = 1000
"""Largest number of rows in an answer; a table that is written has all rows."""

_INSTRUCTIONS = (
    "Work with collections of short texts in local files: lines of text, CSV, TSV, JSONL, Parquet, Excel, or "
    "the folder of a tacit index. Paths are relative to the folder that is served. Models are trained on the "
    "texts themselves. Scores of link and dedupe come with their evidence."
)


class FileTools:
    """The tools: functions on the files below a folder.

    Parameters
    ----------
    root : path
        The folder; paths that lead out of it are refused.
    can_write : bool
        Whether tools may write result tables below the folder.
    n_threads : int, optional
        Number of threads; None uses all cores.
    """

    def __init__(self, root: str | Path, can_write: bool = False, n_threads: int | None = None) -> None:
        self.root, self.can_write, self.n_threads = Path(root).resolve(), can_write, n_threads
        if not self.root.is_dir():
            raise InputError(f"{root} is not a folder: name the folder with the files")

    def search(self, path: str, query: str, k: int = 10, column: str | None = None) -> dict[str, Any]:
        """Find the texts of a file or an index that are most similar to a query.

        The match is "strong", "possible", "weak" or "no good match".
        """
        check_int("k", k, 1, MAX_ROWS)
        hits = open_index(self._path(path), _options(column), n_threads=self.n_threads).search(query, k)
        return {"match": hits.match, "hits": [hit.to_dict() for hit in hits]}

    def compare(self, path: str, a: str, b: str, column: str | None = None) -> dict[str, Any]:
        """Score the similarity of two texts by the words and meanings of a collection.

        The score is 1 for the same words and about 0 for nothing in common.
        """
        model = open_model(self._path(path), _options(column), n_threads=self.n_threads)
        return model.compare(a, b).to_dict()

    def explain(self, path: str, a: str, b: str, column: str | None = None) -> dict[str, Any]:
        """Split the similarity of two texts into contributions of word pairs."""
        from tacit.models.comparison import explain_pair
        from tacit.models.measures import DEFAULT_MEASURE, get_measure
        from tacit.models.text_set import TextSet

        model = open_model(self._path(path), _options(column), n_threads=self.n_threads)
        return explain_pair(TextSet.from_texts(model, [a, b]), get_measure(DEFAULT_MEASURE)).to_dict()

    def link(
        self, a: str, b: str, column: str | None = None, column_b: str | None = None,
        precision: float | None = None, n_rows: int = 100, output: str | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Match the rows of two files that are about the same thing; each row gets at most one partner."""
        lists = [self._source(a, column), self._source(b, column_b or column)]
        links = link(*lists, precision=precision, n_threads=self.n_threads)
        figures = {"n_links": len(links), "estimated_precision": links.precision, "notes": links.notes}
        return figures | self._table(links, n_rows, output)

    def dedupe(
        self, path: str, column: str | None = None, threshold: float | None = None, n_rows: int = 100,
        output: str | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Find exact copies and near copies in a file, in groups with the most complete text first."""
        source = self._source(path, column)
        duplicates = dedupe(source, threshold=threshold, n_threads=self.n_threads)
        counts = {"n_texts": len(duplicates.records), "n_groups": len(duplicates.groups)}
        return counts | self._table(duplicates, n_rows, output)

    def themes(
        self, path: str, n_themes: int | None = None, column: str | None = None, output: str | None = None
    ) -> dict[str, Any]:
        """Find what the texts of a file or an index are about: themes with names, sizes and quotes.

        The table that can be written has a row per text, with its theme.
        """
        file = self._path(path)
        source = str(file) if file.is_dir() else self._source(path, column)
        themes = find_themes(source, n_themes or "auto", n_threads=self.n_threads)
        return themes.to_dict() | self._table(themes, 0, output)

    def _path(self, path: str) -> Path:
        """Return a path below the folder, or raise an error."""
        resolved = (self.root / path).resolve()
        if not resolved.is_relative_to(self.root):
            raise InputError(f"{path} is outside of the folder that is served: name a path below it")
        return resolved

    def _source(self, path: str, column: str | None) -> RecordSource:
        return RecordSource((str(self._path(path)),), options=_options(column))

    def _table(self, result: ResultTable, n_rows: int, output: str | None) -> dict[str, Any]:
        """Return the first rows of a result, and write all of them if ``output`` is given."""
        check_int("n_rows", n_rows, 0, MAX_ROWS)
        columns, rows = result.table_columns(), list(result.table_rows())
        if output is not None:
            if not self.can_write:
                raise InputError(
                    f"output={output}: the server is read-only",
                    parameter="output",
                    remedy="start it with tacit mcp --write",
                )
            write_table(self._path(output), columns, rows)
        listed = [dict(zip(columns, row, strict=True)) for row in rows[:n_rows]]
        return {"n_rows": len(rows)} | ({"rows": listed} if n_rows else {})


def make_server(root: str | Path, can_write: bool = False, n_threads: int | None = None) -> MCPServer:
    """Return a server with the tools; its ``run()`` serves standard input and output."""
    tools = FileTools(root, can_write, n_threads)
    server = MCPServer("tacit", instructions=_INSTRUCTIONS, version=__version__, log_level="WARNING")
    for name in ("search", "compare", "explain", *_WRITING):
        is_read_only = name not in _WRITING or not can_write
        annotations = ToolAnnotations(read_only_hint=is_read_only, open_world_hint=False)
        server.add_tool(_with_tool_errors(getattr(tools, name)), annotations=annotations)
    return server


def _options(column: str | None) -> RecordOptions:
    return RecordOptions(text=None if column is None else (column,))


def _with_tool_errors(tool: Callable[..., Any]) -> Callable[..., Any]:
    """Return a tool whose errors reach the client with their message."""

    @wraps(tool)
    def call(**arguments: Any) -> Any:
        try:
            return tool(**arguments)
        except (TacitError, OSError) as error:
            raise ToolError(str(error)) from error

    return call
