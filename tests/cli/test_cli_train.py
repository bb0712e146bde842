# ruff: noqa: RUF001 (other scripts are meant)
"""Training: every kind of input, every option, the same bits for the same seed."""

from __future__ import annotations

import gzip
import json
import resource
import subprocess
import time

import pyarrow
import pyarrow.parquet
import pytest

from helpers.cli_runs import COMMAND, command, one_line_error, tacit, tree
from helpers.storage_models import content
from tacit import TextModel
from tacit.workflows import learning

SMALL = ("--components", 8, "--regularization", 1)


def corpus_of(folder) -> str:
    """The fingerprint of what a model learnt from."""
    return tacit("info", folder, "--json").json["training"]["corpus"]


def bits(folder) -> bytes:
    return content(folder, "arrays").read_bytes()


@pytest.fixture
def tables(tmp_path, sentences):
    """The same sentences as TSV, CSV, JSON lines and Parquet, in the second column, `said`."""
    rows = [{"id": str(number), "said": text} for number, text in enumerate(sentences)]
    lines = {
        "t.tsv": ["id\tsaid", *(f"{row['id']}\t{row['said']}" for row in rows)],
        "t.csv": ["id,said", *(f'{row["id"]},"{row["said"]}"' for row in rows)],
        "t.jsonl": [json.dumps(row) for row in rows],
    }
    for name, table in lines.items():
        (tmp_path / name).write_text("\n".join(table), encoding="utf-8")
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "t.parquet")
    (tmp_path / "t.tsv.gz").write_bytes(gzip.compress((tmp_path / "t.tsv").read_bytes()))
    return tmp_path


@pytest.mark.parametrize("name", ["t.tsv", "t.csv", "t.jsonl", "t.parquet", "t.tsv.gz"])
def test_a_table_teaches_what_its_column_says(tables, model, name):
    assert tacit("train", tables / "m", tables / name, "--column", "said", *SMALL).code == 0
    assert corpus_of(tables / "m") == corpus_of(model)
    assert bits(tables / "m") == bits(model)


def test_gzip_several_files_and_standard_input_teach_the_same(tmp_path, corpus, model):
    lines = corpus.read_bytes().splitlines(keepends=True)
    (tmp_path / "1.txt.gz").write_bytes(gzip.compress(b"".join(lines[:10])))
    (tmp_path / "2.txt").write_bytes(b"".join(lines[10:20]))
    inputs = (tmp_path / "1.txt.gz", tmp_path / "2.txt", "-")
    result = command("train", tmp_path / "m", *inputs, *SMALL, stdin=b"".join(lines[20:]))
    assert result.code == 0
    assert bits(tmp_path / "m") == bits(model)


def test_a_pipe_given_as_a_file_is_read_once(tmp_path, corpus, model):
    assert command("train", tmp_path / "m", "/dev/stdin", *SMALL, stdin=corpus.read_bytes()).code == 0
    assert bits(tmp_path / "m") == bits(model)


def test_there_may_be_more_files_than_may_be_open(tmp_path, sentences, model):
    files = [tmp_path / f"{number:03}.txt" for number in range(300)]
    for number, path in enumerate(files):
        path.write_text(sentences[number] if number < len(sentences) else "", encoding="utf-8")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        assert tacit("train", tmp_path / "m", *files, *SMALL).code == 0
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert bits(tmp_path / "m") == bits(model)


def test_every_option_reaches_the_model(tmp_path, corpus):
    options = {
        "language": "de", "components": 5, "missing-weight": 0.02, "regularization": 1.5, "sweeps": 7,
        "tolerance": 1e-9, "min-df": 3, "max-words": 11, "seed": 42, "threads": 1,
    }  # fmt: skip
    flags = [part for name, value in options.items() for part in (f"--{name}", value)]
    assert tacit("train", tmp_path / "m", corpus, *flags, "--log-tf").code == 0
    config = tacit("info", tmp_path / "m", "--json").json
    language = config["parameters"]["languages"]["de"]
    vectorizer = language["vectorizer"]
    assert (language["missing_weight"], language["regularization"], language["words"]) == (0.02, 1.5, 11)
    assert (config["parameters"]["n_components"], len(config["training"]["loss"])) == (5, 7)
    settings = {name: vectorizer[name] for name in ("language", "min_df", "max_features", "tf")}
    assert settings == {"language": "de", "min_df": 3, "max_features": 11, "tf": "log"}
    assert config["training"]["seed"] == 42
    assert config["tensors"]["de.word_vectors"]["shape"] == [11, 5]


def test_the_tolerance_ends_training_early(tmp_path, corpus):
    result = tacit("train", tmp_path / "m", corpus, *SMALL, "--tolerance", 0.05, "--sweeps", 50, "--json")
    assert 2 <= result.json["sweeps"] < 50


def test_language_none_keeps_words_apart_that_stems_join(tmp_path):
    notes = tmp_path / "notes.txt"
    notes.write_text("cat naps\ncats nap\ncat runs\ncats run\n", encoding="utf-8")
    words = {}
    for language in ("en", "none"):
        result = tacit(
            "train", tmp_path / "m", notes, *SMALL, "--regularization", 0.1, "--language", language, "--json"
        )
        words[language] = result.json["words"]
    assert words == {"en": 3, "none": 6}


def test_an_unknown_language_is_answered_with_the_known_ones(tmp_path, corpus):
    error = one_line_error(tacit("train", tmp_path / "m", corpus, "--language", "xx"))
    assert "'xx'" in error
    assert "ISO 639-1 (en, es, de)" in error
    assert tree(tmp_path) == {}


def test_the_summary_for_programs(tmp_path, corpus, sentences):
    result = tacit("train", tmp_path / "m", corpus, *SMALL, "--json")
    summary = result.json
    assert result.err == ""
    assert summary["model"] == str(tmp_path / "m")
    assert summary["texts"] == len(sentences)
    assert summary["words"] == len(content(tmp_path / "m", "vocabulary").read_text("utf-8").splitlines())
    assert summary["components"] == 8
    assert summary["sweeps"] == len(summary["loss"]) == 15
    assert summary["auto"] == ["missing_weight", "n_iter"]
    assert summary["settings"]["regularization"] == 1.0
    assert summary["prediction"]["gain"] > 0
    assert "--background wordnet" in summary["remedies"][-1]
    assert sorted(summary["loss"], reverse=True) == summary["loss"]
    assert summary["seconds"] > 0


@pytest.mark.parametrize("engine", ["memory", "disk"])
def test_reported_time_includes_all_steps(tmp_path, corpus, monkeypatch, engine):
    ahead, clock = [0.0], time.perf_counter
    monkeypatch.setattr(time, "perf_counter", lambda: clock() + ahead[0])

    def slowed(work):
        def slow(*args):
            ahead[0] += 1000
            return work(*args)

        return slow

    monkeypatch.setattr(TextModel, "save", slowed(TextModel.save))
    monkeypatch.setattr(learning, "run_self_check", slowed(learning.run_self_check))
    result = tacit("train", tmp_path / "m", corpus, *SMALL, "--json", "--engine", engine)
    assert result.json["seconds"] > 2000


def test_summary_has_the_self_check_and_suggestions(tmp_path, corpus):
    result = tacit("train", tmp_path / "m", corpus, *SMALL)
    assert result.out.startswith(f"{tmp_path / 'm'}: ")
    assert " words from 30 texts, 15 sweeps, loss " in result.out
    _, language, settings, hidden, helps, *rest = result.out.splitlines()
    assert language == "    Language: English (detected from 30 texts)."
    assert settings == "    components 8 as given, missing weight 0.997, regularization 1 as given"
    assert "Self-check: hidden words are predicted" in hidden
    assert "--background wordnet" in helps
    assert rest == []


def test_settings_are_by_the_data_unless_they_are_given(tmp_path, corpus):
    auto = tacit("train", tmp_path / "m", corpus, "--json").json
    assert auto["auto"] == ["n_components", "missing_weight", "regularization", "n_iter"]
    paper = tacit("train", tmp_path / "m", corpus, "--preset", "paper", "--regularization", "auto", "--json")
    assert paper.json["auto"] == ["regularization"]
    assert paper.json["settings"]["missing_weight"] == 0.01


def test_a_background_is_a_corpus_a_file_or_a_model(tmp_path, corpus):
    behind = tmp_path / "behind.txt"
    behind.write_text("a kitten is a young cat\na loan is money from a bank\n" * 3, encoding="utf-8")
    result = tacit("train", tmp_path / "m", corpus, "--background", behind, "--json").json
    assert result["background"]["share"] == 0.7
    assert tacit("train", tmp_path / "b", behind).code == 0
    again = tacit("train", tmp_path / "n", corpus, "--background", tmp_path / "b", "--json").json
    assert again["background"] == result["background"]
    assert bits(tmp_path / "m") == bits(tmp_path / "n")
    error = one_line_error(tacit("train", tmp_path / "x", corpus, "--background", tmp_path / "none.txt"))
    assert "no such file" in error


def test_tuning_shows_what_was_tried(tmp_path, corpus):
    done = tacit("train", tmp_path / "m", corpus, "--tune", "--budget", "1s")
    assert done.code == 0, done.err
    assert done.err.startswith("factors tried on suggested values")
    assert done.err.count("\n") == 10
    for budget in ("soon", "0s"):
        assert "such as 60s" in one_line_error(
            tacit("train", tmp_path / "n", corpus, "--tune", "--budget", budget)
        )


def test_tuning_by_a_column_of_labels_and_by_judged_pairs(tmp_path, sentences):
    table = tmp_path / "notes.tsv"
    rows = [f"{text}\t{'money' if 'bank' in text or 'loan' in text else 'pets'}" for text in sentences]
    table.write_text("text\tkind\n" + "\n".join(rows) + "\n", encoding="utf-8")
    options = ("--column", "text", "--labels", "kind", "--budget", "1s", "--json")
    assert tacit("train", tmp_path / "m", table, *options).json["auto"] == []
    error = one_line_error(tacit("train", tmp_path / "n", table, "--column", "text", "--labels", "colour"))
    assert "no such column" in error
    judged = tmp_path / "judged.tsv"
    judged.write_text("5\ta cat\ta kitten\n0\ta cat\ta bank\n1\ta loan\ta dog\n", encoding="utf-8")
    options = ("--column", "text", "--judged", judged, "--budget", "1s", "--json")
    assert tacit("train", tmp_path / "m", table, *options).json["auto"] == []


def test_notes_on_the_collection_are_printed(tmp_path, sentences):
    notes = tmp_path / "notes.txt"
    notes.write_text("\n".join([*sentences, *["Sent from my phone"] * 30]) + "\n", encoding="utf-8")
    done = tacit("train", tmp_path / "m", notes)
    assert done.code == 0
    assert "'Sent from my phone' occurs in 30 of 60 texts" in done.err


@pytest.mark.parametrize("threads", [1, 2])
def test_same_seed_gives_same_bits_with_any_n_threads(tmp_path, corpus, model, threads):
    command("train", tmp_path / "m", corpus, *SMALL, "--threads", threads)
    assert bits(tmp_path / "m") == bits(model)


def test_another_seed_gives_other_bits(tmp_path, corpus, model):
    tacit("train", tmp_path / "m", corpus, *SMALL, "--seed", 1)
    assert bits(tmp_path / "m") != bits(model)


def test_no_progress_where_stderr_is_not_a_terminal(tmp_path, corpus):
    result = command("train", tmp_path / "m", corpus, *SMALL, FORCE_COLOR="1")
    assert (result.code, result.err) == (0, "")


def test_too_strong_regularization_suggests_a_value(tmp_path, corpus):
    error = one_line_error(tacit("train", tmp_path / "m", corpus, "--regularization", 1000))
    assert "--regularization 1000 is too strong for a collection of 30 texts" in error
    assert tree(tmp_path) == {}
    advised = error.partition("for example ")[2].partition(",")[0]
    assert tacit("train", tmp_path / "m", corpus, "--regularization", advised).code == 0


@pytest.mark.parametrize(
    ("language", "lines", "near", "far"),
    [
        ("el", "η γάτα κοιμάται\nη γάτα και ο σκύλος\nο σκύλος κοιμάται\nη βροχή πέφτει\nτο χιόνι πέφτει\n"
               "βροχή και χιόνι", "γάτα", "χιόνι"),
        ("hi", "बिल्ली सोती है\nबिल्ली और कुत्ता\nकुत्ता सोती है\nबारिश गिरती है\nबर्फ गिरती है\nबारिश और बर्फ",
         "बिल्ली", "बर्फ"),
        ("ar", "القطة تنام\nالقطة والكلب معا\nالكلب تنام معا\nالمطر يسقط\nالثلج يسقط\nالمطر الثلج",
         "القطة", "الثلج"),
        ("none", "猫 睡觉\n猫 狗\n狗 睡觉\n雨 下\n雪 下\n雨 雪", "猫", "雪"),
    ],
)  # fmt: skip
def test_other_scripts_are_learnt_like_english(tmp_path, language, lines, near, far):
    notes = tmp_path / "notes.txt"
    notes.write_text(lines, encoding="utf-8")
    m = tmp_path / "m"
    options = ("--components", 4, "--regularization", 0.1, "--language", language)
    assert tacit("train", m, notes, *options).code == 0
    alike = tacit("compare", m, lines.split("\n")[0], near, "--json").json
    unlike = tacit("compare", m, lines.split("\n")[0], far, "--json").json
    assert alike["known_a"] > 0
    assert alike["known_b"] == unlike["known_b"] == 1
    assert alike["score"] > unlike["score"] + 0.3
    assert tacit("explain", m, near, far).code == 0
    assert near in tacit("explain", m, near, far).out


def test_unusual_characters_and_long_texts_are_texts(tmp_path, corpus, sentences):
    odd = tmp_path / "odd.txt"
    long = " ".join(sentences) * 1200
    assert len(long) > 1_000_000
    odd.write_text(f"a\x01cat\x1b[31m \U0001f408 sleeps \x7f\n\x0b\x0c\n{long}\n", encoding="utf-8")
    summary = tacit("train", tmp_path / "m", corpus, odd, *SMALL, "--json")
    assert summary.code == 0
    assert summary.json["texts"] >= 32


def test_training_streams_from_a_slow_writer(tmp_path, sentences):
    """Standard input that arrives in pieces, cut within a character."""
    process = subprocess.Popen(
        [*COMMAND, "train", tmp_path / "m", "-", *map(str, SMALL), "--json"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    data = "\n".join([*sentences, "café", "café"]).encode()
    for part in (data[:40], data[40:-1], data[-1:]):
        process.stdin.write(part)
        process.stdin.flush()
    out, _ = process.communicate()
    assert json.loads(out)["texts"] == len(sentences) + 2
    assert "café" in content(tmp_path / "m", "vocabulary").read_text("utf-8")


def test_settings_that_were_left_to_the_data_are_not_asked_to_be(tmp_path):
    same = tmp_path / "same.txt"
    same.write_text("the cat sleeps on the mat\n" * 6, encoding="utf-8")
    left = tacit("train", tmp_path / "left", same)
    result = tacit("train", tmp_path / "given", same, "--missing-weight", 0.01)
    assert "hardly differ" in left.out
    assert "leave the settings" not in left.out
    assert "give more varied texts, or leave the settings to the data" in result.out
