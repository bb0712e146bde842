"""Models of several languages on the command line."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest

import tacit as library
from helpers.cli_runs import COMMAND, PATIENCE, one_line_error, tacit
from helpers.language_models import ENGLISH, PAIRS

SMALL = ("--components", 4, "--regularization", 0.5, "--missing-weight", 0.1, "--min-df", 1)


def tsv(path, pairs):
    path.write_text("".join(f"{a}\t{b}\n" for a, b in pairs), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pairs")
    (folder / "english.txt").write_text("\n".join(ENGLISH), encoding="utf-8")
    return {
        "es": tsv(folder / "es.tsv", PAIRS["es"]),
        "de": tsv(folder / "de.tsv", PAIRS["de"]),
        "en": folder / "english.txt",
        "folder": folder,
    }


@pytest.fixture(scope="module", params=["pivot", "bilingual"])
def model(request, files):
    out = files["folder"] / request.param
    result = tacit(
        "train", out, "--parallel", files["es"], "--languages", "en,es", "--parallel", files["de"],
        "--languages", "en,de", "--method", request.param, "--monolingual", files["en"], *SMALL, "--json",
    )  # fmt: skip
    assert result.code == 0, result.err
    assert list(result.json["languages"]) == ["en", "es", "de"]
    return out


def test_compare_detects_languages_or_takes_codes(model):
    detected = tacit("compare", model, "the cat sleeps", "el gato duerme", "--json").json
    result = tacit("compare", model, "the cat sleeps", "el gato duerme", "--language", "en,es", "--json").json
    assert detected == result
    assert (result["language_a"], result["language_b"]) == ("en", "es")
    other = tacit("compare", model, "the cat sleeps", "el banco presta dinero", "--json").json
    assert result["score"] > other["score"]
    blend = tacit("compare", model, "the cat sleeps", "el gato duerme", "--measure", "blend")
    assert 0 < float(blend.out) <= 1


def test_an_index_is_searched_in_any_language(model, files):
    out = files["folder"] / f"{model.name}.index"
    assert tacit("index", out, files["en"], "--model", model).code == 0
    hits = tacit("search", out, "el gato duerme", "--language", "es", "-k", 1, "--json").json
    assert "sleeps" in hits[0]["text"]
    assert "no language 'fr'" in tacit("search", out, "le chat", "--language", "fr").err


def test_compare_pairs_of_a_file(model, files):
    result = tacit("compare", model, "--pairs", files["es"], "--measure", "blend", "--language", "en,es")
    assert result.code == 0
    assert len(result.out.splitlines()) == len(PAIRS["es"])


def test_words_unsaid_and_explain(model):
    words = tacit("words", model, "cat", "--language", "en", "--to", "es", "-k", 3, "--json").json
    assert "gato" in [each["word"] for each in words]
    assert tacit("words", model, "gato", "--language", "es", "--json").json
    assert tacit("unsaid", model, "el banco", "--language", "es", "--to", "en", "--json").json
    why = tacit("explain", model, "the cat", "el gato", "--language", "en,es", "--measure", "alignment")
    assert "cat ~ gato" in why.out


def test_embed_gives_the_librarys_vectors(model, tmp_path):
    source, out = tmp_path / "texts.txt", tmp_path / "vectors.npy"
    source.write_text("el gato duerme\nthe bank lends money\n", encoding="utf-8")
    assert tacit("embed", model, source, "-o", out).code == 0
    expected = library.load(model).encode(["el gato duerme", "the bank lends money"], ["es", "en"])
    assert np.array_equal(np.load(out), expected)


def test_evaluate_pairs_in_two_languages(model, tmp_path):
    path = tmp_path / "judged.tsv"
    path.write_text("5\tthe cat\tel gato\n0\tthe cat\tel banco\n1\tthe bank\tel gato\n", encoding="utf-8")
    result = tacit(
        "evaluate", "pairs", "--file", path, "--languages", "en,es", "--model", model, "--json", "-"
    )
    assert [each["scorer"] for each in result.json] == ["blend", "latent", "lexical", "prefix", "random"]
    assert result.json[0]["pearson"] > 0.5


def test_info_and_a_model_of_one_language_that_grows(files, tmp_path):
    alone = tmp_path / "alone"
    assert tacit("train", alone, files["en"], *SMALL).code == 0
    before = library.load(alone).encode(ENGLISH)
    grown = tacit("add-language", alone, "es", files["es"], "--out", tmp_path / "grown", "--json")
    assert grown.code == 0, grown.err
    assert list(grown.json["languages"]) == ["en", "es"]
    assert np.array_equal(library.load(tmp_path / "grown").encode(ENGLISH, "en"), before)
    assert tacit("add-language", alone, "es", files["es"]).code == 0  # in place
    assert tacit("add-language", alone, "de", files["de"]).code == 0
    assert np.array_equal(library.load(alone).encode(ENGLISH, "en"), before)
    assert list(tacit("info", alone, "--json").json["parameters"]["languages"]) == ["en", "es", "de"]


def test_two_that_add_a_language_at_once_lose_none(files, tmp_path):
    alone = tmp_path / "alone"
    assert tacit("train", alone, files["en"], *SMALL).code == 0
    both = [subprocess.Popen([*COMMAND, "add-language", alone, code, files[code]]) for code in ("es", "de")]
    assert [process.wait(timeout=PATIENCE) for process in both] == [0, 0]
    assert set(library.load(alone).languages) == {"en", "es", "de"}


def test_a_language_for_a_model_that_is_not_there_makes_nothing(files, tmp_path):
    assert "no model at" in one_line_error(tacit("add-language", tmp_path / "none", "es", files["es"]))
    assert not (tmp_path / "none").exists()


def test_two_files_and_tmx(files, tmp_path):
    (tmp_path / "a.en").write_text("\n".join(en for en, _ in PAIRS["es"]), encoding="utf-8")
    (tmp_path / "a.es").write_text("\n".join(es for _, es in PAIRS["es"]), encoding="utf-8")
    both = f"{tmp_path / 'a.en'},{tmp_path / 'a.es'}"
    result = tacit("train", tmp_path / "m", "--parallel", both, "--languages", "en,es", *SMALL)
    assert result.code == 0, result.err
    expected = tacit("train", tmp_path / "n", "--parallel", files["es"], "--languages", "en,es", *SMALL)
    assert expected.code == 0
    arguments = (["el gato"], "es")
    assert np.array_equal(*(library.load(tmp_path / name).encode(*arguments) for name in ("m", "n")))


def test_swapped_columns_are_reported(tmp_path):
    pairs = [
        ("the government announced new measures today", "el gobierno anunció hoy nuevas medidas"),
        ("she bought three books at the market", "ella compró tres libros en el mercado"),
        ("we will travel to the coast next summer", "viajaremos a la costa el próximo verano"),
    ] * 3
    swapped = tsv(tmp_path / "a.tsv", [(b, a) for a, b in pairs])
    result = tacit("train", tmp_path / "m", "--parallel", swapped, "--languages", "en,es", *SMALL)
    assert "look like 'es', not 'en'" in result.err
    assert "swapped?" in result.err
    right = tacit(
        "train", tmp_path / "m", "--parallel", tsv(tmp_path / "b.tsv", pairs), "--languages", "en,es", *SMALL
    )
    assert "swapped" not in right.err


@pytest.mark.parametrize(
    ("content", "languages", "message"),
    [
        ("a cat\n", "en,es", "line 1 has 1 column, not 2"),
        ("a\tb\na\tb\tc\n", "en,es", "line 2 has 3 columns, not 2"),
        ("a\t\n", "en,es", "line 1: the second text is empty"),
        ("", "en,es", "no pairs"),
        ("a\tb\n", "en,spanish", "'spanish' is not a language code: did you mean es?"),
        ("a\tb\n", "en", "at least 2"),
        ("a\tb\n", "en,en", "given twice"),
        ("a\tb\n", "en,es,de", "give the two of the file"),
    ],
)
@pytest.mark.parametrize("method", ["pivot", "bilingual"])
def test_bad_pairs_are_named_and_nothing_is_written(tmp_path, method, content, languages, message):
    path = tmp_path / "a.tsv"
    path.write_text(content, encoding="utf-8")
    out = tmp_path / "model"
    result = tacit("train", out, "--parallel", path, "--languages", languages, "--method", method)
    assert result.code == 1
    assert message in result.err
    assert not out.exists()


def test_invalid_multilingual_commands_are_errors(model, files, tmp_path):
    for arguments, message in (
        (("compare", model, "a", "b", "--language", "fr"), "no language 'fr': it has en, es, de"),
        (("compare", model, "a", "b", "--language", "en,es,de"), "two as en,es"),
        (("words", model, "cat", "--language", "fr"), "no language 'fr'"),
        (("embed", model, files["en"], "-o", tmp_path / "v.npy", "--language", "fr"), "no language 'fr'"),
        (("add-language", model, "es", files["es"]), "has the language 'es' already"),
        (("add-language", model, "zz", files["es"]), "'zz' is not a language code"),
        (("add-language", model, "fr"), "name a file of pairs"),
        (("add-language", model, "fr", tmp_path / "none.tsv"), "no such file"),
        (("train", tmp_path / "x", "--parallel", files["es"]), "1 --parallel and 0 --languages"),
        (("train", tmp_path / "x", "--languages", "en,es"), "0 --parallel and 1 --languages"),
        (("train", tmp_path / "x", files["en"], "--parallel", files["es"], "--languages", "en,es"),
         "--monolingual"),
    ):  # fmt: skip
        result = tacit(*arguments)
        assert (result.code, message in result.err) == (1, True), result.err
    assert not (tmp_path / "x").exists()
    assert list(library.load(model).languages) == ["en", "es", "de"]


def test_a_model_of_one_language_knows_its_own_and_no_other(files, tmp_path):
    assert tacit("train", tmp_path / "alone", files["en"], *SMALL).code == 0
    for arguments in (("compare", "a", "b"), ("words", "cat"), ("unsaid", "cat"), ("explain", "a", "b")):
        verb, *texts = arguments
        assert tacit(verb, tmp_path / "alone", *texts, "--language", "en").code == 0
        result = tacit(verb, tmp_path / "alone", *texts, "--language", "es")
        assert result.code == 1
        assert "no language 'es': it has en; add it with add_language" in result.err


def test_texts_may_be_encoded_at_another_cost(files, tmp_path):
    pairs = ("--parallel", files["es"], "--languages", "en,es", "--monolingual", files["en"], *SMALL)
    assert tacit("train", tmp_path / "m", *pairs, "--text-regularization", 2).code == 0
    assert library.load(tmp_path / "m").languages["es"].text_regularization == 2
    for args, message in (
        ((*pairs, "--text-regularization", -1), "--text-regularization -1.0: expected a number above 0"),
        (
            (*pairs, "--method", "bilingual", "--text-regularization", 2),
            "--text-regularization 2.0 is only for the method pivot",
        ),
    ):
        result = tacit("train", tmp_path / "n", *args)
        assert result.code == 1
        assert message in result.err
        assert not (tmp_path / "n").exists()
