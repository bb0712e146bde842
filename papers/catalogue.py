"""Every table and figure that can be made again, by name."""

from __future__ import annotations

from collections.abc import Iterable

from papers import acl2011, acl2012, beyond, nips2002, sem2012, semeval2016
from papers.tables import Reproduction
from tacit.errors import InputError

REPRODUCTIONS: dict[str, Reproduction] = {
    table.name: table
    for table in (
        acl2012.TABLE2,
        acl2012.FIGURE2,
        acl2012.FIGURE3,
        acl2012.TABLE3,
        acl2012.TABLE4,
        acl2012.TABLE5,
        sem2012.TABLE2,
        sem2012.TABLE3,
        beyond.TABLE,
        beyond.TRANSLATIONS,
        nips2002.TABLE1,
        nips2002.TABLE2,
        nips2002.LAMBDA,
        nips2002.QUERIES,
        *nips2002.FEW_LABELS,
        semeval2016.TABLE1,
        semeval2016.LANGUAGES,
        acl2011.TABLE1,
        acl2011.TABLE2,
        acl2011.TABLE3,
    )
}


def find_reproductions(names: Iterable[str]) -> list[Reproduction]:
    """The tables and figures of these names, each once; a paper, or ``all``, names every one of its own.

    >>> [found.name for found in find_reproductions(["acl2011"])]
    ['acl2011-table1', 'acl2011-table2', 'acl2011-table3']

    >>> [found.name for found in find_reproductions(["sem2012"])]
    ['sem2012-table2', 'sem2012-table3']
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
