"""A progress bar on stderr."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from tacit.cli.output import print_stderr

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from tacit.workflows.progress import ProgressEvent


class ProgressBar:
    """Shows `ProgressEvent`s, one bar a stage; a context manager, called with each event.

    Where stderr is not a terminal, a line is printed for each finished stage that is measured as a fraction.

    Parameters
    ----------
    writes_at_end : bool
        Whether the work writes its result only at its end: Ctrl-C is then reported with how far it came, and
        that nothing was written.
    """

    def __init__(self, writes_at_end: bool = False) -> None:
        self.last: ProgressEvent | None = None
        self._writes_at_end = writes_at_end
        self._bar = _create_bar() if _is_terminal() else None
        self._task: TaskID | None = None
        self._stage_start = time.perf_counter()

    def __enter__(self) -> Self:
        """Show the bar."""
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the bar as it is on the screen; complete if nothing went wrong."""
        if self._bar is not None:
            if error is None:
                self._complete_stage()
            self._bar.stop()
        if self._writes_at_end and isinstance(error, KeyboardInterrupt) and not str(error):
            raise KeyboardInterrupt(f"stopped{_describe_stop(self.last)}; nothing was written") from None

    def __call__(self, event: ProgressEvent) -> None:
        """Show an event."""
        is_new = self.last is None or event.stage != self.last.stage or self.last.is_finished
        if self._bar is not None:
            if is_new:
                self._complete_stage()
                self._task = self._bar.add_task(event.stage, total=event.total, note="")
            assert self._task is not None
            self._bar.update(self._task, completed=event.done, total=event.total, note=format_event(event))
        elif event.is_finished and isinstance(event.total, float):
            seconds = time.perf_counter() - self._stage_start
            print_stderr(f"{event.stage}: {format_event(event)}, {seconds:.1f} s")
        if event.is_finished:
            self._stage_start = time.perf_counter()
        self.last = event

    def _complete_stage(self) -> None:
        """Fill the bar of a stage whose total was not known."""
        if self._bar is not None and self._task is not None and self.last and self.last.total is None:
            done = self.last.done or 1
            self._bar.update(self._task, completed=done, total=done)


def format_event(event: ProgressEvent) -> str:
    """Format the numbers and the detail of an event; a total of type float means a fraction.

    >>> from tacit.workflows.progress import ProgressEvent
    >>> format_event(ProgressEvent("reading", 30_000, None, "texts"))
    '30,000 texts'
    >>> format_event(ProgressEvent("sweeps", 3, 15, "loss 1,234"))
    '3/15 loss 1,234'
    >>> format_event(ProgressEvent("sweep 2 of 15, words", 0.5, 1.0, "812 texts/s"))
    '50 %, 812 texts/s'
    """
    if isinstance(event.total, float):
        return ", ".join(filter(None, [f"{100 * event.done / event.total:.0f} %", event.detail]))
    amount = f"{event.done:,}" if event.total is None else f"{event.done:,}/{event.total:,}"
    return f"{amount} {event.detail}".rstrip()


def _describe_stop(event: ProgressEvent | None) -> str:
    """Say how far stopped work came.

    >>> from tacit.workflows.progress import ProgressEvent
    >>> _describe_stop(ProgressEvent("sweeps", 3, 15)), _describe_stop(ProgressEvent("reading", 2000))
    (' after 3 of 15 sweeps', ' during reading')
    """
    if event is None:
        return ""
    is_counted = event.stage == "sweeps"
    return f" after {event.done:,} of {event.total:,} sweeps" if is_counted else f" during {event.stage}"


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _create_bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[note]}")
    return Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True))
