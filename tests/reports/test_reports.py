"""Reports in all formats: what they contain, and that texts cannot break them."""

from __future__ import annotations

import copy
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from helpers.complaints import complaints
from tacit import build_index, find_themes
from tacit.errors import InputError
from tacit.reports.content import build_report
from tacit.reports.files import REPORT_FORMATS, write_report
from tacit.reports.markdown import render_markdown
from tacit.reports.sections import make_sections, summarize
from tacit.reports.svg_charts import draw_bar, draw_line, draw_map

TEXTS, TOPICS = complaints(240)
ATTACK = '<script>alert(1)</script> & "quotes" | pipe'
ROWS = [{"text": text, "topic": topic, "day": f"2024-{1 + i % 9:02d}-11", "number": i} for i, (text, topic)
        in enumerate(zip(TEXTS, TOPICS, strict=True))]  # fmt: skip


@pytest.fixture(scope="module")
def report():
    themes = find_themes(ROWS, text="text")
    themes.rename({"1": ATTACK})
    return build_report(themes, title=ATTACK, command="tacit report x.csv")


@pytest.fixture(params=sorted(REPORT_FORMATS))
def written(request, report, tmp_path):
    path = tmp_path / f"report{request.param}"
    if request.param == ".xlsx":
        pytest.importorskip("openpyxl", reason="the extra excel is not installed")
    write_report(report, path)
    return path


class Outline(HTMLParser):
    """Collects elements, ids of unclosed ones, and links to other files."""

    VOID = ("meta", "br", "rect", "polygon", "polyline", "path")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open, self.tags, self.links, self.text = [], [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.links += [value for name, value in attributes if name in ("src", "href")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)

    def handle_data(self, data):
        self.text += data


def test_html_is_well_formed_and_loads_nothing(report, tmp_path):
    write_report(report, tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    outline = Outline(page)
    assert outline.open == []
    assert outline.links == []
    assert "script" not in outline.tags
    assert not re.search(r"url\(|@import|https?://", page)
    assert outline.tags.count("article") == len(report.themes)
    assert ATTACK in outline.text


def test_html_shows_each_theme_with_count_and_quote(report, tmp_path):
    write_report(report, tmp_path / "r.html")
    text = Outline((tmp_path / "r.html").read_text(encoding="utf-8")).text
    counts = report.themes.count_texts()
    for theme in report.themes:
        assert f"{theme.id}. {theme.name}{counts[theme.id]:,} texts{theme.quotes[0]}" in text
    for heading in ("Themes by topic", "Themes over time (day)", "Likely duplicates", "How this was made"):
        assert heading in text
    assert "tacit report x.csv" in text


def test_json_has_the_numbers_of_the_themes(report, tmp_path):
    write_report(report, tmp_path / "r.json")
    values = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert values["n_texts"] == len(TEXTS)
    assert sum(theme["n_texts"] for theme in values["themes"]) + values["other"] == len(TEXTS)
    assert [comparison["column"] for comparison in values["comparisons"]] == ["topic", "day"]
    assert values["statistics"]["Texts"] == "240"
    assert values["title"] == ATTACK


def test_excel_has_a_sheet_for_each_table(report, tmp_path):
    openpyxl = pytest.importorskip("openpyxl", reason="the extra excel is not installed")
    write_report(report, tmp_path / "r.xlsx")
    book = openpyxl.load_workbook(tmp_path / "r.xlsx")
    assert {"Collection", "Themes", "Comparison 1", "Duplicates", "Texts"} <= set(book.sheetnames)
    assert book["Texts"].max_row == len(TEXTS) + 1
    assert [cell.value for cell in book["Texts"][1]][:5] == ["id", "text", "theme", "subtheme", "strength"]


def test_markdown_tables_have_equal_rows(report):
    lines = render_markdown(report.title, make_sections(report)).splitlines()
    assert lines[0] == r"# \<script\>alert(1)\</script\> & " + r'"quotes" \| pipe'
    table: list[int] = []
    for line in lines:
        if line.startswith("|"):
            table.append(len(re.findall(r"(?<!\\)\|", line)))
        else:
            assert len(set(table)) <= 1
            table = []


def test_report_is_the_same_for_any_input_order(report, tmp_path):
    themes = find_themes(ROWS[::-1], text="text")
    themes.rename({"1": ATTACK})
    reverse = build_report(themes, ["topic", "day"], title=ATTACK, command="tacit report x.csv")
    for suffix in (".html", ".md", ".json"):
        assert REPORT_FORMATS[suffix](reverse) == REPORT_FORMATS[suffix](report)


def test_report_of_an_index_is_that_of_its_texts(report):
    themes = find_themes(build_index(ROWS[::-1], text="text"))
    themes.rename({"1": ATTACK})
    of_index = build_report(themes, ["topic", "day"], title=ATTACK, command="tacit report x.csv")
    for suffix in (".html", ".md", ".json"):
        assert REPORT_FORMATS[suffix](of_index) == REPORT_FORMATS[suffix](report)


def test_near_duplicates_and_repeated_texts_are_reported():
    texts = [*TEXTS, "the parcel is at the depot today", "The parcel is at the depot today.", TEXTS[0], ""]
    built = build_report(find_themes(texts))
    assert any({a, b} == {texts[-4], texts[-3]} for _, a, b in built.duplicates)
    assert built.statistics["Repeated texts"] == "1"
    assert built.statistics["Empty texts"] == "1"


@pytest.mark.parametrize("n", [2, 20])
def test_few_texts_give_a_report(n, tmp_path):
    built = build_report(find_themes(TEXTS[:n]))
    for suffix in (".html", ".md", ".json"):
        assert REPORT_FORMATS[suffix](built)


def test_every_format_is_written(written):
    assert written.stat().st_size > 1000


def test_summary_names_the_largest_theme_with_a_topic(report):
    themes = copy.copy(report.themes)
    themes.model = copy.copy(themes.model)
    first, second, *rest = themes.model.themes_
    themes.model.themes_ = [replace(first, is_mixed=True), second, *rest]
    summary = summarize(replace(report, themes=themes))
    assert f"The largest is “{second.name}” with" in summary
    assert "are in groups without a common topic" in summary
    themes.model.themes_ = [replace(theme, is_mixed=True) for theme in themes.model.themes_]
    assert "The largest is" not in summarize(replace(report, themes=themes))


def test_other_endings_are_reported(report, tmp_path):
    with pytest.raises(InputError, match=r"must end in .html, .md, .json, .xlsx"):
        write_report(report, tmp_path / "r.pdf")
    with pytest.raises(InputError, match="there is no folder"):
        write_report(report, tmp_path / "no" / "r.html")


def test_charts_scale_to_the_largest_value():
    assert re.findall(r'width="(\d+)"', draw_bar(1, 4)) == ["25"]
    assert re.findall(r'width="(\d+)"', draw_bar(0, 0)) == ["0"]
    points = re.search(r'polyline points="(.*?)"', draw_line([0, 1, 2], 2))[1]
    heights = [float(point.split(",")[1]) for point in points.split()]
    assert heights == [31, 16, 1]
    assert draw_map([(0, 0, 0), (1, 1, -1)], ["a"]).count("h0") == 2
