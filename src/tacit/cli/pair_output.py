"""Print pairs of texts with their scores and evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.output import print_stderr

if TYPE_CHECKING:
    from tacit.result_table import ResultTable
    from tacit.workflows.linking import PairResult

_N_CUTS, _PAIRS_PER_CUT = 5, 10
ESTIMATE_REMARK = "too high if the other list holds near-identical variants of a row"


def pair_lines(pair: PairResult) -> Iterator[str]:
    """Return the score of a pair with its evidence, then both texts with their ids."""
    from tacit.decisions.evidence import describe_evidence

    yield f"{pair.score:.3f}  {describe_evidence(pair.evidence)}"
    for record in (pair.a, pair.b):
        yield f"  {record.id}  {' '.join(record.text.split())}"


def print_cuts(pairs: Sequence[PairResult]) -> None:
    """Print the pairs around several cuts, so that a person can choose a threshold."""
    ordered = sorted(pairs, key=lambda pair: -pair.score)
    for number in range(1, _N_CUTS + 1):
        middle = number * len(ordered) // (_N_CUTS + 1)
        first = max(middle - _PAIRS_PER_CUT // 2, 0)
        around = ordered[first : first + _PAIRS_PER_CUT]
        if around:
            click.echo(
                f"--threshold {ordered[middle].score:.3f} accepts {middle + 1:,} of {len(ordered):,} pairs"
            )
        for pair in around:
            click.echo("\n".join(f"  {line}" for line in pair_lines(pair)))


def print_table_json(result: ResultTable, **figures: Any) -> None:
    """Print the rows of a table and further figures as JSON."""
    from tacit.cli.output import print_json

    columns = result.table_columns()
    rows = [dict(zip(columns, row, strict=True)) for row in result.table_rows()]
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
            parts.append(f"estimated {name} {values[0]:.2f} ({ESTIMATE_REMARK})")
    print_stderr("; ".join(parts))
