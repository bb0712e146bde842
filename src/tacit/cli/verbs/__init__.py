"""The verbs: one file each, found here by its name; nothing else lists it.

The file ``add_language.py`` defines the command ``add_language``, which people call ``tacit add-language``.
The names are known without importing what they need.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import click

FIRST = ("train", "index", "search", "compare", "explain")
"""The verbs that people meet first, in the order of the help; the others follow by the alphabet."""


def verb_names() -> list[str]:
    """Every verb, as people write it.

    >>> verb_names()[:3], "add-language" in verb_names()
    (['train', 'index', 'search'], True)
    """
    found = sorted(module.name.replace("_", "-") for module in iter_modules(__path__))
    return sorted(found, key=lambda name: FIRST.index(name) if name in FIRST else len(FIRST))


def find_verb(name: str) -> click.Command:
    """The command of a verb that there is."""
    module = name.replace("-", "_")
    command: click.Command = getattr(import_module(f"{__name__}.{module}"), module)
    return command
