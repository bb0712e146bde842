"""The options of every verb that reads files of texts, and what the readers have to say."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from tacit.cli.common import complain
from tacit.corpora.named import NAMED
from tacit.corpora.options import ReadOptions
from tacit.corpora.readers import TABLES, names_of

_READING_OPTIONS = (
    click.option("--delimiter", help="What stands between cells, or tab; by default as the file shows it."),
    click.option("--encoding", help="Of the file, such as windows-1252; by default UTF-8, or its own mark."),
    click.option(
        "--header/--no-header", default=None, help="Whether a table begins with its columns' names."
    ),
    click.option("--html", is_flag=True, help="Strip HTML tags off the texts."),
)
corpus_option = click.option("--corpus", multiple=True, help=f"A corpus by name: {', '.join(NAMED)}.")
_column_option = click.option(
    "--column", help=f"The column of a {names_of(TABLES)} file: its name, or its number from 1."
)

Verb = Callable[..., Any]


def reading_options(function: Verb) -> Verb:
    """How files of texts or pairs are read, as one ``reading`` for the verb; what readers log is printed."""

    @functools.wraps(function)
    def run(
        delimiter: str | None, encoding: str | None, header: bool | None, html: bool, **rest: Any
    ) -> None:
        with _told_by_readers():
            function(reading=ReadOptions(delimiter, encoding, header, html), **rest)

    return functools.reduce(lambda decorated, option: option(decorated), reversed(_READING_OPTIONS), run)


def table_options(function: Verb) -> Verb:
    """The same, and the ``column`` of a table."""
    return _column_option(reading_options(function))


@contextmanager
def _told_by_readers() -> Iterator[None]:
    """Print what the readers log, each line once: a file may be opened to check it before it is read."""
    import logging

    told: set[str] = set()

    class Teller(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            message = record.getMessage()
            if message not in told:
                told.add(message)
                complain(message)

    logger, teller = logging.getLogger("tacit.corpora"), Teller(logging.INFO)
    before = logger.level
    logger.setLevel(logging.INFO)
    logger.addHandler(teller)
    try:
        yield
    finally:
        logger.removeHandler(teller)
        logger.setLevel(before)
