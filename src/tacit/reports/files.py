"""Write a report to a file; the suffix of the file determines the format."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from tacit.errors import import_extra
from tacit.reports.content import Report
from tacit.reports.html_page import render_html
from tacit.reports.markdown import render_markdown
from tacit.reports.sections import make_sections
from tacit.storage.durable_files import write_atomic
from tacit.workflows.table_writing import add_excel_sheet, check_output_path


def _to_html(report: Report) -> bytes:
    return render_html(report.title, report.themes.model.language_, make_sections(report)).encode()


def _to_markdown(report: Report) -> bytes:
    return render_markdown(report.title, make_sections(report)).encode()


def _to_json(report: Report) -> bytes:
    return json.dumps(report.to_dict(), ensure_ascii=False, indent=1, allow_nan=False).encode() + b"\n"


def _to_excel(report: Report) -> bytes:
    """Return a workbook with a sheet for each table."""
    themes, file = report.themes, BytesIO()
    book = import_extra("openpyxl", "writing Excel files", "excel").Workbook(write_only=True)
    add_excel_sheet(book, "Collection", ["", "Value"], [*report.statistics.items(), *report.lengths.items()])
    add_excel_sheet(book, "Themes", ["id", "theme", "texts", "share", "quotes"], themes.summary_rows(4))
    for number, comparison in enumerate(report.comparisons, 1):
        add_excel_sheet(book, f"Comparison {number}", comparison.table_columns(), comparison.table_rows())
    add_excel_sheet(book, "Unusual texts", ["text"], [(text,) for text in report.unusual])
    add_excel_sheet(book, "Duplicates", ["score", "text_a", "text_b"], report.duplicates)
    agreement = [(number, round(value, 4)) for number, value in themes.model.agreement_.items()]
    add_excel_sheet(book, "Stability", ["themes", "agreement"], agreement)
    add_excel_sheet(book, "Texts", themes.table_columns(), themes.table_rows())
    book.save(file)
    return file.getvalue()


REPORT_FORMATS: dict[str, Callable[[Report], bytes]] = {
    ".html": _to_html,
    ".md": _to_markdown,
    ".json": _to_json,
    ".xlsx": _to_excel,
}
"""Functions that render a report, by the ending of the file."""


def check_report_path(path: str | Path) -> Path:
    """Return the path of a report to write, after the checks of `check_output_path`."""
    return check_output_path(path, REPORT_FORMATS)


def write_report(report: Report, path: str | Path) -> None:
    """Write a report; the suffix determines the format: .html, .md, .json or .xlsx."""
    target = check_report_path(path)
    content = REPORT_FORMATS[target.suffix.lower()](report)
    write_atomic(target, lambda file: file.write(content))
