"""Every table and figure that can be made again, by name."""

from __future__ import annotations

from collections.abc import Iterable

from papers import acl2011, acl2012, beyond, nips2002, sem2012, semeval2016
from papers.tables import Reproduction
from tacit.errors import InputError

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

REPRODUCTIONS: dict[str, Reproduction] = {table.name: table for table in (*OF_PAPERS, *BEYOND)}


def find_reproductions(names: Iterable[str]) -> list[Reproduction]:
    """The tables and figures of these names, each once; a paper, or ``all``, names every one of its own.

    >>> [found.name for found in find_reproductions(["acl2011"])]
    ['acl2011-table1', 'acl2011-table2', 'acl2011-table3', 'acl2011-changes', 'acl2011-past']

    >>> [found.name for found in find_reproductions(["sem2012"])]
    ['sem2012-table2', 'sem2012-table3', 'sem2012-mixture']
    >>> [found.name for found in find_reproductions(["sem2012-table3", "sem2012-table3"])]
    ['sem2012-table3']
    >>> find_reproductions(["table9"])
    Traceback (most recent call last):
    tacit.errors.InputError: nothing to reproduce is called 'table9'; there are all, acl2012-table2, ...
    """
    wanted: dict[str, Reproduction] = {}
    for name in names:
        found = {
            key: table for key, table in REPRODUCTIONS.items() if name in ("all", key, key.partition("-")[0])
        }
        if name == "few-labels":
            found = {table.name: table for table in nips2002.FEW_LABELS}
        if not found:
            known = ", ".join(["all", *REPRODUCTIONS])
            raise InputError(f"nothing to reproduce is called {name!r}; there are {known}")
        wanted |= found
    return list(wanted.values())
