"""tacit senses: train, show, tag."""

from __future__ import annotations

import json

import pytest

from helpers.cli_runs import Terminal, tacit
from helpers.senses_corpus import corpus
from tacit.cli.next_steps import find_next_step


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    path = tmp_path_factory.mktemp("senses") / "texts.txt"
    path.write_text("\n".join(corpus()) + "\n", encoding="utf-8")
    return path


OPTIONS = ("--components", "4", "--clusters", "2", "--word", "chip", "--word", "potato")


@pytest.fixture(scope="module", params=["liberal", "local"])
def model(request, texts):
    folder = texts.parent / request.param
    options = ("--senses", "2") if request.param == "local" else ()
    result = tacit("senses", "train", folder, texts, *OPTIONS, "--method", request.param, *options, "--json")
    assert result.code == 0, result.err
    summary = json.loads(result.out)
    assert summary["words"] == 2
    assert summary["passages"] == 400
    return folder


def test_senses_are_shown(model):
    result = tacit("senses", "show", model, "chip")
    assert result.code == 0
    assert result.out.count("sense ") >= 2
    assert "topic:" in result.out
    value = json.loads(tacit("senses", "show", model, "chip", "--json").out)
    assert {"number", "weight", "words", "topics", "examples"} <= set(value[0])


def test_the_next_step_is_a_command_for_senses(model):
    with Terminal("senses", "show", model, "chip", columns=400) as terminal:
        assert terminal.end() == 0, terminal.screen
    assert f'Next: tacit senses tag {model} chip "..."' in terminal.screen
    assert find_next_step("senses train", {"out": "chips"}) == "tacit senses show chips WORD"


def test_a_text_and_a_file_are_tagged(model, tmp_path):
    one = json.loads(tacit("senses", "tag", model, "chip", "chip with salt and fish", "--json").out)
    path = tmp_path / "two.txt"
    path.write_text("chip with salt and fish\na computer chip with memory\nno such word\n", encoding="utf-8")
    result = tacit("senses", "tag", model, "chip", path, "--json")
    two = json.loads(result.out)
    assert one["sense"] == two[0]["sense"] != two[1]["sense"]
    assert two[2] is None
    assert "line 3" in result.err
    lines = tacit("senses", "tag", model, "chip", path).out.splitlines()
    assert [line.split("\t")[0] for line in lines] == [str(one["sense"]), str(two[1]["sense"]), "-"]


def test_guessed_sense_is_reported_as_a_guess(model, tmp_path):
    commonest = json.loads(tacit("senses", "show", model, "chip", "--json").out)[0]
    result = tacit("senses", "tag", model, "chip", "chip", "--json")
    value = json.loads(result.out)
    assert result.code == 0
    assert (value["sense"], value["guessed"]) == (commonest["number"], True)
    assert result.err == "tacit: no word around 'chip' is known: its most frequent sense is used\n"
    path = tmp_path / "lines.txt"
    path.write_text("chip with salt and fish\nchip\n\n", encoding="utf-8")
    result = tacit("senses", "tag", model, "chip", path)
    assert result.code == 0
    assert result.out.splitlines()[1].startswith(f"{commonest['number']}\t{commonest['weight']:.3f}\tchip")
    assert "line 2: no word around 'chip' is known" in result.err


def test_explain_prints_the_words_that_decide(model):
    result = tacit("senses", "tag", model, "chip", "chip with salt and fish", "--explain")
    assert "divergence" in result.out
    assert "for sense" in result.out


def test_contexts_are_drawn(model, texts, tmp_path):
    for arguments in (("show", model, "chip"), ("tag", model, "chip", texts)):
        result = tacit("senses", *arguments, "--plot", tmp_path / "chip.png")
        assert result.code == 0, result.err
        assert (tmp_path / "chip.png").read_bytes().startswith(b"\x89PNG")
        (tmp_path / "chip.png").unlink()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "{model}", "unicorn"), "does not know 'unicorn'"),
        (("show", "no/such/model", "chip"), "no model at no/such/model"),
        (("tag", "{model}", "chip", "nothing here"), "does not contain the word 'chip'"),
        (("train", "{out}", "no/such/file"), "no such file"),
        (("train", "{out}"), "nothing to learn from"),
        (("train", "{out}", "{texts}", "--method", "local"), "name the words"),
        (("train", "{out}", "{texts}", "--word", "unicorn"), "'unicorn' occurs 0 times"),
        (("train", "{out}", "{texts}", "--pos", "noun"), "needs parsed text"),
        (("train", "{out}", "{texts}", "--features", "conllu"), "line 1 has 1 columns: CoNLL-U has 10"),
    ],
)
def test_errors_are_one_line_and_write_nothing(model, texts, tmp_path, arguments, message):
    out = tmp_path / "out"
    filled = [str(a).format(model=model, out=out, texts=texts) for a in arguments]
    result = tacit("senses", *filled)
    assert result.code == 1
    assert message in result.err
    assert len(result.err.splitlines()) == 1
    assert not out.exists()


def test_a_model_of_sentences_is_no_model_of_senses(texts, tmp_path):
    tacit("train", tmp_path / "sentences", texts, "--components", "2", "--regularization", "1")
    result = tacit("senses", "show", tmp_path / "sentences", "chip")
    assert result.code == 1
    assert "holds a text model, not a sense model" in result.err
