"""A table or figure, as data: what is trained for each of its rows, and what the paper prints there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from papers.experiments import Experiment, Model
from papers.published import Published, all_published

RUNS = 10
"""The papers' own number of runs."""


@dataclass(frozen=True)
class Cell:
    """A number of every row: what readers call it, and its key, ``task/set/measure``.

    ``scale`` and ``decimals`` say how it is shown where no paper prints it.
    """

    title: str
    key: str
    scale: int = 1
    decimals: int | None = None


@dataclass(frozen=True)
class Row:
    """A model of ours.

    Parameters
    ----------
    title : what the page calls it.
    model : what is trained.
    under : the label of the published row that it stands under; none for what is ours alone.
    follows : the sections of ``settings.toml`` whose settings it has.
    departs : by setting, why it has another than the paper; a test finds what is not said here.
    reason : one line on why the numbers are as they are.
    most_runs : holds down the runs of a model that takes long.
    corpus : another corpus than the table's.
    group : of a table of steps, the published row that these steps lead towards.
    """

    title: str
    model: Model
    under: str = ""
    follows: tuple[str, ...] = ()
    departs: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""
    most_runs: int | None = None
    corpus: str | None = None
    group: str = ""


@dataclass(frozen=True)
class Plot:
    """A figure: each curve's points are rows, at their parameter ``x``, by the first cell.

    With ``x="bars"`` every row is a group of bars, one a cell. Of a table of steps, ``x="steps"``, the rows
    stand below each other.
    """

    x: str
    label: str
    log: bool = False


@dataclass(frozen=True)
class Reproduction:
    """A table or figure that can be made again; where a paper prints it, under the name it has there.

    ``cells`` are numbers of ours beside the paper's own columns; ``headline`` are the keys that the page
    opens with, by default the first; ``instead`` leads from a number of ours to the paper's that it is set
    beside for rows that depart from the paper. In a table of steps each row of a group is the one above with
    one change more, and ``towards`` is the published table that has the row of that name.
    """

    name: str
    title: str
    corpus: str
    cells: tuple[Cell, ...]
    rows: tuple[Row, ...]
    plot: Plot | None = None
    note: str = ""
    headline: tuple[str, ...] = ()
    runs: int = RUNS
    towards: str = ""
    instead: Mapping[str, str] = field(default_factory=dict)

    @property
    def published(self) -> Published | None:
        """What the paper prints; None for what is ours alone."""
        return all_published().get(self.name)

    @property
    def columns(self) -> tuple[Cell, ...]:
        """The paper's columns of numbers, then ours."""
        printed = self.published.measured if self.published else {}
        return (*(Cell(title, key) for key, title in printed.items()), *self.cells)

    def experiments(self, seeds: int) -> list[Experiment]:
        """What has to be run, row after row."""
        return [each for row in self.rows for each in self.of_row(row, seeds)]

    def of_row(self, row: Row, seeds: int) -> list[Experiment]:
        """The runs of one row: one a seed where chance matters, else one.

        >>> table = Reproduction("t", "T", "definitions", (), ())
        >>> [run.seed for run in table.of_row(Row("WTMF", Model("wtmf", random=True)), 3)]
        [0, 1, 2]
        >>> [run.seed for run in table.of_row(Row("IR", Model("ir")), 3)]
        [0]
        """
        runs = min(seeds, row.most_runs or seeds) if row.model.random else 1
        return [Experiment(row.corpus or self.corpus, row.model, seed) for seed in range(runs)]

    def with_lda(self, n_iter: int | None, most_runs: int | None) -> Reproduction:
        """The same with these Gibbs iterations and at most these runs of every LDA model; None: as it "
        "says."""
        return replace(self, rows=tuple(_with_lda(row, n_iter, most_runs) for row in self.rows))


def _with_lda(row: Row, n_iter: int | None, most_runs: int | None) -> Row:
    if row.model.kind != "lda":
        return row
    changes = {} if n_iter is None else {"n_iter": n_iter}
    model = replace(row.model, parameters={**row.model.parameters, **changes})
    return replace(row, model=model, most_runs=most_runs or row.most_runs)
