"""Commands, one file each, loaded on demand.

The file ``add_language.py`` defines the command ``add_language``, which is called ``tacit add-language``.
The names come from the files: nothing is imported to list them.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

import click

from tacit.cli.error_handling import handle_errors
from tacit.cli.next_steps import suggest_next_step

LISTED_FIRST = ("train", "index", "search", "compare", "explain")
"""The commands that the help lists first; the others follow in alphabetical order."""


def command_names() -> list[str]:
    """List all commands by the names that users type.

    >>> command_names()[:3], "add-language" in command_names()
    (['train', 'index', 'search'], True)
    """
    names = sorted(module.name.replace("_", "-") for module in iter_modules(__path__))
    return [*LISTED_FIRST, *(name for name in names if name not in LISTED_FIRST)]


@cache
def load_command(name: str) -> click.Command:
    """Import a command by its name; expected errors in it, or in its subcommands, end it with one line."""
    module = name.replace("-", "_")
    command: click.Command = getattr(import_module(f"{__name__}.{module}"), module)
    for each in (command, *getattr(command, "commands", {}).values()):
        each.callback = handle_errors(suggest_next_step(each.callback))
    return command
