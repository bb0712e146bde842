"""tacit duplicates: the texts of an index that say nearly the same."""

from __future__ import annotations

import click

from tacit.cli.common import (
    aloud,
    complain,
    fixed,
    index_argument,
    json_option,
    load_index,
    print_json,
    shown_progress,
    threads_option,
    verb,
)


@click.command(short_help="List the texts of an index that say nearly the same.")
@index_argument
@click.option("--threshold", default=0.9, show_default=True, help="The least score of a pair, 0.5 to 1.")
@click.option("--groups", is_flag=True, help="Put texts that are linked by pairs together.")
@click.option("--measure", default="blend", show_default=True, help="How to compare: blend or latent.")
@click.option(
    "--exact/--cells",
    default=None,
    help="Compare all with all, or those of a cell; by default by how many texts there are.",
)
@threads_option
@json_option
@verb
def duplicates(
    index: str,
    threshold: float,
    groups: bool,
    measure: str,
    exact: bool | None,
    threads: int | None,
    as_json: bool,
) -> None:
    """List every pair of texts of INDEX with a score from --threshold on, the most alike first.

    Among more than a million and a half texts, those that share a cell are compared; one line says what share
    of the pairs that finds.
    """
    from tacit.search.duplicates import check_join

    check_join(threshold, measure)
    loaded = load_index(index, threads)
    how = (threshold, measure)
    with aloud("tacit.search.duplicates"), shown_progress("comparing") as told:
        if groups:
            found = [group.to_dict() for group in loaded.duplicate_groups(*how, told, exact)]
        else:
            found = [pair.to_dict() for pair in loaded.duplicates(*how, told, exact)]
    if as_json:
        print_json(found)
        return
    if not found:
        complain(f"no two texts of {index} have a score from {threshold:g} on; try a lower --threshold")
    for each in found:
        lines = zip(each["ids"], each["texts"], strict=True) if groups else _sides(each)
        click.echo(fixed(each["score"], 3))
        for name, text in lines:
            click.echo(f"  {name}  {' '.join(text.split())}")


def _sides(pair: dict[str, str]) -> list[tuple[str, str]]:
    return [(pair["id_a"], pair["text_a"]), (pair["id_b"], pair["text_b"])]
