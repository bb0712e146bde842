"""tacit classify: classes for texts, from few labelled ones."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.common import complain, fixed, json_option, print_json, progress, verb

if TYPE_CHECKING:
    from tacit.kernels import TextClassifier

Labelled = tuple[list[str], list[str]]
"""Labels and texts."""


@click.command(short_help="Classify texts from few labelled ones.")
@click.option("--train", "train_file", required=True, help="A TSV file of label, text.")
@click.option("--test", "test_file", required=True, help="The texts to classify: label, text, or text alone.")
@click.option(
    "--kernel", default="exponential", show_default=True, help="exponential, vonneumann, lexical or latent."
)
@click.option("--lambda", "strength", default="cv", show_default=True, help="A number, cv or alignment.")
@click.option(
    "--cost", default="cv", show_default=True, help="C of the support vector machine: a number or cv."
)
@click.option("--unlabelled", help="More texts without labels, one a line: they show how words go together.")
@click.option("--transductive", is_flag=True, help="Let the test texts, without labels, show it too.")
@click.option("--language", default="en", show_default=True, help="Of the stemmer; none for no stems.")
@click.option("-o", "--out", help="Write a predicted label and the text a line to this TSV file.")
@json_option
@verb
def classify(
    train_file: str,
    test_file: str,
    kernel: str,
    strength: str,
    cost: str,
    unlabelled: str | None,
    transductive: bool,
    language: str,
    out: str | None,
    as_json: bool,
) -> None:
    """Learn classes from a few labelled texts and say the class of others.

    A semantic kernel lets words that keep the same company stand for each other; lambda says how far, and is
    chosen with C by cross-validation on the training labels alone. It is in units of 1 / |K|^(1/4).
    """
    from tacit.evaluation.classes import check_labels

    target = None if out is None else _target(out)
    labels, texts = _labelled(train_file)
    gold, wanted = _test(test_file)
    if gold is not None and len(set(labels)) > 1:
        check_labels(gold, labels)
    background = [*_lines(unlabelled), *(wanted if transductive else [])] or None
    model = _fitted(labels, texts, background, kernel, _number(strength), _number(cost), language)
    predicted = model.predict(wanted).tolist()
    facts: dict[str, Any] = {
        "kernel": kernel,
        "lambda": model.chosen_lambda_,
        "C": model.chosen_C_,
        "training_texts": len(texts),
        "background_texts": len(background or []),
        "test_texts": len(wanted),
        "classes": len(model.classes_),
        **(_measured(model, wanted, gold, predicted) if gold is not None else {}),
    }
    if target is not None:
        _write(target, predicted, wanted)
    if as_json:
        print_json(facts | ({"predictions": predicted} if out is None else {"file": out}))
    else:
        _show(facts, out)


def _labelled(file: str) -> Labelled:
    from tacit.corpora import read_pairs
    from tacit.errors import InputError

    rows = list(read_pairs(file, "a label and a text"))
    if not rows:
        raise InputError(f"{file} is empty: put a label, a tab and a text on each line")
    for number, (label, _) in enumerate(rows, 1):
        if not label.strip():
            raise InputError(
                f"{file}, text {number} has no label: put a label, a tab and a text on each line"
            )
    return [label for label, _ in rows], [text for _, text in rows]


def _test(file: str) -> tuple[list[str] | None, list[str]]:
    """The labels, where the first line has a tab, and the texts."""
    from tacit.corpora import read_lines
    from tacit.errors import InputError

    texts = list(read_lines(file))
    if not texts:
        raise InputError(f"{file} is empty: there is nothing to classify")
    return _labelled(file) if "\t" in texts[0] else (None, texts)


def _lines(file: str | None) -> list[str]:
    from tacit.corpora import read_lines

    return [] if file is None else list(read_lines(file))


def _number(given: str) -> float | str:
    """A number, or the word for how to choose one."""
    try:
        return float(given)
    except ValueError:
        return given


def _fitted(
    labels: list[str],
    texts: list[str],
    background: list[str] | None,
    kernel: str,
    strength: float | str,
    cost: float | str,
    language: str,
) -> TextClassifier:
    import logging
    import warnings

    from tacit.kernels import AlignmentWarning, TextClassifier
    from tacit.text import TextVectorizer

    logging.getLogger("tacit").addHandler(logging.NullHandler())
    logging.getLogger("tacit").propagate = False
    words = TextVectorizer(None if language == "none" else language, tf="log1p")
    with progress("{task.fields[note]}") as bar, warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", AlignmentWarning)
        task = bar.add_task("learning", total=None, note="")

        def tried(strength: float, cost: float, accuracy: float) -> None:
            bar.update(task, note=f"lambda {strength:g}, C {cost:g}: {accuracy:.3f}")

        model = TextClassifier(
            kernel, lambda_=strength, C=cost, background=background, vectorizer=words, callback=tried
        ).fit(texts, labels)
    for warning in said:
        complain(str(warning.message))
    return model


def _measured(
    model: TextClassifier, texts: list[str], gold: list[str], predicted: list[str]
) -> dict[str, float]:
    from tacit.evaluation.classes import measure_classes

    return measure_classes(gold, predicted, model.decision_function(texts), model.classes_.tolist())


def _show(facts: dict[str, Any], out: str | None) -> None:
    chosen = f"lambda {facts['lambda']:g}, C {facts['C']:g}"
    rest = f", {facts['background_texts']:,} without" if facts["background_texts"] else ""
    click.echo(
        f"{facts['kernel']} kernel, {chosen}; {facts['classes']} classes, "
        f"{facts['training_texts']:,} labelled texts{rest}, {facts['test_texts']:,} to classify"
    )
    for name in ("accuracy", "f1", "average_precision"):
        if name in facts:
            click.echo(f"{name.replace('_', ' '):18}{fixed(facts[name], 4)}")
    if out is not None:
        click.echo(f"{out}: {facts['test_texts']:,} predictions")


def _target(out: str) -> Path:
    """The file to write; what stands in the way is reported before work starts."""
    from tacit.errors import InputError

    target = Path(out)
    if target.is_dir():
        raise InputError(f"{out} is a folder; name a file")
    if not target.absolute().parent.is_dir():
        raise InputError(f"{out}: there is no folder {target.parent}; make it first")
    return target


def _write(target: Path, predicted: list[str], texts: list[str]) -> None:
    """Write beside the target, then rename: a crash leaves the old file or the new one."""
    temporary = target.with_name(f".tacit-{os.getpid()}{target.suffix}")
    try:
        lines = (f"{label}\t{text}\n" for label, text in zip(predicted, texts, strict=True))
        temporary.write_text("".join(lines), encoding="utf-8")
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
