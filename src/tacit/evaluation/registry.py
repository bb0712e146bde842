"""All tasks by name, and how a task is run on a scorer."""

from __future__ import annotations

import tomllib
from pathlib import Path
from time import perf_counter
from typing import Any

from tacit.checks import suggest_names
from tacit.corpora.table_rows import DEFAULT_OPTIONS, ReadOptions
from tacit.errors import InputError
from tacit.evaluation.pair_tasks import CROSSLINGUAL, PARAPHRASE, PER_SET, SIMILARITY
from tacit.evaluation.results import Result
from tacit.evaluation.search_task import SEARCH
from tacit.evaluation.tasks import DataFile, PublishedResult, Task

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
    return {name: _make_task(name, entry, content["licences"]) for name, entry in content["tasks"].items()}


def _make_task(name: str, entry: dict[str, Any], licences: dict[str, str]) -> Task:
    """Build a task from its entry in ``tasks.toml``."""
    files = tuple(DataFile(**file | {"languages": _languages(file)}) for file in entry["files"])
    published = tuple(PublishedResult(**row) for row in entry.get("published", ()))
    return Task(name, entry["title"], _KINDS[entry["kind"]], files, licences[entry["licence"]], published)


def _languages(file: dict[str, Any]) -> tuple[str, str] | None:
    """Return the languages of a file's two columns of texts, if they are stated."""
    return tuple(file["languages"]) if "languages" in file else None


TASKS: dict[str, Task] = _load_tasks()
"""All tasks by name; :func:`pairs_task` makes a task from any file."""


def find_task(name: str) -> Task:
    """Return the task with this name.

    >>> find_task("li06").kind.metrics
    ('pearson', 'spearman')
    >>> find_task("sts11")
    Traceback (most recent call last):
    tacit.errors.InputError: no task is called 'sts11'; there are ..., and pairs for a file; did you mean ...
    """
    if name not in TASKS:
        hint = suggest_names(name, TASKS)
        raise InputError(
            f"no task is called {name!r}; there are {', '.join(TASKS)}, and pairs for a file{hint}"
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
    return Task("pairs", f"the pairs of {full.name}", PER_SET, (file,), "the user's own")


def evaluate(task: str | Task, scorer: Any, data: str | Path | None = None, seed: int = 0) -> Result:
    """Evaluate a scorer on a task.

    Parameters
    ----------
    task : str or Task
        The name of a task (see ``TASKS``) or a task.
    scorer : PairScorer or Searcher
        What is evaluated; the task ``search`` needs a ``Searcher``, other tasks a ``PairScorer``.
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
    counted = [sets[task.kind.total_set]] if task.kind.total_set else list(sets.values())
    pairs, unknown = (
        sum(int(metrics[name]) for metrics in counted) for name in ("pairs", "without_known_words")
    )
    return Result(task.name, scorer.name, sets, summary, pairs, unknown, seconds)
