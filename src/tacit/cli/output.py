"""Print results, warnings and log messages; check output files."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click


def print_stderr(message: str) -> None:
    """Print one line on stderr."""
    click.echo(f"tacit: {' '.join(message.split())}", err=True)


def print_json(value: Any) -> None:
    """Print JSON on stdout, as ASCII where its encoding is not a Unicode one."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    ascii_only = not encoding.lower().startswith("utf")
    click.echo(json.dumps(value, ensure_ascii=ascii_only, indent=2, allow_nan=False))


def format_count(number: int, noun: str) -> str:
    """Format a number of things.

    >>> format_count(1, "text"), format_count(2000, "text")
    ('1 text', '2,000 texts')
    """
    return f"{number:,} {noun}{'s' * (number != 1)}"


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
    """Print what loggers log, each from its level on."""
    loggers = [logging.getLogger(name) for name in levels]
    handlers, levels_before = [_StderrHandler(level) for level in levels.values()], [x.level for x in loggers]
    for logger, handler in zip(loggers, handlers, strict=True):
        logger.addHandler(handler)
        logger.setLevel(handler.level)
    try:
        yield
    finally:
        for logger, handler, level in zip(loggers, handlers, levels_before, strict=True):
            logger.removeHandler(handler)
            logger.setLevel(level)


@contextmanager
def silence_logs() -> Iterator[None]:
    """Print nothing that the library logs, except through `log_to_stderr`: commands word their own notes."""
    logger, handler = logging.getLogger("tacit"), logging.NullHandler()
    propagate_before, logger.propagate = logger.propagate, False
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagate_before


def print_words(words: Iterable[tuple[str, float]], column: str, as_json: bool) -> None:
    """Print words with their numbers; ``column`` names the numbers in JSON."""
    if as_json:
        print_json([{"word": word, column: round(number, 6)} for word, number in words])
    else:
        for word, number in words:
            click.echo(f"{number:7.3f}  {word}")


def unknown_text_effect(measure: str) -> str:
    """How a measure scores a text without a known word: some measures still compare its letters."""
    from tacit.models.measures import get_measure

    return "scored 0" if get_measure(measure).needs_known_words else "compared by letters alone"


def warn_unknown_texts(texts: Iterable[str], effect: str) -> None:
    """Print one warning about texts without a known word, and what follows from that."""
    unknown = list(texts)
    if unknown:
        shown = ", ".join(repr(text[:40]) for text in unknown[:3])
        more = f" and {len(unknown) - 3} more" if len(unknown) > 3 else ""
        print_stderr(f"no known word in {shown}{more}: {effect}")


def check_output_file(out: str, suffixes: Iterable[str]) -> Path:
    """Return the path of a file to write, after checking its suffix and its folder."""
    from tacit.errors import InputError

    target = Path(out)
    if target.suffix not in suffixes:
        raise InputError(f"{out!r}: the name must end in {', '.join(suffixes)}")
    if target.is_dir():
        raise InputError(f"{out} is a folder; name a file")
    if not target.absolute().parent.is_dir():
        raise InputError(f"{out}: there is no folder {target.parent}; create it first")
    return target
