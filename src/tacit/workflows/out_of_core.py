"""Choose an engine; train on disk or on Dask."""

from __future__ import annotations

import logging
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.errors import InputError
from tacit.workflows.progress import Progress, notify
from tacit.workflows.python_records import Source
from tacit.workflows.records import RecordSource
from tacit.workflows.training_settings import ENGINES, EngineOptions

if TYPE_CHECKING:
    from tacit.scale.engines import Engine
    from tacit.scale.pass_progress import PassStatus
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
    from tacit.checks import check_choice

    engine, needs = check_choice("engine", options.engine, ENGINES), memory_only
    if not isinstance(source, RecordSource):
        needs = needs or "texts that are not in files"
    elif len(source.options.text_columns) > 1:
        needs = needs or "several text columns"
    if engine == "auto":
        engine = "memory" if needs or not source.is_rereadable else _choose_for_files(source, options)
    problems = {}
    if needs and engine != "memory":
        problems["engine"] = f"engine={engine} cannot be combined with {needs}: leave one of them out"
    if options.scheduler is not None and engine != "dask":
        problems["scheduler"] = f"scheduler={options.scheduler} is only for the engine dask: leave it out"
    if options.work_dir is not None and engine == "memory":
        problems["work_dir"] = f"work_dir={options.work_dir} is only for the engines disk and dask"
    for parameter, problem in problems.items():
        raise InputError(problem, parameter=parameter)
    return replace(options, engine=engine)


def _choose_for_files(source: Source, options: EngineOptions) -> str:
    """Return "disk" for a work folder, or for files that do not fit in memory; else "memory"."""
    from tacit.scale.checkpoints import PREPARED_FOLDER
    from tacit.scale.engine_choice import choose_engine as engine_for

    assert isinstance(source, RecordSource)
    folder, memory = options.default_work_dir, _memory_limit(options)
    if options.work_dir is not None:
        reason = "engine disk: a training in memory has no work folder"
    elif folder is not None and Path(folder, PREPARED_FOLDER).is_dir():
        reason = f"engine disk: {folder} has a training that can be resumed"
    else:
        decision = engine_for(source.partitions(), memory)
        if decision.engine == "memory":
            return "memory"
        reason = str(decision)
    logger.info(reason)
    return "disk"


def _memory_limit(options: EngineOptions) -> int | None:
    from tacit.scale.engine_choice import parse_bytes

    return parse_bytes(options.memory) if isinstance(options.memory, str) else options.memory


def fit_out_of_core(
    trainer: WTMF, source: RecordSource, options: EngineOptions, progress: Progress | None = None
) -> tuple[list[str], Callable[[], None]]:
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

    Raises
    ------
    KeyboardInterrupt
        If the user stops the training; its message says how to resume it.
    """
    from tacit.scale.engine_choice import free_memory
    from tacit.scale.partitioned_backend import PartitionedBackend
    from tacit.scale.pass_progress import PassProgress as PassProgress

    memory = _memory_limit(options) or int(0.8 * free_memory())
    folder = options.work_dir or options.default_work_dir
    temporary = None if folder is not None else tempfile.mkdtemp(prefix="tacit-")
    partitions = source.partitions()
    try:
        with _open_engine(options, trainer.n_threads, memory) as engine:
            passes = PassProgress(_pass_callback(progress))
            work_dir = str(folder or temporary)
            backend = PartitionedBackend(partitions, engine, work_dir, memory, passes)
            try:
                trainer.fit_backend(backend)
            except KeyboardInterrupt:
                resume = "" if folder is None else f"; the same command resumes the training ({folder})"
                raise KeyboardInterrupt(f"stopped after {backend.n_sweeps} sweeps{resume}") from None
    finally:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)
    return backend.sample, backend.remove_work_folder if temporary is None else lambda: None


@contextmanager
def _open_engine(options: EngineOptions, n_threads: int | None, memory: int) -> Iterator[Engine]:
    from tacit.compute.threads import effective_n_threads
    from tacit.scale.engines import ThreadEngine

    n_usable = effective_n_threads(n_threads)
    if options.engine == "disk":
        yield ThreadEngine(n_usable)
        return
    from tacit.scale.dask_engine import DaskEngine, connect

    with connect(options.scheduler, n_usable, memory) as client:
        yield DaskEngine(client, n_usable)


def _pass_callback(progress: Progress | None) -> Callable[[PassStatus], None]:
    """Adapt ``progress`` to the passes of `tacit.scale`: each pass is a stage, measured as a fraction."""

    def report(status: PassStatus) -> None:
        if status.fraction < 1 or status.is_finished:
            detail = str(status).partition("%")[2].removeprefix(", ")
            notify(progress, status.name, status.fraction, 1.0, detail)

    return report
