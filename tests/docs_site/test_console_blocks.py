"""The commands that the pages show run on the files they name, and print what the pages show."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

import click
import pytest

from helpers.cli_runs import tacit
from helpers.follow_page import assert_printed
from helpers.page_files import write_page_files
from tacit.cli.main import app

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]

ONLY_PARSED = re.compile(
    r"^tacit (serve|mcp|doctor --clear-cache|teach \S+$)"  # they wait for input, or change what is elsewhere
    r"|wordnet|crawl|tcp://|--engine dask|--approximate|--trusted"  # they take minutes, or need a cluster
    r"|sts\d|stsb|sick"  # they need data that is not distributed
    r"|conllu|classify .*--kernel|--transductive|--tune"  # tested with data of their own
)
"""Commands whose arguments are checked, but which do not run here."""


@dataclass
class Shown:
    """A command of a page, and the lines that the page shows below it."""

    command: str
    output: list[str] = field(default_factory=list)


def console_blocks(text: str) -> list[list[Shown]]:
    """Read the commands of all console blocks of a page; without a prompt, each line is a command."""
    blocks = []
    for body in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        shown: list[Shown] = []
        has_prompt = body.startswith("$ ")
        for line in re.sub(r" *\\\n +", " ", body).splitlines():
            if line.startswith("$ ") or not has_prompt:
                shown.append(Shown(re.split(r"\s{2,}# ", line.removeprefix("$ "))[0]))
            elif shown:
                shown[-1].output.append(line)
        blocks.append(shown)
    return blocks


def assert_parsed(arguments: list[str]) -> None:
    """Assert that a command exists and takes these arguments."""
    command: click.Command = app
    context = click.Context(app, info_name="tacit", **app.context_settings)
    while isinstance(command, click.Group):
        name, found, arguments = command.resolve_command(context, arguments)
        assert found is not None, name
        command, context = found, click.Context(found, info_name=name, parent=context)
    command.make_context(command.name, arguments, parent=context.parent)


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> Path:
    """The files that the pages name, made from the invented ones."""
    folder = tmp_path_factory.mktemp("pages")
    write_page_files(folder)
    return folder


COMMANDS = {
    path.relative_to(ROOT).as_posix(): [
        shown for block in console_blocks(path.read_text("utf-8")) for shown in block
    ]
    for path in PAGES
}


@pytest.mark.parametrize(
    "page", [page for page, commands in COMMANDS.items() if commands and page != "docs/index.md"]
)
def test_commands_of_a_page_run(page, files, monkeypatch):
    monkeypatch.chdir(files)
    monkeypatch.setenv("TACIT_CACHE", str(files / "cache"))
    for shown in COMMANDS[page]:
        stdin = re.match(r"cat (\S+) \| ", shown.command)
        name, *arguments = shlex.split(shown.command[stdin.end() if stdin else 0 :], comments=True)
        if name != "tacit":
            continue
        if ONLY_PARSED.search(shown.command):
            assert_parsed(arguments)
            continue
        result = tacit(*arguments, stdin=Path(stdin[1]).read_bytes() if stdin else b"")
        assert result.code == 0, f"{shown.command}\n{result.err}"
        assert_printed("\n".join(shown.output), result.err + result.out, shown.command)


def test_other_commands_name_what_exists():
    make = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for commands in COMMANDS.values():
        for shown in commands:
            name, *arguments = shlex.split(shown.command, comments=True)
            if name == "make":
                assert arguments[0] in make
            for script in re.findall(r"\b((?:benchmarks|examples|tests)/\w+\.py)", shown.command):
                assert (ROOT / script).exists(), shown.command
            assert name in {
                "tacit",
                "make",
                "python",
                "pip",
                "curl",
                "cat",
                "uvx",
                "pipx",
                "docker",
                ".venv/bin/pytest",
            }, shown.command


EXECUTED_BY_TESTS = {
    "README.md": "tests/test_readme.py",
    "docs/index.md": "tests/docs_site/test_first_page.py",
    "docs/integrations.md": "tests/integrations/test_documented_code.py",
    "docs/server.md": "tests/server",
}
"""Pages with Python blocks that are not doctests, and the tests that run such code."""


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_block_runs_or_is_data(path):
    text = path.read_text("utf-8")
    for language, body in re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        assert language in {"python", "console", "json", "csv", "toml", "yaml"}, body
        if language == "python" and ">>>" not in body:
            assert path.relative_to(ROOT).as_posix() in EXECUTED_BY_TESTS, body
