"""tacit teach: judge pairs, so that link and dedupe learn from them."""

from __future__ import annotations

from typing import Any

import click

from tacit.checks import format_count
from tacit.cli import shared_options as shared
from tacit.cli.output import ProgressBar, print_stderr
from tacit.cli.pair_output import pair_lines, print_figures, print_table_json

_KEYS = {"y": 1.0, "n": 0.0}
_GRADES = {str(grade): float(grade) for grade in range(6)}


@click.command(short_help="Judge pairs of texts, to teach link and dedupe.")
@click.argument("pairs", metavar="PAIRS")
@click.option("--judgements", metavar="TABLE", help="Table of judgements to add: id_a, id_b, label (1 or 0).")
@click.option(
    "--export", metavar="TABLE", callback=shared.check_table, help="Write all judgements to a table."
)
@click.option("--model", help="Grade pairs from 0 to 5, to teach a measure of this model.")
@click.option("--precision", type=float, help="Precision to reach, 0 to 1.")
@click.option("--recall", type=float, help="Recall to reach, 0 to 1.")
@shared.table_output_option
@shared.stemmer_option("auto", "Language code for the stemmer, auto to detect it, or none.")
@shared.seed_option
@shared.threads_option
@shared.json_option
def teach(
    pairs: str, judgements: str | None, export: Any, precision: float | None, recall: float | None,
    output: Any, as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Judge the pairs of PAIRS in the terminal: the --work folder of link or dedupe, or a table.

    A table has the columns text_a and text_b, and optionally id_a, id_b and label. Each judgement is stored
    at once: in the folder, or beside the table in PAIRS.judgements. With --judgements, --export, --output or
    --json nothing is asked.

    With --model, labels are grades from 0 to 5; then tacit compare MODEL A B --measure
    PAIRS.judgements/measure uses them.
    """
    from tacit.workflows import open_session
    from tacit.workflows.judgements import JUDGEMENT_COLUMNS
    from tacit.workflows.table_writing import write_table
    from tacit.workflows.teaching import add_judgements

    with ProgressBar() as bar:
        session = open_session(pairs, **options, progress=bar)
    if judgements is not None:
        add_judgements(session, judgements)
    elif output is None and export is None and not as_json:
        _judge_in_terminal(session)
    result = session.result(precision, recall)
    if export is not None:
        write_table(export, JUDGEMENT_COLUMNS, session.list_judgements())
    if output is not None:
        write_table(output, result.table_columns(), result.table_rows())
    if as_json:
        print_table_json(result, judgements=len(result.labels), threshold=result.threshold)
        return
    n_matches = sum(pair.is_match for pair in result.pairs)
    matches = "" if options["model"] else f"; {n_matches:,} of {len(result.pairs):,} pairs match"
    print_figures(format_count(len(result.labels), "judgement") + matches, result)


def _judge_in_terminal(session: Any) -> None:
    """Show pairs and store the answers until the user quits."""
    from tacit.workflows.teaching_session import GradingSession

    keys, meaning = _KEYS, "y: the same, n: not the same"
    if isinstance(session, GradingSession):
        keys, meaning = _GRADES, "0 (nothing in common) to 5 (the same meaning)"
    print_stderr(f"{meaning}, s: skip, u: undo, q: quit")
    skipped: set[int] = set()
    result = session.result()
    while queue := [place for place in result.next_pairs if result.numbers[place] not in skipped]:
        while queue:
            place = queue[0]
            click.echo("\n".join(pair_lines(result.pairs[place])))
            key = click.prompt(f"{len(session.labels) + 1}", type=click.Choice([*keys, "s", "u", "q"]))
            if key == "q":
                return
            if key == "u":
                previous = session.undo()
                queue = queue if previous is None else [result.numbers.index(previous), *queue]
                continue
            queue.pop(0)
            if key == "s":
                skipped.add(result.numbers[place])
            else:
                session.judge(result.numbers[place], keys[key])
        result = session.result()
