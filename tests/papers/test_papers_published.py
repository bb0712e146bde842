"""Published values and settings: the transcription is complete, and every deviation is stated."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from papers import ALL_TABLES
from papers.experiments.corpora import CORPORA, CORPUS_STATISTICS, corpus_statistics
from papers.experiments.definition_retrieval import TASK
from papers.published import PublishedTable, PublishedValue, all_published, find_published, judge
from papers.report.summary import find_deviations, load_paper_settings, paper_settings, read_report
from papers.report.table_layout import format_table
from papers.tables.catalogue import BEYOND, OF_PAPERS, PAPERS
from tacit import InputError
from tacit.evaluation import TASKS
from tacit.evaluation.search_task import load_retrieval, split_dev_test
from tacit.text.token_ids import tokenize_texts

DOCS = Path(__file__).parents[2] / "docs"
ROWS = [(table, row) for table in ALL_TABLES.values() for row in table.rows]
STRICT = [(table, row) for table, row in ROWS if row.settings_sections]


def ids(pairs):
    return [f"{table.name}: {row.title} ({row.published_row})" for table, row in pairs]


def test_every_paper_has_its_tables_and_figures():
    names_by_paper = {
        paper: [name for name, table in all_published().items() if table.paper == paper] for paper in PAPERS
    }
    assert {paper: [name.partition("-")[2] for name in names] for paper, names in names_by_paper.items()} == {
        "acl2012": ["table1", "figure1", "table2", "figure2", "figure3", "table3", "table4", "table5"],
        "sem2012": ["table1", "figure1", "table2", "table3"],
        "nips2002": ["table1", "table2"],
        "acl2011": ["figure1", "figure2", "table1", "table2", "table3"],
        "semeval2016": ["table1"],
    }


@pytest.mark.parametrize(
    ("table", "label", "key", "text"),
    [
        ("acl2012-table2", "4a. LDA, alpha = 0.1, beta = 0.01", "cdr/dev/atop", "0.9466 ± 0.0020"),
        ("acl2012-table2", "6. WTMF, w_m = 0, lambda = 20", "cdr/test/atop", "0.8645 ± 0.0031"),
        ("acl2012-table3", "w_m = 0.05", "li06/35 pairs/spearman", "0.4766"),
        ("acl2012-table4", "SPD-STS (Ho 2010)", "li06/30 pairs/spearman", "0.9034"),
        ("acl2012-table5", "WTMF, w_m = 0.01, lambda = 20", "msr04/test/accuracy", "71.51"),
        ("sem2012-table2", "LDA", "sts12/MSRvid/pearson", "0.7682"),
        ("sem2012-table3", "WTMF", "sts12/all_normalized/pearson", "0.830(10/89)"),
        ("nips2002-table1", "B80", "med/query 20/f1", "0.256 (0.351)"),
        ("nips2002-table2", "K^20", "med/query 20/lambda", "0.029 (0.07)"),
        ("acl2011-table2", "NMFlib", "wsi10/all/clusters", "5.42"),
        ("acl2011-table3", "NMFlib", "wsi10/all/senses", "1.82"),
        ("semeval2016-table1", "x-WMF", "sts16-en-es/multisource/pearson", "0.73"),
    ],
)
def test_cells_are_as_printed(table, label, key, text):
    assert find_published(table).numbers(label)[key].text == text


@pytest.mark.parametrize("name", ["acl2012-table1", "sem2012-table1"])
def test_worked_examples_add_up(name):
    for row in find_published(name).rows:
        seen, missing, plain, weighted = map(float, row[-4:])
        assert (seen - missing, seen - 0.01 * missing) == (plain, weighted)


def test_figures_repeat_numbers_of_tables():
    table = find_published("acl2012-table2")
    for name in ("acl2012-figure2", "acl2012-figure3"):
        texts = {
            printed.text
            for label in find_published(name).labels
            for printed in find_published(name).numbers(label).values()
        }
        assert texts <= {cell for row in table.rows for cell in row}
        assert texts


def test_nips_tables_have_equal_bag_of_words_rows():
    one, two = (find_published(f"nips2002-table{n}") for n in (1, 2))
    assert [row for row in one.rows if row[0][0] == "B"] == [row for row in two.rows if row[0][0] == "B"]


@pytest.mark.parametrize(
    ("figures", "task", "tables"),
    [
        (TASKS["sts12"].published[:2], "sts12", ("sem2012-table2", "sem2012-table3")),
        (TASKS["li06"].published, "li06", ("acl2012-table3", "acl2012-table4")),
        (TASKS["msr04"].published, "msr04", ("acl2012-table5",)),
        (TASKS["sts16-en-es"].published, "sts16-en-es", ("semeval2016-table1",)),
    ],
)
def test_library_results_equal_the_transcription(figures, task, tables):
    """The published results of ``tacit evaluate`` are in the transcription."""
    printed = {}
    for table in map(find_published, tables):
        for label in table.labels:
            for key, value in table.numbers(label).items():
                printed.setdefault(key, set()).add(round(value.value / table.scale(key), 6))
    for figure in figures:
        for measure, values in figure.values.items():
            for name, value in values.items():
                assert round(value, 6) in printed[f"{task}/{name}/{measure}"], (figure.model, name)


def test_invalid_number_raises():
    with pytest.raises(InputError, match=r"published.toml has '0,5' where a number is printed"):
        PublishedValue.parse("0,5")
    with pytest.raises(InputError, match="does not fit its columns"):
        PublishedTable.from_section(
            "x", {"paper": "p", "title": "t", "columns": ["a"], "keys": [""], "rows": [["1", "2"]]}
        )
    with pytest.raises(InputError, match="prints no row 'BERT'; there are LDA; WTMF"):
        find_published("sem2012-table2").numbers("BERT")


@pytest.mark.parametrize(("table", "row"), ROWS, ids=ids(ROWS))
def test_published_row_of_each_row_exists(table, row):
    if row.published_row:
        assert row.published_row in table.published.labels


@pytest.mark.parametrize(("table", "row"), STRICT, ids=ids(STRICT))
def test_strict_rows_state_all_deviations(table, row):
    assert set(find_deviations(table, row)) == set(row.deviations)
    assert all(row.deviations.values())


def test_rows_below_published_rows_have_sections():
    """A row of a paper's model has the paper's settings; random scores have none."""
    for table, row in ROWS:
        if row.published_row and row.model.kind not in ("coin", "drawn-senses"):
            assert row.settings_sections, (table.name, row.title)


def test_unstated_deviation_is_detected(monkeypatch):
    table = ALL_TABLES["acl2012-table5"]
    row = next(row for row in table.rows if row.title == "ours" and row.model.kind == "wtmf")
    assert paper_settings(table, row)["missing_weight"] == 0.01
    row.model.parameters["regularization"] = 19.0
    try:
        assert find_deviations(table, row)["regularization"] == (20.0, 19.0)
    finally:
        row.model.parameters["regularization"] = 20.0


def test_every_section_of_settings_is_used():
    used = {section for _, row in ROWS for section in row.settings_sections}
    assert used == set(load_paper_settings())


def test_corpus_counts_equal_files(data):
    texts = CORPORA["definitions, 393,666"].texts(data)
    statistics = CORPUS_STATISTICS["definitions, 393,666"]
    assert len(texts) == statistics["texts"] == load_paper_settings()["acl2012.texts"]["texts"]
    assert tokenize_texts(texts).lengths.sum() == statistics["words"]
    retrieval = load_retrieval(TASK, data)
    dev, test = split_dev_test(len(retrieval.queries))
    assert statistics["queries"] == len(retrieval.queries)
    assert (statistics["dev_queries"], statistics["test_queries"]) == (len(dev), len(test))
    assert statistics["candidates"] == len(retrieval.candidates)
    assert statistics["aligned"] == len({file for files in retrieval.relevant for file in files})


def test_corpus_statistics_have_columns_read():
    names = ("examples", "head_words", "training_pairs")
    definitions, entries = (
        corpus_statistics(name) for name in ("definitions, 393,666", "entries+sts12, 393,666")
    )
    assert [definitions[name] for name in names] == [False, False, False]
    assert [entries[name] for name in names] == [True, True, True]


def test_fixed_lambda_is_mean_of_the_paper():
    """The exception is the von Neumann kernel at 50 %, whose .039 is above 1 / |K|."""
    found = {}
    for number in (1, 2):
        table = ALL_TABLES[f"nips2002-table{number}"]
        for row in table.rows:
            given = row.model.parameters.get("strength")
            if isinstance(given, float):
                printed = table.published.numbers(row.published_row)["med/query 20/lambda"].value
                found.setdefault(row.published_row, set()).add((given, printed))
    past = found.pop("K^50")
    assert past == {(0.0377, 0.039)}
    assert set(found) == {"K80", "K50", "K20", "K^80", "K^20"}
    assert all(len(both) == 1 and given == printed for both in found.values() for given, printed in both)


@pytest.mark.parametrize(("table", "row"), ROWS, ids=ids(ROWS))
def test_rows_below_the_paper_have_a_reason(table, row):
    if row.title == "ours" and row.published_row:
        assert row.reason


def test_verdict_uses_joint_deviation_and_rounding():
    paper = PublishedValue.parse("0.695")
    assert judge(paper, {"mean": 0.6954}).name == "reproduced"
    assert str(judge(paper, {"mean": 0.6960})) == "above the paper (by 0.001)"
    assert judge(paper, {"mean": 0.6980, "deviation": 0.003}).name == "reproduced"
    assert str(judge(paper, {"mean": 0.6890, "deviation": 0.003})) == (
        "below the paper (by 2.0 joint deviations)"
    )
    assert judge(PublishedValue.parse("0.851 (0.012)"), {"mean": 0.840}).name == "reproduced"
    assert judge(paper, {"mean": 0.650, "interval": [0.63, 0.70]}).name == "within sampling error"
    error = PublishedValue.parse("0.10 (0.01)")
    assert judge(error, {"mean": 0.05}, is_error_rate=True).name == "better"
    assert judge(error, {"mean": 0.15}, is_error_rate=True).name == "worse"


def test_single_run_can_reproduce_but_not_miss():
    paper = PublishedValue.parse("0.695")
    assert judge(paper, {"mean": 0.6954}, is_single_run=True).name == "reproduced"
    assert judge(paper, {"mean": 0.6600}, is_single_run=True).name == "single run"
    interval = {"mean": 0.6600, "interval": [0.63, 0.68]}
    assert judge(paper, interval, is_single_run=True).name == "below the paper"


@pytest.mark.parametrize("table", [*OF_PAPERS, *BEYOND], ids=lambda table: table.name)
def test_published_numbers_of_page_are_transcribed(table):
    """The bold cells are what papers print: each is a cell of the transcription of the same table, or of the
    one that its steps lead to."""
    report = read_report(DOCS / "reproduction" / f"{table.name}.json")
    if report is None:
        pytest.skip("not run yet")
    bold = re.findall(r"\*\*(.+?)\*\*", format_table(table, report))
    published = all_published().get(table.target_table, table.published)
    cells = {cell for row in published.rows for cell in row} if published else set()
    assert set(bold) <= cells
    assert bold or published is None
