"""Every table and figure that can be made again, by name."""

from __future__ import annotations

from collections.abc import Iterable

from tacit.errors import InputError
from tacit.evaluation.reproduction import acl2012, sem2012
from tacit.evaluation.reproduction.tables import Reproduction

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
    )
}


def find_reproductions(names: Iterable[str]) -> list[Reproduction]:
    """The tables and figures of these names, each once; ``all`` names every one.

    >>> [found.name for found in find_reproductions(["sem2012-table3", "sem2012-table3"])]
    ['sem2012-table3']
    >>> find_reproductions(["table9"])
    Traceback (most recent call last):
    tacit.errors.InputError: nothing to reproduce is called 'table9'; there are all, acl2012-table2, ...
    """
    wanted: dict[str, Reproduction] = {}
    for name in names:
        if name != "all" and name not in REPRODUCTIONS:
            known = ", ".join(["all", *REPRODUCTIONS])
            raise InputError(f"nothing to reproduce is called {name!r}; there are {known}")
        wanted |= REPRODUCTIONS if name == "all" else {name: REPRODUCTIONS[name]}
    return list(wanted.values())
