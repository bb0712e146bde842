"""Suggest a next command after a command has finished, in one line on a terminal."""

from __future__ import annotations

import functools
import shlex
import sys
from collections.abc import Callable
from string import Formatter
from typing import Any

import click

_NEXT_STEPS = {
    "train": ("tacit words {out} WORD, or tacit index NEW FILE --model {out}",),
    "add-language": ("tacit words {model} WORD --language {code}",),
    "index": ('tacit search {out} "..."',),
    "search": ("tacit duplicates {index}, tacit cluster {index}, or tacit map {index} -o map.html",),
    "duplicates": ("tacit duplicates {index} --threshold 0.8 --groups -o duplicates.xlsx",),
    "cluster": ("tacit map {index} -o map.html",),
    "map": ("open {out}",),
    "compare": ("tacit explain {model} {a} {b}", "tacit compare {model} --pairs {pairs} -o scores.xlsx"),
    "explain": ("tacit unsaid {model} {a}",),
    "unsaid": ("tacit words {model} WORD",),
    "words": ('tacit unsaid {model} "..."',),
    "classify": (
        "tacit classify --model {save} --test FILE -o labels.xlsx",
        "tacit classify --train {train_file} --save FOLDER",
    ),
    "senses train": ("tacit senses show {out} WORD",),
    "senses show": ('tacit senses tag {model} {word} "..."',),
    "info": ("tacit doctor {model}, or tacit info {model} --json for everything",),
    "doctor": ("tacit info {model}", 'tacit search FILE "..."'),
}
"""The next steps of each command; the first one is printed whose parameters the call has."""


def suggest_next_step(function: Callable[..., None]) -> Callable[..., None]:
    """Print the next step after a command has succeeded; a decorator of commands."""

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> None:
        context = click.get_current_context(silent=True)
        function(*args, **kwargs)
        is_interactive = all(stream is not None and stream.isatty() for stream in (sys.stdout, sys.stderr))
        if context is not None and is_interactive and not context.params.get("as_json"):
            command = context.command_path.removeprefix(context.find_root().command_path).lstrip()
            step = find_next_step(command, context.params)
            if step is not None:
                click.echo(f"Next: {step}", err=True)

    return run


def find_next_step(command: str, parameters: dict[str, Any]) -> str | None:
    """Return the next step after a command with these parameters.

    >>> find_next_step("index", {"out": "my faq.index"})
    'tacit search \\'my faq.index\\' "..."'
    """
    values = {name: shlex.quote(str(value)) for name, value in parameters.items() if value is not None}
    for step in _NEXT_STEPS.get(command, ()):
        if all(field is None or field in values for _, field, _, _ in Formatter().parse(step)):
            return step.format(**values)
    return None
