"""tacit info: what a model folder holds."""

from __future__ import annotations

from typing import Any

import click

from tacit.cli.common import json_option, model_argument, print_json, verb


@click.command(short_help="Say what a model holds and what it learnt from.")
@model_argument
@json_option
@verb
def info(model: str, as_json: bool) -> None:
    """Say what a model is: its parameters, what it learnt from, its training loss, its files."""
    from tacit.storage import read_config

    config = read_config(model)
    if as_json:
        print_json(config)
        return
    for name, value in _flat(config):
        click.echo(f"{name:28} {value}")


def _flat(values: dict[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Nested values as dotted names; a long list by its ends."""
    lines = []
    for name, value in values.items():
        if isinstance(value, dict):
            lines += _flat(value, f"{prefix}{name}.")
        elif isinstance(value, list) and len(value) > 4:
            lines.append((prefix + name, f"{value[0]:,.6g} ... {value[-1]:,.6g} ({len(value)} values)"))
        else:
            lines.append((prefix + name, str(value)))
    return lines
