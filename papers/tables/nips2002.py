"""Kandola, Shawe-Taylor & Cristianini, NIPS 2002: tables 1 and 2, all 30 queries, and few labels."""

from __future__ import annotations

from typing import Any

from papers.experiments.few_labels import FILES as TEXTS
from papers.experiments.few_labels import SIZES
from papers.specs import Column, ModelSpec, PlotSpec, RowSpec, TableSpec

_KERNEL, _WORDS = ("nips2002.kernel",), ("nips2002.words",)
_GIVEN = {"strength": "the paper's mean of this part, not searched"}
_PAST_RANGE = {"strength": "the paper's mean is .039, beyond the range here, which ends at 1 / |K| = .0378"}
_EACH = {"cost": "C of each split, by its training part alone"}
_OURS = (
    Column("average precision", "med/query 20/average precision"),
    Column("F1, threshold tuned", "med/query 20/tuned f1"),
    Column("C", "med/query 20/C"),
    Column("relevant in test", "med/query 20/relevant"),
)
_NOTE = (
    "Each seed is a random split. The kernel is normalized to a diagonal of ones. The paper does not "
    "say so, but its alignments are reached only in this way. It also does not say that documents "
    "have length 1, that terms of a single document are left out, which stop words it uses, and from "
    "which values C is chosen (here .1, 1, 10, 100). Stems are Snowball's; the paper uses Porter's. "
    "Lambda is searched for each training part by propositions 6 and 7 of the paper, on the kernel "
    "before normalization. In other rows, whose names say so, it is searched on the normalized "
    "kernel, which is the one that the support vector machine uses. On that kernel the alignment only "
    "rises, lambda reaches the end of its range, and all documents become similar; the lambdas of the "
    "paper are not found there. In further rows lambda is the paper's mean for that part. C is chosen "
    "once by ten-fold cross-validation on all documents and used for the ten splits, as in the paper; "
    "rows that choose it on each training part are named so. Average precision, and F1 at a threshold "
    "tuned by cross-validation on the training part, are not in the paper. With 20 % for training and "
    "this C, few documents exceed the default threshold of the machine, in some splits hardly any. "
    "There F1 varies most; at a tuned threshold it does not."
)
_SEARCHED = {"searched": "on the kernel that the machine is given"}
_WHY = {
    "exponential": "few documents are predicted as relevant; a further column has F1 at a threshold tuned on "
    "the training part",
    "vonneumann": "our lambda is larger than the paper's .032 and .029 (its .039 is beyond our range); a row "
    "with the paper's values has its alignment",
}
_FEW = "few documents are relevant, and F1 is 0 if none is predicted: the paper's deviation is large, too"
LAMBDAS: dict[str, dict[int, float]] = {
    "exponential": {80: 0.197, 50: 0.185, 20: 0.147},
    "vonneumann": {80: 0.032, 50: 0.0377, 20: 0.029},
}
"The paper's mean lambda of each part; for the von Neumann kernel at 50 %, the end of the range."


def _key(measure: str) -> str:
    return f"med/query 20/{measure}"


def _query(part: int, **parameters: Any) -> ModelSpec:
    settings = {"query": 20, "train": part / 100, "cost": "once", **parameters}
    return ModelSpec("med-query", settings, is_random=True)


def _rows(family: str, letter: str) -> tuple[RowSpec, ...]:
    """Make the rows of the kernel with searched and given lambda, and of the bag of words."""
    rows = []
    for part, strength in LAMBDAS[family].items():
        label, words = f"{letter}{part}", f"B{part}"
        search = {"kernel": family, "strength": "search"}
        fixed = {"kernel": family, "strength": strength}
        deviations = _PAST_RANGE if label == "K^50" else _GIVEN
        title = f"ours, lambda = {strength:g}".replace("0.", ".")
        rows += [
            RowSpec("ours", _query(part, **search, searched="plain"), label, _KERNEL, reason=_WHY[family]),
            RowSpec("ours, searched on the divided kernel", _query(part, **search, searched="divided"), label,
                _KERNEL, _SEARCHED),
            RowSpec(title, _query(part, **fixed), label, _KERNEL, deviations),
            RowSpec(f"{title}, C of each split", _query(part, **fixed, cost="each split"), label, _KERNEL,
                {**deviations, **_EACH}),
            RowSpec("ours", _query(part, kernel="lexical"), words, _WORDS, reason=_FEW),
            RowSpec("ours, C of each split", _query(part, kernel="lexical", cost="each split"), words, _WORDS,
                _EACH),
        ]  # fmt: skip
    return tuple(rows)


_HEADLINE = tuple(map(_key, ("alignment", "error", "f1")))
TABLE1 = TableSpec(
    "nips2002-table1", "NIPS 2002, table 1: MEDLINE, query 20, the exponential kernel", "med", _OURS,
    _rows("exponential", "K"), note=_NOTE, headline=_HEADLINE,
)  # fmt: skip
TABLE2 = TableSpec(
    "nips2002-table2", "NIPS 2002, table 2: MEDLINE, query 20, the von Neumann kernel", "med", _OURS,
    _rows("vonneumann", "K^"), note=_NOTE, headline=_HEADLINE,
)  # fmt: skip


_STRENGTHS = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


def _curve(name: str, mode: str = "uncentred", **given: Any) -> tuple[RowSpec, ...]:
    shared = {"query": 20, "train": 0.8, "mode": mode, "relative": True, **given}
    return tuple(
        RowSpec(f"{name}, {x:g}", ModelSpec("med-alignment", {**shared, "strength": x}, is_random=True))
        for x in _STRENGTHS
    )


LAMBDA = TableSpec(
    "nips2002-lambda",
    "Alignment over lambda: MEDLINE, query 20",
    "med",
    (Column("alignment", _key("alignment")),),
    (
        *_curve("exponential", kernel="exponential"),
        *_curve("exponential before the division", kernel="exponential", divided=False),
        *_curve("exponential by balanced alignment", "balanced", kernel="exponential"),
        *_curve("a kernel that calls all texts alike", kernel="ones"),
    ),
    PlotSpec("strength", "lambda times |K|"),
    "80 % for training. The alignment of the normalized kernel rises to the class prior, which a "
    "kernel for which all texts are equal has too; balanced alignment falls.",
)


def _queries(part: int) -> tuple[RowSpec, ...]:
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
        RowSpec(
            f"{name}, {part} %", ModelSpec("med-queries", {"train": part / 100, **parameters}, is_random=True)
        )
        for name, parameters in models.items()
    )


QUERIES = TableSpec(
    "nips2002-queries",
    "All 30 queries of MEDLINE",
    "med",
    (
        Column("average precision", "med/all queries/average precision"),
        Column("average precision, queries 11 to 30", "med/queries 11 to 30/average precision"),
        Column("F1", "med/all queries/f1"),
        Column("tuned F1", "med/all queries/tuned f1"),
        Column("error", "med/all queries/error"),
    ),
    (*_queries(20), *_queries(50)),
    note="Means over queries, then over random splits with 20 % or 50 % for training; C = 1. For the last "
    "kernel, the covariance was chosen on all queries, power and lambda on queries 1 to 10.",
)


def _caveat(collection: str) -> str:
    if collection != "trec-shuffled":
        return ""
    return " Most questions of this shuffled test part are from those training parts, so it is not an "


"independent test."


def _few(collection: str, title: str) -> TableSpec:
    models: dict[str, dict[str, Any]] = {
        "tf-idf + linear SVC": {"kernel": "lexical"},
        "LSA + linear SVC": {"kernel": "latent"},
        "von Neumann, lambda=.8": {"kernel": "vonneumann", "lambda_": 0.8},
        "exponential, lambda=6": {"kernel": "exponential", "lambda_": 6.0},
    }
    if collection.startswith("trec"):
        paired = {"kernel": "exponential", "lambda_": 6.0, "pairs": True}
        models["exponential, lambda=6, words and pairs"] = paired
    return TableSpec(
        f"few-labels-{collection}",
        f"Few labels: accuracy on {title}",
        collection,
        tuple(Column(f"{size} a class", f"few-labels/{size}/accuracy") for size in SIZES),
        tuple(
            RowSpec(name, ModelSpec("few-labels", {"collection": collection, **parameters}, is_random=True))
            for name, parameters in models.items()
        ),
        note="Each seed is a draw of labelled texts from the training part. In every row, all texts of the "
        "training part are read without labels; the test part is not. C is chosen by cross-validation on "
        "the labels. Weights, power and lambda of the kernels were chosen on the training parts."
        + _caveat(collection),
    )


_TITLES = ("TREC questions, their own test part", "TREC questions, shuffled", "SearchSnippets", "R8")
FEW_LABELS = tuple(_few(name, title) for name, title in zip(TEXTS, _TITLES, strict=True))

TABLES = (TABLE1, TABLE2)
BEYOND = (LAMBDA, QUERIES, *FEW_LABELS)
