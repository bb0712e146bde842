"""Recompute recorded runs and compare every figure with its record, to the digits that the page prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import log10
from typing import Any, NamedTuple

from papers.experiments.run_cache import Numbers
from papers.experiments.runner import ExperimentRunner, sort_for_sharing
from papers.report.table_layout import column_style, printed_decimals
from papers.specs import Experiment, TableSpec
from papers.tables.catalogue import PAPERS, find_tables

SECONDS_A_PAPER = 10.0
"""The time limit of the fastest rows of a paper; one row is always selected."""


@dataclass(frozen=True)
class Difference:
    """A number that is printed differently after recomputation; None if it is missing on one side."""

    run: str
    figure: str
    recorded: float | None
    recomputed: float | None

    def __str__(self) -> str:
        """Return the difference as one line."""
        return f"{self.run}: {self.figure} is recorded as {self.recorded}, recomputed as {self.recomputed}"


@dataclass
class Verification:
    """The state of a verification.

    ``changed`` figures are not the same to the last bit, by ``largest_change`` at most; those of them that
    are printed otherwise are in ``differences``.
    """

    decimals: Mapping[str, int]
    runs: int = 0
    figures: int = 0
    changed: int = 0
    largest_change: float = 0.0
    differences: list[Difference] = field(default_factory=list)

    def compare(self, run: str, recorded: Numbers, recomputed: Numbers) -> list[Difference]:
        """Compare all figures of one run; return those that differ in the digits that are printed.

        >>> verification = Verification({"li06/30 pairs/pearson": 2})
        >>> verification.compare("ir", {"li06/30 pairs/pearson": 0.501}, {"li06/30 pairs/pearson": 0.502})
        []
        >>> verification.compare("ir", {"r": 0.5}, {"r": 0.51})
        [Difference(run='ir', figure='r', recorded=0.5, recomputed=0.51)]
        >>> verification.runs, verification.changed
        (2, 2)
        """
        names = sorted({*recorded, *recomputed})
        pairs = [(name, recorded.get(name), recomputed.get(name)) for name in names]
        changed = [(name, old, new) for name, old, new in pairs if old != new]
        differences = [Difference(run, *change) for change in changed if not self._printed_alike(*change)]
        sizes = [abs(old - new) for _, old, new in changed if old is not None and new is not None]
        self.largest_change = max([self.largest_change, *sizes])
        self.runs, self.figures = self.runs + 1, self.figures + len(names)
        self.changed += len(changed)
        self.differences += differences
        return differences

    def _printed_alike(self, name: str, old: float | None, new: float | None) -> bool:
        if old is None or new is None:
            return False
        measure = name.removesuffix("_low").removesuffix("_high")
        decimals = self.decimals.get(measure, printed_decimals(None, measure))
        return round(old, decimals) == round(new, decimals)

    def __str__(self) -> str:
        """Return the result as one sentence, without its full stop."""
        return (
            f"{self.runs:,} runs recomputed, {self.figures:,} figures compared: {len(self.differences):,} "
            f"differences beyond the printed digits; {self.changed:,} figures are not the same to the last "
            f"bit, by {self.largest_change:.1e} at most"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values."""
        return {
            "runs": self.runs,
            "figures": self.figures,
            "differences": [vars(difference) for difference in self.differences],
            "changed_figures": self.changed,
            "largest_change": self.largest_change,
        }


def max_printed_decimals(tables: Iterable[TableSpec]) -> dict[str, int]:
    """Return for each number the maximum number of decimals that a table prints.

    >>> max_printed_decimals(find_tables(["acl2012-table5"]))  # in per cent, with two decimals
    {'msr04/test/accuracy': 4}
    """
    decimals: dict[str, int] = {}
    for table in tables:
        for cell in table.columns:
            for row in table.rows:
                n_decimals, scale = column_style(table.published, cell, row.published_row)
                decimals[cell.key] = max(decimals.get(cell.key, 0), n_decimals + round(log10(scale)))
    return decimals


def select_fastest(runner: ExperimentRunner) -> list[Experiment]:
    """Return the recorded runs of each paper's fastest rows, ``SECONDS_A_PAPER`` in all or one row.

    The time recorded for a run can be too short, as it may have used what another of its kind had read or
    trained: a row is taken to need as long as the slowest run of its kind on its corpus.
    """
    rows = {paper: _recorded_rows(paper, runner) for paper in PAPERS}
    slowest: dict[tuple[str, str], float] = {}
    for run in (run for of_paper in rows.values() for row in of_paper for run in row):
        slowest[run.kind] = max(slowest.get(run.kind, 0.0), run.seconds)
    selected: list[Experiment] = []
    for of_paper in rows.values():
        costs = [
            (max(slowest[row[0].kind], sum(run.seconds for run in row)), number)
            for number, row in enumerate(of_paper)
            if row
        ]
        spent = 0.0
        for rank, (cost, number) in enumerate(sorted(costs)):
            spent += cost
            if rank == 0 or spent <= SECONDS_A_PAPER:
                selected += [run.experiment for run in of_paper[number]]
    return sort_for_sharing(selected)


def select_under(runner: ExperimentRunner, tables: Iterable[TableSpec], limit: float) -> list[Experiment]:
    """Return the runs of tables whose recorded time is below ``limit`` seconds."""
    experiments = [experiment for table in tables for experiment in table.experiments(table.runs)]
    return sort_for_sharing(run.experiment for run in _recorded(experiments, runner) if run.seconds < limit)


class _RecordedRun(NamedTuple):
    experiment: Experiment
    seconds: float

    @property
    def kind(self) -> tuple[str, str]:
        return self.experiment.model.kind, self.experiment.corpus


def _recorded_rows(paper: str, runner: ExperimentRunner) -> list[list[_RecordedRun]]:
    """Return the recorded runs of each row of a paper's tables."""
    tables = find_tables([paper])
    return [
        _recorded(table.row_experiments(row, table.runs), runner) for table in tables for row in table.rows
    ]


def _recorded(experiments: Iterable[Experiment], runner: ExperimentRunner) -> list[_RecordedRun]:
    """Return the experiments that have a record, with the time it took."""
    records = ((experiment, runner.find_run(experiment)) for experiment in experiments)
    return [_RecordedRun(experiment, record.seconds) for experiment, record in records if record is not None]
