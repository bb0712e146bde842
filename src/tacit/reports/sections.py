"""A report as sections of paragraphs, tables and charts, which every format renders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tacit.checks import format_count
from tacit.reports.content import MAX_LISTED_PAIRS, Report
from tacit.themes.comparison import ThemeComparison
from tacit.themes.theme_tree import OTHER_NAME, Theme

MAX_TABLE_GROUPS = 8


@dataclass(frozen=True)
class Table:
    """A table; ``caption`` names it."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]


@dataclass(frozen=True)
class BarTable:
    """A table of names and numbers that HTML draws as bars; ``values`` are the lengths of the bars."""

    table: Table
    values: Sequence[float]
    marked: Sequence[bool] = ()


@dataclass(frozen=True)
class ThemeList:
    """Themes with quotes and sub-themes; ``counts`` are numbers of texts by id."""

    themes: Sequence[Theme]
    counts: dict[str, int]


@dataclass(frozen=True)
class ShareTable:
    """Shares of themes by group or by period.

    HTML colors cells that are more or less frequent than in all texts, and draws periods as lines.
    """

    comparison: ThemeComparison


@dataclass(frozen=True)
class ThemeMap:
    """Points with the number of their theme, -1 for other texts, and the names of the themes."""

    points: Sequence[tuple[float, float, int]]
    names: Sequence[str]


Block = str | Table | BarTable | ThemeList | ShareTable | ThemeMap


@dataclass(frozen=True)
class Section:
    """A heading with blocks below it."""

    title: str
    blocks: Sequence[Block]


def make_sections(report: Report) -> list[Section]:
    """Arrange the content of a report."""
    themes, counts = report.themes.themes, report.themes.count_texts()
    n = max(sum(counts[theme.id] for theme in themes) + counts[""], 1)
    names = [(theme.name, counts[theme.id]) for theme in themes] + [(OTHER_NAME, counts[""])]
    rows = [(name, count, f"{count / n:.1%}") for name, count in names]
    chart = BarTable(
        Table("Themes by number of texts", ["Theme", "Texts", "Share"], rows), [c for _, c in names]
    )
    lengths = list(report.lengths.items())
    length_chart = BarTable(Table("Texts by length", ["Words", "Texts"], lengths), [c for _, c in lengths])
    statistics = Table("Statistics", ["Statistic", "Value"], list(report.statistics.items()))
    return [
        Section("Themes", [summarize(report), chart, ThemeList(themes, counts)]),
        Section("The texts", [statistics, length_chart]),
        Section("Map", [_describe_map(report), ThemeMap(report.points, [theme.name for theme in themes])]),
        *map(_section_of_comparison, report.comparisons),
        Section("Typical and unusual texts", [
            Table("Most similar to their nearest texts", ["Text"], [(text,) for text in report.typical]),
            Table("Least similar to any other text", ["Text"], [(text,) for text in report.unusual]),
        ]),
        _section_of_duplicates(report),
        _section_of_method(report),
    ]  # fmt: skip


def summarize(report: Report) -> str:
    """Return the first sentences of a report."""
    themes, counts = report.themes.themes, report.themes.count_texts()
    n = max(len(report.themes.records), 1)
    verb = "has" if n == 1 else "have"
    sentences = [f"{format_count(n, 'text')} {verb} {format_count(len(themes), 'theme')}."]
    largest = next((theme for theme in themes if not theme.is_mixed), None)
    if largest:
        sentences.append(f"The largest is “{largest.name}” with {counts[largest.id] / n:.0%} of the texts.")
    sentences.append(f"{counts[''] / n:.0%} fit no theme.")
    mixed = sum(counts[theme.id] for theme in themes if theme.is_mixed)
    if mixed:
        note = "are in groups without a common topic, which are named “Mixed texts”"
        sentences.append(f"{mixed / n:.0%} {note}.")
    return " ".join(sentences)


def _describe_map(report: Report) -> str:
    n_all = len(report.themes.model.space.texts)
    which = f"{len(report.points):,} of {n_all:,} texts" if len(report.points) < n_all else "Each text"
    verb = "are points" if which[0].isdigit() else "is a point"
    return f"{which} {verb}; similar texts are close together. The numbers are those of the themes."


def _section_of_comparison(comparison: ThemeComparison) -> Section:
    n_texts = sum(comparison.groups.values())
    if not comparison.period:
        text = f"{n_texts:,} texts have a value. Marked shares differ from that in all texts (95 % interval)."
        return Section(f"Themes by {comparison.column}", [text, ShareTable(comparison)])
    trends = [f"“{theme}” is {trend}" for theme, trend in comparison.trends.items() if theme != OTHER_NAME]
    found = "; ".join(trends) or "no theme is new or vanishing"
    text = f"Share of each theme by {comparison.period}, from {n_texts:,} texts with a date: {found}."
    return Section(f"Themes over time ({comparison.column})", [text, ShareTable(comparison)])


def _section_of_duplicates(report: Report) -> Section:
    pairs = report.duplicates
    if not pairs:
        return Section("Likely duplicates", ["No two different texts are nearly the same."])
    text = f"{len(pairs):,} pairs of different texts are nearly the same (score of at least 0.9)."
    rows = pairs[:MAX_LISTED_PAIRS]
    return Section(
        "Likely duplicates", [text, Table("The most similar pairs", ["Score", "Text", "Text"], rows)]
    )


def _section_of_method(report: Report) -> Section:
    themes, agreement = report.themes, report.themes.model.agreement_
    blocks: list[Block] = [
        "The texts were compared by a model that tacit learned from these texts alone, on this computer. "
        "Texts were grouped by their nearest texts; names are words and phrases that are frequent in one "
        "group and rarer in the others. The same texts give the same report, in any order."
    ]
    if agreement:
        rows = [(str(number), f"{value:.2f}") for number, value in agreement.items()]
        table = Table("Agreement of models of half the texts", ["Themes", "Agreement"], rows)
        marked = [number == len(themes) for number in agreement]
        blocks += [describe_stability(themes.stability), BarTable(table, list(agreement.values()), marked)]
    else:
        blocks.append("The number of themes was chosen by you, or there were too few texts to check it.")
    return Section("How this was made", [*blocks, *([f"`{report.command}`"] if report.command else [])])


def describe_stability(stability: float | None) -> str:
    """Return a sentence on how reliable the number of themes is."""
    if stability is None:
        return "The agreement of other numbers of themes:"
    level = "well" if stability >= 0.6 else "fairly well" if stability >= 0.4 else "little"
    return (
        f"Models of half the texts agree {level} on these themes ({stability:.2f}; 1 is the same themes, "
        "0 is chance). Other numbers of themes with nearly the same agreement are as good: --themes N."
    )
