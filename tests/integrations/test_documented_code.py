"""The Python blocks of docs/integrations.md run, where their libraries are installed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tacit.cli.main import app

PAGE = Path(__file__).parents[2] / "docs" / "integrations.md"
BLOCKS = dict(re.findall(r"^```(csv)\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL))
CODE = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
OUTPUTS = {
    "duckdb": "I forgot my password and cannot log in\n",
    "usearch": "[1]\n",
    "langchain_core": "How do I reset my password?\n",
    "haystack": "True\n",
    "bertopic": "",
}


@pytest.mark.parametrize("module", OUTPUTS)
def test_block_runs(module, tmp_path, monkeypatch, capsys):
    pytest.importorskip(module, reason="needs the dependency group integrations")
    monkeypatch.chdir(tmp_path)
    Path("faq.csv").write_text(BLOCKS["csv"], "utf-8")
    for command in re.findall(r"^\$ tacit (.*)$", PAGE.read_text("utf-8"), re.MULTILINE):
        result = CliRunner().invoke(app, command.split())
        assert result.exit_code == 0, result.output
    (code,) = (block for block in CODE if re.search(rf"^(import|from) {module}", block, re.MULTILINE))
    capsys.readouterr()
    exec(compile(code, str(PAGE), "exec"), {})  # the project's own documentation
    assert capsys.readouterr().out == OUTPUTS[module]


def test_every_block_is_run():
    assert len(CODE) == len(OUTPUTS)
