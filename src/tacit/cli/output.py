"""Print results, warnings, log messages and progress; check output files."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, Self

import click

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from tacit.workflows.progress import ProgressEvent


def print_stderr(message: str) -> None:
    """Print one line on stderr."""
    click.echo(f"tacit: {' '.join(message.split())}", err=True)


def print_json(value: Any) -> None:
    """Print JSON on stdout, as ASCII where its encoding is not a Unicode one."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    ascii_only = not encoding.lower().startswith("utf")
    click.echo(json.dumps(value, ensure_ascii=ascii_only, indent=2, allow_nan=False))


def print_result(value: Any, lines: Iterable[str], as_json: bool) -> None:
    """Print a result on stdout: its value as JSON, or lines of text."""
    if as_json:
        print_json(value)
    else:
        for line in lines:
            click.echo(line)


def format_fixed(value: float, n_decimals: int) -> str:
    """Format a number with a fixed number of decimals, and zero without a sign.

    >>> format_fixed(-0.0001, 3)
    '0.000'
    """
    return f"{round(value, n_decimals) + 0.0:.{n_decimals}f}"


class _StderrHandler(logging.Handler):
    """Prints log messages with `print_stderr`, equal notes only once, and the traceback of exceptions."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self._notes = set[str]()

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if record.levelno < logging.WARNING:  # a file that is opened to check it is opened again to read it
            if message in self._notes:
                return
            self._notes.add(message)
        print_stderr(message)
        if record.exc_info:
            click.echo(logging.Formatter().formatException(record.exc_info), err=True)


@contextmanager
def log_to_stderr(levels: dict[str, int]) -> Iterator[None]:
    """Print the messages of some loggers, each from its level on."""
    with ExitStack() as stack:
        for name, level in levels.items():
            logger, handler = logging.getLogger(name), _StderrHandler(level)
            stack.callback(logger.setLevel, logger.level)
            stack.callback(logger.removeHandler, handler)
            logger.addHandler(handler)
            logger.setLevel(level)
        yield


@contextmanager
def silence_logs() -> Iterator[None]:
    """Print no log messages of the library, except through `log_to_stderr`."""
    logger, handler = logging.getLogger("tacit"), logging.NullHandler()
    propagate_before, logger.propagate = logger.propagate, False
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagate_before


def quote_examples(texts: Sequence[str]) -> str:
    """Return the first three texts in quotes, shortened, and the number of the others.

    >>> quote_examples(["a", "b", "c", "d"])
    "'a', 'b', 'c' and 1 more"
    """
    more = f" and {len(texts) - 3} more" if len(texts) > 3 else ""
    return ", ".join(repr(text[:40]) for text in texts[:3]) + more


def warn_unknown_texts(texts: Iterable[str], effect: str) -> None:
    """Print one warning about texts without a known word, and its effect."""
    unknown = list(texts)
    if unknown:
        print_stderr(f"no known word in {quote_examples(unknown)}: {effect}")


def warn_unknown_words(words: Sequence[str]) -> None:
    """Print one line about words that are not in the model."""
    if words:
        print_stderr(f"unknown words, compared only by their letters: {quote_examples(words)}")


def warn_uncompared_texts(texts: Iterable[str], measure: str) -> None:
    """Warn about texts without a known word, of which some measures still compare the letters."""
    from tacit.models.measures import get_measure

    needs_known_words = get_measure(measure).needs_known_words
    warn_unknown_texts(texts, "scored 0" if needs_known_words else "compared by letters alone")


class ProgressBar:
    """Shows a bar for each stage; a context manager that is called with each `ProgressEvent`.

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
        self._bar = _create_bar() if sys.stderr is not None and sys.stderr.isatty() else None
        self._task: TaskID | None = None
        self._stage_start = time.perf_counter()

    def __enter__(self) -> Self:
        """Return the bar, which is shown from the first event on."""
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Stop the bar; complete it first if there was no error."""
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
                self._bar.start()
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
    """Describe how far the work came before it was stopped.

    >>> from tacit.workflows.progress import ProgressEvent
    >>> _describe_stop(ProgressEvent("sweeps", 3, 15)), _describe_stop(ProgressEvent("reading", 2000))
    (' after 3 of 15 sweeps', ' during reading')
    """
    if event is None:
        return ""
    is_counted = event.stage == "sweeps"
    return f" after {event.done:,} of {event.total:,} sweeps" if is_counted else f" during {event.stage}"


def _create_bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[note]}")
    return Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True))
