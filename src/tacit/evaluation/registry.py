"""All tasks by name, how a task is run on a scorer, and its result as JSON or in a table."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from tacit import __version__
from tacit.checks import suggest_names
from tacit.corpora.table_rows import DEFAULT_OPTIONS, ReadOptions
from tacit.errors import InputError
from tacit.evaluation.metrics import THRESHOLDS
from tacit.evaluation.pair_tasks import CROSSLINGUAL, OWN_PAIRS, PARAPHRASE, PER_SET, SIMILARITY
from tacit.evaluation.search_task import SEARCH
from tacit.evaluation.tasks import DataFile, PublishedResult, Task

FORMAT = 1
AVERAGES = ("all", "all_normalized", "mean", "weighted_mean")
"""Names of averages of Pearson's r over sets; those of Spearman's rho have the suffix ``_spearman``."""

_KINDS = {
    "similarity": SIMILARITY,
    "crosslingual": CROSSLINGUAL,
    "per_set": PER_SET,
    "paraphrase": PARAPHRASE,
    "search": SEARCH,
}


def _load_tasks() -> dict[str, Task]:
    """Read the tasks and their published results from ``tasks.toml``."""
    content = tomllib.loads(Path(__file__).with_name("tasks.toml").read_text(encoding="utf-8"))
    tasks = {}
    for name, entry in content["tasks"].items():
        for file in entry["files"]:
            if "languages" in file:
                file["languages"] = tuple(file["languages"])
        files = tuple(DataFile(**file) for file in entry["files"])
        published = tuple(PublishedResult(**row) for row in entry.get("published", ()))
        licence = content["licences"][entry["licence"]]
        tasks[name] = Task(name, entry["title"], _KINDS[entry["kind"]], files, licence, published)
    return tasks


TASKS: dict[str, Task] = _load_tasks()
"""All tasks by name; :func:`pairs_task` makes a task from any file."""


def find_task(name: str) -> Task:
    """Return the task with this name.

    >>> find_task("li06").kind.metrics
    ('pearson', 'spearman')
    >>> find_task("sts11")
    Traceback (most recent call last):
    tacit.errors.InputError: there is no task 'sts11'; the tasks are ..., and pairs for a file; did ...
    """
    if name not in TASKS:
        hint = suggest_names(name, TASKS)
        raise InputError(
            f"there is no task {name!r}; the tasks are {', '.join(TASKS)}, and pairs for a file{hint}"
        )
    return TASKS[name]


def pairs_task(
    path: str | Path, languages: tuple[str, str] | None = None, read_options: ReadOptions = DEFAULT_OPTIONS
) -> Task:
    """Make a task from a table of score, text, text; ``languages`` are detected if None.

    >>> pairs_task("/tmp/mine.tsv").files[0].name
    'mine'
    """
    full = Path(path).absolute()
    name = full.name.split(".")[0] or full.name
    file = DataFile(name, str(full), languages=languages, read_options=read_options)
    return Task("pairs", f"the pairs of {full.name}", OWN_PAIRS, (file,), "the user's own")


@dataclass(frozen=True)
class Result:
    """The metrics of a scorer on a task.

    Parameters
    ----------
    task : str
        The name of the task.
    scorer : str
        The name of the scorer.
    sets : mapping of str to mapping of str to float
        The metrics of each set, and its number of ``pairs``.
    summary : mapping of str to float
        The metrics over all sets: ``all``, ``mean``, ... for several similarity sets, ``pearson`` and
        ``spearman`` for one, ``accuracy`` and ``f1``, or ``recall_at_10`` and ``mrr``.
    pairs : int
        The number of scored pairs (for retrieval: queries).
    without_known_words : int
        The number of texts without a word that the scorer knows; their pairs score 0.
    seconds : float
        The time that scoring took.
    tacit : str
        The version of tacit.
    """

    task: str
    scorer: str
    sets: Mapping[str, Mapping[str, float]]
    summary: Mapping[str, float]
    pairs: int
    without_known_words: int = 0
    seconds: float = 0.0
    tacit: str = field(default=__version__)

    def value(self, metric: str, name: str) -> float | None:
        """Return a metric of a set or an average; None if there is none.

        >>> Result("t", "s", {}, {"mean": 0.5, "mean_spearman": 0.4}, 9).value("spearman", "mean")
        0.4
        """
        if name in self.sets:
            return self.sets[name].get(metric)
        return self.summary.get(name if metric == "pearson" else f"{name}_{metric}")

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain values, with the summary on the top level."""
        fields = asdict(self)
        sets, summary = fields.pop("sets"), fields.pop("summary")
        return {"format": FORMAT, **fields, **summary, "sets": sets}

    def to_json(self) -> str:
        """Convert to indented JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)


def evaluate(task: str | Task, scorer: Any, data: str | Path | None = None, seed: int = 0) -> Result:
    """Evaluate a scorer on a task.

    Parameters
    ----------
    task : str or Task
        The name of a task (see ``TASKS``) or a task.
    scorer : PairScorer or Searcher
        The scorer; the task ``search`` needs a ``Searcher``, other tasks a ``PairScorer``.
    data : str or Path, optional
        The folder of evaluation data; by default ``$TACIT_DATA``.
    seed : int
        Draws the development queries of ``search``; tasks on pairs have no random part.

    Returns
    -------
    Result
        The metrics of each set and over all sets.

    Raises
    ------
    InputError
        If the task is unknown, a file is missing, or the scorer lacks the required method.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from tacit.evaluation.scorers import PrefixScorer
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "mine.tsv")
    ...     _ = path.write_text("5\\ta cat\\ta cat\\n2\\ta cat\\ta dog\\n0\\ta cat\\tstocks\\n")
    ...     evaluate(pairs_task(path), PrefixScorer()).summary["spearman"]
    1.0
    """
    task = find_task(task) if isinstance(task, str) else task
    methods = task.kind.required_methods
    if not any(hasattr(scorer, method) for method in methods):
        needed = " or ".join(methods)
        raise InputError(
            f"{task.name} needs a scorer with {needed}, which {type(scorer).__name__} does not have"
        )
    loaded = task.kind.load(task, data)
    start = perf_counter()
    sets, summary = task.kind.measure(loaded, scorer, seed)
    seconds = round(perf_counter() - start, 3)
    counted = [sets[task.kind.total_set]] if task.kind.total_set else sets.values()
    pairs = sum(int(metrics["pairs"]) for metrics in counted)
    unknown = sum(int(metrics["without_known_words"]) for metrics in counted)
    return Result(task.name, scorer.name, sets, summary, pairs, unknown, seconds)


def format_comparison(
    results: Sequence[Result], metric: str = "pearson", published: Sequence[PublishedResult] = ()
) -> str:
    """Format results on one task as a table: a row per scorer, a column per set or average.

    The published results that have this metric follow.

    >>> sets = {"test": {"pairs": 10, "accuracy": 0.7}}
    >>> print(format_comparison([Result("msr04", "ir", sets, {"accuracy": 0.7}, 10)], "accuracy"))
    msr04: accuracy
         test
    ir  .7000
    """
    tasks = list(dict.fromkeys(result.task for result in results))
    if len(tasks) != 1:
        raise InputError(f"a table compares results on one task, not on {len(tasks)}: {', '.join(tasks)}")
    columns = [*results[0].sets, *(name for name in AVERAGES if name in results[0].summary)]
    rows = [(result.scorer, [result.value(metric, name) for name in columns]) for result in results]
    for row in published:
        if metric in row.values:
            rows.append((row.name, [row.values[metric].get(name) for name in columns]))
    cells = [["", *columns], *([name, *map(_format_number, values)] for name, values in rows)]
    return "\n".join([f"{tasks[0]}: {metric}", *_align_columns(cells)])


def format_thresholds(result: Result) -> str:
    """Format precision, recall and F1 at several thresholds as a table; empty if they were not measured.

    >>> from tacit.evaluation.metrics import match_metrics
    >>> sets = {"mine": match_metrics([0.9, 0.35], [1, 0])}
    >>> print(format_thresholds(Result("pairs", "blend", sets, {}, 2)).splitlines()[4])
    0.3              .5000  1.0000   .6667
    """
    names = ("precision", "recall", "f1")
    sets = {name: metrics for name, metrics in result.sets.items() if "f1_at_0.5" in metrics}
    tables = []
    for name, metrics in sets.items():
        rows = [
            [str(t), *(_format_number(metrics[f"{metric}_at_{t}"]) for metric in names)] for t in THRESHOLDS
        ]
        tables += [f"{name}: {result.scorer}", *_align_columns([["threshold from", *names], *rows])]
    return "\n".join(tables)


def _format_number(value: float | None) -> str:
    """Format a number as papers do: .6946; an absent one is blank."""
    if value is None:
        return ""
    return f"{value:.4f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.4f}"


def _align_columns(rows: list[list[str]]) -> list[str]:
    """Pad the first column on the right, the others on the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows
    ]
