"""A report as one HTML page that loads nothing from the network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from tacit import __version__
from tacit.reports import sections as blocks
from tacit.reports.markdown import make_share_table
from tacit.reports.svg_charts import N_COLORS, draw_bar, draw_line, draw_map
from tacit.themes.theme_tree import Theme

MAX_QUOTE_CHARS = 400
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def render_html(title: str, language: str | None, sections: Sequence[blocks.Section]) -> str:
    """Return a report as an HTML page; ``language`` is the language of the texts."""
    style = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    body = "".join(_render_section(section, language) for section in sections)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>"
        f"<body><header><h1>{escape(title)}</h1></header><main>{body}</main>"
        f"<footer>Made with tacit {__version__}.</footer></body></html>\n"
    )


def _render_section(section: blocks.Section, language: str | None) -> str:
    content = "".join(_render_block(block, language) for block in section.blocks)
    return f"<section><h2>{escape(section.title)}</h2>{content}</section>"


def _render_block(block: blocks.Block, language: str | None) -> str:
    match block:
        case str() if block.startswith("`"):
            return f"<p>To make it again: <code>{escape(block[1:-1])}</code></p>"
        case str():
            return f"<p>{escape(block)}</p>"
        case blocks.Table():
            return _render_table(block)
        case blocks.BarTable():
            return _render_bars(block)
        case blocks.ThemeList():
            cards = "".join(_render_theme(theme, block.counts, language) for theme in block.themes)
            return f'<div class="themes">{cards}</div>'
        case blocks.ShareTable():
            return _render_timelines(block) if block.comparison.period else _render_shares(block)
        case blocks.ThemeMap():
            return _render_map(block)


def _table(caption: str, columns: Sequence[str], rows: str, kind: str = "") -> str:
    """Return a table; a column without a name has an empty cell in its head."""
    cells = "".join(f'<th scope="col">{escape(name)}</th>' if name else "<td></td>" for name in columns)
    head = f"<caption>{escape(caption)}</caption><thead><tr>{cells}</tr></thead>"
    return f'<table class="{kind}">{head}<tbody>{rows}</tbody></table>'


def _render_table(table: blocks.Table) -> str:
    cells = ("".join(f"<td>{escape(_shorten(cell))}</td>" for cell in row) for row in table.rows)
    rows = "".join(f"<tr>{row}</tr>" for row in cells)
    return _scroll(table.caption, _table(table.caption, table.columns, rows))


def _scroll(name: str, table: str) -> str:
    """Return a table in a region that scrolls on a narrow screen, also with the keyboard."""
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(name)}">{table}</div>'


def _render_bars(block: blocks.BarTable) -> str:
    table, largest = block.table, max(block.values, default=0)
    marked = block.marked or [False] * len(block.values)
    rows = "".join(
        _chart_row(str(row[0]), draw_bar(value, largest, is_marked), row[1:])
        for row, value, is_marked in zip(table.rows, block.values, marked, strict=True)
    )
    columns = [table.columns[0], "", *table.columns[1:]]
    return _table(table.caption, columns, rows, "bars" if any(marked) else "bars plain")


def _chart_row(name: str, chart: str, cells: Iterable[Any]) -> str:
    """Return a row with a name, a small chart, and numbers."""
    numbers = "".join(f'<td class="n">{escape(_shorten(cell))}</td>' for cell in cells)
    return f'<tr><th scope="row">{escape(name)}</th><td class="b">{chart}</td>{numbers}</tr>'


def _render_theme(theme: Theme, counts: dict[str, int], language: str | None) -> str:
    parts = "".join(f"<li>{escape(part.name)} ({counts[part.id]:,})</li>" for part in theme.subthemes)
    lang = f' lang="{escape(language)}"' if language else ""
    quotes = [f"<blockquote{lang}>{escape(_shorten(quote))}</blockquote>" for quote in theme.quotes]
    more = f"<details><summary>More quotes</summary>{''.join(quotes[1:])}</details>" if quotes[1:] else ""
    return (
        f'<article class="theme"><h3>{theme.id}. {escape(theme.name)}</h3>'
        f'<p class="n">{counts[theme.id]:,} texts</p>{"".join(quotes[:1])}{more}'
        f"{f'<ul>{parts}</ul>' if parts else ''}</article>"
    )


def _render_shares(block: blocks.ShareTable) -> str:
    table, comparison = make_share_table(block.comparison), block.comparison
    kinds = {(share.theme, share.group): share.representation for share in comparison.shares}
    groups = list(table.columns[1:])
    rows = ""
    for name, *shares in table.rows:
        cells = zip(groups, shares, strict=True)
        row = "".join(f'<td class="{kinds[name, group]}">{escape(share)}</td>' for group, share in cells)
        rows += f'<tr><th scope="row">{escape(name)}</th>{row}</tr>'
    n_left_out = len(comparison.groups) - len(groups)
    note = f"<p>{n_left_out} less frequent values are left out.</p>" if n_left_out > 0 else ""
    headed = [f"{group} ({comparison.groups[group]:,})" for group in groups]
    return _scroll(table.caption, _table(table.caption, ["Theme", *headed], rows, "shares")) + note


def _render_map(block: blocks.ThemeMap) -> str:
    entries = "".join(
        f'<li><i style="background:var(--c{number % N_COLORS})"></i>{number + 1}. {escape(name)}</li>'
        for number, name in enumerate(block.names)
    )
    return f'{draw_map(block.points, block.names)}<ol class="legend">{entries}</ol>'


def _render_timelines(block: blocks.ShareTable) -> str:
    comparison = block.comparison
    shares: dict[str, list[float]] = {}
    for share in comparison.shares:
        shares.setdefault(share.theme, []).append(share.share)
    largest = max((max(values) for values in shares.values()), default=0)
    periods = list(comparison.groups)
    rows = "".join(
        _chart_row(name, draw_line(values, largest), [f"{values[0]:.0%} → {values[-1]:.0%}"])
        for name, values in shares.items()
    )
    caption = f"{periods[0]} to {periods[-1]}; the same scale for all themes, up to {largest:.0%}"
    chart = _table(caption, ["Theme", "", "First → last"], rows, "bars")
    table = _render_table(make_share_table(comparison))
    return f"{chart}<details><summary>All numbers</summary>{table}</details>"


def _shorten(cell: Any) -> str:
    text = f"{cell:,}" if isinstance(cell, int) else str(cell)
    return text if len(text) <= MAX_QUOTE_CHARS else f"{text[:MAX_QUOTE_CHARS]}…"
