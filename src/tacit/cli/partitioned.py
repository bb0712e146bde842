"""tacit train past memory: the choice of an engine, its run, a line for each pass, its work folder."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.common import complain, progress

if TYPE_CHECKING:
    from tacit.cli.training_sources import Sources
    from tacit.corpora.partitions import Partition
    from tacit.scale.engines import Engine
    from tacit.scale.progress import Moment
    from tacit.training.wtmf import WTMF

_OPTIONS = (
    click.option(
        "--engine",
        type=click.Choice(["auto", "memory", "disk", "dask"]),
        default="auto",
        show_default=True,
        help="Where to train: in memory, out of core on this machine, or on a Dask cluster.",
    ),
    click.option("--scheduler", help="With --engine dask: its address, tcp://HOST:8786; else workers here."),
    click.option(
        "--memory", help="With disk or dask: how much to use, as 2GB; by default most of what is free."
    ),
    click.option(
        "--checkpoint",
        "work_dir",
        help="With disk or dask: the work folder, from which a stopped run is taken up; by default OUT.work.",
    ),
)


@dataclass(frozen=True)
class Scale:
    """What the command says of how large the work is."""

    engine: str
    scheduler: str | None
    memory: str | None
    checkpoint: str | None


def scale_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of engines, as one ``scale`` for the verb."""
    import functools

    @functools.wraps(function)
    def run(
        engine: str, scheduler: str | None, memory: str | None, work_dir: str | None, **rest: Any
    ) -> None:
        function(scale=Scale(engine, scheduler, memory, work_dir), **rest)

    return functools.reduce(lambda decorated, option: option(decorated), reversed(_OPTIONS), run)


def chosen_engine(scale: Scale, sources: Sources, out: str, in_memory_only: str | None) -> str:
    """The engine to train with; ``in_memory_only`` names an option that leaves no choice."""
    from tacit.errors import InputError
    from tacit.scale.checkpoints import PREPARED
    from tacit.scale.choosing import bytes_of, choose_engine

    memory = None if scale.memory is None else bytes_of(scale.memory)
    if scale.engine in ("disk", "dask") and in_memory_only:
        raise InputError(f"{in_memory_only} is for --engine memory: leave one of them out")
    if scale.scheduler is not None and scale.engine != "dask":
        raise InputError("--scheduler is for --engine dask: give that too, or leave it out")
    piped = not all(map(os.path.isfile, sources.inputs))  # what is read once
    if scale.engine == "memory" or (scale.engine == "auto" and (in_memory_only or piped)):
        if scale.checkpoint is not None:
            raise InputError("--checkpoint is for --engine disk or dask: a training in memory keeps none")
        return "memory"
    if scale.engine != "auto":
        return scale.engine
    folder = _work_folder(scale, out)
    if os.path.isdir(os.path.join(folder, PREPARED)):
        complain(f"engine disk: {folder} has a training to go on with")
        return "disk"
    if scale.checkpoint is not None:
        complain("engine disk: a training in memory keeps no checkpoint")
        return "disk"
    choice = choose_engine(partitions_from(sources), memory)
    if choice.engine != "memory":
        complain(str(choice))
    return choice.engine


def _work_folder(scale: Scale, out: str) -> str:
    return scale.checkpoint or f"{out.rstrip('/')}.work"


def partitions_from(sources: Sources) -> list[Partition]:
    """The inputs of the command in partitions."""
    from tacit.corpora.partitions import partitions_of
    from tacit.scale.choosing import partition_size

    size = partition_size(sum(map(os.path.getsize, filter(os.path.isfile, sources.inputs))))
    return partitions_of(sources.inputs, sources.column, sources.reading, corpora=sources.corpora, size=size)


def train_partitioned(
    trainer: WTMF, sources: Sources, scale: Scale, engine: str, out: str, threads: int | None
) -> list[str]:
    """Train and save; returns a sample of the texts."""
    from tacit.scale.choosing import bytes_of, free_memory
    from tacit.scale.partitioned_backend import PartitionedBackend
    from tacit.scale.progress import Progress

    memory = int(0.8 * free_memory()) if scale.memory is None else bytes_of(scale.memory)
    folder = _work_folder(scale, out)
    partitions = partitions_from(sources)
    with _engine(engine, scale.scheduler, threads, memory) as found, _shown() as show:
        backend = PartitionedBackend(partitions, found, folder, memory, Progress(show))
        try:
            trainer.fit_backend(backend)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(
                f"stopped after {backend.n_sweeps} sweeps; the same command goes on from there ({folder})"
            ) from None
    trainer.save(out)
    backend.remove_work_folder()
    return backend.sample


@contextmanager
def _engine(name: str, scheduler: str | None, threads: int | None, memory: int) -> Iterator[Engine]:
    from tacit.compute.threads import usable_threads
    from tacit.scale.engines import Threads

    n_threads = usable_threads(threads)
    if name == "disk":
        yield Threads(n_threads)
        return
    from tacit.scale.dask_engine import DaskEngine, connected

    with connected(scheduler, n_threads, memory) as client:
        yield DaskEngine(client, n_threads)


@contextmanager
def _shown() -> Iterator[Callable[[Moment], None]]:
    """A bar for the pass under way in a terminal; one line a pass, when it is over, everywhere else."""
    began = time.perf_counter()
    with progress("{task.fields[note]}") as bar:
        task: Any = None

        def show(moment: Moment) -> None:
            nonlocal task, began
            if bar.disable:
                if moment.finished:
                    seconds, began = time.perf_counter() - began, time.perf_counter()
                    complain(f"{moment}, {seconds:.1f} s")
                return
            if task is None:
                task = bar.add_task(moment.name, total=1.0, note="")
            note = str(moment).partition(": ")[2]
            bar.update(task, description=moment.name, completed=moment.done, note=note)
            if moment.finished:
                task = None

        yield show
