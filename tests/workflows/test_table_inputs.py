"""Queries, pairs and labelled texts of tables, with and without a header."""

from __future__ import annotations

import pytest

from tacit import InputError
from tacit.corpora import ReadOptions
from tacit.workflows.table_inputs import read_labelled_table, read_pair_table, read_queries


@pytest.fixture
def write(tmp_path):
    def write_file(name, *lines, encoding="utf-8"):
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n", encoding=encoding)
        return str(path)

    return write_file


@pytest.mark.parametrize(
    "lines",
    [
        ["label,text", "pets,my cat", "bank,a loan"],
        ["text,label", "my cat,pets", "a loan,bank"],
        ["id,text,label", "7,my cat,pets", "8,a loan,bank"],
        [
            "nr,nachricht,urteil",
            "7,my cat and dog,pets",
            "8,a loan from a bank,bank",
            "9,his cat and dog,pets",
        ],
        ["pets,my cat", "bank,a loan"],
    ],
)
def test_texts_and_labels_are_detected(write, lines):
    table = read_labelled_table(write("train.csv", *lines))
    assert table.column(table.label)[:2] == ["pets", "bank"]
    assert [text[:6] for text in table.column(table.texts[0])][:2] == ["my cat", "a loan"]
    assert table.column(table.id)[:2] == (["7", "8"] if len(lines[1].split(",")) == 3 else ["1", "2"])


@pytest.mark.parametrize("first", ["pets\tmy puppy barks", "pets\tkitten", "label\tmy text"])
def test_a_first_row_of_a_class_that_recurs_is_no_header(write, first):
    label = first.split("\t")[0]
    rows = [first, "money\tthe firm pays interest now", f"{label}\tthe kitten sleeps all day"]
    assert len(read_labelled_table(write("train.tsv", *rows)).rows) == 3


def test_no_obvious_label_is_none(write):
    path = write("train.csv", "id,message,team,place", "1,a cat sleeps,x,y", "2,a dog,z,y")
    table = read_labelled_table(path)
    assert (table.label, table.texts) == (None, ("message",))
    named = read_labelled_table(path, label="place")
    assert named.column(named.label) == ["y", "y"]


def test_the_test_table_has_the_columns_of_training(write):
    path = write("train.csv", "topic,body,note", "pets,a cat sleeps,x", "bank,a long loan,y")
    train = read_labelled_table(path)
    test = read_labelled_table(write("test.csv", "note,body", "a much longer text,cat"), like=train)
    assert (test.texts, test.label) == (("body",), None)
    lines = read_labelled_table(write("lines.txt", "a cat", "a dog"), like=train)
    assert (lines.column(lines.texts[0]), lines.label) == (["a cat", "a dog"], None)


@pytest.mark.parametrize(
    ("name", "lines", "columns"),
    [
        ("p.tsv", ["my cat\ta kitten", "rain\twind"], None),
        ("p.csv", ["text_a,text_b", "my cat,a kitten", "rain,wind"], None),
        (
            "p.csv",
            ["links,rechts", "my cat sleeps now,a kitten sleeps", "rain in the night,cold wind blows"],
            None,
        ),
        ("p.csv", ["id;q1;q2;same", "1;my cat;a kitten;1", "2;rain;wind;0"], None),
        ("p.csv", ["id,b,a", "1,a kitten,my cat", "2,wind,rain"], ["a", "b"]),
        ("p.csv", ["x,a kitten,my cat", "y,wind,rain"], ["3", "2"]),
        ("p.jsonl", ['{"n": 1, "a": "my cat", "b": "a kitten"}', '{"n": 2, "a": "rain", "b": "wind"}'], None),
    ],
)
def test_the_pairs_of_any_table(write, name, lines, columns):
    table = read_pair_table(write(name, *lines), columns)
    left, right = map(table.column, table.texts)
    assert [text.split()[0] for text in left] == ["my", "rain"]
    assert [text.split()[0] for text in right] == ["a", "wind" if "wind" in right else "cold"]


def test_a_named_header_is_believed(write):
    path = write("p.tsv", "my cat\ta kitten", "rain\twind")
    assert len(read_pair_table(path, reading=ReadOptions(header=True)).rows) == 1
    path = write("q.csv", "text_a,text_b", "rain,wind")
    assert len(read_pair_table(path, reading=ReadOptions(header=False)).rows) == 2


def test_more_than_two_texts_need_a_choice(write):
    path = write("p.csv", "a,b,c", "one text,two text,three text")
    with pytest.raises(
        InputError, match=r"3 columns of texts, not 2: 'a', 'b', 'c'; name two with --pair-columns"
    ):
        read_pair_table(path)


def test_queries_of_lines_and_tables(write):
    assert read_queries(write("q.txt", "a cat", "a, b")) == ["a cat", "a, b"]
    path = write("q.csv", "user,frage", "1,wo ist die Katze", "2,über Nacht", encoding="windows-1252")
    assert read_queries(path) == read_queries(path, "frage") == ["wo ist die Katze", "über Nacht"]
    with pytest.raises(InputError, match="is empty"):
        read_queries(write("empty.txt"))
