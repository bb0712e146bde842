"""tacit info: the contents of a model folder."""

from __future__ import annotations

from typing import Any

import click

from tacit.cli import shared_options as shared
from tacit.cli.output import print_result

_SUMMARY = (
    "class", "texts", "words", "language", "classes", "n_components", "missing_weight",
    "regularization", "kernel", "lambda", "n_senses", "trainer", "loss", "n_iter", "seed", "normalize",
)  # fmt: skip
"""Names of the values that are printed, where a folder has them."""

_MAX_LINES = 10


@click.command(short_help="Describe a model: contents, settings and training data.")
@shared.model_argument
@shared.json_option
def info(model: str, as_json: bool) -> None:
    """Print a summary of a folder that tacit wrote: size, contents, settings and training loss.

    --json prints everything that is stored about it, its files included.
    """
    from tacit.storage import content_entries, read_config

    config = read_config(model)
    size = sum(entry["size"] for entry in content_entries(config))
    rows = [*_summarize(config), ("size", f"{size:,} bytes"), ("tacit", str(config["tacit"]))]
    width = max(len(name) for name, _ in rows)
    print_result(config, [f"{name:{width}}  {value}" for name, value in rows], as_json)


def _summarize(config: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the values of the names in `_SUMMARY`; of several with one name, the first."""
    values: dict[str, str] = {}
    for path, value in _flatten({"training": config["training"], **config["parameters"], **config}):
        values.setdefault(path.rpartition(".")[2], value)
    parameters = config["parameters"].get("model", config).get("parameters", {})
    if "languages" in parameters:
        values["language"] = ", ".join(parameters["languages"])
    return [(name, values[name]) for name in _SUMMARY if name in values][: _MAX_LINES - 2]


def _flatten(values: dict[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Flatten nested values to dotted names; shorten long lists."""
    lines = []
    for name, value in values.items():
        if isinstance(value, dict):
            lines += _flatten(value, f"{prefix}{name}.")
        elif isinstance(value, list) and len(value) > 4:
            first, last = (v if isinstance(v, str) else f"{v:,.6g}" for v in (value[0], value[-1]))
            lines.append((prefix + name, f"{first} ... {last} ({len(value)} values)"))
        elif isinstance(value, list):
            lines.append((prefix + name, ", ".join(map(str, value))))
        elif isinstance(value, float):
            lines.append((prefix + name, f"{value:.6g}"))
        else:
            lines.append((prefix + name, str(value)))
    return lines
