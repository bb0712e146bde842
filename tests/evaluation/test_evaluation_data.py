"""Errors of missing or malformed data, and the files of the tasks."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from papers.baselines.scorers import SurfaceScorer
from tacit import InputError
from tacit.corpora import ReadOptions
from tacit.evaluation import TASKS, evaluate, pairs_task
from tacit.evaluation.pair_tasks import load_pairs
from tacit.evaluation.search_task import RandomSearcher, load_retrieval
from tacit.evaluation.tasks import drop_marked, read_columns, read_scored_pairs

GOOD = "5\ta cat\ta cat\n"


def write_pairs(tmp_path, text):
    path = tmp_path / "mine.tsv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD + "3\tonly one text\n", "line 2 has 2 columns, not 3"),
        (GOOD * 2 + "3\ta\tb\tc\n", "line 3 has 4 columns, not 3"),
        ("score\ta\tb\n" + GOOD, "line 1: the score 'score' is not a number; give header=True"),
        (GOOD + "\n" + "nan\ta\tb\n", "line 3: the score 'nan' is not a number"),
        ("inf\ta\tb\n", "line 1: the score 'inf'"),
        (GOOD, "has 1 pairs"),
        ("", "has 0 pairs"),
    ],
)
def test_error_has_number_of_malformed_line(tmp_path, text, message):
    with pytest.raises(InputError, match=rf"mine.tsv(, | ){message}"):
        evaluate(pairs_task(write_pairs(tmp_path, text)), SurfaceScorer())


def test_pairs_are_read_unchanged(tmp_path):
    pairs = read_scored_pairs(write_pairs(tmp_path, '4.5\t"a" cat\t\r\n\n0\t x \ty\n'))
    assert pairs.gold.tolist() == [4.5, 0]
    assert (pairs.a, pairs.b) == (['"a" cat', " x "], ["", "y"])


def test_pairs_with_header_and_other_delimiter_are_read(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_bytes('score;a;b\n4.5;"un café";a cat\n0;x;y\n'.encode("windows-1252"))
    pairs = read_scored_pairs(path, ReadOptions(header=True, encoding="windows-1252"))
    assert (pairs.gold.tolist(), pairs.a, pairs.b) == ([4.5, 0], ["un café", "x"], ["a cat", "y"])


SCORERS = {"search": RandomSearcher()}


def test_error_has_missing_file_of_pairs(tmp_path):
    with pytest.raises(InputError, match=r"^no such file: .*no_such\.tsv; check the path$"):
        evaluate(pairs_task(tmp_path / "no_such.tsv"), SurfaceScorer())


@pytest.mark.parametrize("name", list(TASKS))
def test_error_without_data_has_remedy(monkeypatch, name):
    monkeypatch.delenv("TACIT_DATA", raising=False)
    with pytest.raises(
        InputError, match=rf"'{name}'.*TACIT_DATA is not set.*{TASKS[name].paths[0]}.*data=FOLDER"
    ):
        evaluate(name, SCORERS.get(name, SurfaceScorer()))


@pytest.mark.parametrize("name", list(TASKS))
def test_error_has_folder_of_missing_data(monkeypatch, tmp_path, name):
    monkeypatch.setenv("TACIT_DATA", str(tmp_path))
    with pytest.raises(InputError) as error:
        evaluate(name, SCORERS.get(name, SurfaceScorer()))
    assert f"{tmp_path} (from TACIT_DATA) has no {TASKS[name].paths[0]}" in str(error.value)
    with pytest.raises(InputError, match="given as data"):
        evaluate(name, SCORERS.get(name, SurfaceScorer()), data=tmp_path)


def test_unknown_task_raises():
    with pytest.raises(
        InputError, match=r"there is no task 'sts99'; the tasks are sts12, .*search, .*and pairs"
    ):
        evaluate("sts99", SurfaceScorer())


def test_columns_are_read_by_name(tmp_path):
    path = write_pairs(tmp_path, "a\tb\tc\n1\t2\t3\n4\t5\n")
    rows = read_columns(path, ("c", "a"))
    assert next(rows) == ("3", "1")
    with pytest.raises(InputError, match="line 3 has 2 columns, not 3 as the first row"):
        next(rows)
    with pytest.raises(InputError, match="no column 'd'; it has 3: 'a', 'b', 'c'"):
        list(read_columns(path, ("d",)))


# sizes: the README of the data, and the papers
@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("sts12", {"MSRpar": 750, "MSRvid": 750, "SMTeuroparl": 459, "OnWN": 750, "SMTnews": 399}),
        ("sts13", {"headlines": 750, "OnWN": 561, "FNWN": 189}),
        ("stsb", {"dev": 1500, "test": 1379}),
        ("sick", {"test": 4927}),
        ("li06", {"30 pairs": 30, "35 pairs": 35}),
        ("msr04", {"train": 4076, "test": 1725}),
    ],
)
def test_sets_have_their_published_sizes(data, name, sizes):
    assert {file.name: len(pairs) for file, pairs in load_pairs(TASKS[name], data)} == sizes


@pytest.mark.parametrize("name", ["sts14", "sts15", "sts16"])
def test_year_has_every_set_of_its_folder(data, name):
    there = {path.name for path in (data / f"sts/{name}/test").glob("*.tsv")}
    assert {path.rpartition("/")[2] for path in TASKS[name].paths} == there


def test_35_pairs_are_the_complement_of_30(data):
    sets = {file.name: pairs for file, pairs in load_pairs(TASKS["li06"], data)}
    texts = {name: set(zip(pairs.a, pairs.b, strict=True)) for name, pairs in sets.items()}
    assert not texts["30 pairs"] & texts["35 pairs"]
    # the paper: the mean similarity, on a scale to 1, is .367 and .065
    assert np.mean(sets["30 pairs"].gold) == pytest.approx(0.367, abs=0.01)
    assert np.mean(sets["35 pairs"].gold) / 4 == pytest.approx(0.065, abs=0.01)


def written_dictionaries(tmp_path, aligned):
    folder = tmp_path / "corpora"
    folder.mkdir()
    synsets = [
        "synset\tpos\tdefinition",
        "1-n\tn\ta small tame cat",
        "2-v\tv\tto fall fast",
        "3-n\tn\ta fall",
    ]
    senses = ["on_sense\tdefinition\twn_synsets", "fall.1\tgo down\t3-n,2-v", f"cat.1\ta pet\t{aligned}"]
    for name, lines in (("wordnet", synsets), ("ontonotes_cdr", senses)):
        with gzip.open(folder / f"{name}.tsv.gz", "wt", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")


def test_definitions_are_aligned_with_their_synsets(tmp_path):
    written_dictionaries(tmp_path, "1-n")
    retrieval = load_retrieval(TASKS["search"], tmp_path)
    assert retrieval.queries == ["go down", "a pet"]
    assert retrieval.candidates == ["a small tame cat", "to fall fast", "a fall"]
    assert retrieval.relevant == [[2, 1], [0]]


def test_exclusion_file_needs_a_line_per_pair(tmp_path):
    (tmp_path / "pairs.tsv").write_text("1\ta\tb\n2\tc\td\n3\te\tf\n", encoding="utf-8")
    (tmp_path / "marks.index").write_text("1\t0\n2\t1\n", encoding="utf-8")
    pairs = read_scored_pairs(tmp_path / "pairs.tsv")
    with pytest.raises(InputError, match=r"marks\.index has 2 lines for 3 pairs"):
        drop_marked(pairs, tmp_path / "marks.index")
    (tmp_path / "marks.index").write_text("1\t0\n2\t1\n3\t0\n", encoding="utf-8")
    assert drop_marked(pairs, tmp_path / "marks.index").a == ["a", "e"]


def test_error_has_unknown_synset(tmp_path):
    written_dictionaries(tmp_path, "1-n,9-n")
    with pytest.raises(InputError, match=r"cat\.1 is aligned with '9-n'"):
        load_retrieval(TASKS["search"], tmp_path)
