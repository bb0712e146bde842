"""Progress events of long operations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple


class ProgressEvent(NamedTuple):
    """Progress of one stage of a long operation.

    Parameters
    ----------
    stage : str
        The stage, such as "reading" or "sweeps".
    done : float
        The amount of work done so far, in the units of ``total``.
    total : float, optional
        The amount of work of the stage; None if it is not known.
    detail : str
        A short text to show beside the numbers, such as the current loss.

    Examples
    --------
    >>> ProgressEvent("sweeps", 3, 15, "loss 1,234").is_finished
    False
    """

    stage: str
    done: float
    total: float | None = None
    detail: str = ""

    @property
    def is_finished(self) -> bool:
        """Whether the whole stage is done."""
        return self.total is not None and self.done >= self.total


Progress = Callable[[ProgressEvent], None]
"""Receives the progress events of an operation."""


def notify(
    progress: Progress | None, stage: str, done: float, total: float | None = None, detail: str = ""
) -> None:
    """Send a `ProgressEvent` to ``progress`` unless it is None."""
    if progress is not None:
        progress(ProgressEvent(stage, done, total, detail))


def stage_callback(progress: Progress | None, stage: str) -> Callable[[int, int], None]:
    """Adapt ``progress`` to the ``(done, total)`` callbacks of the lower packages.

    Parameters
    ----------
    progress : callable, optional
        Receives a `ProgressEvent` for each call; None ignores them.
    stage : str
        The stage of these events.

    Returns
    -------
    callable
        A function of two numbers, such as ``Index.clusters`` and ``Index.merge`` take.

    Examples
    --------
    >>> stage_callback(print, "merging")(1, 4)
    ProgressEvent(stage='merging', done=1, total=4, detail='')
    """
    return partial(notify, progress, stage)


@contextmanager
def single_step(progress: Progress | None, stage: str, detail: str = "") -> Iterator[None]:
    """Report a stage whose progress is not known: 0 of 1 at its start, 1 of 1 at its end.

    Parameters
    ----------
    progress : callable, optional
        Receives the two events; None ignores them.
    stage, detail : str
        As in `ProgressEvent`.

    Examples
    --------
    >>> with single_step(print, "self-check"):
    ...     pass
    ProgressEvent(stage='self-check', done=0, total=1, detail='')
    ProgressEvent(stage='self-check', done=1, total=1, detail='')
    """
    notify(progress, stage, 0, 1, detail)
    yield
    notify(progress, stage, 1, 1, detail)
