"""A table or figure of a paper, as data: rows of models, cells of numbers, and what the paper prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from papers.experiments import Experiment, Model


@dataclass(frozen=True)
class Cell:
    """A number of every row: what readers call it, and its key, ``task/set/measure``."""

    title: str
    key: str


@dataclass(frozen=True)
class Row:
    """A model with what the paper prints for it, by key; without ``model`` it is printed there alone.

    ``most_runs`` holds down the seeds of a model that takes long.
    """

    title: str
    model: Model | None = None
    paper: Mapping[str, float] = field(default_factory=dict)
    most_runs: int | None = None


@dataclass(frozen=True)
class Plot:
    """A figure: each curve's points are rows, at their parameter ``x``, by the first cell.

    With ``x="bars"`` every row is a group of bars, one a cell.
    """

    x: str
    label: str
    log: bool = False


@dataclass(frozen=True)
class Reproduction:
    """A published table or figure that can be made again."""

    name: str
    title: str
    corpus: str
    cells: tuple[Cell, ...]
    rows: tuple[Row, ...]
    plot: Plot | None = None
    note: str = ""

    def experiments(self, seeds: int) -> list[Experiment]:
        """What has to be run, row after row."""
        return [experiment for row in self.rows for experiment in self.of_row(row, seeds)]

    def of_row(self, row: Row, seeds: int) -> list[Experiment]:
        """The runs of one row: one a seed where chance matters, else one.

        >>> table = Reproduction("t", "T", "definitions", (), ())
        >>> [run.seed for run in table.of_row(Row("WTMF", Model("wtmf", random=True)), 3)]
        [0, 1, 2]
        >>> [run.seed for run in table.of_row(Row("IR", Model("ir")), 3)]
        [0]
        """
        if row.model is None:
            return []
        runs = min(seeds, row.most_runs or seeds) if row.model.random else 1
        return [Experiment(self.corpus, row.model, seed) for seed in range(runs)]

    def with_lda(self, n_iter: int, most_runs: int) -> Reproduction:
        """The same with these Gibbs iterations and at most these runs of every LDA model."""
        return replace(self, rows=tuple(_with_lda(row, n_iter, most_runs) for row in self.rows))


def _with_lda(row: Row, n_iter: int, most_runs: int) -> Row:
    if row.model is None or row.model.kind != "lda":
        return row
    model = replace(row.model, parameters={**row.model.parameters, "n_iter": n_iter})
    return replace(row, model=model, most_runs=most_runs)
