"""Choose an engine; train on disk or on Dask."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tacit.checks import check_choice, parse_bytes
from tacit.errors import InputError
from tacit.workflows.progress import Progress, notify
from tacit.workflows.python_records import Source
from tacit.workflows.records import RecordSource
from tacit.workflows.training_settings import ENGINES, EngineOptions

if TYPE_CHECKING:
    from tacit.training.wtmf import WTMF

logger = logging.getLogger(__name__)


def choose_engine(source: Source, options: EngineOptions, memory_only: str | None = None) -> EngineOptions:
    """Choose where to train; log why if "auto" does not choose the engine memory.

    Parameters
    ----------
    source : RecordSource or PythonRecords
        The texts.
    options : EngineOptions
        The engine, or "auto".
    memory_only : str, optional
        What the training needs that only the engine memory has, such as "a background".

    Returns
    -------
    EngineOptions
        The options with the engine that was chosen.

    Raises
    ------
    InputError
        If the options contradict each other.
    """
    engine, needs = check_choice("engine", options.engine, ENGINES), memory_only
    if not isinstance(source, RecordSource):
        needs = needs or "texts that are not in files"
    elif len(source.options.text_columns) > 1:
        needs = needs or "several text columns"
    if engine == "auto":
        reason = None if needs or not source.is_rereadable else _reason_for_disk(source, options)
        engine = "memory" if reason is None else "disk"
        if reason is not None:
            logger.info(reason)
    checks = [
        ("engine", engine, engine != "memory" and bool(needs),
         f"cannot be combined with {needs}: leave one of them out"),
        ("scheduler", options.scheduler, engine != "dask", "is only for the engine dask: leave it out"),
        ("work_dir", options.work_dir, engine == "memory", "is only for the engines disk and dask"),
        ("memory", options.memory, options.engine == "memory",
         "limits the engines disk and dask: leave it out, or choose auto"),
    ]  # fmt: skip
    for name, value, is_wrong, problem in checks:
        if is_wrong and value is not None:
            raise InputError(f"{name}={value} {problem}", parameter=name)
    return replace(options, engine=engine)


def _reason_for_disk(source: Source, options: EngineOptions) -> str | None:
    """Return why files are not trained in memory: a work folder, or their size; None if they are."""
    from tacit.scale.checkpoints import PREPARED_FOLDER
    from tacit.scale.engine_choice import choose_engine as engine_for

    assert isinstance(source, RecordSource)
    folder = options.default_work_dir
    if options.work_dir is not None:
        return "engine disk: a training in memory has no work folder"
    if folder is not None and Path(folder, PREPARED_FOLDER).is_dir():
        return f"engine disk: {folder} has a training that can be resumed"
    decision = engine_for(source.partitions(), _memory_limit(options))
    return None if decision.engine == "memory" else str(decision)


def _memory_limit(options: EngineOptions) -> int | None:
    return parse_bytes(options.memory) if isinstance(options.memory, str) else options.memory


def fit_out_of_core(
    trainer: WTMF, source: RecordSource, options: EngineOptions, progress: Progress | None = None
) -> tuple[list[str], Callable[[], None] | None]:
    """Train in partitions on disk or on Dask.

    Parameters
    ----------
    trainer : WTMF
        The trainer; it is fitted.
    source : RecordSource
        The texts, in files.
    options : EngineOptions
        Its engine is "disk" or "dask".
    progress : callable, optional
        Receives the fraction of each pass over the texts.

    Returns
    -------
    tuple of list of str and callable
        A sample of the texts, and a function that removes the work folder: call it when the model is saved.
        None for a temporary folder, which is removed already.

    Raises
    ------
    KeyboardInterrupt
        If the user stops the training; its message says how to resume it.
    """
    from tacit.compute.threads import effective_n_threads
    from tacit.scale.engine_choice import free_memory
    from tacit.scale.engines import Engine, ThreadEngine
    from tacit.scale.partitioned_backend import PartitionedBackend
    from tacit.scale.pass_progress import PassProgress, PassStatus

    def report(status: PassStatus) -> None:  # each pass is a stage, measured as a fraction
        if status.fraction < 1 or status.is_finished:
            detail = str(status).partition("%")[2].removeprefix(", ")
            notify(progress, status.name, status.fraction, 1.0, detail)

    memory = _memory_limit(options) or int(0.8 * free_memory())
    folder, n_threads = options.work_dir or options.default_work_dir, effective_n_threads(trainer.n_threads)
    with ExitStack() as stack:
        work_dir = folder or stack.enter_context(
            TemporaryDirectory(prefix="tacit-", ignore_cleanup_errors=True)
        )
        partitions = source.partitions()
        engine: Engine = ThreadEngine(n_threads)
        if options.engine == "dask":
            from tacit.scale.dask_engine import DaskEngine, connect

            engine = DaskEngine(stack.enter_context(connect(options.scheduler, n_threads, memory)), n_threads)
        backend = PartitionedBackend(partitions, engine, str(work_dir), memory, PassProgress(report))
        try:
            trainer.fit_backend(backend)
        except KeyboardInterrupt:
            resume = "" if folder is None else f"; the same command resumes the training ({folder})"
            raise KeyboardInterrupt(f"stopped after {backend.n_sweeps} sweeps{resume}") from None
    return backend.sample, None if folder is None else backend.remove_work_folder
