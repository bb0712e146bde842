"""The summary tables and the notes of the page, from artificial reports."""

from __future__ import annotations

import pytest

from papers import ALL_TABLES
from papers.report.notes import list_deviations, shared_deviations, table_notes
from papers.report.page import render_page, summary_tables
from papers.report.summary import write_report

WTMF = {"kind": "wtmf", "parameters": {"missing_weight": 0.01}, "corpus": ""}
LABEL = "WTMF, w_m = 0.01, lambda = 20"
NORMALIZE = {"normalize": {"paper": "lemma", "ours": "stem", "why": "no lemmas"}}


def row(published_row=LABEL, key="msr04/test/accuracy", mean=0.7151, **others):
    """Return a row named ours, with one number."""
    value = {"mean": mean, **{name: others.pop(name) for name in ("deviation", "interval") if name in others}}
    defaults = {
        "title": "ours", "under": published_row, "reason": "for a test", "settings_digest": "5e77",
        "random": True, "n_iter": 20, "departs": {}, "runs": 10, "wanted": 10, "seeds": list(range(10)),
        "commits": ["c0ffee"], "dates": ["2026-01-01 00:00"], "cpu_seconds": 60.0,
        "values": {} if mean is None else {key: value}, **WTMF,
    }  # fmt: skip
    return {**defaults, **others}


def report(name, *rows, note=""):
    head = {"name": name, "title": ALL_TABLES[name].title, "corpus": "some texts", "note": note}
    return {"format": 3, **head, "rows": list(rows)}


def tables_of(*reports):
    """Return the summary tables as lines of cells; the counts are first."""
    tables = [
        table
        for table in summary_tables({report_values["name"]: report_values for report_values in reports})
        if table.startswith("|")
    ]
    return [[[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
            for table in tables]  # fmt: skip


def test_verdicts_are_counted_for_each_paper():
    k = "li06/30 pairs/pearson"
    rows = [
        row("w_m = 0.0005", k, 0.8250, parameters={"missing_weight": 0.0005}, deviation=0.01),
        row("w_m = 0.001", k, 0.9000, parameters={"missing_weight": 0.001}, deviation=0.01),
        row("w_m = 0.005", k, 0.9000, parameters={"missing_weight": 0.005}, runs=1),
        row("w_m = 0.01", k, None, parameters={"missing_weight": 0.01}),
    ]
    accuracy = report("acl2012-table5", row(mean=0.70, interval=[0.68, 0.72]))
    counts, lines = tables_of(report("acl2012-table3", *rows), accuracy)
    assert counts[0] == ["Guo & Diab, ACL 2012", "5", "1", "1", "1", "0", "1", "1"]
    assert [line[1] for line in counts[1:]] == ["0"] * 4
    assert [line[6].partition(" (")[0] for line in lines] == [
        "reproduced", "above the paper", "single run", "not run", "within sampling error"
    ]  # fmt: skip
    assert [line[0] for line in lines] == ["table 3", "", "", "", "table 5"]


def test_reproduced_has_no_note_and_notes_are_not_repeated():
    k = "li06/30 pairs/pearson"
    rows = [
        row(f"w_m = {weight}", k, mean, parameters={"missing_weight": weight}, deviation=0.001)
        for weight, mean in ((0.0005, 0.8247), (0.001, 0.9), (0.005, 0.95))
    ]
    _, lines = tables_of(report("acl2012-table3", *rows))
    assert [line[7] for line in lines] == ["", "for a test", "as for w_m = 0.001"]


def test_note_stands_beside_first_number_not_reproduced():
    names = ("MSRpar", "MSRvid", "SMTeuroparl")
    values = dict(zip((f"sts12/{name}/pearson" for name in names), (0.411, 0.9, 0.9), strict=True))
    wtmf_row = row("WTMF", values={key: {"mean": mean, "deviation": 0.001} for key, mean in values.items()})
    _, lines = tables_of(report("sem2012-table2", wtmf_row))
    assert [line[7] for line in lines[:3]] == ["", "for a test", ""]
    assert [line[1] for line in lines[:3]] == ["WTMF", "", ""]


def test_rare_verdicts_without_any_have_no_column():
    part = next(summary_tables({"acl2012-table5": report("acl2012-table5", row(mean=0.60, deviation=0.01))}))
    head, _, first, *_ = part.splitlines()
    assert head == (
        "| paper | numbers | reproduced | within sampling error | above the paper | below the paper |"
    )
    assert first == "| Guo & Diab, ACL 2012 | 1 | 0 | 0 | 0 | 1 |"


def test_number_in_two_tables_is_counted_once():
    r = "li06/30 pairs/pearson"
    both = report("acl2012-table3", row("w_m = 0.01", r)), report("acl2012-table4", row(LABEL, r))
    counts, lines = tables_of(*both)
    assert (counts[0][1], len(lines)) == ("1", 1)


def test_shared_deviations_are_listed_once_per_paper(tmp_path):
    deviations = NORMALIZE | {"n_iter": {"paper": 20, "ours": 3, "why": "in a hurry"}}
    first = report("acl2012-table5", row(departs=deviations))
    second = report("acl2012-table3", row("w_m = 0.01", "li06/30 pairs/pearson", departs=NORMALIZE))
    assert [item.name for item in shared_deviations([first, second])] == ["normalize"]
    assert len(list_deviations(first)) == 2
    for item in (first, second):
        write_report(item, tmp_path)
    text = render_page(tmp_path)
    assert text.count("no lemmas") == 1
    assert text.count("in a hurry") == 1
    assert text.index("no lemmas") < text.index("### ACL 2012, table 3") < text.index("in a hurry")


def test_note_and_corpus_are_printed_once(tmp_path):
    for name, under, key in (
        ("acl2012-table5", LABEL, "msr04/test/accuracy"),
        ("acl2012-table3", "w_m = 0.01", "li06/30 pairs/pearson"),
    ):
        write_report(report(name, row(under, key), note="Much is to be said."), tmp_path)
    text = render_page(tmp_path)
    assert text.count("Trained on some texts.") == text.count("Much is to be said.") == 1
    assert "Trained on the texts of ACL 2012, table 3. The notes are those of ACL 2012, table 3." in text


COMPUTED = "Computed 2026-01-01 00:00 by commit c0ffee"


@pytest.mark.parametrize(
    ("others", "starts"),
    [
        ({}, [f"{COMPUTED}; seeds 0 to 9, 20 iterations; 1 minute", "Command: `"]),
        (
            {"runs": 4, "seeds": [0, 1, 2, 3]},
            [f"{COMPUTED}; seeds 0 to 3", "6 runs are not recorded: 2 minutes of one processor. `"],
        ),
    ],
)
def test_table_notes_have_provenance_and_remaining_time(others, starts):
    table, table_row = ALL_TABLES["acl2012-table5"], row(**others)
    seconds = {"wtmf": 60.0 / (20 * table_row["runs"])}
    lines = list(table_notes(table, report(table.name, table_row), seconds, set()))
    assert all(line.startswith(start) for line, start in zip(lines, starts, strict=True)), lines
