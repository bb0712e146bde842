"""tacit classify: classes for texts, from few labelled ones or by a saved classifier."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.common import (
    complain,
    counted_as,
    fixed,
    json_option,
    print_json,
    progress,
    verb,
    writable_file,
    write_whole,
)
from tacit.workflows.loading import load

if TYPE_CHECKING:
    from tacit.kernels import TextClassifier

Labelled = tuple[list[str], list[str]]
"""Labels and texts."""


class KernelOption(click.Option):
    """Its help reads the table of kernels, which is slow to import, when help is asked for."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and what it takes."""
        from tacit.kernels import KERNELS

        self.help = f"How words go together: {', '.join(KERNELS[:-1])} or {KERNELS[-1]}."
        return super().get_help_record(ctx)


@dataclass(frozen=True)
class Training:
    """What a classifier is made from."""

    file: str
    kernel: str
    strength: float | str
    cost: float | str
    language: str
    background: list[str]


@click.command(short_help="Classify texts from few labelled ones.")
@click.option("--train", "train_file", help="A TSV file of label, text.")
@click.option("--model", "folder", help="In place of --train: a folder that --save wrote.")
@click.option("--test", "test_file", help="The texts to classify: label, text, or text alone.")
@click.option("--kernel", cls=KernelOption, default="exponential", show_default=True)
@click.option("--lambda", "strength", default="cv", show_default=True, help="A number, cv or alignment.")
@click.option(
    "--cost", default="cv", show_default=True, help="C of the support vector machine: a number or cv."
)
@click.option("--unlabelled", help="More texts without labels, one a line: they show how words go together.")
@click.option("--transductive", is_flag=True, help="Let the test texts, without labels, show it too.")
@click.option("--language", default="en", show_default=True, help="Of the stemmer; none for no stems.")
@click.option("--save", help="Write the classifier to this folder.")
@click.option("-o", "--out", help="Write a predicted label and the text a line to this TSV file.")
@json_option
@verb
def classify(
    train_file: str | None,
    folder: str | None,
    test_file: str | None,
    kernel: str,
    strength: str,
    cost: str,
    unlabelled: str | None,
    transductive: bool,
    language: str,
    save: str | None,
    out: str | None,
    as_json: bool,
) -> None:
    """Learn classes from a few labelled texts and say the class of others.

    A semantic kernel lets words that keep the same company stand for each other; lambda says how far, and is
    chosen with C by cross-validation on the training labels alone. It is in units of 1 / |K|^(1/4).
    """
    from tacit.storage import check_target

    _check_task(train_file, folder, test_file, save, out, bool(unlabelled or transductive))
    target = None if out is None else writable_file(out, [Path(out).suffix])
    if save is not None:
        check_target(save)
    gold, wanted = (None, []) if test_file is None else _test(test_file)
    facts: dict[str, Any] = {"model": folder}
    if folder is not None:
        model = load(folder, "classifier")
    else:
        background = [*_lines(unlabelled), *(wanted if transductive else [])]
        given = Training(train_file or "", kernel, _number(strength), _number(cost), language, background)
        model, facts = _trained(given, gold)
    facts |= _described(model)
    if save is not None:
        model.save(save)
        facts["saved"] = save
    if test_file is not None:
        facts |= _answers(model, wanted, gold)
    if target is not None:
        rows = zip(facts.pop("predictions"), wanted, strict=True)
        lines = "".join(f"{label}\t{text}\n" for label, text in rows)
        write_whole(target, lambda file: file.write(lines.encode("utf-8")))
        facts = {name: value for name, value in facts.items() if name != "probabilities"} | {"file": out}
    if as_json:
        print_json(facts)
    else:
        _show(facts)


def _check_task(
    train_file: str | None,
    folder: str | None,
    test_file: str | None,
    save: str | None,
    out: str | None,
    more: bool,
) -> None:
    """Refuse options that do not go together."""
    from tacit.errors import InputError

    if (train_file is None) == (folder is None):
        raise InputError("give --train FILE to learn from labelled texts, or --model FOLDER of a classifier")
    if folder is not None and (more or save is not None):
        raise InputError("--model is learnt already: --save, --unlabelled and --transductive go with --train")
    if test_file is None and (save is None or out is not None):
        raise InputError("give --test FILE, the texts to classify, or --train with --save FOLDER alone")


def _trained(given: Training, gold: list[str] | None) -> tuple[TextClassifier, dict[str, Any]]:
    from tacit.evaluation.classes import check_labels

    labels, texts = _labelled(given.file)
    if gold is not None and len(set(labels)) > 1:
        check_labels(gold, labels)
    model = _fitted(given, labels, texts)
    empty = model.kernel_.n_empty_
    if empty:
        complain(
            f"{counted_as(empty, 'text')} of {given.file} without a word that counts: the label alone is used"
        )
    return model, {"training_texts": len(texts), "background_texts": len(given.background)}


def _fitted(given: Training, labels: list[str], texts: list[str]) -> TextClassifier:
    import warnings

    from tacit.kernels import TextClassifier
    from tacit.text import TextVectorizer

    language = None if given.language == "none" else given.language
    words = TextVectorizer.paper(language=language, tf="log1p")
    with progress("{task.fields[note]}") as bar, warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", UserWarning)  # no peak of alignment, no convergence
        task = bar.add_task("learning", total=None, note="")

        def tried(strength: float, cost: float, accuracy: float) -> None:
            bar.update(task, note=f"lambda {strength:g}, C {cost:g}: {accuracy:.3f}")

        model = TextClassifier(
            given.kernel,
            lambda_=given.strength,
            C=given.cost,
            background=given.background or None,
            vectorizer=words,
            callback=tried,
        ).fit(texts, labels)
    for warning in said:
        complain(str(warning.message))
    return model


def _described(model: TextClassifier) -> dict[str, Any]:
    return {
        "kernel": model.kernel,
        "lambda": model.chosen_lambda_,
        "C": model.chosen_C_,
        "classes": len(model.classes_),
    }


def _answers(model: TextClassifier, texts: list[str], gold: list[str] | None) -> dict[str, Any]:
    """Classes and their probabilities, and how right they are where the labels are known."""
    from tacit.evaluation.classes import check_labels, measure_classes

    classes = [str(name) for name in model.classes_.tolist()]
    found = model.predict_proba(texts)
    predicted = [classes[place] for place in found.argmax(axis=1).tolist()]
    facts: dict[str, Any] = {"test_texts": len(texts)}
    if gold is not None:
        check_labels(gold, classes)
        facts |= measure_classes(gold, predicted, model.decision_function(texts), classes)
    return facts | {"predictions": predicted, "probabilities": found.max(axis=1).round(4).tolist()}


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
    from tacit.errors import InputError

    texts = _lines(file)
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


def _show(facts: dict[str, Any]) -> None:
    chosen = f"lambda {facts['lambda']:g}, C {facts['C']:g}"
    line = f"{facts['kernel']} kernel, {chosen}; {facts['classes']} classes"
    if "training_texts" in facts:
        rest = f", {facts['background_texts']:,} without" if facts["background_texts"] else ""
        line += f", {facts['training_texts']:,} labelled texts{rest}"
    click.echo(line + (f", {facts['test_texts']:,} to classify" if "test_texts" in facts else ""))
    for name in ("accuracy", "f1", "average_precision"):
        if name in facts:
            click.echo(f"{name.replace('_', ' '):18}{fixed(facts[name], 4)}")
    if "saved" in facts:
        click.echo(f"{facts['saved']}: the classifier")
    if "file" in facts:
        click.echo(f"{facts['file']}: {facts['test_texts']:,} predictions")
