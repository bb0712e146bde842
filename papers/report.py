"""What came of a table: the numbers of its rows, with what is needed to trust them, as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from papers.corpora import CORPORA
from papers.experiments import Experiment
from papers.laboratory import Laboratory, resolved
from papers.run_cache import RunRecord
from papers.settings import departures
from papers.steps import step_deviations
from papers.tables import Reproduction, Row
from tacit.errors import InputError

FORMAT = 3
Report = dict[str, Any]


Runs = Mapping[int, RunRecord]
"""The records of a row by seed."""


def summarize(table: Reproduction, laboratory: Laboratory, seeds: int, known: bool = False) -> Report:
    """Return the rows of a table, from experiments that are run where they have not been.

    With ``known`` nothing is run: what has no record has no numbers.
    """
    found = [_find_runs(table.of_row(row, seeds), laboratory, known) for row in table.rows]
    rows = [_row(table, row, runs, seeds) for row, runs in zip(table.rows, found, strict=True)]
    if table.towards:
        _add_steps(rows, found)
    facts = {
        "name": table.name,
        "title": table.title,
        "corpus": CORPORA[table.corpus].title,
        "note": table.note,
    }
    return {"format": FORMAT, **facts, "rows": rows}


def _find_runs(experiments: Sequence[Experiment], laboratory: Laboratory, known: bool) -> Runs:
    """Return the records of a row's experiments, computed now unless ``known``."""
    find = laboratory.find_run if known else laboratory.run
    records = {each.seed: find(each) for each in experiments}
    return {seed: record for seed, record in records.items() if record is not None}


def _row(table: Reproduction, row: Row, runs: Runs, seeds: int) -> dict[str, Any]:
    experiments = table.of_row(row, seeds)
    records = list(runs.values())
    values = {cell.key: _value(cell.key, records) for cell in table.columns}
    ranks = {rank: _value(rank, records) for rank in map(rank_key, values)}
    return {
        **_told(table, row, experiments[0]),
        **_provenance(runs),
        "wanted": len(experiments),
        "values": {key: value for key, value in {**values, **ranks}.items() if value is not None},
    }


def _add_steps(rows: Sequence[dict[str, Any]], found: Sequence[Runs]) -> None:
    """Add to each number how far the step from the row above it in its group varies over seeds."""
    computed = [(row, runs) for row, runs in zip(rows, found, strict=True) if runs]
    for (above, before), (row, after) in pairwise(computed):
        if above["group"] == row["group"]:
            for key, deviation in step_deviations(before, after).items():
                if key in row["values"]:
                    row["values"][key]["step_deviation"] = deviation


def _told(table: Reproduction, row: Row, experiment: Experiment) -> dict[str, Any]:
    """What the row says of itself."""
    apart, settings = departures(table, row), resolved(experiment)
    return {
        "title": row.title,
        "under": row.under,
        "group": row.group,
        "reason": row.reason,
        "kind": row.model.kind,
        "random": row.model.random,
        "parameters": dict(row.model.parameters),
        "settings_digest": sha256(json.dumps(settings).encode()).hexdigest()[:12],
        "n_iter": settings.get("n_iter"),
        "corpus": CORPORA[row.corpus].title if row.corpus else "",
        "departs": {
            name: {"paper": paper, "ours": has, "why": row.departs.get(name, "")}
            for name, (paper, has) in apart.items()
        },
    }


def _provenance(runs: Runs) -> dict[str, Any]:
    """Return which commits computed the runs, when, and how long that took."""
    records = list(runs.values())
    dates = sorted({record.date for record in records})
    return {
        "runs": len(records),
        "seeds": list(runs),
        "commits": sorted({record.commit + ("" if record.clean else " with changes") for record in records}),
        "dates": dates[:: max(len(dates) - 1, 1)],
        "cpu_seconds": round(sum(record.cpu_seconds for record in records), 1),
    }


def _value(key: str, runs: Sequence[RunRecord]) -> dict[str, Any] | None:
    """The mean over runs, its deviation, and the interval of redrawn pairs where there is one."""
    values = [run.numbers[key] for run in runs if key in run.numbers]
    if not values:
        return None
    found: dict[str, Any] = {"mean": fmean(values)}
    if len(values) > 1:
        found["deviation"] = stdev(values)
    ends = [f"{key}_low", f"{key}_high"]
    if all(end in run.numbers for end in ends for run in runs):
        found["interval"] = [fmean(run.numbers[end] for run in runs) for end in ends]
    return found


def rank_key(key: str) -> str:
    """The key of the rank that belongs to a number.

    >>> rank_key("sts12/all/pearson")
    'sts12/all/rank'
    """
    return f"{key.rpartition('/')[0]}/rank"


def write_report(report: Report, folder: str | Path) -> Path:
    """Write ``NAME.json``."""
    path = Path(folder, f"{report['name']}.json")
    text = json.dumps(report, indent=1, ensure_ascii=False, allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8")
    return path


def read_report(path: Path) -> Report | None:
    """A report; None where there is none, or the file is another thing."""
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise InputError(f"{path} is not JSON ({error}); reproduce it again") from None
    return (
        report if isinstance(report, dict) and report.get("format") == FORMAT and "rows" in report else None
    )
