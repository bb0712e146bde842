"""What came of a table: the numbers of its rows, with what is needed to trust them, as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from papers.cache import Run, code_state
from papers.corpora import CORPORA
from papers.experiments import Experiment
from papers.laboratory import Laboratory, resolved
from papers.settings import departures
from papers.steps import step_deviations
from papers.tables import Reproduction, Row
from tacit.errors import InputError

FORMAT = 2
Report = dict[str, Any]


@dataclass(frozen=True)
class _Found:
    """The runs of a row by seed: of this code, of older code, or of both.

    ``confirmed`` are the seeds of older runs that stand beside new ones because a seed that both computed has
    the same numbers to the last bit.
    """

    runs: dict[int, Run]
    older: bool = False
    confirmed: tuple[int, ...] = ()


def summarize(table: Reproduction, laboratory: Laboratory, seeds: int, known: bool = False) -> Report:
    """The rows of a table, from experiments that are run where they have not been.

    With ``known`` nothing is run: what has no numbers of this code has those of older code, which is marked,
    or none. ``written`` is the commit that has this code, by whatever commit it was when runs were made.
    """
    found = [_find(table.of_row(row, seeds), laboratory, known) for row in table.rows]
    rows = [_row(table, row, runs, seeds) for row, runs in zip(table.rows, found, strict=True)]
    if table.towards:
        _add_steps(rows, found)
    commit, clean = code_state()
    facts = {
        "name": table.name,
        "title": table.title,
        "corpus": CORPORA[table.corpus].title,
        "note": table.note,
    }
    return {"format": FORMAT, **facts, "written": {"commit": commit, "clean": clean}, "rows": rows}


def _row(table: Reproduction, row: Row, found: _Found, seeds: int) -> dict[str, Any]:
    experiments = table.of_row(row, seeds)
    made = list(found.runs.values())
    values = {cell.key: _value(cell.key, made) for cell in table.columns}
    ranks = {rank: _value(rank, made) for rank in map(rank_key, values)}
    return {
        **_told(table, row, experiments[0]),
        **_provenance(found),
        "wanted": len(experiments),
        "values": {key: value for key, value in {**values, **ranks}.items() if value is not None},
    }


def _add_steps(rows: Sequence[dict[str, Any]], found: Sequence[_Found]) -> None:
    """To each number, how far the step from the row above it in its group varies over seeds."""
    made = [(row, each.runs) for row, each in zip(rows, found, strict=True) if each.runs]
    for (above, before), (row, after) in pairwise(made):
        if above["group"] == row["group"]:
            for key, deviation in step_deviations(before, after).items():
                if key in row["values"]:
                    row["values"][key]["step_deviation"] = deviation


def _find(experiments: Sequence[Experiment], laboratory: Laboratory, known: bool) -> _Found:
    """The runs of this code, made now if that is wanted; else those of older code."""
    ask = laboratory.known if known else laboratory.run
    asked = {each.seed: ask(each) for each in experiments}
    runs = {seed: run for seed, run in asked.items() if run is not None}
    if len(runs) == len(experiments):
        return _Found(runs)
    before = {each.seed: laboratory.older(each) for each in experiments}
    old = {seed: run for seed, run in before.items() if run is not None}
    if not runs:
        return _Found(old, bool(old))
    more = _confirmed(runs, old)
    return _Found(dict(sorted({**more, **runs}.items())), confirmed=tuple(more))


def _confirmed(runs: Mapping[int, Run], old: Mapping[int, Run]) -> dict[int, Run]:
    """The older runs of seeds not run yet, where the same older code agrees to the bit on one that was."""
    both = [(old[seed], run) for seed, run in runs.items() if seed in old]
    agreed = {before.code for before, run in both if before.numbers == run.numbers}
    parted = {before.code for before, run in both if before.numbers != run.numbers}
    return {seed: run for seed, run in old.items() if seed not in runs and run.code in agreed - parted}


def _told(table: Reproduction, row: Row, experiment: Experiment) -> dict[str, Any]:
    """What the row says of itself."""
    apart = departures(table, row)
    return {
        "title": row.title,
        "under": row.under,
        "group": row.group,
        "reason": row.reason,
        "kind": row.model.kind,
        "random": row.model.random,
        "parameters": dict(row.model.parameters),
        "n_iter": resolved(experiment).get("n_iter"),
        "corpus": CORPORA[row.corpus].title if row.corpus else "",
        "departs": {
            name: {"paper": paper, "ours": has, "why": row.departs.get(name, "")}
            for name, (paper, has) in apart.items()
        },
    }


def _provenance(found: _Found) -> dict[str, Any]:
    """When runs were made; and of those that the present code has not made, the commits that did."""
    runs = list(found.runs.values())
    others = [run for seed, run in found.runs.items() if found.older or seed in found.confirmed]
    return {
        "runs": len(runs),
        "seeds": list(found.runs),
        "older": found.older,
        "confirmed": list(found.confirmed),
        "commits": sorted({run.commit + ("" if run.clean else " with changes") for run in others}),
        "dates": sorted({run.date for run in runs})[:: max(len({run.date for run in runs}) - 1, 1)],
        "cpu_seconds": round(sum(run.cpu_seconds for run in runs), 1),
    }


def _value(key: str, runs: Sequence[Run]) -> dict[str, Any] | None:
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
