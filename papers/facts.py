"""What stands under a table: where it departs from its paper, which code computed it, and how to run it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from papers.report import Report
from papers.tables import Reproduction
from papers.timing import duration, left, missing


def command(table: Reproduction) -> str:
    """What makes a table again."""
    return f"python -m papers run {table.name} --out docs/reproduction"


class Departure(NamedTuple):
    """A setting that rows have otherwise than their paper."""

    name: str
    paper: str
    ours: str
    why: str

    def __str__(self) -> str:
        """As a sentence."""
        return f"`{self.name}` {self.ours} where the paper has {self.paper}: {self.why}"


def departures_told(report: Report) -> dict[Departure, list[str]]:
    """What departs from the paper, each with the rows that do."""
    apart: dict[Departure, list[str]] = {}
    for row in report["rows"]:
        for name, told in row["departs"].items():
            departure = Departure(name, _plain(told["paper"]), _plain(told["ours"]), told["why"])
            apart.setdefault(departure, []).append(f"{row['title']} ({row['under']})")
    return apart


def _plain(value: Any) -> str:
    """A setting as readers write it.

    >>> _plain(393666), _plain(5000), _plain(0.2), _plain(True)
    ('393,666', '5000', '0.2', 'true')
    """
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:,}" if isinstance(value, int) and value >= 10_000 else str(value)


def shared_departures(reports: Iterable[Report]) -> dict[Departure, list[str]]:
    """What departs in several tables of a paper, with the names of rows: said once, before them."""
    tables: Counter[Departure] = Counter()
    rows: dict[Departure, list[str]] = {}
    for report in reports:
        for departure, names in departures_told(report).items():
            tables[departure] += 1
            rows.setdefault(departure, []).extend(name.partition(" (")[0] for name in names)
    return {each: list(dict.fromkeys(rows[each])) for each, count in tables.items() if count > 1}


def facts(table: Reproduction, report: Report, seconds: Mapping[str, float], said: set[Any]) -> Iterator[str]:
    """What departs from the paper, which code computed it, and what is still to be run.

    What is in ``said`` is not said again, and what is said is put there.
    """
    for departure, names in departures_told(report).items():
        if departure not in said:
            whose = names[0] if len(names) == 1 else f"{len(names)} rows"
            yield f"Departs from the paper: {departure} [{whose}]."
    yield from _elsewhere(report["rows"], said)
    yield from _computed(table, report, seconds)


def _elsewhere(rows: Sequence[Mapping[str, Any]], said: set[Any]) -> Iterator[str]:
    """Which rows are trained on another corpus; where all are, their names say it."""
    titles: dict[str, list[str]] = {}
    for row in rows:
        if row["corpus"] and (row["title"], row["corpus"]) not in said:
            said.add((row["title"], row["corpus"]))
            titles.setdefault(row["corpus"], []).append(f"`{row['title']}`")
    if any(not row["corpus"] for row in rows):
        for corpus, names in titles.items():
            yield f"{', '.join(names)}: trained on {corpus}."


def _span(values: Sequence[Any]) -> str:
    """The first and the last.

    >>> _span([0, 1, 2]), _span([0])
    ('0 to 2', '0')
    """
    return " to ".join(dict.fromkeys(str(value) for value in (values[0], values[-1])))


def _list_commits(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the commits that computed the runs of rows.

    >>> _list_commits([{"commits": ["c0ffee", "beef"]}, {"commits": ["beef"]}])
    'commits beef, c0ffee'
    >>> _list_commits([{"commits": ["c0ffee with changes"]}])
    'commit c0ffee with changes'
    """
    commits = sorted({commit for row in rows for commit in row["commits"] if commit})
    return f"commit{'s' * (len(commits) > 1)} {', '.join(commits)}" if commits else "no commit"


def _computed(table: Reproduction, report: Report, seconds: Mapping[str, float]) -> Iterator[str]:
    computed = [row for row in report["rows"] if row["values"]]
    if computed:
        seeds = sorted({seed for row in computed for seed in row["seeds"]})
        dates = sorted(date for row in computed for date in row["dates"])
        iterations = sorted({row["n_iter"] for row in computed if row["n_iter"]})
        sweeps = f", {' / '.join(map(str, iterations))} iterations" if iterations else ""
        spent = duration(sum(row["cpu_seconds"] for row in computed))
        yield f"Computed {_span(dates)} by {_list_commits(computed)}; seeds {_span(seeds)}{sweeps}; {spent}."
    if any(map(missing, report["rows"])):
        yield f"{left(report['rows'], seconds)}. `{command(table)}` runs them."
    else:
        yield f"Again: `{command(table)}`."
