"""The notebooks run, and print what they show."""

from __future__ import annotations

import ast
import io
import json
import shutil
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


def run_cell(source: str, names: dict[str, Any]) -> dict[str, str]:
    """Run a cell as Jupyter does: what it prints, and the forms in which its last expression is shown."""
    body = ast.parse(source).body
    shown: dict[str, str] = {}
    with redirect_stdout(io.StringIO()) as out:
        last = body.pop() if isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None
    if out.getvalue():
        shown["stdout"] = out.getvalue()
    if value is not None and hasattr(value, "_repr_html_"):
        shown["text/html"] = value._repr_html_()
    elif value is not None:
        shown["text/plain"] = repr(value)
    return shown


def outputs_of(cell: dict[str, Any]) -> dict[str, str]:
    """The outputs that a notebook stores for a cell; HTML where there is some."""
    stored: dict[str, str] = {}
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            stored[output["name"]] = "".join(output["text"])
        else:
            kind = "text/html" if "text/html" in output["data"] else "text/plain"
            stored[kind] = "".join(output["data"][kind])
    return stored


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_shows_what_it_computes(path, tmp_path, monkeypatch):
    shutil.copy(EXAMPLES / "make_data.py", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    names: dict[str, Any] = {}
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            source = "".join(cell["source"])
            assert run_cell(source, names) == outputs_of(cell), source


def test_there_are_four_notebooks():
    assert len(NOTEBOOKS) == 4
