"""Text classification with few labels per class; each seed draws other labelled texts.

The labelled texts are drawn from the training part; the rest of that part is read without labels (by the
baselines too); the test part is seen only when it is classified.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papers.experiments.medline import kernel_settings
from papers.specs import Experiment
from tacit.corpora.lines import numbered_lines, strip_line_end
from tacit.errors import InputError
from tacit.evaluation.metrics import classification_metrics
from tacit.evaluation.tasks import find_files
from tacit.kernels.classifier import TextClassifier
from tacit.kernels.svm import C_GRID, make_linear_svc, select_by_cross_validation
from tacit.text.tokenizers import tokenize
from tacit.text.vectorizer import TextVectorizer

FILES = {
    "trec": ("textcat/trec_qc.tsv.gz",),
    "trec-shuffled": ("textcat/trec_qc.tsv.gz",),
    "searchsnippets": ("textcat/searchsnippets.tsv.gz",),
    "r8": ("textcat/r8_train.tsv.gz", "textcat/r8_test.tsv.gz"),
}
SIZES = (5, 10, 20, 50)
_IN_TRAINING = {"searchsnippets": 10_060 / 12_340, "trec-shuffled": 5_452 / 5_952}

LabeledTexts = tuple[list[str], NDArray[Any]]
"""Texts and labels."""


@lru_cache(maxsize=1)
def load(name: str, data: str | Path | None) -> tuple[LabeledTexts, LabeledTexts]:
    """Read the training and the test part.

    SearchSnippets has no split: it is shuffled and split as in the literature (10,060 and 2,280).
    TREC's own test part has another mix of questions than its training part, so there is also a
    shuffled split of the same sizes.
    """
    files = [_rows(file) for file in find_files(name, FILES[name], data)]
    if name == "r8":
        return _to_labeled_texts(files[0]), _to_labeled_texts(files[1])
    rows = files[0]
    if name.startswith("trec"):
        rows = [[part, label.partition(":")[0], text] for part, label, text in rows]
    if name == "trec":
        return _to_labeled_texts([r[1:] for r in rows if r[0] == "train"]), _to_labeled_texts(
            [r[1:] for r in rows if r[0] == "test"]
        )
    order = np.random.default_rng(0).permutation(len(rows))
    shuffled = [rows[row][-2:] for row in order]
    cut = round(_IN_TRAINING[name] * len(shuffled))
    return _to_labeled_texts(shuffled[:cut]), _to_labeled_texts(shuffled[cut:])


def measure_few_labels(experiment: Experiment, data: str | Path | None) -> dict[str, float]:
    """Return the accuracy on the test part after training with 5, 10, 20 and 50 labels per class."""
    parameters = dict(experiment.model.parameters)
    rows, labels, new, gold = _compute_features(data=data, **parameters)
    metrics: dict[str, float] = {}
    for size in SIZES:
        sample = draw(labels, size, experiment.seed)
        features, y = rows[sample], labels[sample]
        best = select_by_cross_validation(lambda _, features=features: features, (0.0,), C_GRID, y)  # type: ignore[misc]
        model = make_linear_svc(best[1] if best else 1.0).fit(features, y)
        scores = classification_metrics(
            gold.tolist(), model.predict(new).tolist(), model.decision_function(new), model.classes_.tolist()
        )
        metrics |= {f"few-labels/{size}/{measure}": value for measure, value in scores.items()}
    return metrics


@lru_cache(maxsize=1)
def _compute_features(
    collection: str, kernel: str, data: str | Path | None, lambda_: float = 0.0, pairs: bool = False
) -> tuple[Any, NDArray[Any], Any, NDArray[Any]]:
    """Return features and labels of both parts; the kernel is fitted on all training texts without labels."""
    (texts, labels), (new, gold) = load(collection, data)
    model = _make_classifier(kernel, lambda_, pairs)
    has_terms = np.diff(model.make_vectorizer().fit_transform(texts).indptr) > 0
    model.fit_kernel([text for text, has_term in zip(texts, has_terms, strict=True) if has_term])
    model.kernel_.set_lambda(lambda_, relative=True)
    return model.features(texts), labels, model.features(new), gold


def _make_classifier(kernel: str, lambda_: float, pairs: bool) -> TextClassifier:
    """Return the unfitted classifier of one row."""
    plain = TextVectorizer.paper(language=None, min_df=1, idf="smooth")  # as scikit-learn weighs words
    tokens: Any = words_and_pairs if pairs else "words"
    words = TextVectorizer.paper(tf="log1p", tokenizer=tokens) if lambda_ else plain
    return TextClassifier(kernel, vectorizer=words)


def resolve_few_labels(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return every setting of a row, defaults included.

    >>> settings = resolve_few_labels({"collection": "r8", "kernel": "exponential", "lambda_": 6.0})
    >>> settings["kernel__power"], settings["kernel__n_components"], settings["tf"], settings["pairs"]
    (0.25, 200, 'log1p', False)
    """
    settings = {"lambda_": 0.0, "pairs": False, **parameters}
    model = _make_classifier(settings["kernel"], settings["lambda_"], settings["pairs"])
    words = model.make_vectorizer()
    tokenizer = words.tokenizer if isinstance(words.tokenizer, str) else "words and pairs"
    protocol = {
        "sizes": list(SIZES),
        "costs": list(C_GRID),
        "training_share": _IN_TRAINING.get(settings["collection"]),
        "relative": True,
    }
    return {**kernel_settings(model.make_kernel(), words, tokenizer), **protocol, **settings}


def words_and_pairs(text: str) -> list[str]:
    """Return the tokens of a text, and all pairs of adjacent tokens.

    >>> words_and_pairs("Who was Galileo?")
    ['who', 'was', 'galileo', 'who_was', 'was_galileo']
    """
    tokens = tokenize(text)
    return tokens + [f"{first}_{second}" for first, second in pairwise(tokens)]


def draw(labels: NDArray[Any], size: int, seed: int) -> NDArray[np.int64]:
    """Draw the indices of ``size`` texts per class, or all if it has fewer.

    With the same seed a larger sample contains the smaller one.

    >>> draw(np.array(["a", "b", "a", "b", "a"]), 1, seed=0).tolist()
    [4, 3]
    """
    rng = np.random.default_rng(seed)
    return np.concatenate(
        [rng.permutation(np.flatnonzero(labels == name))[:size] for name in np.unique(labels)]
    )


def _to_labeled_texts(rows: list[list[str]]) -> LabeledTexts:
    return [cells[-1] for cells in rows], np.array([cells[0] for cells in rows])


def _rows(file: Path) -> list[list[str]]:
    rows = [strip_line_end(line).split("\t") for _, line in numbered_lines(file)]
    if not rows or min(map(len, rows)) < 2:
        raise InputError(f"{file} has a line without a label and a text; fetch it again")
    return rows
