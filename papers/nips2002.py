"""Kandola, Shawe-Taylor & Cristianini, NIPS 2002: tables 1 and 2, all 30 queries; few labels elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from papers.experiments import Model
from papers.few_labels import FILES as TEXTS
from papers.few_labels import SIZES
from papers.tables import Cell, Plot, Reproduction, Row

PARTS = (80, 50, 20)
PRINTED: Mapping[str, tuple[float, ...]] = {
    "B80": (0.423, 0.022, 0.256), "B50": (0.390, 0.024, 0.456), "B20": (0.325, 0.030, 0.349),
    "exponential80": (0.851, 0.017, 0.795, 0.197), "exponential50": (0.863, 0.018, 0.783, 0.185),
    "exponential20": (0.867, 0.019, 0.731, 0.147),
    "vonneumann80": (0.758, 0.017, 0.765, 0.032), "vonneumann50": (0.766, 0.018, 0.701, 0.039),
    "vonneumann20": (0.728, 0.028, 0.376, 0.029),
}  # fmt: skip
"""Alignment, error, F1 and lambda as tables 1 and 2 print them, by kernel and percentage for training."""

_MEASURES = ("alignment", "error", "f1", "lambda", "average precision", "tuned f1")
_NOTE = (
    "Each seed is a random split; C by ten-fold cross-validation on the training part. Average "
    "precision, and F1 at a threshold tuned by cross-validation on the training part, are ours "
    "alone. The paper's F1 of .256 for B80 does not fit its error of .022: see the guide to "
    "kernels."
)


def _key(measure: str) -> str:
    return f"med/query 20/{measure}"


def _paper(name: str) -> dict[str, float]:
    return dict(zip(map(_key, _MEASURES), PRINTED[name], strict=False))


def _query(part: int, **parameters: Any) -> Model:
    return Model("med-query", {"query": 20, "train": part / 100, **parameters}, random=True)


def _rows(family: str, letter: str, strength: float) -> tuple[Row, ...]:
    """Bag of words, the paper's lambda, and lambda by our line search, for each part."""
    rows = []
    for part in PARTS:
        printed = _paper(f"{family}{part}")
        shown = str(strength).lstrip("0")
        rows += [
            Row(f"B{part}", _query(part, kernel="lexical"), _paper(f"B{part}")),
            Row(f"{letter}{part}, lambda={shown}", _query(part, kernel=family, strength=strength), printed),
            Row(f"{letter}{part}, line search", _query(part, kernel=family, strength="search"), printed),
        ]
    return tuple(rows)


_CELLS = tuple(Cell(measure, _key(measure)) for measure in _MEASURES)

TABLE1 = Reproduction(
    "nips2002-table1", "NIPS 2002, table 1: MEDLINE, query 20, the exponential kernel", "med", _CELLS,
    _rows("exponential", "K", 0.197), note=_NOTE,
)  # fmt: skip
TABLE2 = Reproduction(
    "nips2002-table2", "NIPS 2002, table 2: MEDLINE, query 20, the von Neumann kernel", "med", _CELLS,
    _rows("vonneumann", "K^", 0.032), note=_NOTE,
)  # fmt: skip


_STRENGTHS = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


def _curve(name: str, mode: str = "uncentred", **given: Any) -> tuple[Row, ...]:
    shared = {"query": 20, "train": 0.8, "mode": mode, "relative": True, **given}
    return tuple(
        Row(f"{name}, {x:g}", Model("med-alignment", {**shared, "strength": x}, random=True))
        for x in _STRENGTHS
    )


LAMBDA = Reproduction(
    "nips2002-lambda",
    "NIPS 2002, beyond the paper: alignment over lambda, query 20",
    "med",
    (Cell("alignment", _key("alignment")),),
    (
        *_curve("exponential", kernel="exponential"),
        *_curve("exponential before the division", kernel="exponential", divided=False),
        *_curve("exponential by balanced alignment", "balanced", kernel="exponential"),
        *_curve("a kernel that calls all texts alike", kernel="ones"),
    ),
    Plot("strength", "lambda times |K|"),
    "80 % for training. Divided to a diagonal of ones, the kernel rises to the class prior, which "
    "a kernel that calls all texts alike has too; by balanced alignment it falls.",
)


def _queries(part: int) -> tuple[Row, ...]:
    models: dict[str, dict[str, Any]] = {
        "bag of words": {"kernel": "lexical"},
        "LSA, 100 components": {"kernel": "latent"},
        "exponential, lambda=.197": {"kernel": "exponential", "strength": 0.197},
        "von Neumann, lambda=.032": {"kernel": "vonneumann", "strength": 0.032},
        "exponential, covariance, relative lambda=3": {
            "kernel": "exponential", "strength": 3.0, "centred": True, "relative": True,
        },
    }  # fmt: skip
    return tuple(
        Row(f"{name}, {part} %", Model("med-queries", {"train": part / 100, **given}, random=True))
        for name, given in models.items()
    )


QUERIES = Reproduction(
    "nips2002-queries",
    "NIPS 2002, beyond the paper: all 30 queries of MEDLINE",
    "med",
    (
        Cell("average precision", "med/all queries/average precision"),
        Cell("average precision, queries 11 to 30", "med/queries 11 to 30/average precision"),
        Cell("F1", "med/all queries/f1"),
        Cell("tuned F1", "med/all queries/tuned f1"),
        Cell("error", "med/all queries/error"),
    ),
    (*_queries(20), *_queries(50)),
    note="Means over queries, then over random splits with 20 % or 50 % for training; C = 1. Of the "
    "last kernel, the covariance was found looking at all queries, power and lambda on queries 1 to 10.",
)


def _caveat(collection: str) -> str:
    if collection != "trec-shuffled":
        return ""
    return " Most questions of this shuffled test part are among those: it is no clean test."


def _few(collection: str, title: str) -> Reproduction:
    models: dict[str, dict[str, Any]] = {
        "tf-idf + linear SVC": {"kernel": "lexical"},
        "LSA + linear SVC": {"kernel": "latent"},
        "von Neumann, lambda=.8": {"kernel": "vonneumann", "lambda_": 0.8},
        "exponential, lambda=6": {"kernel": "exponential", "lambda_": 6.0},
    }
    if collection.startswith("trec"):
        paired = {"kernel": "exponential", "lambda_": 6.0, "pairs": True}
        models["exponential, lambda=6, words and pairs"] = paired
    return Reproduction(
        f"few-labels-{collection}",
        f"Few labels: accuracy on {title}",
        collection,
        tuple(Cell(f"{size} a class", f"few-labels/{size}/accuracy") for size in SIZES),
        tuple(
            Row(name, Model("few-labels", {"collection": collection, **given}, random=True))
            for name, given in models.items()
        ),
        note="Each seed is a draw of labelled texts from the training part, all of which is read "
        "without labels by every row; the test part is not seen before. C by cross-validation on the labels. "
        "Weights, power and lambda of the kernels were chosen on the training parts." + _caveat(collection),
    )


_TITLES = ("TREC questions, their own test part", "TREC questions, shuffled", "SearchSnippets", "R8")
FEW_LABELS = tuple(_few(name, title) for name, title in zip(TEXTS, _TITLES, strict=True))
