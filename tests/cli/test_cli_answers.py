# ruff: noqa: RUF001 (other scripts are meant)
"""Commands that query a model: compare, explain, unsaid, words, info and doctor."""

from __future__ import annotations

import json
import re
import subprocess

import pytest

import tacit as library
from helpers.cli_runs import COMMAND, ENVIRONMENT, command, one_line_error, tacit
from tacit.factorize import als_reference
from tacit.storage import FORMAT

PETS, MONEY = "my kitten sleeps", "the bank lends money"


def test_a_pair_is_scored_as_the_library_scores_it(model):
    result = tacit("compare", model, PETS, "a young cat")
    expected = float(library.load(model).similarity_pairwise([PETS], ["a young cat"], "blend")[0])
    assert (result.code, result.out, result.err) == (0, f"{expected:.4f}\n", "")
    assert expected > float(tacit("compare", model, PETS, MONEY).out.split()[0])


def test_a_pair_for_programs_tells_how_many_words_were_known(model):
    answer = tacit("compare", model, "the young kitten", "kitten xyzzy, young one", "--json").json
    assert (answer.pop("known_a"), answer.pop("known_b")) == (3, 2)
    assert (answer.pop("language_a"), answer.pop("language_b")) == ("en", "en")
    assert list(answer) == ["score", "percentile"]
    assert 50 < answer["percentile"] <= 100
    assert answer["score"] > 0.6


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text(
        f"{PETS}\tthe puppy barks\n\n{PETS}\t{MONEY}\n\tcat\nγάτα\t\U0001f408\n", encoding="utf-8"
    )
    return path


def test_pairs_of_a_file(model, pairs):
    result = tacit("compare", model, "--pairs", pairs)
    lines = [line.split("\t") for line in result.out.splitlines()]
    assert [line[1:] for line in lines] == [
        [PETS, "the puppy barks"], [PETS, MONEY], ["", "cat"], ["γάτα", "\U0001f408"],
    ]  # fmt: skip
    assert float(lines[0][0]) > float(lines[1][0])
    assert [line[0] for line in lines[2:]] == ["0.0000", "0.0000"]
    assert result.code == 0
    assert result.err == "tacit: no known word in '', 'γάτα', '\U0001f408': compared by letters alone\n"


def test_pairs_for_programs(model, pairs):
    answers = tacit("compare", model, "--pairs", "-", "--json", stdin=pairs.read_bytes()).json
    assert [sorted(answer) for answer in answers] == [
        ["known_a", "known_b", "language_a", "language_b", "percentile", "score"]
    ] * 4
    assert [(answer["known_a"], answer["known_b"]) for answer in answers[2:]] == [(0, 1), (0, 0)]
    assert [answer["score"] for answer in answers[2:]] == [0, 0]
    single = tacit("compare", model, PETS, MONEY, "--json").json
    assert answers[1] == single


def test_no_pairs_are_no_answers(model, tmp_path):
    (tmp_path / "none.tsv").write_text("", encoding="utf-8")
    assert tacit("compare", model, "--pairs", tmp_path / "none.tsv", "--json").json == []
    assert tacit("compare", model, "--pairs", tmp_path / "none.tsv").out == ""


def test_the_number_of_threads_does_not_change_the_answer(model, pairs):
    one, two = (tacit("compare", model, "--pairs", pairs, "--threads", n) for n in (1, 2))
    assert one == two


@pytest.mark.parametrize("args", [(), (PETS,), (PETS, MONEY, "--pairs", "p.tsv"), (PETS, "--pairs", "p.tsv")])
def test_compare_wants_two_texts_or_a_file(model, args):
    assert "--pairs FILE" in one_line_error(tacit("compare", model, *args))


@pytest.mark.parametrize("line", ["only one", "one\ttwo\tthree"])
def test_a_malformed_pair_is_named_by_its_line(model, tmp_path, line):
    path = tmp_path / "p.tsv"
    path.write_text(f"a cat\ta dog\n{line}\n", encoding="utf-8")
    error = one_line_error(tacit("compare", model, "--pairs", path))
    assert f"{path}, line 2 has" in error


@pytest.mark.parametrize(
    "measure", ["latent", "inner", "lexical", "ngram", "characters", "alignment", "blend"]
)
def test_other_measures(model, measure):
    from tacit import load

    result = tacit("compare", model, "a kitten sleeps", "the cat plays", "--measure", measure, "--json").json
    expected = load(model).similarity(["a kitten sleeps"], ["the cat plays"], measure=measure)[0, 0]
    assert result["score"] == pytest.approx(float(expected), abs=1e-5)
    assert measure in tacit("compare", "--help").out


def test_a_measure_there_is_not(model):
    done = tacit("compare", model, "a", "b", "--measure", "euclid")
    assert done.code == 1
    assert "--measure 'euclid': use one of blend" in done.err


def test_unknown_words_of_a_text_are_listed(model):
    result = tacit("compare", model, "a cat and a xyzzy", "the puppy barks at 7 plughs")
    assert result.err == "tacit: unknown words, compared only by their letters: 'xyzzy', 'plughs'\n"
    assert tacit("compare", model, "a cat", "the cat").err == ""


def test_a_text_without_known_words_scores_zero_and_says_so(model):
    for text in ("", "xyzzy", "\U0001f408", "\x01\x02"):
        result = tacit("compare", model, text, "a cat")
        assert (result.code, result.out.split()[0]) == (0, "0.0000")
        assert result.err == f"tacit: no known word in {text!r}: compared by letters alone\n"


def test_texts_in_any_script_with_any_character_are_compared(model):
    for text in (
        "η γάτα κοιμάται",
        "बिल्ली सोती है",
        "猫在睡觉",
        "القطة تنام",
        "cat\x07\x1b[2J\u202e\U0001f408",
    ):
        result = tacit("compare", model, text, text, "--json")
        assert result.code == 0
        assert result.json["score"] == 1.0
        latent = tacit("compare", model, text, text, "--measure", "latent", "--json")
        assert latent.json["score"] == pytest.approx(1.0 if "cat" in text else 0.0, abs=1e-5)


def test_a_very_long_text_is_compared(model, tmp_path, sentences):
    once = " ".join(sentences) + " "
    long = once * 1200
    assert len(long) > 1_000_000
    (tmp_path / "p.tsv").write_text(f"{long}\t{long}\n", encoding="utf-8")
    answer = tacit("compare", model, "--pairs", tmp_path / "p.tsv", "--json").json[0]
    assert answer["score"] == pytest.approx(1.0, abs=1e-5)
    assert answer["known_a"] == 1200 * tacit("compare", model, once, "", "--json").json["known_a"] > 100_000


def test_explain_sums_to_the_score_of_compare(model):
    texts = ("the kitten sleeps on a mat", "our dog barks at the cat")
    result = tacit("explain", model, *texts, "--json").json
    assert sum(map(sum, result["table"])) == pytest.approx(result["score"], abs=1e-6)
    assert result["score"] == pytest.approx(tacit("compare", model, *texts, "--json").json["score"], abs=1e-5)
    assert len(result["table"]) == len(result["words_a"])
    assert {len(row) for row in result["table"]} == {len(result["words_b"])}
    assert {"kitten", "sleeps"} <= set(result["words_a"])


def test_explain_shows_the_table_and_as_many_pairs_as_asked_for(model):
    result = tacit("explain", model, "the kitten sleeps", "our dog barks", "-k", 3)
    explanation = tacit("explain", model, "the kitten sleeps", "our dog barks", "--json").json
    table, pairs = result.out.split("\n\n")
    assert table.splitlines()[0].split() == explanation["words_b"]
    rows = [[float(cell) for cell in line.split()[1:]] for line in table.splitlines()[1:]]
    assert rows == [pytest.approx(row, abs=0.00051) for row in explanation["table"]]
    assert len({len(line) for line in table.splitlines()}) == 1  # aligned
    *top, latent, alignment, total = pairs.splitlines()
    assert (latent.split()[1:], alignment.split()[1:]) == (["of", "it", "latent"], ["of", "it", "alignment"])
    strengths = [abs(float(line.split()[0])) for line in top]
    assert len(top) == 3
    assert strengths == sorted(strengths, reverse=True)
    assert total.startswith(f"{explanation['score']:.4f}  the sum of all ")


def test_explain_of_nothing_is_zero(model):
    for text in ("", "\U0001f408", "xyzzy"):
        result = tacit("explain", model, text, "a cat")
        assert result.code == 0
        assert result.out.splitlines()[-1].startswith("0.0000  the sum of ")
        assert result.err == f"tacit: no known word in {text!r}: compared by letters alone\n"


def test_unsaid_words_are_not_in_the_text_and_fit_it(model):
    text = "a kitten"
    words = [entry["word"] for entry in tacit("unsaid", model, text, "-k", 6, "--json").json]
    assert len(words) == 6
    assert not set(words) & {"a", "kitten"}
    assert {"cat", "puppy", "young"} & set(words[:4])
    lines = tacit("unsaid", model, text, "-k", 6).out.splitlines()
    assert [line.split()[1] for line in lines] == words


def test_a_text_without_known_words_leaves_nothing_unsaid(model):
    result = tacit("unsaid", model, "xyzzy")
    assert (result.code, result.out) == (0, "")
    assert result.err == "tacit: no known word in 'xyzzy': nothing to add\n"
    assert tacit("unsaid", model, "xyzzy", "--json").json == []


def test_words_are_the_nearest_of_the_library(model):
    nearest = tacit("words", model, "kittens", "-k", 4, "--json").json
    expected = library.load(model).nearest_words("kitten", 4)
    assert [(entry["word"], entry["score"]) for entry in nearest] == [
        (word, pytest.approx(score, abs=1e-6)) for word, score in expected
    ]
    lines = tacit("words", model, "kittens", "-k", 4).out.splitlines()
    assert [line.split()[1] for line in lines] == [word for word, _ in expected]
    assert len(tacit("words", model, "kitten").out.splitlines()) == 10


def test_an_unknown_word_is_answered_with_those_like_it(model):
    error = one_line_error(tacit("words", model, "kitenn"))
    assert "'kitenn'; did you mean kitten" in error
    assert "did you mean" not in one_line_error(tacit("words", model, "xyzzy"))


@pytest.mark.parametrize("word", ["", "two words", "\u2192"])
def test_words_wants_one_word(model, word):
    assert "give a single one" in one_line_error(tacit("words", model, word))


def test_info_tells_what_the_folder_holds(model):
    config = json.loads((model / "config.json").read_text("utf-8"))
    assert tacit("info", model, "--json").json == config
    lines = tacit("info", model).out.splitlines()
    assert re.search(r"^n_components +8$", "\n".join(lines), re.M)
    assert len({re.search(r" {2,}", line).end() for line in lines}) == 1  # aligned
    assert max(map(len, lines)) <= 80


def test_doctor_finds_this_installation_sound():
    report = tacit("doctor", "--json").json
    assert report["tacit"] == library.__version__
    assert report["threads"] >= 1
    assert re.match(r"\d", report["packages"]["numpy"])
    assert report["self_test"]["sound"] is True
    assert report["self_test"]["threads_agree"] is True
    assert report["self_test"]["relative_error"] < 1e-5
    result = tacit("doctor")
    assert (result.code, result.err) == (0, "")
    assert "self-test  sound: relative error" in result.out
    assert max(map(len, result.out.splitlines())) <= 80


def test_doctor_compiles_ahead():
    assert tacit("doctor", "--warm", "--json").json["seconds"] > 0
    assert tacit("doctor", "--warm").out.startswith("compiled in ")


def test_doctor_examines_a_model_and_says_what_was_checked(model):
    report = tacit("doctor", model, "--json").json
    assert report["sound"]
    assert (report["class"], report["format"]) == ("TextModel", FORMAT)
    result = tacit("doctor", model)
    assert result.code == 0
    assert f"{model} is sound: class TextModel, format {FORMAT}" in result.out
    for checked in ("SHA-256", "finite numbers", "rows of vocabulary", "its parts fit together"):
        assert checked in " ".join(result.out.split())
        assert checked in str(report["checked"])


def test_doctor_notices_a_solver_that_errs(monkeypatch):
    right = als_reference.solve
    monkeypatch.setattr(als_reference, "solve", lambda *args: right(*args) * 1.001)
    result = tacit("doctor")
    assert result.code == 1
    assert "self-test  NOT SOUND" in result.out
    assert (
        result.err
        == "tacit: the solver does not agree with the reference: reinstall tacit, numba and numpy\n"
    )


def process(*args: object, **streams: object) -> subprocess.Popen[str]:
    return subprocess.Popen([*args], stderr=subprocess.PIPE, env=ENVIRONMENT, text=True, **streams)


def test_a_reader_that_leaves_early_is_no_error(model, tmp_path):
    many = tmp_path / "many.tsv"
    many.write_text("a cat\ta dog\n" * 50_000, encoding="utf-8")
    with process(*COMMAND, "compare", model, "--pairs", many, stdout=subprocess.PIPE) as run:
        assert run.stdout.readline().endswith("a cat\ta dog\n")
        run.stdout.close()
        assert run.stderr.read() == ""
    assert run.returncode == 0


@pytest.mark.parametrize("args", [("info", "--json"), ("--help",)])
def test_a_full_disk_is_one_line(model, args):
    arguments = [args[0], model, *args[1:]] if args[0] == "info" else args
    with open("/dev/full", "wb") as full, process(*COMMAND, *arguments, stdout=full) as run:
        message = run.stderr.read()
    assert run.returncode == 1
    assert message.startswith("tacit: No space left on device")
    assert message.count("\n") == 1


def test_a_closed_output_is_no_error(model):
    with process("/bin/sh", "-c", 'exec "$@" >&-', "sh", *COMMAND, "info", model) as run:
        assert run.stderr.read() == ""
    assert run.returncode == 0


def test_a_terminal_that_is_not_utf8_gets_what_it_can_show(tmp_path):
    notes = tmp_path / "notes.txt"
    notes.write_text("γάτα κοιμάται\nγάτα τρώει\nκοιμάται τρώει\n", encoding="utf-8")
    assert tacit("train", tmp_path / "m", notes, "--language", "none", "--regularization", 0.1).code == 0
    for encoding in ("ascii", "latin-1"):
        assert tacit("explain", tmp_path / "m", "γάτα", "τρώει", encoding=encoding).code == 0
        result = tacit("words", tmp_path / "m", "γάτα", "--json", encoding=encoding).json
        assert {entry["word"] for entry in result} == {"κοιμάται", "τρώει"}


def test_arguments_that_are_not_unicode(model, tmp_path, corpus):
    """In a locale whose output is strict UTF-8."""
    strict = {"PYTHONIOENCODING": "utf-8:strict"}
    folder = bytes(tmp_path) + b"/m\xff"
    trained = command("train", folder, corpus, "--regularization", 1, "--json", **strict)
    assert (trained.code, trained.err) == (0, "")
    assert trained.json["model"] == f"{tmp_path}/m\udcff"
    result = command("compare", folder, b"\xff cat", b"\xfe", **strict)
    assert (result.code, result.out.split()[0]) == (0, "0.0000")
    assert result.err == "tacit: no known word in '\\udcfe': compared by letters alone\n"


@pytest.mark.parametrize("verb", ["explain", "unsaid", "words", "info"])
def test_texts_and_names_that_are_not_unicode_raise_no_traceback(model, verb):
    odd = "\udcff"
    args = {
        "explain": (model, odd, f"cat {odd}"),
        "unsaid": (model, odd),
        "words": (model, odd),
        "info": (odd,),
    }
    result = tacit(verb, *args[verb])
    assert result.code == {"explain": 0, "unsaid": 0, "words": 1, "info": 1}[verb]
    assert re.fullmatch(r"tacit: [^\n]*\\udcff[^\n]*\n", result.err)
