"""Few labels a class on three collections: accuracy on the test part, each seed a draw of labelled texts.

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

Part = tuple[list[str], NDArray[Any]]
"""Texts and labels."""


@lru_cache(maxsize=1)
def load(name: str, data: str | Path | None) -> tuple[Part, Part]:
    """Read the training and the test part.

    SearchSnippets comes in one piece: it is shuffled and cut as in the literature (10,060 and 2,280).
    TREC's own test part has another mix of questions than its training part, so a shuffled cut of the same
    sizes stands beside it.
    """
    files = [_rows(file) for file in find_files(name, FILES[name], data)]
    if name == "r8":
        return _part(files[0]), _part(files[1])
    rows = files[0]
    if name.startswith("trec"):
        rows = [[part, label.partition(":")[0], text] for part, label, text in rows]
    if name == "trec":
        return _part([r[1:] for r in rows if r[0] == "train"]), _part([r[1:] for r in rows if r[0] == "test"])
    order = np.random.default_rng(0).permutation(len(rows))
    shuffled = [rows[place][-2:] for place in order]
    cut = round(_IN_TRAINING[name] * len(shuffled))
    return _part(shuffled[:cut]), _part(shuffled[cut:])


def measure_few_labels(experiment: Experiment, data: str | Path | None) -> dict[str, float]:
    """Accuracy on the test part from 5, 10, 20 and 50 labels a class."""
    given = dict(experiment.model.parameters)
    rows, labels, new, gold = _seen(data=data, **given)
    found: dict[str, float] = {}
    for size in SIZES:
        some = draw(labels, size, experiment.seed)
        own, y = rows[some], labels[some]
        chosen = select_by_cross_validation(lambda _, own=own: own, (0.0,), C_GRID, y)  # type: ignore[misc]
        model = make_linear_svc(chosen[1] if chosen else 1.0).fit(own, y)
        scores = classification_metrics(
            gold.tolist(), model.predict(new).tolist(), model.decision_function(new), model.classes_.tolist()
        )
        found |= {f"few-labels/{size}/{measure}": value for measure, value in scores.items()}
    return found


@lru_cache(maxsize=1)
def _seen(
    collection: str, kernel: str, data: str | Path | None, lambda_: float = 0.0, pairs: bool = False
) -> tuple[Any, NDArray[Any], Any, NDArray[Any]]:
    """The features and labels of both parts, learnt from all texts of the training part and no label."""
    (texts, labels), (new, gold) = load(collection, data)
    model = _make_classifier(kernel, lambda_, pairs)
    known = np.diff(model.make_vectorizer().fit_transform(texts).indptr) > 0
    model.fit_kernel([text for text, there in zip(texts, known, strict=True) if there])
    model.kernel_.set_lambda(lambda_, relative=True)
    return model.features(texts), labels, model.features(new), gold


def _make_classifier(kernel: str, lambda_: float, pairs: bool) -> TextClassifier:
    """Return the classifier of one row, before it has read a text."""
    plain = TextVectorizer.paper(language=None, min_df=1, idf="smooth")  # as scikit-learn weighs words
    tokens: Any = words_and_pairs if pairs else "words"
    words = TextVectorizer.paper(tf="log1p", tokenizer=tokens) if lambda_ else plain
    return TextClassifier(kernel, vectorizer=words)


def resolve_few_labels(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return every setting of a row, defaults included.

    >>> found = resolve_few_labels({"collection": "r8", "kernel": "exponential", "lambda_": 6.0})
    >>> found["kernel__power"], found["kernel__n_components"], found["tf"], found["pairs"]
    (0.25, 200, 'log1p', False)
    """
    given = {"lambda_": 0.0, "pairs": False, **parameters}
    model = _make_classifier(given["kernel"], given["lambda_"], given["pairs"])
    words = model.make_vectorizer()
    tokenizer = words.tokenizer if isinstance(words.tokenizer, str) else "words and pairs"
    protocol = {
        "sizes": list(SIZES),
        "costs": list(C_GRID),
        "training_share": _IN_TRAINING.get(given["collection"]),
        "relative": True,
    }
    return {**kernel_settings(model.make_kernel(), words, tokenizer), **protocol, **given}


def words_and_pairs(text: str) -> list[str]:
    """The tokens of a text, and each two neighbours.

    >>> words_and_pairs("Who was Galileo?")
    ['who', 'was', 'galileo', 'who_was', 'was_galileo']
    """
    tokens = tokenize(text)
    return tokens + [f"{one}_{other}" for one, other in pairwise(tokens)]


def draw(labels: NDArray[Any], size: int, seed: int) -> NDArray[np.int64]:
    """So many places of each class, all where it has fewer; a larger draw holds the smaller of the same seed.

    >>> draw(np.array(["a", "b", "a", "b", "a"]), 1, seed=0).tolist()
    [4, 3]
    """
    rng = np.random.default_rng(seed)
    return np.concatenate(
        [rng.permutation(np.flatnonzero(labels == name))[:size] for name in np.unique(labels)]
    )


def _part(rows: list[list[str]]) -> Part:
    return [cells[-1] for cells in rows], np.array([cells[0] for cells in rows])


def _rows(file: Path) -> list[list[str]]:
    rows = [strip_line_end(line).split("\t") for _, line in numbered_lines(file)]
    if not rows or min(map(len, rows)) < 2:
        raise InputError(f"{file} has a line without a label and a text; fetch it again")
    return rows
