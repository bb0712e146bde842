"""tacit info: the contents of a model folder."""

from __future__ import annotations

from typing import Any

import click

from tacit.cli import shared_options as shared
from tacit.cli.output import print_result


@click.command(short_help="Describe a model: contents, settings and training data.")
@shared.model_argument
@shared.json_option
def info(model: str, as_json: bool) -> None:
    """Print the parameters of a model, its training data, its training loss and its files."""
    from tacit.storage import read_config

    config = read_config(model)
    rows = _flatten({**config["parameters"], **{n: v for n, v in config.items() if n != "parameters"}})
    width = max(len(name) for name, _ in rows)
    print_result(config, [f"{name:{width}}  {value}" for name, value in rows], as_json)


def _flatten(values: dict[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Flatten nested values to dotted names; shorten long lists and checksums."""
    lines = []
    for name, value in values.items():
        if isinstance(value, dict):
            lines += _flatten(value, f"{prefix}{name}.")
        elif isinstance(value, list) and len(value) > 4:
            first, last = (v if isinstance(v, str) else f"{v:,.6g}" for v in (value[0], value[-1]))
            lines.append((prefix + name, f"{first} ... {last} ({len(value)} values)"))
        elif name in ("sha256", "corpus", "checksum"):
            lines.append((prefix + name, f"{value[:16]}..."))
        else:
            lines.append((prefix + name, str(value)))
    return lines
