"""tacit map: a picture of an index in which similar texts are close together."""

from __future__ import annotations

from pathlib import Path

import click

from tacit.checks import format_count
from tacit.cli import shared_options as shared
from tacit.cli.output import ProgressBar, print_result
from tacit.workflows.progress import stage_callback


@click.command(short_help="Draw texts as a map of points.")
@shared.collection_options("index")
@click.option("-o", "--out", required=True, help="Output file: FILE.html (interactive) or FILE.png.")
@click.option("--title", help="Title of the map (default: the name of the index).")
@shared.seed_option
@shared.threads_option
@shared.json_option
def map(  # the name of the command
    index: shared.Collection, out: str, title: str | None, random_state: int, n_threads: int | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Draw the texts of INDEX as points in a plane; similar texts are close together.

    INDEX is an index, or a file of texts. The .html page works offline; .png needs the extra `plots`.
    """
    from tacit.search.map import load_or_draw_map
    from tacit.search.map_export import render_html, render_png, require_matplotlib
    from tacit.storage.durable_files import write_atomic
    from tacit.workflows.table_writing import check_output_path

    target = check_output_path(out, (".html", ".png"))
    is_html = target.suffix.lower() == ".html"
    if not is_html:
        require_matplotlib()
    loaded = index.open_index(n_threads)
    with ProgressBar() as bar:
        drawn = load_or_draw_map(loaded, index.folder, random_state, stage_callback(bar, "drawing"))
    name = title or Path(index.path).absolute().name
    content = render_html(drawn, name).encode("utf-8") if is_html else render_png(drawn, name)
    write_atomic(target, lambda file: file.write(content))
    summary = {"file": out, "texts": len(drawn.points), "groups": drawn.group_names}
    print_result(summary, [f"{out}: {format_count(len(drawn.points), 'point')}"], as_json)
