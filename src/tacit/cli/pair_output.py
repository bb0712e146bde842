"""Print pairs of texts with their scores and evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.output import print_stderr

if TYPE_CHECKING:
    from tacit.workflows.linking import PairResult

_N_CUTS = 5


def pair_lines(pair: PairResult) -> Iterator[str]:
    """Return the score of a pair with its evidence, then both texts with their ids."""
    from tacit.decisions.evidence import describe_evidence

    yield f"{pair.score:.3f}  {describe_evidence(pair.evidence)}"
    for record in (pair.a, pair.b):
        yield f"  {record.id}  {' '.join(record.text.split())}"


def print_cuts(pairs: Sequence[PairResult]) -> None:
    """Print the pairs around several cuts, so that a person can choose a threshold."""
    from tacit.workflows.linking import list_cuts

    for threshold, n_pairs, around in list_cuts(pairs, _N_CUTS):
        click.echo(f"--threshold {threshold:.3f} accepts {n_pairs:,} of {len(pairs):,} pairs")
        for pair in around:
            click.echo("\n".join(f"  {line}" for line in pair_lines(pair)))


def print_table_json(result: Any, **figures: Any) -> None:
    """Print the rows of a table of pairs, its intervals and notes, and further figures as JSON."""
    from tacit.cli.output import print_json

    columns = result.table_columns()
    rows = [dict(zip(columns, row, strict=True)) for row in result.table_rows()]
    figures |= {name: getattr(result, name) for name in ("precision", "recall", "notes")}
    print_json(figures | {"rows": rows})


def print_figures(summary: str, result: Any) -> None:
    """Print a summary, intervals, and notes on judgements on stderr."""
    for note in result.notes:
        print_stderr(note)
    parts = [summary]
    for name in ("precision", "recall"):
        values = getattr(result, name)
        if len(values) == 2:
            parts.append(f"{name} {values[0]:.2f} to {values[1]:.2f} (90 %)")
        elif values:
            parts.append(f"estimated {name} {values[0]:.2f}")
    print_stderr("; ".join(parts))
