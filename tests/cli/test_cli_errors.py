"""Hard to break: each fault is one line that names it, and leaves everything as it was."""

from __future__ import annotations

import json
import shutil

import pytest

from helpers.cli_runs import command, full_disk, one_line_error, tacit, tree
from helpers.storage_models import content
from tacit.storage import FORMAT

ASKING = {
    "compare": ("a cat", "a dog"),
    "explain": ("a cat", "a dog"),
    "unsaid": ("a cat",),
    "words": ("cat",),
    "info": (),
}
"""The verbs that ask a model, and what follows its name."""


def train_error(folder, *args: object, code: int = 1) -> str:
    """The complaint of a training that must not leave anything."""
    before = tree(folder)
    error = one_line_error(tacit("train", folder / "m", *args), code)
    assert tree(folder) == before
    return error


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no texts to learn from"),
        (b"\n  \n\t\n\r\n", "no texts to learn from"),
        (b"!!! ...\n\xe2\x86\x92\n", "no tokens found in 2 texts"),
        (b"a cat sat\nPK\x03\x04\x00\x00\n", "notes.txt, line 2, byte 5: a NUL byte"),
        (
            b"a cat sat\ncaf\xe9 noir\n",
            "0xe9 is not UTF-8; it looks like Windows-1252: read it with --encoding windows-1252\n",
        ),
        (b"\x1f\x8b\x08\x00broken gzip", "notes.txt is damaged"),
    ],
    ids=["empty", "blank", "wordless", "binary", "latin-1", "gzip"],
)
def test_a_corpus_that_teaches_nothing(tmp_path, content, message):
    (tmp_path / "notes.txt").write_bytes(content)
    assert message in train_error(tmp_path, tmp_path / "notes.txt")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("every word\nhere occurs\nonly once\n", "none of 6 words is in at least 2 of 3 texts"),
        ("just one text with a few words\n", "give more texts, or lower min_df"),
        ("same words\nsame words\n", "every word is in every text"),
    ],
    ids=["unique", "one", "same"],
)
def test_paper_preset_fails_where_auto_settings_train(tmp_path, content, message):
    (tmp_path / "notes.txt").write_text(content, encoding="utf-8")
    assert message in train_error(tmp_path, tmp_path / "notes.txt", "--preset", "paper")
    done = tacit("train", tmp_path / "m", tmp_path / "notes.txt")
    assert done.code == 0, done.err
    assert "teach little" in done.out


def test_a_bad_line_far_into_the_file_is_found_and_named(tmp_path, sentences):
    lines = [line.encode() for line in sentences * 100]
    lines[2345] = b"caf\xe9"
    (tmp_path / "notes.txt").write_bytes(b"\n".join(lines))
    assert "line 2346, byte 4" in train_error(tmp_path, tmp_path / "notes.txt")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "is a directory; name the files in it"),
        ("folder", "is a directory; name the files in it"),
        ("missing.txt", "no such file: "),
        ("notes.txt/more.txt", "more.txt"),
        ("n" * 300, "File name too long"),
        ("\udcff.txt", "no such file: "),
    ],
)
def test_a_file_that_is_none(tmp_path, corpus, name, message):
    (tmp_path / "folder").mkdir()
    (tmp_path / "notes.txt").write_bytes(corpus.read_bytes())
    assert message in train_error(tmp_path, corpus, f"{tmp_path}/{name}")


def test_nothing_to_learn_from(tmp_path, corpus):
    assert "name files, - for standard input, or --corpus" in train_error(tmp_path)
    assert "'wikipedia'; named corpora: wordnet" in train_error(tmp_path, "--corpus", "wikipedia")
    assert "has no column 'said'" in train_error(tmp_path, corpus, "--column", "said")


@pytest.mark.parametrize(
    ("name", "content", "column", "message"),
    [
        ("t.tsv", "id\tsaid\n1\ta cat\n", "text", "has no column 'text'; it has 2: 'id', 'said'"),
        ("t.csv", "id,said\n1,a cat\n", "9", "has no column '9'; it has 2"),
        ("t.csv", 'id,said\n1,"a cat\n', "said", "line 2"),
        ("t.tsv", "id\tsaid\n1\n", "said", "line 2"),
        ("t.jsonl", '{"said": "a cat"}\n{"text": "a dog"}\n', "said", "line 2"),
        ("t.jsonl", '{"said": "a cat"}\n{"said": \n', "said", "line 2"),
        ("t.jsonl", '{"said": 7}\n', "said", "line 1"),
        ("t.parquet", "this is no parquet", "said", "t.parquet"),
        ("t.tsv", "id\tsaid\n1\ta cat\n", None, "name the column to read with --column NAME"),
    ],
)
def test_table_that_does_not_match_the_options(tmp_path, name, content, column, message):
    (tmp_path / name).write_text(content, encoding="utf-8")
    options = [] if column is None else ["--column", column]
    assert message in train_error(tmp_path, tmp_path / name, *options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--components 0", "--components 0: expected an integer from 1"),
        ("--components -3", "--components -3: expected an integer from 1"),
        ("--missing-weight 2", "--missing-weight 2.0: expected a number from 0 to 1"),
        ("--missing-weight -1", "--missing-weight -1.0: expected a number from 0 to 1"),
        ("--missing-weight nan", "--missing-weight nan: expected a number from 0 to 1"),
        ("--regularization -1", "--regularization -1.0: expected a number of at least 0"),
        ("--regularization nan", "--regularization nan: expected a number of at least 0"),
        ("--regularization inf", "--regularization inf: expected a number of at least 0"),
        ("--sweeps 0", "--sweeps 0: expected an integer from 1"),
        ("--tolerance -1", "--tolerance -1.0: expected a number of at least 0"),
        ("--missing-weight 0 --regularization 0", "raise one of them"),
        ("--min-df 0", "--min-df 0: expected an integer of at least 1"),
        ("--min-df 1000", "words is in at least 1000 of 30 texts"),
        ("--max-words 0", "--max-words 0: expected an integer of at least 1"),
    ],
)
def test_a_value_out_of_its_range(tmp_path, corpus, options, message):
    assert message in train_error(tmp_path, corpus, *options.split())


@pytest.mark.parametrize("options", ["--seed -1", "--threads 0", "--threads -2", "--components 1.5"])
def test_a_value_of_the_wrong_kind(tmp_path, corpus, options):
    name, value = options.split()
    error = train_error(tmp_path, corpus, name, value, code=2)
    assert f"Invalid value for '{name}'" in error
    assert value in error


def test_more_components_than_anyone_needs(tmp_path, corpus):
    assert "from 1 to 10,000" in train_error(tmp_path, corpus, "--components", 10**12)


def test_more_memory_than_there_is(tmp_path, corpus, monkeypatch):
    def fit(*_args: object) -> None:
        raise MemoryError("cannot allocate 80 GB")

    monkeypatch.setattr("tacit.training.wtmf.WTMF.fit", fit)
    assert "fewer components" in train_error(tmp_path, corpus, "--components", 9_000)


def test_a_target_that_is_something_else(tmp_path, corpus, sentences):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_bytes(b"\xff\xd8")
    before = tree(tmp_path)
    for name in ("photos", "photos/cat.jpg", "photos/cat.jpg/m"):
        error = one_line_error(tacit("train", tmp_path / name, corpus))
        assert str(tmp_path / "photos") in error
    assert tree(tmp_path) == before


def test_a_target_is_refused_before_anything_is_read(tmp_path):
    (tmp_path / "file").write_text("precious", encoding="utf-8")
    assert "no-such-corpus" not in one_line_error(tacit("train", tmp_path / "file", "no-such-corpus"))


def test_a_full_disk_leaves_the_earlier_model(tmp_path, corpus, model):
    shutil.copytree(model, tmp_path / "m")
    before = tree(tmp_path)
    with full_disk(1000):
        result = tacit("train", tmp_path / "m", corpus, "--components", 20, "--regularization", 1)
    assert "File too large" in one_line_error(result)
    assert tree(tmp_path) == before


def test_a_refused_training_leaves_the_earlier_model(tmp_path, model):
    shutil.copytree(model, tmp_path / "m")
    (tmp_path / "notes.txt").write_bytes(b"a cat\n" * 5000 + b"\xff\n")
    assert "line 5001, byte 1" in train_error(tmp_path, tmp_path / "notes.txt")


@pytest.mark.parametrize("verb", ASKING)
def test_a_model_that_is_not_there(tmp_path, verb):
    (tmp_path / "folder").mkdir()
    for name in ("missing", "folder", "m" * 300):
        assert str(tmp_path / name) in one_line_error(tacit(verb, tmp_path / name, *ASKING[verb]))
    assert sorted(tree(tmp_path)) == ["folder"]


@pytest.fixture
def copied(tmp_path, model):
    shutil.copytree(model, tmp_path / "m")
    return tmp_path / "m"


@pytest.mark.parametrize("part", ["config.json", "arrays", "vocabulary"])
@pytest.mark.parametrize("damage", ["flipped", "truncated", "emptied", "missing"])
def test_a_damaged_model_is_named_and_not_used(copied, part, damage):
    path = copied / part if part == "config.json" else content(copied, part)
    whole = path.read_bytes()
    middle = len(whole) // 2
    if damage == "missing":
        path.unlink()
    else:
        flipped = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
        path.write_bytes({"flipped": flipped, "truncated": whole[:-1], "emptied": b""}[damage])
    before = tree(copied)
    every_byte = damage == "flipped" and part != "config.json"  # these are read by the doctor alone
    for verb in ("doctor",) if every_byte else ("doctor", "compare", "explain", "unsaid", "words"):
        error = one_line_error(tacit(verb, copied, *ASKING.get(verb, ())))
        assert path.name in error
        assert "again" in error
    assert tree(copied) == before


def test_any_flipped_byte_of_the_config_is_noticed_by_info(copied):
    path = copied / "config.json"
    whole = path.read_bytes()
    for place in range(0, len(whole), 97):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        assert "config.json" in one_line_error(tacit("info", copied)) or place < 20  # or another format


def test_the_card_is_for_people_and_may_be_edited(copied, model):
    (copied / "README.md").write_text("mine", encoding="utf-8")
    texts = ("a cat", "a dog")
    assert tacit("compare", copied, *texts) == tacit("compare", model, *texts)


@pytest.mark.parametrize("verb", ASKING)
def test_a_model_of_another_format_is_refused_with_the_remedy(copied, verb):
    path = copied / "config.json"
    for number, remedy in ((99, "upgrade tacit"), (1, "train it again")):
        path.write_text(
            json.dumps(json.loads(path.read_text("utf-8")) | {"format": number}), encoding="utf-8"
        )
        error = one_line_error(tacit(verb, copied, *ASKING[verb]))
        assert f"format {number}, and this tacit reads {FORMAT}" in error
        assert remedy in error


def test_a_damaged_model_may_be_trained_anew(copied, corpus, model):
    content(copied, "arrays").write_bytes(b"")
    assert tacit("train", copied, corpus, "--components", 8, "--regularization", 1).code == 0
    assert tree(copied) == tree(model)


def test_the_process_fails_as_the_tests_in_this_process_do(tmp_path):
    assert "no such file" in one_line_error(command("train", tmp_path / "m", tmp_path / "missing.txt"))
