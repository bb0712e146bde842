"""tacit link, dedupe and teach."""

from __future__ import annotations

import csv
import json

import pytest

import tacit as library
from helpers.cli_runs import tacit
from helpers.products import product_lists

A, B = product_lists(40)


def write_csv(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def lists(tmp_path):
    a = write_csv(tmp_path / "a.csv", ["sku", "name", "price"], [[f"a{k}", t, k] for k, t in enumerate(A)])
    b = write_csv(tmp_path / "b.csv", ["code", "title"], [[f"b{k}", t] for k, t in enumerate(B)])
    columns = ["--column", "name", "--id-column", "sku", "--column-b", "title", "--id-column-b", "code"]
    return [a, b, *columns]


def test_command_line_and_python_link_the_same_rows(lists, tmp_path):
    done = tacit("link", *lists, "-o", tmp_path / "links.csv")
    assert done.code == 0
    rows = read_csv(tmp_path / "links.csv")
    links = library.link(A, B)
    expected = [(f"a{int(p.a.id) - 1}", f"b{int(p.b.id) - 1}", round(p.score, 6)) for p in links]
    assert [(row["id_a"], row["id_b"], float(row["score"])) for row in rows] == expected
    assert [row["price_a"] for row in rows] == [row["id_a"][1:] for row in rows]
    assert f"{len(rows)} links; estimated precision" in done.err
    assert "too high if the other list holds near-identical variants of a row" in done.err


def test_links_are_printed_with_their_evidence(lists):
    done = tacit("link", *lists)
    first = done.out.splitlines()[:3]
    assert "distinctive words +" in first[0]
    assert first[1].startswith("  a")
    assert first[2].startswith("  b")


def test_json_has_rows_and_figures(lists):
    result = tacit("link", *lists, "--json").json
    assert set(result) == {"cut", "precision", "recall", "notes", "rows"}
    assert len(result["rows"]) > 30
    assert "evidence_codes" in result["rows"][0]


def test_cuts_show_pairs_at_several_thresholds(lists):
    lines = tacit("link", *lists, "--show-cut").out.splitlines()
    cuts = [line for line in lines if line.startswith("--threshold")]
    assert len(cuts) == 5
    assert len(lines) == 5 + 5 * 3 * 10


@pytest.mark.parametrize("ending", ["tsv", "jsonl", "parquet", "xlsx"])
def test_tables_are_written_by_their_ending(lists, tmp_path, ending):
    done = tacit("link", *lists, "-o", tmp_path / f"links.{ending}")
    assert done.code == 0
    assert (tmp_path / f"links.{ending}").stat().st_size > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--recall", "0.9"], "--recall 0.9 needs judgements: judge some pairs with tacit teach"),
        (["--precision", "2"], "--precision 2.0: expected a number above 0, at most 1"),
        (["-o", "links.doc"], "the name must end in .csv"),
    ],
)
def test_errors_are_one_line(lists, arguments, message):
    done = tacit("link", *lists, *arguments)
    assert done.code == 1
    assert message in done.err
    assert done.err.count("\n") == 1


def test_link_without_lists_needs_a_work_folder():
    assert "link needs two lists, or the work folder" in tacit("link").err


@pytest.fixture
def products(tmp_path):
    rows = [
        [f"p{k}", text, "=1+1"] for k, text in enumerate([*A, *[f"{t} new" for t in A[:9]], A[0].upper()])
    ]
    return write_csv(tmp_path / "products.csv", ["id", "name", "note"], rows)


def test_dedupe_writes_clean_rows_and_a_review_list(products, tmp_path):
    before = products.read_bytes()
    clean, review = tmp_path / "clean.csv", tmp_path / "review.csv"
    done = tacit("dedupe", products, "--column", "name", "--id-column", "id", "-o", clean, "--review", review)
    assert done.code == 0
    assert products.read_bytes() == before
    lines = before.decode("utf-8").splitlines()
    assert clean.read_text(encoding="utf-8").splitlines() == lines[:-1]
    rows = read_csv(review)
    assert {row["decision"] for row in rows} == {"representative", "review", "removed"}
    assert [row["id"] for row in rows if row["decision"] == "removed"] == ["p49"]
    assert {row["note"] for row in rows} == {"'=1+1"}
    assert "50 rows" in done.err


def test_clean_rows_are_escaped_only_on_request(products, tmp_path):
    for option, cell in (([], "=1+1"), (["--escape"], "'=1+1")):
        assert tacit("dedupe", products, "--column", "name", "-o", tmp_path / "c.csv", *option).code == 0
        assert {row["note"] for row in read_csv(tmp_path / "c.csv")} == {cell}


def test_the_input_is_never_the_output(products):
    before = products.read_bytes()
    done = tacit("dedupe", products, "--column", "name", "-o", products)
    assert done.code == 1
    assert "never changed" in done.err
    assert products.read_bytes() == before


def test_dedupe_prints_groups(products):
    done = tacit("dedupe", products, "--column", "name")
    assert "representative" in done.out
    assert "removed" in done.out
    result = tacit("dedupe", products, "--column", "name", "--threshold", 0.7, "--json").json
    assert result["removed"] == 10
    assert result["stay"] == 40


@pytest.fixture
def work(lists, tmp_path):
    assert tacit("link", *lists, "--work", tmp_path / "work").code == 0
    return tmp_path / "work"


def test_pairs_are_judged_in_the_terminal(work):
    done = tacit("teach", work, stdin=b"y\nn\nu\ns\ny\nq\n")
    assert done.code == 0
    lines = [json.loads(line) for line in (work / "judgements.jsonl").read_text().splitlines()]
    assert [label for _, _, label in lines] == [1, 0, None, 1]
    assert lines[1][:2] == lines[2][:2]
    assert "2 judgements are too few to learn from: judge at least 10 pairs" in done.err


def test_judgements_of_a_table_are_added(work, tmp_path):
    rows = [[f"a{k}", f"b{k}", 1] for k in range(12)] + [[f"a{k}", f"b{k}", 0] for k in range(12, 16)]
    table = write_csv(tmp_path / "judged.csv", ["id_a", "id_b", "label"], rows)
    done = tacit("teach", work, "--judgements", table, "-o", tmp_path / "taught.csv")
    assert done.code == 0
    assert "16 judgements" in done.err
    assert {"id_a", "probability"} <= set(read_csv(tmp_path / "taught.csv")[0])
    links = tacit("link", "--work", work, "--json").json["rows"]
    pairs = {(row["id_a"], row["id_b"]) for row in links}
    assert ("a3", "b3") in pairs
    assert ("a13", "b13") not in pairs


def test_judgements_without_their_columns_are_an_error(work, tmp_path):
    table = write_csv(tmp_path / "judged.csv", ["id_a", "id_b", "verdict"], [["a1", "b1", 1]])
    done = tacit("teach", work, "--judgements", table)
    assert "has no column 'label'" in done.err


def test_all_judgements_are_exported(work, tmp_path):
    tacit("teach", work, stdin=b"y\nn\nq\n")
    done = tacit("teach", work, "--export", tmp_path / "judged.csv")
    assert done.code == 0
    rows = read_csv(tmp_path / "judged.csv")
    assert sorted(row["label"] for row in rows) == ["0.0", "1.0"]
    (work / "judgements.jsonl").unlink()
    tacit("teach", work, "--judgements", tmp_path / "judged.csv", "--json")
    assert len((work / "judgements.jsonl").read_text().splitlines()) == 2


def test_grades_teach_compare_a_measure(tmp_path):
    """A pair is graded by the words that both texts have, of four."""
    texts = [" ".join(f"w{(k + j) % 17}" for j in range(4)) for k in range(17)]
    pairs = [[texts[k], texts[(k + d) % 17], 4 - d] for d in range(4) for k in range(17)]
    table = write_csv(tmp_path / "pairs.csv", ["text_a", "text_b", "label"], pairs)
    model = tmp_path / "texts.txt"
    model.write_text("\n".join(texts), encoding="utf-8")
    done = tacit("teach", table, "--model", model, "-o", tmp_path / "grades.csv")
    assert done.code == 0, done.err
    assert "68 grades, cross-validated: correlation" in done.err
    grades = [float(row["grade"]) for row in read_csv(tmp_path / "grades.csv")]
    assert max(abs(grade - row[2]) for grade, row in zip(grades, pairs, strict=True)) < 1
    measure = tmp_path / "pairs.csv.judgements" / "measure"
    for pair, grade in list(zip(pairs, grades, strict=True))[::20]:
        done = tacit("compare", model, pair[0], pair[1], "--measure", measure)
        assert float(done.out) == pytest.approx(grade, abs=1e-3)


def test_pairs_are_graded_in_the_terminal(tmp_path):
    pairs = [[f"a cat number {k}", f"a dog number {k}"] for k in range(12)]
    table = write_csv(tmp_path / "pairs.csv", ["text_a", "text_b"], pairs)
    model = tmp_path / "texts.txt"
    model.write_text("\n".join(text for pair in pairs for text in pair), encoding="utf-8")
    done = tacit("teach", table, "--model", model, stdin=b"5\nu\n3\ns\n0\nq\n")
    assert done.code == 0
    lines = (tmp_path / "pairs.csv.judgements" / "judgements.jsonl").read_text().splitlines()
    assert [json.loads(line)[2] for line in lines] == [5, None, 3, 0]
    assert "2 grades are too few to learn from" in done.err


@pytest.mark.parametrize("command", ["link", "dedupe"])
def test_a_table_without_texts_is_one_line(command, tmp_path):
    table = write_csv(tmp_path / "numbers.csv", ["id", "n"], [[1, 2], [3, 4]])
    done = tacit(command, *[table] * (2 if command == "link" else 1))
    assert done.err == "tacit: numbers.csv has no column of texts: it has 'id', 'n'\n"


def test_a_column_of_several_tables_is_named_by_its_option(tmp_path):
    tables = [write_csv(tmp_path / f"part{k}.csv", ["id", "name"], [[k, f"text {k}"]]) for k in (1, 2)]
    done = tacit("dedupe", f"{tables[0].parent}/part*.csv")
    assert "name the column to read with --column NAME" in done.err


def test_a_missing_file_is_said_to_be_missing(tmp_path):
    for arguments in (["search", tmp_path / "none.csv", "cat"], ["link", tmp_path / "none.csv", "b.csv"]):
        assert "no such file" in tacit(*arguments).err
