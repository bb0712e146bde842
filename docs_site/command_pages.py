"""The reference of the command line, generated from the commands themselves."""

from __future__ import annotations

import inspect
from pathlib import Path

import click

from tacit.cli.main import app
from tacit.cli.verbs import command_names, load_command

INTRODUCTION = """
## All commands

Generated from the commands of this version; `tacit COMMAND --help` prints the same.

| command | what it does |
|---|---|
"""


def append_commands(path: Path) -> None:
    """Append a table and the description of all commands to a page.

    Parameters
    ----------
    path : Path
        The page about what the commands have in common.
    """
    context = click.Context(app, info_name="tacit", **app.context_settings)
    commands = {name: load_command(name) for name in command_names()}
    rows = [
        f"| [`tacit {name}`](#tacit-{name}) | {_cell(command.get_short_help_str(200))} |\n"
        for name, command in commands.items()
    ]
    sections = [_describe(name, command, context) for name, command in commands.items()]
    path.write_text(path.read_text("utf-8") + INTRODUCTION + "".join(rows + sections), "utf-8")


def _describe(name: str, command: click.Command, parent: click.Context, level: int = 2) -> str:
    """Describe a command, and the commands of a group below it."""
    context = click.Context(command, info_name=name, parent=parent)
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    parts = [f"\n{'#' * level} tacit {context.command_path.removeprefix('tacit ')}\n"]
    parts.append(f"```text\n{usage}\n```\n\n{_paragraphs(command.help or '')}\n")
    records = [item.get_help_record(context) for item in command.params if isinstance(item, click.Option)]
    rows = [f"| {_code(record[0])} | {_cell(record[1])} |\n" for record in records if record]
    parts.append("\n| option | effect |\n|---|---|\n" + "".join(rows) if rows else "")
    if isinstance(command, click.Group):
        for child in command.list_commands(context):
            parts.append(_describe(child, command.commands[child], context, level + 1))
    return "".join(parts)


def _paragraphs(text: str) -> str:
    """Format a help text: as in the terminal, lines after a backspace character are not wrapped."""
    blocks = inspect.cleandoc(text.split("\f")[0]).split("\n\n")
    return "\n\n".join(
        f"```text\n{block.removeprefix(chr(8)).strip(chr(10))}\n```" if block.startswith("\b") else block
        for block in blocks
    )


def _cell(text: str) -> str:
    """Format text for a cell of a table."""
    text = " ".join(text.split()).replace("|", r"\|")
    return text.replace("<", "&lt;").replace("*", r"\*").replace("_", r"\_")


def _code(text: str) -> str:
    """Format code for a cell of a table, in which a bar between backticks would end the cell."""
    return f"<code>{text.replace('|', '&#124;')}</code>" if "|" in text else f"`{text}`"
