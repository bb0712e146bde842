"""tacit classify: metrics, predictions and one-line errors."""

from __future__ import annotations

import pytest

from helpers.cli_runs import one_line_error, tacit
from tacit import ExponentialKernel, TextClassifier, TextVectorizer

ANIMALS = ["the cat sleeps", "a kitten is a young cat", "the dog barks", "a puppy is a young dog"]
MONEY = ["the bank lends money", "a loan from the bank", "pay interest on a loan", "save money each month"]


@pytest.fixture
def files(tmp_path, sentences):
    train = tmp_path / "train.tsv"
    rows = [f"pets\t{text}" for text in ANIMALS] + [f"money\t{text}" for text in MONEY]
    train.write_text("\n".join(rows), encoding="utf-8")
    test = tmp_path / "test.tsv"
    test.write_text("pets\tmy puppy barks\nmoney\tthe firm pays interest\npets\tkitten\n", encoding="utf-8")
    more = tmp_path / "more.txt"
    more.write_text("\n".join(sentences), encoding="utf-8")
    return {"train": train, "test": test, "more": more, "out": tmp_path / "out.tsv"}


def classify(files, *more):
    return tacit("classify", "--train", files["train"], "--test", files["test"], *more)


@pytest.mark.parametrize("kernel", ["exponential", "vonneumann", "lexical", "latent"])
def test_figures_and_predictions(files, kernel):
    done = classify(files, "--kernel", kernel, "--unlabelled", files["more"], "-o", files["out"])
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].startswith(f"{kernel} kernel, lambda ")
    assert lines[1].startswith(
        "word relations are also learned from the texts to classify (--no-transductive"
    )
    assert [line.split()[0] for line in lines[2:5]] == ["accuracy", "f1", "average"]
    assert lines[5] == f"{files['out']}: 3 predictions"
    header, *rows = [line.split("\t") for line in files["out"].read_text(encoding="utf-8").splitlines()]
    assert header == ["id", "text", "label", "confidence", "label_input"]
    assert [row[1] for row in rows] == ["my puppy barks", "the firm pays interest", "kitten"]
    assert {row[2] for row in rows} <= {"pets", "money"}


def test_json_and_texts_without_labels(files):
    files["test"].write_text("my puppy barks\nthe firm pays interest\n", encoding="utf-8")
    summary = classify(files, "--unlabelled", files["more"], "--lambda", "6", "--json").json
    assert summary["predictions"] == ["pets", "money"]
    assert (summary["lambda"], summary["classes"], summary["background_texts"]) == (6.0, 2, 32)
    assert "accuracy" not in summary


def test_texts_to_classify_teach_word_relations_unless_it_is_turned_off(files, tmp_path):
    rows = ["sports\tgoalkeeper", "money\tloan"] * 2
    files["train"].write_text("\n".join(rows), encoding="utf-8")
    texts = ["goalkeeper saves penalty", "loan interest", "penalty kick", "interest payment"] * 3
    files["test"].write_text("\n".join(texts), encoding="utf-8")
    found = classify(files, "--json").json
    assert (found["transductive"], found["background_texts"]) == (True, 12)
    assert found["predictions"][2:4] == ["sports", "money"]  # no labelled text has their words
    library = TextClassifier(vectorizer=TextVectorizer.paper(tf="log1p"), background=texts)
    library.fit(["goalkeeper", "loan"] * 2, ["sports", "money"] * 2)
    assert found["probabilities"] == library.predict_proba(texts).max(axis=1).round(4).tolist()
    for options in (["--no-transductive"], ["--save", tmp_path / "saved"]):
        result = classify(files, *options)
        assert "word relations" not in result.out
        assert result.code == 0
    inductive = classify(files, "--no-transductive", "--json").json
    assert (inductive["transductive"], inductive["background_texts"]) == (False, 0)
    saved = tacit("classify", "--model", tmp_path / "saved", "--test", files["test"], "--json").json
    assert saved["probabilities"] == inductive["probabilities"]
    assert inductive["probabilities"] != found["probabilities"]


def test_accuracy_is_that_of_the_predictions(files):
    summary = classify(files, "--unlabelled", files["more"], "--cost", "1", "--json").json
    right = [a == b for a, b in zip(summary["predictions"], ["pets", "money", "pets"], strict=True)]
    assert summary["accuracy"] == pytest.approx(sum(right) / 3)
    assert summary["C"] == 1.0


def test_other_languages_and_no_stems(files):
    assert classify(files, "--language", "none").code == 0
    assert classify(files, "--language", "es").code == 0


@pytest.mark.parametrize(
    ("name", "content", "options", "message"),
    [
        ("train", "", [], "train.tsv is empty: it needs a row with a label and a text"),
        ("train", "cat\n", [], "train.tsv has no obvious column of labels: '1'; name it with --label-column"),
        ("train", "\tcat\n", [], "text 1 has no label"),
        ("train", "a\tcat cat\na\tcat\n", [], "all 2 labels are 'a'"),
        (
            "train",
            "pets\tcat\nmoney\tcat\n",
            ["--no-transductive"],
            "none of the 2 documents has a term with a weight above 0",
        ),
        ("test", "", [], "test.tsv is empty: there is nothing to classify"),
        ("test", "birds\tcat\n", [], "the test label 'birds' is not among the training labels: money, pets"),
        ("test", "pets\tcat\n", ["--kernel", "cubic"], "--kernel 'cubic': use one of"),
        ("test", "pets\tcat\n", ["--lambda", "1e9"], "out of range"),
        ("test", "pets\tcat\n", ["-o", "no/such/folder/x.tsv"], "there is no folder no/such/folder"),
    ],
)
def test_invalid_input_is_a_one_line_error(files, name, content, options, message):
    files[name].write_text(content, encoding="utf-8")
    assert message in one_line_error(classify(files, *options))


def test_a_saved_classifier_answers_as_the_one_that_was_trained(files, tmp_path):
    folder = tmp_path / "classifier"
    options = ["--unlabelled", files["more"], "--lambda", "6", "--cost", "1"]
    first = classify(files, *options, "--save", folder, "--json").json
    assert first["saved"] == str(folder)
    again = tacit("classify", "--model", folder, "--test", files["test"], "--json").json
    for name in ("predictions", "probabilities", "accuracy", "f1", "kernel", "lambda", "C", "classes"):
        assert again[name] == first[name]
    assert all(0.5 <= probability <= 1 for probability in first["probabilities"])
    result = tacit("classify", "--model", folder, "--test", files["test"])
    assert result.out.startswith("exponential kernel, lambda 6, C 1; 2 classes, 3 to classify\naccuracy")
    assert "TextClassifier" in tacit("info", folder).out
    trained = tacit("classify", "--train", files["train"], "--save", tmp_path / "other")
    assert trained.out.splitlines()[-1] == f"{tmp_path / 'other'}: the classifier"


def test_many_classes_are_shown_by_info(tmp_path):
    rows = [f"class{n}\tword{n} shared\nclass{n}\tword{n} other shared" for n in range(6)]
    (tmp_path / "train.tsv").write_text("\n".join(rows), encoding="utf-8")
    tacit("classify", "--train", tmp_path / "train.tsv", "--save", tmp_path / "six")
    assert "class0 ... class5 (6 values)" in tacit("info", tmp_path / "six").out


def test_text_without_weighted_words_is_reported_once(files):
    with files["train"].open("a", encoding="utf-8") as file:
        file.write("\npets\t?!\n")
    done = classify(files)
    assert done.code == 0
    assert done.err == f"tacit: 1 text of {files['train']} without a known word: only the label is used\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "give --train FILE to learn from labelled texts, or --model FOLDER"),
        (["--train", "{train}", "--model", "{out}", "--test", "{test}"], "give --train FILE to learn"),
        (["--train", "{train}"], "give --test FILE, the texts to classify"),
        (["--train", "{train}", "--save", "x", "-o", "y.csv"], "give --test FILE"),
        (["--model", "{out}", "--test", "{test}", "--save", "x"], "--model is already trained"),
        (["--model", "{out}", "--test", "{test}", "--transductive"], "--model is already trained"),
        (["--model", "{out}", "--test", "{test}"], "no model at"),
        (["--train", "{train}", "--save", "{train}"], "train.tsv"),
    ],
)
def test_options_that_do_not_go_together(files, options, message):
    assert message in one_line_error(tacit("classify", *(part.format(**files) for part in options)))


def test_a_model_of_another_kind_is_refused(files, tmp_path):
    ExponentialKernel().fit(ANIMALS).save(tmp_path / "model")
    assert "holds a kernel, not a classifier" in one_line_error(
        tacit("classify", "--model", tmp_path / "model", "--test", files["test"])
    )


def test_help_names_every_kernel():
    assert "exponential, vonneumann, lexical or latent" in " ".join(tacit("classify", "--help").out.split())
