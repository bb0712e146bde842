"""Summarize the runs of a table: mean, deviation, provenance, deviations from the paper's settings."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from papers.experiments.corpora import CORPORA, corpus_statistics
from papers.experiments.run_cache import RunRecord
from papers.experiments.runner import ExperimentRunner, resolved
from papers.published import all_published
from papers.specs import Experiment, RowSpec, TableSpec
from tacit.errors import InputError

SETTINGS_FILE = Path(__file__).with_name("settings.toml")
NONE = "none"
"""Represents None, which TOML does not have."""


@lru_cache(maxsize=1)
def load_paper_settings() -> dict[str, dict[str, Any]]:
    """Return the transcribed settings of the papers, by ``paper.model``."""
    papers = tomllib.loads(SETTINGS_FILE.read_text(encoding="utf-8"))
    return {
        f"{paper}.{name}": {setting: None if value == NONE else value for setting, value in values.items()}
        for paper, models in papers.items()
        for name, values in models.items()
    }


def paper_settings(table: TableSpec, row: RowSpec) -> dict[str, Any]:
    """Return the settings that the paper states for a row."""
    settings: dict[str, Any] = {}
    for section in row.settings_sections:
        if section not in load_paper_settings():
            names = ", ".join(load_paper_settings())
            raise InputError(f"{SETTINGS_FILE.name} has no section {section!r}; there are {names}")
        settings |= load_paper_settings()[section]
    if row.published_row and table.name in all_published():
        settings |= all_published()[table.name].settings(row.published_row)
    return settings


def row_settings(table: TableSpec, row: RowSpec) -> dict[str, Any]:
    """Return the settings of a row: those of its model and corpus, and the number of runs."""
    experiments = table.row_experiments(row, table.runs)
    return {**corpus_statistics(experiments[0].corpus), **resolved(experiments[0]), "runs": len(experiments)}


def find_deviations(table: TableSpec, row: RowSpec) -> dict[str, tuple[Any, Any]]:
    """Return the settings of a row that differ from the paper's: the paper's and ours, by name."""
    if not row.settings_sections or row.model is None:
        return {}
    ours = row_settings(table, row)
    return {
        name: (value, ours.get(name, "not stated"))
        for name, value in paper_settings(table, row).items()
        if name not in ours or ours[name] != value
    }


FORMAT = 3
Report = dict[str, Any]


Runs = Mapping[int, RunRecord]
"""The records of a row by seed."""


def build_report(table: TableSpec, runner: ExperimentRunner, seeds: int, known: bool = False) -> Report:
    """Return the rows of a table, from experiments that are run where they have not been.

    With ``known`` nothing is run: what has no record has no numbers.
    """
    runs_by_row = [_find_runs(table.row_experiments(row, seeds), runner, known) for row in table.rows]
    rows = [_report_row(table, row, runs, seeds) for row, runs in zip(table.rows, runs_by_row, strict=True)]
    if table.target_table:
        _add_steps(rows, runs_by_row)
    head = {
        "name": table.name,
        "title": table.title,
        "corpus": CORPORA[table.corpus].title,
        "note": table.note,
    }
    return {"format": FORMAT, **head, "rows": rows}


def _find_runs(experiments: Sequence[Experiment], runner: ExperimentRunner, known: bool) -> Runs:
    """Return the records of a row's experiments, computed now unless ``known``."""
    find = runner.find_run if known else runner.run
    records = {experiment.seed: find(experiment) for experiment in experiments}
    return {seed: record for seed, record in records.items() if record is not None}


def _report_row(table: TableSpec, row: RowSpec, runs: Runs, seeds: int) -> dict[str, Any]:
    """Return a row as plain values: its specification, provenance and numbers."""
    experiments = table.row_experiments(row, seeds)
    records = list(runs.values())
    values = {cell.key: _value(cell.key, records) for cell in table.columns}
    ranks = {rank: _value(rank, records) for rank in map(rank_key, values)}
    return {
        **_describe_row(table, row, experiments[0]),
        **_provenance(runs),
        "wanted": len(experiments),
        "values": {key: value for key, value in {**values, **ranks}.items() if value is not None},
    }


def _add_steps(rows: Sequence[dict[str, Any]], runs_by_row: Sequence[Runs]) -> None:
    """Add to each number the deviation over seeds of its difference from the row above in its group."""
    computed = [(row, runs) for row, runs in zip(rows, runs_by_row, strict=True) if runs]
    for (above, before), (row, after) in pairwise(computed):
        if above["group"] == row["group"]:
            for key, deviation in step_deviations(before, after).items():
                if key in row["values"]:
                    row["values"][key]["step_deviation"] = deviation


def _describe_row(table: TableSpec, row: RowSpec, experiment: Experiment) -> dict[str, Any]:
    """Return the specification of a row as plain values."""
    deviations, settings = find_deviations(table, row), resolved(experiment)
    return {
        "title": row.title,
        "under": row.published_row,
        "group": row.step_group,
        "reason": row.reason,
        "kind": row.model.kind,
        "random": row.model.is_random,
        "parameters": dict(row.model.parameters),
        "settings_digest": sha256(json.dumps(settings).encode()).hexdigest()[:12],
        "n_iter": settings.get("n_iter"),
        "corpus": CORPORA[row.corpus].title if row.corpus else "",
        "departs": {
            name: {"paper": paper, "ours": ours, "why": row.deviations.get(name, "")}
            for name, (paper, ours) in deviations.items()
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
    """Return the mean over runs, its deviation, and the bootstrap interval if there is one."""
    values = [run.numbers[key] for run in runs if key in run.numbers]
    if not values:
        return None
    value: dict[str, Any] = {"mean": fmean(values)}
    if len(values) > 1:
        value["deviation"] = stdev(values)
    ends = [f"{key}_low", f"{key}_high"]
    if all(end in run.numbers for end in ends for run in runs):
        value["interval"] = [fmean(run.numbers[end] for run in runs) for end in ends]
    return value


def step_deviations(before: Mapping[int, RunRecord], after: Mapping[int, RunRecord]) -> dict[str, float]:
    """Return the standard deviation of the difference of two models over their common seeds, by key.

    >>> def run(value): return RunRecord(None, {"r": value}, "c0ffee", True, "", 0.0, 0.0)
    >>> step_deviations({0: run(0.25), 1: run(0.5)}, {0: run(0.5), 1: run(0.75), 2: run(0.0)})
    {'r': 0.0}
    >>> step_deviations({0: run(0.25)}, {0: run(0.5)})
    {}
    """
    seeds = sorted(set(before) & set(after))
    if len(seeds) < 2:
        return {}
    shared = set.intersection(*(set(runs[seed].numbers) for seed in seeds for runs in (before, after)))
    return {
        key: stdev(after[seed].numbers[key] - before[seed].numbers[key] for seed in seeds) for key in shared
    }


def rank_key(key: str) -> str:
    """Return the key of the rank that belongs to a number.

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
    """Read a report; None if there is none, or the file has another format."""
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise InputError(f"{path} is not JSON ({error}); reproduce it again") from None
    return (
        report if isinstance(report, dict) and report.get("format") == FORMAT and "rows" in report else None
    )
