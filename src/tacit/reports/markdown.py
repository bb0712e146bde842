"""A report as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from tacit.reports import sections as blocks
from tacit.themes.comparison import ThemeComparison

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#])")


def render_markdown(title: str, sections: Sequence[blocks.Section]) -> str:
    """Return a report as Markdown; characters with a meaning in Markdown are escaped."""
    lines = [f"# {_escape(title)}", ""]
    for section in sections:
        lines += [f"## {_escape(section.title)}", ""]
        for block in section.blocks:
            lines += [*_render_block(block), ""]
    return "\n".join(lines)


def _escape(value: Any) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(str(value).split()))


def _render_block(block: blocks.Block) -> Iterator[str]:
    match block:
        case str():
            yield block if block.startswith("`") else _escape(block)
        case blocks.Table():
            yield from _render_table(block)
        case blocks.BarTable():
            yield from _render_table(block.table)
        case blocks.ThemeList():
            yield from _render_themes(block)
        case blocks.ShareTable():
            yield from _render_table(make_share_table(block.comparison))
        case blocks.ThemeMap():
            yield from (f"{number}. {_escape(name)}" for number, name in enumerate(block.names, 1))


def _render_table(table: blocks.Table) -> Iterator[str]:
    yield f"**{_escape(table.caption)}**"
    yield ""
    yield f"| {' | '.join(map(_escape, table.columns))} |"
    yield f"|{'---|' * len(table.columns)}"
    yield from (f"| {' | '.join(map(_escape, row))} |" for row in table.rows)


def _render_themes(block: blocks.ThemeList) -> Iterator[str]:
    for theme in block.themes:
        yield f"### {theme.id}. {_escape(theme.name)}"
        yield ""
        yield from (f"> {_escape(quote)}\n" for quote in theme.quotes[:1])
        for part in theme.subthemes:
            yield f"- {_escape(part.name)}: {block.counts[part.id]:,} texts"
        yield ""


def make_share_table(comparison: ThemeComparison) -> blocks.Table:
    """Return a table with a row for each theme and a column for each group; time has all periods."""
    groups = list(comparison.groups)[: None if comparison.period else blocks.MAX_TABLE_GROUPS]
    shares = {(share.theme, share.group): share for share in comparison.shares}
    names = list(dict.fromkeys(share.theme for share in comparison.shares))
    marks = {"over": "▲ ", "under": "▼ ", "": ""}
    cells = {key: f"{marks[share.representation]}{share.share:.0%}" for key, share in shares.items()}
    rows = [(name, *(cells[name, group] for group in groups)) for name in names]
    return blocks.Table(f"Share of each theme by {comparison.column}", ["Theme", *groups], rows)
