"""The subprocess that runs one job and reports progress as JSON lines.

A separate process keeps the service responsive while it trains, can be terminated at any time, and protects
the service from a hostile file. The task is a JSON object on standard input. Messages are JSON lines on
standard output; what the library prints or logs goes to standard error.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.errors import InputError, TacitError
from tacit.server import analysis_tasks
from tacit.server.collection_store import INDEX_DIR, write_info
from tacit.server.job_files import write_rows

if TYPE_CHECKING:
    from tacit.search.results import Cluster, DuplicateGroup
    from tacit.workflows.progress import Progress, ProgressEvent

Task = dict[str, Any]

MAX_GROUPS_SHOWN, MAX_TEXTS_PER_GROUP = 100, 50
BACKGROUNDS = ("wordnet",)
_MIN_TEXTS = 2  # percentiles are estimated from random pairs of texts
_MIN_INTERVAL = 0.1  # seconds between two progress messages
_STAGES = {
    "reading": (0.0, 0.1, "reading"),
    "background": (0.1, 0.4, "training on the background texts"),
    "sweeps": (0.4, 0.75, "training"),
    "self-check": (0.75, 0.8, "checking the model"),
    "indexing": (0.8, 0.95, "indexing"),
    "stability": (0.75, 0.9, "comparing models of half the texts"),
    "naming": (0.9, 0.95, "naming the themes"),
    "deciding": (0.95, 1.0, "deciding"),
    "report": (0.95, 1.0, "writing the report"),
    "writing": (0.95, 1.0, "writing"),
}
"""Stages of the jobs that train: the fraction done at the start and at the end, and the message."""
_PAIR_STAGES = {"comparing": (0.8, 0.95, "comparing")}
"""Further stages of jobs that compare after a training."""


class Reporter:
    """Sends messages to the service. A closed pipe ends the job with ``BrokenPipeError``."""

    def __init__(self, descriptor: int, stages: dict[str, tuple[float, float, str]] | None = None) -> None:
        self.descriptor, self.last, self.stage = descriptor, 0.0, ""
        self.stages = _STAGES if stages is None else stages

    def send(self, **message: Any) -> None:
        """Send one message."""
        line = json.dumps(message, ensure_ascii=True, allow_nan=False).encode() + b"\n"
        while line:
            line = line[os.write(self.descriptor, line) :]

    def send_progress(self, event: ProgressEvent) -> None:
        """Send the fraction of the job that is done; at most ten times a second within a stage."""
        moment = time.monotonic()
        if event.stage == self.stage and moment - self.last < _MIN_INTERVAL:
            return
        self.last, self.stage = moment, event.stage
        start, end, message = self.stages.get(event.stage, (0.0, 1.0, event.stage))
        share = min(max(event.done / event.total, 0.0), 1.0) if event.total else 0.0
        self.send(done=round(100 * (start + (end - start) * share), 1), message=message)


def inspect_upload(task: Task, progress: Progress) -> dict[str, Any]:
    """Describe a file: its columns, the text and id columns among them, the language and the first rows."""
    from tacit.workflows.file_inspection import inspect_file

    limits = {"max_rows": task["max_texts"], "max_chars": task["max_chars"]}
    return asdict(inspect_file(task["source"], header=task.get("header"), **limits))


def create_collection(task: Task, progress: Progress) -> dict[str, Any]:
    """Train on the texts of a file, index them, and write the index to a folder."""
    from tacit.corpora.table_rows import ReadOptions
    from tacit.search.filters import column_types, describe_other_columns
    from tacit.workflows import RecordOptions, RecordSource, TrainingSettings, build_index, learn
    from tacit.workflows.learning import count_texts
    from tacit.workflows.progress import ProgressEvent

    format_options = ReadOptions(header=task.get("header"), encoding=task.get("encoding"))
    if "max_chars" in task:
        format_options = format_options._replace(max_unpacked=task["max_chars"])
    options = RecordOptions(task["text"], task["id"], task["columns"], format_options)
    rows = RecordSource((task["source"],), options=options).records()
    records = list(count_texts(rows, progress, total=task.get("rows")))
    if len(records) > task["max_texts"]:
        raise InputError(f"{len(records):,} texts, at most {task['max_texts']:,}: give fewer")
    if len(records) < _MIN_TEXTS:
        raise InputError(f"a collection needs at least {_MIN_TEXTS} texts, got {len(records)}")
    learned = learn(
        records,
        language=task["language"] or "auto",
        background=task["background"],
        settings=TrainingSettings(n_threads=task.get("threads")),
        cache_dir=Path(task["backgrounds"]),
        progress=progress,
    )
    index = build_index(
        records, learned.model, max_columns=task.get("max_columns"), n_threads=task.get("threads"),
        progress=progress,
    )  # fmt: skip
    progress(ProgressEvent("writing", 0))
    out = Path(task["out"])
    index.save(out / INDEX_DIR)
    self_check = [] if learned.self_check is None else [str(learned.self_check)]
    info = {
        "texts": len(index),
        "languages": list(index.model.languages),
        "columns": column_types(index.snapshot),
        "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "source": task.get("filename"),
        "notes": learned.notes + self_check + describe_other_columns(index.snapshot),
    }
    write_info(out, info)
    return {"collection": task["name"], **info, "words": index.model.n_words}


def find_groups(task: Task, progress: Progress) -> dict[str, Any]:
    """Find near-duplicates or clusters; write all groups to a file, and return the first ones."""
    from tacit.workflows import load
    from tacit.workflows.progress import stage_callback

    index = load(task["index"], "index", task.get("threads"))
    groups: list[DuplicateGroup] | list[Cluster]
    if task["kind"] == "duplicates":
        callback = stage_callback(progress, "comparing")
        groups = index.duplicate_groups(task["threshold"], task["measure"], callback)
    else:
        groups = index.clusters(task["n_clusters"], progress=stage_callback(progress, "clustering"))
    rows: list[dict[str, Any]] = [{"size": len(group.ids), **group.to_dict()} for group in groups]
    for row in rows:
        row["ids"], row["texts"] = row["ids"][:MAX_TEXTS_PER_GROUP], row["texts"][:MAX_TEXTS_PER_GROUP]
    write_rows(task["out"], rows)
    n_texts = sum(row["size"] for row in rows)
    return {"found": len(rows), "texts": n_texts, "groups": rows[:MAX_GROUPS_SHOWN]}


TASKS: dict[str, Callable[[Task, Progress], dict[str, Any]]] = {
    "inspect": inspect_upload,
    "collection": create_collection,
    "duplicates": find_groups,
    "clusters": find_groups,
    "link": analysis_tasks.link_collections,
    "dedupe": analysis_tasks.dedupe_collection,
    "themes": analysis_tasks.find_collection_themes,
    "report": analysis_tasks.report_on_collection,
}


def main() -> int:
    """Read the task, run it, and send its result or its error."""
    output = os.dup(1)
    os.dup2(2, 1)  # whatever a library prints must not mix with the messages
    task = json.loads(sys.stdin.buffer.read())
    os.umask(0o077)  # the owner alone may read what is written
    compares = task["kind"] in ("link", "dedupe")
    reporter = Reporter(output, _STAGES | (_PAIR_STAGES if compares else {}))
    with suppress(OSError, AttributeError):
        os.nice(10)  # requests have priority
    _set_resource_limits(task.get("memory"), task.get("seconds"))
    try:
        result = TASKS[task["kind"]](task, reporter.send_progress)
    except TacitError as error:
        reporter.send(error=_use_original_filename(error, task))
    except MemoryError:
        reporter.send(error="this takes more memory than the service allows: give fewer or shorter texts")
    except BrokenPipeError:
        return 1
    else:
        reporter.send(result=result)
    return 0


def _use_original_filename(error: TacitError, task: Task) -> str:
    """Return the message of an error with the user's name of the file, and without command-line options."""
    source = str(task.get("source") or "")
    name = task.get("filename") or "the file"
    message = error.problem
    if not source:
        return message
    if getattr(error, "parameter", None) == "encoding":
        message += "; save it as UTF-8, if it is a file of texts at all"
    return message.replace(source, name).replace(os.path.basename(source), name)


def _set_resource_limits(memory: int | None, seconds: int | None) -> None:
    """Limit memory and CPU time of this process, where the system supports it."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        if seconds:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


if __name__ == "__main__":
    sys.exit(main())
