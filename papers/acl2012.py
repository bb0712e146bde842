"""Guo & Diab, ACL 2012: the tables and figures that are made again.

Figures 2 and 3 are plots without numbers: their points have a printed value where a table repeats it.
"""

from __future__ import annotations

from papers.experiments import Model
from papers.published import CDR
from papers.published_rows import (
    FLOOR,
    FLOOR_NOTE,
    IR,
    LDA_NOTE,
    beside,
    lda,
    printed,
    rows,
    stopped,
    wtmf,
)
from papers.tables import Cell, Plot, Reproduction, Row
from tacit.evaluation.published import LI06, MSR04

WEIGHTS = (0.0005, 0.001, 0.005, 0.01, 0.05)
SIZES = (50, 75, 100, 125, 150)

_ATOP = Cell("ATOP test", "cdr/test/atop")
_LI30 = (Cell("30 pairs r", "li06/30 pairs/pearson"), Cell("30 pairs rho", "li06/30 pairs/spearman"))
_LI35 = (Cell("35 pairs r", "li06/35 pairs/pearson"), Cell("35 pairs rho", "li06/35 pairs/spearman"))
_BY_WEIGHT = {f"WTMF, w_m={str(weight).lstrip('0')}": wtmf(weight) for weight in WEIGHTS}


def _by_size(figure: str, title: str, models: dict[int, Model]) -> tuple[Row, ...]:
    """A row a dimension; table 2 prints the value of K = 100."""
    known = printed("cdr", CDR, figure)
    return tuple(Row(f"{title}, K={k}", model, known if k == 100 else {}) for k, model in models.items())


TABLE2 = Reproduction(
    "acl2012-table2",
    "ACL 2012, table 2: ATOP of Concept Definition Retrieval",
    "definitions",
    (Cell("ATOP dev", "cdr/dev/atop"), _ATOP),
    rows(
        "cdr",
        CDR,
        {
            "IR": IR,
            "N-gram": Model("ngram"),
            "N-gram, TF-IDF": Model("ngram-tfidf"),
            "LSA": Model("lsa", {"n_components": 100}),
            "LDA, alpha=.1 beta=.01": lda(0.1, 0.01),
            "LDA, alpha=beta=.05": lda(),
            "WTMF, w_m=1 lambda=0": wtmf(1.0, 0.0),
            "WTMF, w_m=0": stopped(wtmf(0.0), patience=3),
            "WTMF, w_m=.01": wtmf(0.01),
            "WTMF, w_m=.0005": wtmf(0.0005),
        },
    ),
    note=f"WTMF with w_m=0 is stopped by the dev queries. {LDA_NOTE}",
)

FIGURE2 = Reproduction(
    "acl2012-figure2",
    "ACL 2012, figure 2: ATOP by the weight of missing words",
    "definitions",
    (_ATOP,),
    rows("cdr", CDR, _BY_WEIGHT),
    Plot("missing_weight", "weight of missing words, w_m", log=True),
    "The paper's values are those that its table 2 repeats.",
)

FIGURE3 = Reproduction(
    "acl2012-figure3",
    "ACL 2012, figure 3: ATOP by the dimension",
    "definitions",
    (_ATOP,),
    (
        *_by_size("LDA, alpha=beta=.05", "LDA", {k: lda(n_components=k) for k in SIZES}),
        *_by_size("WTMF, w_m=.0005", "WTMF", {k: wtmf(0.0005, n_components=k) for k in SIZES}),
    ),
    Plot("n_components", "dimension, K"),
    f"The paper's values are those that its table 2 repeats. {LDA_NOTE}",
)

TABLE3 = Reproduction(
    "acl2012-table3",
    "ACL 2012, table 3: LI06 by the weight of missing words",
    "definitions",
    (*_LI30, *_LI35),
    rows("li06", LI06, _BY_WEIGHT),
)

TABLE4 = Reproduction(
    "acl2012-table4",
    "ACL 2012, table 4: LI06, 30 pairs, beside published systems",
    "definitions",
    _LI30,
    beside(
        "li06",
        [figure for figure in LI06 if figure.model in ("WTMF, w_m=.005", "WTMF, w_m=.01")]
        + [figure for figure in LI06 if figure.source.endswith("table 4")],
        {
            "WTMF, w_m=.005": wtmf(0.005),
            "WTMF, w_m=.01": wtmf(0.01),
            "LDA, alpha=beta=.05": lda(),
            **FLOOR,
        },
    ),
    note=f"{FLOOR_NOTE} {LDA_NOTE}",
)

TABLE5 = Reproduction(
    "acl2012-table5",
    "ACL 2012, table 5: accuracy on MSR04",
    "definitions",
    (Cell("accuracy", "msr04/test/accuracy"),),
    beside("msr04", MSR04, {"WTMF, w_m=.01": wtmf(0.01), "LDA, alpha=beta=.05": lda(), **FLOOR}),
    note=f"{FLOOR_NOTE} Our random scores take a threshold from the training pairs. {LDA_NOTE}",
)
