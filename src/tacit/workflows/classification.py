"""Classify texts with a classifier that is learned from labelled texts or was saved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.errors import InputError
from tacit.workflows.loading import load
from tacit.workflows.progress import Progress, notify

if TYPE_CHECKING:
    from tacit.kernels import TextClassifier

MAX_TRANSDUCTIVE_TEXTS = 20_000
"""Word relations are learned from at most this number of the texts to classify, evenly spaced."""


@dataclass(frozen=True)
class Classification:
    """A classifier and its predictions.

    Parameters
    ----------
    model : TextClassifier
        The classifier.
    labels : list of str
        The label of each text.
    probabilities : list of float
        The probability of each label.
    metrics : dict of str to float
        Accuracy, F1 and average precision, if the labels of the texts were given.
    n_unlabelled : int
        Number of further unlabelled texts from which the classifier learned.
    n_transductive : int
        Number of the classified texts from which it learned, without their labels.

    Examples
    --------
    >>> import tacit
    >>> Classification(tacit.TextClassifier(), ["spam"], [0.9]).labels
    ['spam']
    """

    model: TextClassifier
    labels: list[str] = field(default_factory=list)
    probabilities: list[float] = field(default_factory=list)
    metrics: dict[str, float] = field(default_factory=dict)
    n_unlabelled: int = 0
    n_transductive: int = 0


def classify(
    texts: Sequence[str] = (), train: Sequence[str] = (), labels: Sequence[str] = (), *,
    model: TextClassifier | str | Path | None = None, gold: Sequence[str] | None = None,
    unlabelled: Sequence[str] = (), transductive: bool = True, language: str | None = "en",
    progress: Progress | None = None, **settings: Any,
) -> Classification:  # fmt: skip
    """Classify texts from few labelled ones, or with a classifier that is already trained.

    Parameters
    ----------
    texts : sequence of str
        The texts to classify; none to train only.
    train : sequence of str
        Labelled texts to learn from, unless there is a ``model``.
    labels : sequence of str
        A label for each of them.
    model : TextClassifier or path, optional
        A trained classifier, or its folder.
    gold : sequence of str, optional
        The correct labels of ``texts``, which are compared with the predicted ones.
    unlabelled : sequence of str
        Further texts from which word relations are learned.
    transductive : bool
        Whether word relations are learned from ``texts`` too. This is more accurate with few labels, but then
        the label of a text depends on the other texts.
    language : str, optional
        Language of the stemmer; None uses plain words.
    progress : callable, optional
        Receives a `ProgressEvent` for each pair of parameters that is tried.
    **settings : Any
        Further parameters of `TextClassifier`, such as ``kernel``.

    Returns
    -------
    Classification
        The classifier, the predicted labels and their probabilities.

    Raises
    ------
    InputError
        If a label of ``gold`` is unknown, a parameter is out of range or the texts have no words.

    Examples
    --------
    >>> train = ["a weak heart", "heart and blood", "stocks fell", "stocks and bonds"]
    >>> texts = ["blood in the veins", "veins and arteries", "bonds pay interest", "interest on loans"]
    >>> result = classify(texts, train, ["body", "body", "money", "money"])
    >>> result.labels, result.n_transductive
    (['body', 'body', 'money', 'money'], 4)
    """
    if (model is None) == (not train):
        raise InputError("give labelled texts to learn from, or a trained model", parameter="model")
    if model is not None:
        return _predict(load(model, "classifier") if isinstance(model, str | Path) else model, texts, gold)
    from tacit.evaluation.metrics import check_labels

    if gold is not None and len(set(labels)) > 1:
        check_labels(gold, labels)
    step = -(-len(texts) // MAX_TRANSDUCTIVE_TEXTS)
    used = texts[::step] if transductive and texts else []
    fitted = _train(train, labels, [*unlabelled, *used], language, progress, settings)
    return _predict(fitted, texts, gold, n_unlabelled=len(unlabelled), n_transductive=len(used))


def _train(
    train: Sequence[str], labels: Sequence[str], background: list[str], language: str | None,
    progress: Progress | None, settings: dict[str, Any],
) -> TextClassifier:  # fmt: skip
    """Train a classifier."""
    from tacit.kernels.classifier import TextClassifier, choose_min_df

    trial_numbers = count(1)

    def report(lambda_: float, C: float, accuracy: float) -> None:
        detail = f"lambda {lambda_:g}, C {C:g}: {accuracy:.3f}"
        notify(progress, "learning", next(trial_numbers), None, detail)

    model = TextClassifier(background=background or None, callback=report)
    min_df = choose_min_df(train, len(background))
    model.set_params(vectorizer__language=language, vectorizer__min_df=min_df, **settings)
    return model.fit(train, labels)


def _predict(
    model: TextClassifier, texts: Sequence[str], gold: Sequence[str] | None, **counts: Any
) -> Classification:
    """Predict the label of each text, and compute metrics where the correct labels are known."""
    from tacit.evaluation.metrics import check_labels, classification_metrics

    if not texts:
        return Classification(model, **counts)
    classes = [str(name) for name in model.classes_.tolist()]
    probabilities = model.predict_proba(texts)
    labels = [classes[number] for number in probabilities.argmax(axis=1).tolist()]
    metrics = {}
    if gold is not None:
        check_labels(gold, classes)
        metrics = classification_metrics(gold, labels, model.decision_function(texts), classes)
    return Classification(model, labels, probabilities.max(axis=1).tolist(), metrics, **counts)
