"""tacit classify: classify texts, from few labelled ones or with a saved classifier."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.checks import format_count
from tacit.cli import shared_options as shared
from tacit.cli.output import ProgressBar, print_result, print_stderr
from tacit.corpora.table_rows import ReadOptions
from tacit.errors import InputError
from tacit.result_table import name_other_columns
from tacit.workflows import classify as classify_texts
from tacit.workflows import read_lines

if TYPE_CHECKING:
    from tacit.workflows.classification import Classification
    from tacit.workflows.table_inputs import TextTable

_LAMBDA = shared.NumberOrWord(click.FLOAT, "cv", "alignment")
_COST = shared.NumberOrWord(click.FLOAT, "cv")


@click.command(short_help="Classify texts from few labelled ones.")
@click.option("--train", "train_file", help="Table of texts and labels; without a header: label, text.")
@click.option("--model", "folder", help="Classifier folder written by --save.")
@click.option("--test", "test_file", help="Table of texts to classify, with or without labels; or lines.")
@click.option("--column", help="Text column of --train and --test: name or number (default: detected).")
@click.option("--label-column", help="Label column of --train and --test (default: detected).")
@shared.reading_options
@click.option("--kernel", default="exponential", help="Kernel: exponential, vonneumann, lexical or latent.")
@click.option("--lambda", "lambda_", type=_LAMBDA, default="cv",
              help="Kernel parameter lambda: a number, cv or alignment.")  # fmt: skip
@click.option("--cost", "C", type=_COST, default="cv", help="SVM parameter C: a number or cv.")
@click.option("--unlabelled", help="File of unlabelled texts, one per line.")
@click.option("--transductive/--no-transductive", default=None,
              help="Learn word relations from the test texts too (default, except with --save).")  # fmt: skip
@shared.stemmer_option("en", "Stemmer language, or none.")
@shared.encoder_option
@click.option("--save", help="Write the classifier to this folder.")
@click.option(
    "-o", "--out", "--output", metavar="FILE", callback=shared.check_table,
    help="Write id, text, label, confidence: .csv, .tsv, .jsonl, .parquet or .xlsx.",
)  # fmt: skip
@shared.json_option
def classify(
    train_file: str | None, folder: str | None, test_file: str | None, column: str | None,
    label_column: str | None, reading: ReadOptions, unlabelled: str | None, transductive: bool | None,
    language: str | None, save: str | None, out: Path | None, as_json: bool, **settings: Any,
) -> None:  # fmt: skip
    """Train a classifier on a few labelled texts and predict the labels of others.

    A semantic kernel counts words that occur in similar texts as partly equal. Lambda controls how much; it
    is chosen together with C by cross-validation on the training labels, in units of 1 / |K|^(1/4). Which
    words occur in similar texts is learned from the texts of --train and --unlabelled, and from those of
    --test unless the classifier is saved.
    """
    from tacit.storage import check_target

    if (train_file is None) == (folder is None):
        raise InputError("give --train FILE to learn from labelled texts, or --model FOLDER of a classifier")
    if folder is not None and (unlabelled or transductive or save is not None or settings["encoder"]):
        problem = "--model is already trained"
        raise InputError(f"{problem}: --save, --unlabelled, --transductive and --encoder need --train")
    if test_file is None and (save is None or out is not None):
        raise InputError("give --test FILE, the texts to classify, or --train with --save FOLDER alone")
    if save is not None:
        check_target(save)
    train, test = _read_tables(train_file, test_file, column, label_column, reading)
    with ProgressBar() as bar, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)  # no maximum of the alignment, no convergence
        result = classify_texts(
            [] if test is None else test.column(test.texts[0]),
            [] if train is None else train.column(train.texts[0]),
            [] if train is None else train.column(train.label),
            model=folder,
            gold=None if test is None or test.label is None else test.column(test.label),
            unlabelled=list(read_lines(unlabelled)) if unlabelled else [],
            transductive=save is None if transductive is None else transductive,
            language=language, progress=bar, **settings,
        )  # fmt: skip
    for warning in caught:
        print_stderr(str(warning.message))
    summary = _summarize(result, folder, train)
    if save is not None:
        result.model.save(save)
        summary["saved"] = save
    if test is not None and out is not None:
        _write_predictions(out, test, summary.pop("predictions"), summary.pop("probabilities"))
        summary["file"] = str(out)
    print_result(summary, _describe(summary), as_json)


def _summarize(result: Classification, folder: str | None, train: TextTable | None) -> dict[str, Any]:
    """Return the numbers and the predictions; also report labelled texts without words."""
    model = result.model
    summary: dict[str, Any] = {"model": folder}
    if train is not None:
        if n_empty := model.kernel_.n_empty_:
            empty = format_count(n_empty, "text")
            print_stderr(f"{empty} of {train.path} without a known word: only the label is used")
        summary = {"training_texts": len(train.rows), "transductive": result.n_transductive > 0}
        summary["unlabelled_texts"] = result.n_unlabelled
        summary["background_texts"] = result.n_unlabelled + result.n_transductive
    summary |= {"kernel": model.kernel, "lambda": model.chosen_lambda_, "C": model.chosen_C_}
    summary["classes"] = len(model.classes_)
    if result.labels:
        probabilities = [round(probability, 4) for probability in result.probabilities]
        summary |= {"test_texts": len(result.labels), **result.metrics}
        summary |= {"predictions": result.labels, "probabilities": probabilities}
    return summary


def _read_tables(
    train_file: str | None, test_file: str | None, column: str | None, label_column: str | None,
    reading: ReadOptions,
) -> tuple[TextTable | None, TextTable | None]:  # fmt: skip
    """Read the labelled texts and those to classify, where given; InputError if a label is missing."""
    from tacit.workflows.table_inputs import read_labelled_table

    train = None
    if train_file is not None:
        train = read_labelled_table(train_file, column, label_column, reading)
        if not train.rows:
            raise InputError(f"{train_file} is empty: it needs a row with a label and a text")
        if train.label is None:
            names = ", ".join(map(repr, train.names[:10]))
            problem = f"{train_file} has no obvious column of labels: {names}"
            raise InputError(f"{problem}; name it with --label-column")
        for number, label in enumerate(train.column(train.label), 1):
            if not label.strip():
                raise InputError(f"{train_file}, text {number} has no label: give one, or remove the text")
    test = None
    if test_file is not None:
        test = read_labelled_table(test_file, column, label_column, reading, train)
        if not test.rows:
            raise InputError(f"{test_file} is empty: there is nothing to classify")
    return train, test


def _write_predictions(path: Path, test: TextTable, labels: list[str], confidences: list[float]) -> None:
    """Write id, text, label and confidence of each text, then its other columns."""
    from tacit.workflows.table_writing import write_table

    own, records = ["id", "text", "label", "confidence"], test.other_columns()
    others = name_other_columns(own, records)
    rows = zip(test.column(test.id), test.column(test.texts[0]), labels, confidences, strict=True)
    cells = ([*row, *map(record.get, others)] for row, record in zip(rows, records, strict=True))
    write_table(path, [*own, *others.values()], cells)


def _describe(summary: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a summary."""
    parameters = f"lambda {summary['lambda']:g}, C {summary['C']:g}"
    parts = [f"{summary['kernel']} kernel, {parameters}; {summary['classes']} classes"]
    if "training_texts" in summary:
        parts.append(format_count(summary["training_texts"], "labelled text"))
        if summary["unlabelled_texts"]:
            parts.append(f"{summary['unlabelled_texts']:,} unlabelled")
    if "test_texts" in summary:
        parts.append(f"{summary['test_texts']:,} to classify")
    yield ", ".join(parts)
    if summary.get("transductive"):
        yield "word relations are also learned from the texts to classify (--no-transductive turns this off)"
    for name in ("accuracy", "f1", "average_precision"):
        if name in summary:
            yield f"{name.replace('_', ' '):18}{summary[name]:.4f}"
    if "saved" in summary:
        yield f"{summary['saved']}: the classifier"
    if "file" in summary:
        yield f"{summary['file']}: {format_count(summary['test_texts'], 'prediction')}"
