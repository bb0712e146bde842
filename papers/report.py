"""Paper and ours side by side: as JSON, as Markdown, and all of a folder as one page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from papers.corpora import CORPORA
from papers.laboratory import Laboratory
from papers.tables import Reproduction, Row
from tacit import __version__
from tacit.errors import InputError

FORMAT = 1
Report = dict[str, Any]
COLUMNS = ("model", "measure", "paper", "ours", "deviation", "difference", "seeds")
INTERVAL = "95 % interval"
"""A further column, where the pairs were drawn again."""


def summarize(table: Reproduction, laboratory: Laboratory, seeds: int, known: bool = False) -> Report:
    """The lines of a table, from experiments that are run where they have not been.

    With ``known`` nothing is run: what has no numbers yet is left out.
    """
    lines = []
    numbers_of = laboratory.known if known else laboratory.numbers
    for row in table.rows:
        found = [numbers_of(experiment) for experiment in table.of_row(row, seeds)]
        runs = [numbers for numbers in found if numbers is not None]
        lines += [
            _line(row, cell.title, cell.key, [numbers[cell.key] for numbers in runs])
            | _interval(cell.key, runs)
            for cell in table.cells
            if runs or cell.key in row.paper
        ]
    corpus = CORPORA[table.corpus].title
    facts = {"name": table.name, "title": table.title, "corpus": corpus, "note": _note(table)}
    return {"format": FORMAT, "tacit": __version__, **facts, "lines": lines}


def _note(table: Reproduction) -> str:
    """The table's note, and how long LDA was sampled here."""
    models = [row.model for row in table.rows if row.model is not None]
    sampled = sorted({model.parameters["n_iter"] for model in models if model.kind == "lda"})
    return f"{table.note} Ours runs {sampled[0]:,}." if sampled else table.note


def _line(row: Row, measure: str, key: str, values: Sequence[float]) -> dict[str, Any]:
    """One number of one model: what is not known is None."""
    paper = row.paper.get(key)
    ours = fmean(values) if values else None
    return {
        "model": row.title,
        "parameters": dict(row.model.parameters) if row.model else None,
        "measure": measure,
        "key": key,
        "paper": paper,
        "ours": ours,
        "deviation": stdev(values) if len(values) > 1 else None,
        "difference": None if ours is None or paper is None else ours - paper,
        "seeds": len(values),
    }


def _interval(key: str, runs: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """The ends of the bootstrap interval, averaged over seeds, where there are any."""
    ends = [f"{key}_low", f"{key}_high"]
    if not runs or not all(end in numbers for end in ends for numbers in runs):
        return {}
    return {"interval": [fmean(numbers[end] for numbers in runs) for end in ends]}


def write_report(report: Report, folder: str | Path) -> None:
    """Write ``NAME.json`` and ``NAME.md``."""
    path = Path(folder, report["name"])
    text = json.dumps(report, indent=2, ensure_ascii=False, allow_nan=False)
    path.with_suffix(".json").write_text(text + "\n", encoding="utf-8")
    path.with_suffix(".md").write_text(markdown(report), encoding="utf-8")


def by_system(reports: Sequence[Report]) -> Report:
    """What our own models reach, by model, measure and part, in per cent where it is a share.

    >>> line = {"model": "local", "key": "wsi10/all/paired_f", "ours": 0.5, "deviation": 0.01, "seeds": 5}
    >>> by_system([{"lines": [line]}])["local"]
    {'paired_f': {'all': 50.0}, 'deviations': {'paired_f': {'all': 1.0}}, 'seeds': 5}
    """
    found: Report = {"unit": "per cent; clusters are counts"}
    for line in (line for report in reports for line in report["lines"] if line["ours"] is not None):
        _, part, measure = line["key"].split("/")
        scale = 1 if measure == "clusters" else 100
        system = found.setdefault(line["model"], {})
        system.setdefault(measure, {})[part] = scale * line["ours"]
        spread = system.setdefault("deviations", {}).setdefault(measure, {})
        spread[part] = None if line["deviation"] is None else scale * line["deviation"]
        system["seeds"] = line["seeds"]
    return found


def write_systems(reports: Sequence[Report], path: str | Path) -> None:
    """Write what :func:`by_system` gives."""
    text = json.dumps(by_system(reports), indent=2, ensure_ascii=False, allow_nan=False)
    Path(path).write_text(text + "\n", encoding="utf-8")


def markdown(report: Report, image: str = "") -> str:
    """A report as a section of Markdown, with a picture where one is named."""
    columns = COLUMNS + (INTERVAL,) * any("interval" in line for line in report["lines"])
    rows = [columns, *(tuple(_shown(name, line) for name in columns) for line in report["lines"])]
    table = [f"| {' | '.join(row)} |" for row in rows]
    table.insert(1, "|---|---|" + "---:|" * (len(columns) - 2))
    parts = [
        f"## {report['title']}",
        f"Trained on: {report['corpus']}. {report['note']}".rstrip(),
        *([f"![{report['title']}]({image})"] if image else []),
        "\n".join(table),
    ]
    return "\n\n".join(parts) + "\n"


def _shown(column: str, line: Mapping[str, Any]) -> str:
    """A cell; ranks have one decimal, other numbers four, differences a sign.

    >>> _shown("difference", {"difference": 0.0125, "key": "li06/30 pairs/pearson"})
    '+.0125'
    >>> _shown("ours", {"ours": 19.5, "key": "sts12/all/rank"})
    '19.5'
    """
    if column == INTERVAL:
        return " to ".join(_shown("ours", {**line, "ours": end}) for end in line.get("interval", ()))
    value = line[column]
    if value is None or (column == "seeds" and not value):
        return ""
    if not isinstance(value, float):
        return str(value)
    places = 1 if line["key"].endswith("/rank") else 4
    sign = "+" if column == "difference" else ""
    text = f"{value + 0.0:{sign}.{places}f}"
    return text.replace("0.", ".", 1) if places == 4 and abs(value) < 1 else text


def read_reports(folder: str | Path) -> list[Report]:
    """The reports in a folder, by name; other files are passed over."""
    found = []
    for path in sorted(Path(folder).glob("*.json")):
        try:
            report = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise InputError(f"{path} is not JSON ({error}); reproduce it again") from None
        if isinstance(report, dict) and report.get("format") == FORMAT and "lines" in report:
            found.append(report)
    return found


def page(folder: str | Path, images: str = "") -> str:
    """Every report in a folder as one page of Markdown; ``images`` is where the page finds the pictures."""
    reports = read_reports(folder)
    if not reports:
        raise InputError(f"{folder} has no results; `python -m papers all --out {folder}` writes them")
    versions = ", ".join(sorted({report["tacit"] for report in reports}))
    head = f"# The papers, reproduced\n\nWritten by tacit {versions} from its results; do not edit.\n"
    pictures = [f"{report['name']}.png" for report in reports]
    sections = [
        markdown(report, f"{images}{picture}" if Path(folder, picture).is_file() else "")
        for report, picture in zip(reports, pictures, strict=True)
    ]
    return "\n".join([head, *sections])
