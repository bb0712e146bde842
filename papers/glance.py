"""At a glance: every number that opens the page, paper beside ours, with a verdict; and how many of each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from papers.catalogue import OF_PAPERS, PAPERS
from papers.layout import decimals, markdown, shown
from papers.published import Published
from papers.report import Report
from papers.tables import Reproduction
from papers.verdict import CHANCE, HIT, MISS, OPEN, kind, verdict

NOT_RUN = "not run"
_HEAD = ["table", "row", "number", "paper", "ours", "runs", "verdict", "why"]


@dataclass(frozen=True)
class Line:
    """A headline number of a row that is named ours."""

    table: str
    row: str
    number: str
    paper: str
    ours: str
    runs: int
    verdict: str
    why: str

    @property
    def counted(self) -> str:
        """The verdict without its distance: of misses alone it matters on which side they are."""
        return self.verdict.partition(" by ")[0] if self.verdict.startswith(MISS) else kind(self.verdict)


def glances(reports: Mapping[str, Report]) -> Iterator[str]:
    """How many numbers of each paper are met, then a table a paper."""
    found = {paper: list(_lines(paper, reports)) for paper in PAPERS}
    yield _counted(found)
    for paper, lines in found.items():
        if lines:
            yield f"### {_short(paper)}"
            yield markdown([_HEAD, *_told_once(lines)], texts=3, last=2)


def _counted(found: Mapping[str, Sequence[Line]]) -> str:
    """The verdicts of each paper, counted; what is rightly nowhere has no column."""
    counts = {paper: Counter(line.counted for line in lines) for paper, lines in found.items()}
    rare = [name for name in (OPEN, NOT_RUN) if any(each[name] for each in counts.values())]
    columns = (HIT, CHANCE, f"{MISS}, higher", f"{MISS}, lower", *rare)
    rows = [["paper", "numbers", *columns]]
    for paper, lines in found.items():
        rows.append([_short(paper), str(len(lines)), *(str(counts[paper][name]) for name in columns)])
    return markdown(rows)


def _short(paper: str) -> str:
    return PAPERS[paper].partition(":")[0]


def _told_once(lines: Sequence[Line]) -> Iterator[list[str]]:
    """The cells of each line: names that stood above are left blank, and a reason leads to where it stood."""
    table = row = above = ""
    reasons: dict[str, tuple[str, str]] = {}
    for line in lines:
        names = ["" if line.table == table else line.table, line.row]
        if (line.table, line.row) == (table, row):
            names[1] = ""
        else:
            above = ""
        table, row = line.table, line.row
        why = _reason(line, reasons)
        yield [
            *names,
            line.number,
            line.paper,
            line.ours,
            str(line.runs),
            line.verdict,
            "" if why == above else why,
        ]
        above = why or above


def _reason(line: Line, reasons: dict[str, tuple[str, str]]) -> str:
    """Why: in words where it comes first, afterwards by the row that it came with."""
    if not line.why:
        return ""
    table, row = reasons.setdefault(line.why, (line.table, line.row))
    if (table, row) == (line.table, line.row):
        return line.why
    return f"as for {row}" + (f", {table}" if table != line.table else "")


def _lines(paper: str, reports: Mapping[str, Report]) -> Iterator[Line]:
    """A paper's headline numbers, each once, whichever of its tables repeat it."""
    seen: set[str] = set()
    for table in OF_PAPERS:
        published = table.published
        if published is None or published.paper != paper or table.name not in reports:
            continue
        for row in reports[table.name]["rows"]:
            if row["title"] != "ours" or not row["under"]:
                continue
            for key in table.headline or tuple(published.measured)[:1]:
                theirs = table.instead.get(key, key)
                printed = published.numbers(row["under"]).get(theirs)
                if printed is None or (theirs != key and not row["departs"]):
                    continue
                same = json.dumps([row["kind"], row["parameters"], key, printed.text], sort_keys=True)
                if same not in seen:
                    seen.add(same)
                    yield _line(table, published, row, key, theirs)


def _line(table: Reproduction, published: Published, row: Mapping[str, Any], key: str, theirs: str) -> Line:
    titles = {cell.key: cell.title for cell in table.columns}
    printed, scale = published.numbers(row["under"])[theirs], published.scale(theirs)
    where = table.name.partition("-")[2].replace("table", "table ").replace("figure", "figure ")
    told = (where, row["under"], titles[key], printed.text)
    value = row["values"].get(key)
    if value is None:
        return Line(*told, NOT_RUN, 0, NOT_RUN, "")
    text = shown(value, decimals(published, theirs, row["under"]), scale)
    judged = verdict(printed, value, scale, row["runs"] == 1 and row.get("random", row["wanted"] > 1))
    return Line(*told, text, row["runs"], judged, "" if judged == HIT else row["reason"])
