"""tacit classify: classify texts, from few labelled ones or with a saved classifier."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.checks import format_count
from tacit.cli import shared_options as shared
from tacit.cli.output import ProgressBar, check_output_file, print_result, print_stderr
from tacit.errors import InputError
from tacit.workflows import read_lines, read_pairs
from tacit.workflows.loading import load
from tacit.workflows.progress import ProgressEvent

if TYPE_CHECKING:
    from tacit.kernels import TextClassifier

_LAMBDA = shared.NumberOrWord(click.FLOAT, "cv", "alignment")
_COST = shared.NumberOrWord(click.FLOAT, "cv")


@click.command(short_help="Classify texts from few labelled ones.")
@click.option("--train", "train_file", help="TSV file of label, text.")
@click.option("--model", "folder", help="Classifier folder written by --save.")
@click.option("--test", "test_file", help="Texts to classify: label, text or text alone.")
@click.option("--kernel", default="exponential", help="Kernel: exponential, vonneumann, lexical or latent.")
@click.option("--lambda", "lambda_", type=_LAMBDA, default="cv", help="Lambda: a number, cv or alignment.")
@click.option("--cost", "C", type=_COST, default="cv", help="SVM parameter C: a number or cv.")
@click.option("--unlabelled", help="File of unlabelled texts, one per line.")
@click.option("--transductive", is_flag=True, help="Use the test texts, without labels, in training too.")
@shared.stemmer_option("en", "Stemmer language, or none.")
@click.option("--save", help="Write the classifier to this folder.")
@click.option("-o", "--out", help="Write label and text of each prediction to this TSV file.")
@shared.json_option
def classify(
    train_file: str | None, folder: str | None, test_file: str | None, unlabelled: str | None,
    transductive: bool, language: str | None, save: str | None, out: str | None, as_json: bool,
    **settings: Any,
) -> None:  # fmt: skip
    """Train a classifier on a few labelled texts and predict the labels of others.

    A semantic kernel counts words that occur in similar texts as partly equal. Lambda controls how much; it
    is chosen together with C by cross-validation on the training labels, in units of 1 / |K|^(1/4).
    """
    from tacit.storage import check_target
    from tacit.storage.durable_files import write_atomic

    if (train_file is None) == (folder is None):
        raise InputError("give --train FILE to learn from labelled texts, or --model FOLDER of a classifier")
    if folder is not None and (unlabelled or transductive or save is not None):
        raise InputError("--model is already trained: --save, --unlabelled and --transductive need --train")
    if test_file is None and (save is None or out is not None):
        raise InputError("give --test FILE, the texts to classify, or --train with --save FOLDER alone")
    target = None if out is None else check_output_file(out, [Path(out).suffix])
    if save is not None:
        check_target(save)
    gold, test_texts = (None, []) if test_file is None else _read_test(test_file)
    summary: dict[str, Any] = {"model": folder}
    if train_file is None:
        model = load(str(folder), "classifier")
    else:
        background = [*(read_lines(unlabelled) if unlabelled else ()), *(test_texts if transductive else ())]
        model, summary = _train(train_file, gold, background, language, settings)
    summary |= {"kernel": model.kernel, "lambda": model.chosen_lambda_, "C": model.chosen_C_}
    summary["classes"] = len(model.classes_)
    if save is not None:
        model.save(save)
        summary["saved"] = save
    if test_file is not None:
        summary |= _predict(model, test_texts, gold)
    if target is not None:
        del summary["probabilities"]
        rows = zip(summary.pop("predictions"), test_texts, strict=True)
        content = "".join(f"{label}\t{text}\n" for label, text in rows).encode("utf-8")
        write_atomic(target, lambda file: file.write(content))
        summary["file"] = out
    print_result(summary, _describe(summary), as_json)


def _train(
    file: str, gold: list[str] | None, background: list[str], language: str | None, settings: dict[str, Any]
) -> tuple[TextClassifier, dict[str, Any]]:
    """Train a classifier on a file of labelled texts; also return the numbers of texts."""
    from tacit.evaluation.metrics import check_labels
    from tacit.kernels import TextClassifier
    from tacit.text import TextVectorizer

    labels, texts = _read_labelled(file)
    if gold is not None and len(set(labels)) > 1:
        check_labels(gold, labels)
    vectorizer = TextVectorizer.paper(language=language, tf="log1p")
    trial_numbers = count(1)
    with ProgressBar() as bar, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)  # no maximum of the alignment, no convergence

        def show(lambda_: float, C: float, accuracy: float) -> None:
            detail = f"lambda {lambda_:g}, C {C:g}: {accuracy:.3f}"
            bar(ProgressEvent("learning", next(trial_numbers), None, detail))

        settings |= {"vectorizer": vectorizer, "background": background or None, "callback": show}
        model = TextClassifier(**settings).fit(texts, labels)
    for warning in caught:
        print_stderr(str(warning.message))
    if n_empty := model.kernel_.n_empty_:
        empty = format_count(n_empty, "text")
        print_stderr(f"{empty} of {file} without a word that counts: the label alone is used")
    return model, {"training_texts": len(texts), "background_texts": len(background)}


def _predict(model: TextClassifier, texts: list[str], gold: list[str] | None) -> dict[str, Any]:
    """Return classes and their probabilities, and metrics where the labels are known."""
    from tacit.evaluation.metrics import check_labels, classification_metrics

    classes = [str(name) for name in model.classes_.tolist()]
    probabilities = model.predict_proba(texts)
    predicted = [classes[number] for number in probabilities.argmax(axis=1).tolist()]
    summary: dict[str, Any] = {"test_texts": len(texts)}
    if gold is not None:
        check_labels(gold, classes)
        summary |= classification_metrics(gold, predicted, model.decision_function(texts), classes)
    return summary | {"predictions": predicted, "probabilities": probabilities.max(axis=1).round(4).tolist()}


def _read_labelled(file: str) -> tuple[list[str], list[str]]:
    """Return labels and texts."""
    remedy = "put a label, a tab and a text on each line"
    labels, texts = [], []
    for number, (label, text) in enumerate(read_pairs(file, "a label and a text"), 1):
        if not label.strip():
            raise InputError(f"{file}, text {number} has no label: {remedy}")
        labels.append(label)
        texts.append(text)
    if not texts:
        raise InputError(f"{file} is empty: {remedy}")
    return labels, texts


def _read_test(file: str) -> tuple[list[str] | None, list[str]]:
    """Return the labels, if the first line has a tab, and the texts."""
    texts = list(read_lines(file))
    if not texts:
        raise InputError(f"{file} is empty: there is nothing to classify")
    return _read_labelled(file) if "\t" in texts[0] else (None, texts)


def _describe(summary: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a summary."""
    parameters = f"lambda {summary['lambda']:g}, C {summary['C']:g}"
    parts = [f"{summary['kernel']} kernel, {parameters}; {summary['classes']} classes"]
    if "training_texts" in summary:
        parts.append(format_count(summary["training_texts"], "labelled text"))
        if summary["background_texts"]:
            parts.append(f"{summary['background_texts']:,} without")
    if "test_texts" in summary:
        parts.append(f"{summary['test_texts']:,} to classify")
    yield ", ".join(parts)
    for name in ("accuracy", "f1", "average_precision"):
        if name in summary:
            yield f"{name.replace('_', ' '):18}{summary[name]:.4f}"
    if "saved" in summary:
        yield f"{summary['saved']}: the classifier"
    if "file" in summary:
        yield f"{summary['file']}: {format_count(summary['test_texts'], 'prediction')}"
