"""Specifications of models, experiments and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from papers.published import PublishedTable, all_published


@dataclass(frozen=True)
class ModelSpec:
    """A model to train.

    Parameters
    ----------
    kind : str
        The name of the kind, see ``experiments.model_kinds``.
    parameters : mapping of str to object
        The parameters that differ from the defaults of the kind.
    is_random : bool
        Whether results depend on the seed; other models are trained once.
    """

    kind: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    is_random: bool = False


@dataclass(frozen=True)
class Experiment:
    """A model trained on a corpus with a seed, and measured on the tasks of that corpus.

    >>> experiment = Experiment("definitions", ModelSpec("wtmf", {"missing_weight": 0.01}, True), seed=3)
    >>> experiment.title
    'wtmf missing_weight=0.01 on definitions, seed 3'
    >>> experiment.label
    'wtmf, seed 3'
    """

    corpus: str
    model: ModelSpec
    seed: int = 0

    @property
    def title(self) -> str:
        """The full description, which is unique."""
        return self._describe(sorted(self.model.parameters.items()))

    @property
    def training_key(self) -> str:
        """The description without the measure: experiments that differ only in it share a training.

        >>> latent, blend = (Experiment("c", ModelSpec("x-wmf", {"measure": m})) for m in ("latent", "blend"))
        >>> latent.training_key == blend.training_key
        True
        """
        return self._describe(
            [item for item in sorted(self.model.parameters.items()) if item[0] != "measure"]
        )

    @property
    def label(self) -> str:
        """A short description for a progress bar."""
        return f"{self.model.kind}{self._seed}"

    def _describe(self, parameters: Sequence[tuple[str, Any]]) -> str:
        """Join the kind of model, parameters, the corpus and the seed."""
        settings = (f"{name}={value}" for name, value in parameters)
        return f"{' '.join([self.model.kind, *settings])} on {self.corpus}{self._seed}"

    @property
    def _seed(self) -> str:
        return f", seed {self.seed}" if self.model.is_random else ""


RUNS = 10
"""The number of runs in the papers."""


@dataclass(frozen=True)
class Column:
    """A column of numbers: its title, and its key ``task/set/metric``.

    ``scale`` and ``decimals`` are for columns that no paper prints.
    """

    title: str
    key: str
    scale: int = 1
    decimals: int | None = None


@dataclass(frozen=True)
class RowSpec:
    """A row of a table: one of our models.

    Parameters
    ----------
    title : str
        The title on the page.
    model : ModelSpec
        The model.
    published_row : str
        The label of the published row above it; empty if there is none.
    settings_sections : tuple of str
        The sections of ``settings.toml`` whose settings the row follows.
    deviations : mapping of str to str
        Settings that differ from the paper, with the reason; a test finds missing ones.
    reason : str
        Why the numbers differ from the paper's.
    max_runs : int or None
        The maximum number of runs, for models that take long.
    corpus : str or None
        The corpus if it is not that of the table.
    step_group : str
        In a table of steps, the published row that the steps lead to.
    """

    title: str
    model: ModelSpec
    published_row: str = ""
    settings_sections: tuple[str, ...] = ()
    deviations: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""
    max_runs: int | None = None
    corpus: str | None = None
    step_group: str = ""


@dataclass(frozen=True)
class PlotSpec:
    """A figure of the first column over the parameter ``x`` of the rows, one curve per model.

    With ``x="bars"`` every row is a group of bars, one per column; with ``x="steps"`` the rows are steps.
    """

    x: str
    label: str
    log: bool = False


@dataclass(frozen=True)
class TableSpec:
    """A table or figure; if a paper prints it, it has the name of ``published.toml``.

    Parameters
    ----------
    name : str
        The name on the command line.
    title : str
        The title on the page.
    corpus : str
        The name of the training corpus.
    extra_columns : tuple of Column
        Columns beside those of the paper.
    rows : tuple of RowSpec
        Our rows.
    plot : PlotSpec or None
        How the table is drawn.
    note : str
        A note under the title.
    headline : tuple of str
        The keys in the summary tables of the page; empty for the first column.
    runs : int
        The number of runs of random models.
    target_table : str
        In a table of steps, the published table that has the rows of ``step_group``. Each row of a group is
        the row above with one more change.
    compared_with : mapping of str to str
        For keys of ours, the key of the paper that they are compared with in rows that deviate.
    """

    name: str
    title: str
    corpus: str
    extra_columns: tuple[Column, ...]
    rows: tuple[RowSpec, ...]
    plot: PlotSpec | None = None
    note: str = ""
    headline: tuple[str, ...] = ()
    runs: int = RUNS
    target_table: str = ""
    compared_with: Mapping[str, str] = field(default_factory=dict)

    @property
    def published(self) -> PublishedTable | None:
        """The published table; None if no paper prints it."""
        return all_published().get(self.name)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The paper's columns of numbers, then the extra columns."""
        printed = self.published.value_columns if self.published else {}
        return (*(Column(title, key) for key, title in printed.items()), *self.extra_columns)

    def experiments(self, seeds: int) -> list[Experiment]:
        """Return the experiments of all rows."""
        return [each for row in self.rows for each in self.row_experiments(row, seeds)]

    def row_experiments(self, row: RowSpec, seeds: int) -> list[Experiment]:
        """Return the experiments of one row: one per seed if the model is random, else one.

        >>> table = TableSpec("t", "T", "definitions", (), ())
        >>> [run.seed for run in table.row_experiments(RowSpec("WTMF", ModelSpec("wtmf", is_random=True)), 3)]
        [0, 1, 2]
        >>> [run.seed for run in table.row_experiments(RowSpec("IR", ModelSpec("ir")), 3)]
        [0]
        """
        runs = min(seeds, row.max_runs or seeds) if row.model.is_random else 1
        return [Experiment(row.corpus or self.corpus, row.model, seed) for seed in range(runs)]

    def with_lda(self, n_iter: int | None, max_runs: int | None) -> TableSpec:
        """Return the table with other Gibbs iterations and runs of its LDA models; None changes nothing."""
        return replace(self, rows=tuple(_with_lda(row, n_iter, max_runs) for row in self.rows))


def _with_lda(row: RowSpec, n_iter: int | None, max_runs: int | None) -> RowSpec:
    """Change the Gibbs iterations and runs of a row if it is an LDA model."""
    if row.model.kind != "lda":
        return row
    changes = {} if n_iter is None else {"n_iter": n_iter}
    model = replace(row.model, parameters={**row.model.parameters, **changes})
    return replace(row, model=model, max_runs=max_runs or row.max_runs)
