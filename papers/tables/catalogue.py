"""All tables and figures by name."""

from __future__ import annotations

from collections.abc import Iterable

from papers.experiments.measurement import ACROSS_YEARS
from papers.specs import Column, ModelSpec, RowSpec, TableSpec
from papers.tables import acl2011, acl2012, nips2002, sem2012, semeval2016
from papers.tables import catalogue as beyond
from papers.tables.acl2012 import floor
from tacit.errors import InputError

BLEND = ModelSpec(
    "wtmf",
    {
        "measure": "blend",
        "tf": "log",
        "missing_weight": 0.01,
        "regularization": 20.0,
        "n_components": 300,
        "n_iter": 10,
    },
    is_random=True,
)

TRANSLATED = ModelSpec(
    "x-wmf",
    {"measure": "blend", "tf": "log", "n_components": 300, "n_iter": 10, "languages": "es"},
    is_random=True,
)

_CELLS = (
    Column("STS12 weighted mean", "sts12/weighted_mean/pearson"),
    Column("STS13-16 mean of sets", ACROSS_YEARS),
    Column("STSb test", "stsb/test/pearson"),
    Column("SICK test", "sick/test/pearson"),
    Column("LI06 30 pairs r", "li06/30 pairs/pearson"),
    Column("MSR04 accuracy", "msr04/test/accuracy"),
)

TABLE = TableSpec(
    "beyond-blend",
    "Vectors and aligned words together",
    "sentences",
    _CELLS,
    (
        RowSpec("blend, K=300", BLEND, max_runs=1),
        *(RowSpec(title, model) for title, model in floor().items()),
    ),
    note=(
        "The weights of the blend and the constants of its alignment were chosen on the training pairs of "
        "STS12 and the development pairs of STSb, some of which also occur in the yearly sets. For "
        "comparison: WTMF of the papers has .608 on STS12, .8984 on LI06 and .7151 on MSR04; the best of "
        "the 89 supervised runs of STS12 has .6773."
    ),
)

TRANSLATIONS = TableSpec(
    "beyond-translations",
    "English text with the help of Spanish translations",
    "sentences+pairs",
    _CELLS,
    (RowSpec("blend across languages, K=300", TRANSLATED, max_runs=1),),
    note=(
        "The compared texts are English. Two English words count as similar if they have the same "
        "translations in the pairs. The blend is the one across languages, whose constants were chosen on "
        "the STS Benchmark dev sets (English with Spanish, Spanish) and the Spanish news of 2014. The "
        "weight of a shared translation was chosen on the English dev set and the training pairs of "
        "STS12."
    ),
)

TABLES = (TABLE, TRANSLATIONS)


PAPERS: dict[str, str] = {
    "acl2012": "Guo & Diab, ACL 2012: Modeling Sentences in the Latent Space",
    "sem2012": "Guo & Diab, *SEM 2012: A Simple Unsupervised Latent Semantics based Approach for Sentence "
    "Similarity",
    "nips2002": "Kandola, Shawe-Taylor & Cristianini, NIPS 2002: Learning Semantic Similarity",
    "acl2011": "Van de Cruys & Apidianaki, ACL 2011: Latent Semantic Word Sense Induction and Disambiguation",
    "semeval2016": "Aldarmaki & Diab, SemEval 2016: Matrix Factorization for Crosslingual STS",
}
"""The papers, in the order of the page."""

OF_PAPERS = (
    *acl2012.TABLES, *sem2012.TABLES, *nips2002.TABLES, *acl2011.TABLES, *semeval2016.TABLES
)  # fmt: skip
BEYOND = (*beyond.TABLES, *nips2002.BEYOND, *acl2011.BEYOND, *semeval2016.BEYOND)
"""Extensions: no paper prints them."""

ALL_TABLES: dict[str, TableSpec] = {table.name: table for table in (*OF_PAPERS, *BEYOND)}


def find_tables(names: Iterable[str]) -> list[TableSpec]:
    """Return the tables and figures with these names, without repeats.

    The name of a paper selects all its tables and figures, ``all`` those of all papers.

    >>> [table.name for table in find_tables(["acl2011"])]
    ['acl2011-table1', 'acl2011-table2', 'acl2011-table3', 'acl2011-changes', 'acl2011-past']
    >>> [table.name for table in find_tables(["sem2012"])]
    ['sem2012-table2', 'sem2012-table3', 'sem2012-mixture']
    >>> [table.name for table in find_tables(["sem2012-table3", "sem2012-table3"])]
    ['sem2012-table3']
    >>> find_tables(["table9"])
    Traceback (most recent call last):
    tacit.errors.InputError: nothing to reproduce is called 'table9'; there are all, acl2012-table2, ...
    """
    selected: dict[str, TableSpec] = {}
    for name in names:
        matching = {
            key: table for key, table in ALL_TABLES.items() if name in ("all", key, key.partition("-")[0])
        }
        if name == "few-labels":
            matching = {table.name: table for table in nips2002.FEW_LABELS}
        if not matching:
            known = ", ".join(["all", *ALL_TABLES])
            raise InputError(f"nothing to reproduce is called {name!r}; there are {known}")
        selected |= matching
    return list(selected.values())
