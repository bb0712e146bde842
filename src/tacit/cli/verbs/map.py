"""tacit map: a picture of an index, near texts near each other."""

from __future__ import annotations

from pathlib import Path

import click

from tacit.cli.common import (
    counted_as,
    index_argument,
    json_option,
    load_index,
    print_json,
    shown_progress,
    threads_option,
    verb,
    writable_file,
    write_whole,
)


@click.command(short_help="Draw an index as a map of points.")
@index_argument
@click.option("-o", "--out", required=True, help="FILE.html, whose points tell their text, or FILE.png.")
@click.option("--title", help="The title; by default the index's name.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of what is random.")
@threads_option
@json_option
@verb
def map(  # the verb is called so
    index: str, out: str, title: str | None, seed: int, threads: int | None, as_json: bool
) -> None:
    """Draw the texts of INDEX as points in a plane; what means something alike lies together.

    The .html page works offline; .png needs the extra `plots`.
    """
    from tacit.search.map import as_html, as_png, check_plots
    from tacit.search.saved_map import kept_map

    target = writable_file(out, (".html", ".png"))
    if target.suffix == ".png":
        check_plots()
    loaded = load_index(index, threads)
    with shown_progress("drawing") as told:
        drawn = kept_map(loaded, index, seed, told)
    name = title or Path(index).absolute().name
    content = as_html(drawn, name).encode("utf-8") if target.suffix == ".html" else as_png(drawn, name)
    write_whole(target, lambda file: file.write(content))
    if as_json:
        print_json({"file": out, "texts": len(drawn.points), "groups": drawn.groups})
    else:
        click.echo(f"{out}: {counted_as(len(drawn.points), 'point')}")
