"""Files as input of all commands, and results written as tables."""

from __future__ import annotations

import csv
import json
from functools import partial

import openpyxl
import pandas
import polars
import pytest

from helpers.cli_runs import one_line_error, tacit

HEADER = ["nr", "question", "team", "score"]
QUESTIONS = [
    "the cat sleeps on the mat", "the cat sleeps on a mat", "=SUM(A1:A9) of the bank",
    'the "old" bank, closed', "the bank\nlends money", "rain and wind all day",
    "cold rain and wind", "a loan from the bank",
]  # fmt: skip
FORMATS = [".csv", ".tsv", ".jsonl", ".parquet", ".xlsx"]


@pytest.fixture(autouse=True)
def cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def table(tmp_path):
    return write_csv(
        tmp_path / "faq.csv", HEADER, [[f"q{n}", text, "web", n] for n, text in enumerate(QUESTIONS)]
    )


def write_csv(path, header, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def read_rows(path):
    """The rows of a table as polars or openpyxl reads them, which pandas must read too."""
    if path.suffix == ".xlsx":
        head, *cells = openpyxl.load_workbook(path, read_only=True).active.iter_rows(values_only=True)
        rows, frame = [dict(zip(head, row, strict=True)) for row in cells], pandas.read_excel(path)
    else:
        read_polars, read_pandas = READERS[path.suffix]
        rows, frame = read_polars(path).to_dicts(), read_pandas(path)
    assert set(frame.columns) == set(rows[0])
    for name in frame.columns:
        for expected, cell in zip([row[name] for row in rows], frame[name].tolist(), strict=True):
            is_equal = str(cell) == str(expected) or cell == pytest.approx(expected)
            assert is_equal or (expected is None and pandas.isna(cell))
    return rows


READERS = {
    ".csv": (polars.read_csv, pandas.read_csv),
    ".tsv": (partial(polars.read_csv, separator="\t"), partial(pandas.read_csv, sep="\t")),
    ".jsonl": (polars.read_ndjson, partial(pandas.read_json, lines=True)),
    ".parquet": (polars.read_parquet, pandas.read_parquet),
}


@pytest.mark.parametrize("suffix", FORMATS)
def test_search_writes_hits_with_the_other_columns(table, tmp_path, suffix):
    out = tmp_path / f"hits{suffix}"
    result = tacit("search", table, "the sum of a bank", "-k", 4, "-o", out)
    assert result.code == 0, result.err
    assert f"{out}: 4 rows" in result.err
    rows = read_rows(out)
    own = ["rank", "id", "text", "score", "match", "percentile"]
    assert list(rows[0]) == [*own, "team", "score_input"]
    assert [row["rank"] for row in rows] == [1, 2, 3, 4]
    is_spreadsheet = suffix in (".csv", ".tsv", ".xlsx")
    formula = next(row for row in rows if row["id"] == "q2")
    assert formula["text"] == ("'" if is_spreadsheet else "") + QUESTIONS[2]
    assert str(formula["score_input"]) == "2"


@pytest.mark.parametrize("suffix", FORMATS)
def test_queries_of_a_table_are_written_with_their_hits(table, tmp_path, suffix):
    queries = write_csv(
        tmp_path / "asked.csv", ["user", "query"], [[1, "cats on mats"], [2, "wind and rain"]]
    )
    out = tmp_path / f"hits{suffix}"
    result = tacit("search", table, "--queries", queries, "-k", 2, "-o", out)
    assert result.code == 0, result.err
    assert "queries are in the column 'query'" in result.err
    assert [row["query"] for row in read_rows(out)] == ["cats on mats"] * 2 + ["wind and rain"] * 2
    named = tacit("search", table, "--queries", queries, "--query-column", "query", "-k", 2, "--json")
    piped = ["--queries", "-", "--query-column", "query", "-k", 2, "--json"]
    assert tacit("search", table, *piped, stdin=queries.read_bytes()).json == named.json
    assert [each["query"] for each in named.json] == ["cats on mats", "wind and rain"]


@pytest.mark.parametrize("suffix", FORMATS)
def test_duplicates_and_clusters_are_written(table, tmp_path, suffix):
    pairs, groups, clusters = (tmp_path / f"{name}{suffix}" for name in ("pairs", "groups", "clusters"))
    assert tacit("duplicates", table, "--threshold", 0.6, "-o", pairs).code == 0
    row = read_rows(pairs)[0]
    assert (row["id_a"], row["id_b"], row["team_a"], row["team_b"]) == ("q0", "q1", "web", "web")
    assert (str(row["score_a"]), str(row["score_b"])) == ("0", "1")
    assert tacit("duplicates", table, "--threshold", 0.6, "--groups", "-o", groups).code == 0
    assert [row["id"] for row in read_rows(groups) if row["group"] == 1][:2] == ["q0", "q1"]
    assert tacit("cluster", table, "-k", 2, "-o", clusters).code == 0
    rows = read_rows(clusters)
    assert {row["id"] for row in rows} == {f"q{n}" for n in range(len(QUESTIONS))}
    assert {row["cluster"] for row in rows} == {1, 2}


@pytest.mark.parametrize("suffix", FORMATS)
def test_compared_pairs_are_written_with_the_other_columns(table, tmp_path, suffix):
    header = ["id", "question1", "question2", "is_same"]
    rows = [[1, "the cat sleeps", "a sleeping cat", 1], [2, "rain, wind", "=1+1 bank", 0]]
    pairs, out = write_csv(tmp_path / "pairs.csv", header, rows), tmp_path / f"scores{suffix}"
    result = tacit("compare", table, "--pairs", pairs, "-o", out)
    assert result.code == 0, result.err
    written = read_rows(out)
    assert [str(row["is_same"]) for row in written] == ["1", "0"]
    assert written[0]["text_a"] == "the cat sleeps"
    assert written[0]["score"] > written[1]["score"]
    named = tacit("compare", table, "--pairs", pairs, "--pair-columns", "question1,question2")
    assert named.out == result.out
    assert [line.split("\t")[1:] for line in named.out.splitlines()] == [row[1:3] for row in rows]


@pytest.mark.parametrize("suffix", FORMATS)
def test_predictions_are_written_with_the_other_columns(tmp_path, suffix):
    train = [
        ["pets", "my cat sleeps"],
        ["pets", "a dog barks"],
        ["bank", "a loan"],
        ["bank", "save money"],
    ] * 2
    labelled = write_csv(tmp_path / "train.csv", ["topic", "message"], train)
    test = write_csv(
        tmp_path / "test.csv", ["id", "message", "label"], [["x", "my cat", "seen"], ["y", "money", ""]]
    )
    out = tmp_path / f"labels{suffix}"
    options = ["--lambda", 6, "--cost", 1, "-o", out]
    result = tacit("classify", "--train", labelled, "--test", test, *options)
    assert result.code == 0, result.err
    assert "2 classes, 8 labelled texts" in result.out
    rows = read_rows(out)
    assert list(rows[0]) == ["id", "text", "label", "confidence", "label_input"]
    assert [(row["id"], row["label"]) for row in rows] == [("x", "pets"), ("y", "bank")]
    assert all(0.5 <= row["confidence"] <= 1 for row in rows)


@pytest.mark.parametrize("verb", ["unsaid", "words", "compare", "explain", "map"])
def test_every_other_command_takes_a_file(table, tmp_path, verb):
    args = {"compare": ("a cat", "cats"), "explain": ("a cat", "cats"), "map": ("-o", tmp_path / "map.html")}
    for _ in range(2):
        result = tacit(verb, table, *args.get(verb, ("cat",)))
        assert result.code == 0, result.err
        assert "the texts are in the column 'question' and the ids are in the column 'nr'" in result.err


def test_a_pipe_gets_tab_separated_lines(table):
    lines = tacit("search", table, "the bank lends", "-k", 3).out.splitlines()
    assert [len(line.split("\t")) for line in lines] == [4] * 3
    assert "the bank lends money" in lines[0]
    pairs = tacit("duplicates", table, "--threshold", 0.6).out.splitlines()
    assert pairs[0].split("\t")[1:] == ["q0", QUESTIONS[0], "q1", QUESTIONS[1]]


def test_options_name_the_columns_of_their_file(table, tmp_path):
    shuffled = write_csv(
        tmp_path / "two.csv", ["answer", "question"], [[f"yes {n}", q] for n, q in enumerate(QUESTIONS)]
    )
    hits = tacit("search", shuffled, "yes", "--column", "answer", "--id-column", "question", "--json").json
    assert {hit["text"] for hit in hits} == {f"yes {n}" for n in range(len(QUESTIONS))}
    error = one_line_error(tacit("search", table, "cat", "--column", "frage"))
    assert "has no column 'frage'; it has 4: 'nr', 'question', 'team', 'score'" in error
    error = one_line_error(tacit("search", table, "cat", "--query-column", "question"))
    assert "--query-column question needs --queries FILE; --column is that of the texts" in error


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["search", "{t}", "cat", "--colum", "x"], "--column"),
        (["compare", "{t}", "--pairs", "{t}"], "name two with --pair-columns A,B"),
        (["compare", "{t}", "a", "b", "--pair-columns", "a,b"], "needs --pairs FILE"),
        (["compare", "{t}", "--pairs", "{t}", "--pair-columns", "question"], "give two names or numbers"),
        (["compare", "{t}", "--pairs", "{t}", "--pair-columns", "question,frage"], "no column 'frage'"),
        (["classify", "--train", "{t}", "--save", "x"], "name it with --label-column"),
        (["search", "{t}", "cat", "-o", "x.docx"], "must end in .csv, .tsv, .jsonl, .parquet, .xlsx"),
    ],
)
def test_an_error_names_the_right_option(table, args, message):
    args = [arg.format(t=table) for arg in args]
    result = tacit(*args)
    assert result.code != 0
    assert message in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize("verb", ["search", "duplicates", "cluster"])
def test_empty_and_one_row_tables(tmp_path, verb):
    query = ["a cat"] if verb == "search" else []
    empty, one = tmp_path / "empty.csv", tmp_path / "one.csv"
    empty.touch()
    assert "empty.csv is empty" in one_line_error(tacit(verb, empty, *query))
    write_csv(one, ["id", "question"], [["7", "the cat sleeps on the mat"]])
    out = tmp_path / "out.csv"
    result = tacit(verb, one, *query, "-o", out)
    assert result.code == 0, result.err
    columns = {"search": "rank,id,text,score,match,percentile", "duplicates": "id_a,text_a,id_b,text_b,score"}
    assert out.read_text(encoding="utf-8").splitlines()[0] == columns.get(verb, "cluster,label,id,text")


def test_a_wide_table_keeps_its_200_columns(tmp_path):
    header = ["text", *(f"c{n}" for n in range(199))]
    wide = write_csv(
        tmp_path / "wide.csv", header, [[text, *range(n, n + 199)] for n, text in enumerate(QUESTIONS)]
    )
    for suffix in FORMATS:
        assert (
            tacit("search", wide, "cat", "-k", 1, "--column", "text", "-o", tmp_path / f"o{suffix}").code == 0
        )
        row = read_rows(tmp_path / f"o{suffix}")[0]
        assert len(row) == 6 + 199
        assert int(row["c198"]) - int(row["c0"]) == 198


def test_the_cache_is_cleared(table, tmp_path):
    assert tacit("search", table, "cat").code == 0
    assert list(tmp_path.glob("cache/*/files/*"))
    report = tacit("doctor", "--clear-cache", "--json").json
    assert report["cache"] == str(tmp_path / "cache")
    assert report["removed_bytes"] > 1000
    assert not list(tmp_path.glob("cache/*/files/*"))
    assert tacit("search", table, "cat", "--no-cache").code == 0
    assert not list(tmp_path.glob("cache/*/files/*"))


def test_info_prints_ten_lines_and_json_everything(model):
    assert len(tacit("info", model).out.splitlines()) == 10
    assert tacit("info", model, "--json").json == json.loads((model / "config.json").read_text("utf-8"))
