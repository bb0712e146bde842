"""Notes under a table: deviations from the paper, commits, run times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from papers.report.summary import Report
from papers.specs import TableSpec

ReportRow = Mapping[str, Any]


def command(table: TableSpec) -> str:
    """Return the command that computes a table."""
    return f"python -m papers run {table.name} --out docs/reproduction"


def seconds_per_iteration(rows: Sequence[ReportRow]) -> dict[str, float]:
    """Return the mean time of an iteration by kind of model; of a run for models without iterations.

    >>> seconds_per_iteration([{"kind": "wtmf", "cpu_seconds": 90.0, "runs": 2, "n_iter": 20}])
    {'wtmf': 2.25}
    >>> seconds_per_iteration([{"kind": "ir", "cpu_seconds": 0, "runs": 0, "n_iter": None}])
    {}
    """
    totals: dict[str, list[float]] = {}
    for row in rows:
        if row["runs"]:
            total = totals.setdefault(row["kind"], [0.0, 0.0])
            total[0] += row["cpu_seconds"]
            total[1] += row["runs"] * _iterations(row)
    return {kind: seconds / iterations for kind, (seconds, iterations) in totals.items()}


def _iterations(row: ReportRow) -> int:
    """Return the iterations of a run; 1 if it has none."""
    return int(row["n_iter"] or 1)


def count_missing(row: ReportRow) -> int:
    """Return how many runs a row lacks."""
    return max(int(row["wanted"]) - int(row["runs"]), 0)


def describe_total_time(rows: Sequence[ReportRow], seconds: Mapping[str, float]) -> str:
    """Return the time of all runs, by the mean time of their kind; empty if none was timed.

    >>> row = {"kind": "wtmf", "n_iter": 20, "wanted": 10}
    >>> describe_total_time([row], {"wtmf": 3.0}), describe_total_time([row], {})
    ('All runs take about 10 minutes of one processor.', '')
    """
    time, untimed = _estimate([(row, int(row["wanted"])) for row in rows], seconds)
    return f"All runs take about {format_duration(time)}{_list_untimed(untimed)}." if time else ""


def describe_remaining(rows: Sequence[ReportRow], seconds: Mapping[str, float]) -> str:
    """Return the number of runs that are not recorded, and their estimated time.

    >>> row = {"kind": "wtmf", "n_iter": 20, "wanted": 10, "runs": 4}
    >>> describe_remaining([row], {"wtmf": 3.0}), describe_remaining([{**row, "runs": 10}], {})
    ('6 runs are not recorded: 6 minutes of one processor', 'All runs are recorded')
    >>> describe_remaining([{**row, "wanted": 5, "kind": "lda"}], {})
    '1 run is not recorded, of a kind without a time (lda)'
    """
    missing = [(row, count_missing(row)) for row in rows]
    n = sum(number for _, number in missing)
    if not n:
        return "All runs are recorded"
    text = "1 run is not recorded" if n == 1 else f"{n:,} runs are not recorded"
    time, untimed = _estimate(missing, seconds)
    if not time:
        return f"{text}, of a kind without a time ({', '.join(untimed)})"
    return f"{text}: {format_duration(time)}{_list_untimed(untimed)}"


def _estimate(
    counted: Sequence[tuple[ReportRow, int]], seconds: Mapping[str, float]
) -> tuple[float, list[str]]:
    """Return the estimated time of n runs of each row, and the kinds that were never timed."""
    time = sum(n * _iterations(row) * seconds.get(row["kind"], 0.0) for row, n in counted)
    return time, sorted({row["kind"] for row, n in counted if n and row["kind"] not in seconds})


def _list_untimed(kinds: Sequence[str]) -> str:
    """Return an addition that names kinds without a time."""
    return f", without those that were never timed ({', '.join(kinds)})" if kinds else ""


def format_duration(seconds: float) -> str:
    """Format a time of one processor.

    >>> format_duration(40), format_duration(60), format_duration(5400), format_duration(4 * 3600)
    ('40 seconds of one processor', '1 minute of one processor', '90 minutes of one processor', ...)
    """
    number, unit = seconds / 3600, "hour"
    if seconds < 7200:
        number, unit = (seconds, "second") if seconds < 60 else (seconds / 60, "minute")
    amount = f"{number:.1f}" if unit == "hour" else f"{number:.0f}"
    return f"{amount} {unit}{'' if amount == '1' else 's'} of one processor"


class Deviation(NamedTuple):
    """A setting of rows that differs from their paper."""

    name: str
    paper: str
    ours: str
    why: str

    def __str__(self) -> str:
        """Return a sentence."""
        return f"`{self.name}` is {self.ours}, in the paper {self.paper}: {self.why}"


def list_deviations(report: Report) -> dict[Deviation, list[str]]:
    """Return the deviations of a table from its paper, each with its rows."""
    rows_of: dict[Deviation, list[str]] = {}
    for row in report["rows"]:
        for name, values in row["departs"].items():
            settings = _format_setting(values["paper"]), _format_setting(values["ours"])
            deviation = Deviation(name, *settings, values["why"])
            rows_of.setdefault(deviation, []).append(f"{row['title']} ({row['under']})")
    return rows_of


def _format_setting(value: Any) -> str:
    """Format a setting.

    >>> _format_setting(393666), _format_setting(5000), _format_setting(0.2), _format_setting(True)
    ('393,666', '5000', '0.2', 'true')
    """
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:,}" if isinstance(value, int) and value >= 10_000 else str(value)


def shared_deviations(reports: Iterable[Report]) -> dict[Deviation, list[str]]:
    """Return the deviations of several tables of a paper, with the names of their rows."""
    n_tables: Counter[Deviation] = Counter()
    rows_of: dict[Deviation, list[str]] = {}
    for report in reports:
        for deviation, names in list_deviations(report).items():
            n_tables[deviation] += 1
            rows_of.setdefault(deviation, []).extend(name.partition(" (")[0] for name in names)
    return {each: list(dict.fromkeys(rows_of[each])) for each, n in n_tables.items() if n > 1}


def table_notes(
    table: TableSpec, report: Report, seconds: Mapping[str, float], printed: set[Any]
) -> Iterator[str]:
    """Yield the deviations from the paper, other corpora, commits, and the runs that are not recorded.

    Notes in ``printed`` are left out; new ones are added to it.
    """
    for deviation, names in list_deviations(report).items():
        if deviation not in printed:
            rows = names[0] if len(names) == 1 else f"{len(names)} rows"
            yield f"Deviates from the paper: {deviation} [{rows}]."
    yield from _other_corpora(report["rows"], printed)
    yield from _provenance(table, report, seconds)


def _other_corpora(rows: Sequence[ReportRow], printed: set[Any]) -> Iterator[str]:
    """Yield which rows are trained on another corpus, unless all are."""
    titles: dict[str, list[str]] = {}
    for row in rows:
        if row["corpus"] and (row["title"], row["corpus"]) not in printed:
            printed.add((row["title"], row["corpus"]))
            titles.setdefault(row["corpus"], []).append(f"`{row['title']}`")
    if any(not row["corpus"] for row in rows):
        for corpus, names in titles.items():
            yield f"{', '.join(names)}: trained on {corpus}."


def _format_range(values: Sequence[Any]) -> str:
    """Return the first and the last value.

    >>> _format_range([0, 1, 2]), _format_range([0])
    ('0 to 2', '0')
    """
    return " to ".join(dict.fromkeys(str(value) for value in (values[0], values[-1])))


def _list_commits(rows: Iterable[ReportRow]) -> str:
    """Return the commits that computed the runs of rows.

    >>> _list_commits([{"commits": ["c0ffee", "beef"]}, {"commits": ["beef"]}])
    'commits beef, c0ffee'
    >>> _list_commits([{"commits": ["c0ffee with changes"]}])
    'commit c0ffee with changes'
    """
    commits = sorted({commit for row in rows for commit in row["commits"] if commit})
    return f"commit{'s' * (len(commits) > 1)} {', '.join(commits)}" if commits else "no commit"


def _provenance(table: TableSpec, report: Report, seconds: Mapping[str, float]) -> Iterator[str]:
    """Yield when, by which commits and with which seeds a table was computed, and the command for it."""
    computed = [row for row in report["rows"] if row["values"]]
    if computed:
        seeds = sorted({seed for row in computed for seed in row["seeds"]})
        dates = sorted(date for row in computed for date in row["dates"])
        iterations = sorted({row["n_iter"] for row in computed if row["n_iter"]})
        n_iter = f", {' / '.join(map(str, iterations))} iterations" if iterations else ""
        time = format_duration(sum(row["cpu_seconds"] for row in computed))
        commits = _list_commits(computed)
        yield f"Computed {_format_range(dates)} by {commits}; seeds {_format_range(seeds)}{n_iter}; {time}."
    if any(map(count_missing, report["rows"])):
        yield f"{describe_remaining(report['rows'], seconds)}. `{command(table)}` computes them."
    else:
        yield f"Command: `{command(table)}`."
