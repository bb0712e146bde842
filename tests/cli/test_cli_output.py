"""Log messages on stderr, output files and option groups."""

from __future__ import annotations

import logging

import click
import pytest

from helpers.cli_runs import call, one_line_error
from tacit.cli.error_handling import handle_errors
from tacit.cli.main import run_command
from tacit.cli.output import log_to_stderr, silence_logs
from tacit.cli.shared_options import option_group
from tacit.errors import InputError
from tacit.storage.durable_files import write_atomic

LOGGER = logging.getLogger("tacit.tests.output")


def test_messages_below_the_level_are_not_printed(capsys):
    with log_to_stderr({LOGGER.name: logging.INFO}):
        LOGGER.debug("a detail")
        LOGGER.info("two\nlines")
    LOGGER.info("after the command")
    assert capsys.readouterr().err == "tacit: two lines\n"
    assert LOGGER.level == logging.NOTSET


def test_equal_notes_are_printed_once_and_warnings_each_time(capsys):
    with log_to_stderr({LOGGER.name: logging.INFO}):
        for message in ("same", "same", "other"):
            LOGGER.info(message)
        LOGGER.warning("problem")
        LOGGER.warning("problem")
    assert capsys.readouterr().err == "tacit: same\ntacit: other\ntacit: problem\ntacit: problem\n"


def test_an_exception_is_printed_with_its_traceback(capsys):
    with log_to_stderr({LOGGER.name: logging.WARNING}):
        try:
            raise ValueError("wrong value")
        except ValueError:
            LOGGER.exception("the job failed")
    printed = capsys.readouterr().err
    assert printed.startswith("tacit: the job failed\nTraceback")
    assert "ValueError: wrong value" in printed


def test_silenced_logs_are_printed_nowhere(capsys):
    with silence_logs():
        LOGGER.warning("a warning of the library")
        with log_to_stderr({LOGGER.name: logging.WARNING}):
            LOGGER.warning("a warning to print")
    assert capsys.readouterr().err == "tacit: a warning to print\n"
    assert logging.getLogger("tacit").propagate


def test_a_failed_write_leaves_the_earlier_file(tmp_path):
    target = tmp_path / "map.html"
    target.write_bytes(b"earlier")

    def fail(file):
        file.write(b"new")
        raise OSError(28, "No space left on device")

    with pytest.raises(InputError, match="No space left on device"):
        write_atomic(target, fail)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"map.html": b"earlier"}


def test_an_error_of_a_group_of_options_is_one_line():
    def fail(size):
        raise InputError(f"size={size}: give less", parameter="size")

    @click.command()
    @option_group("limits", fail, click.option("--size", type=int))
    @handle_errors
    def show(limits): ...

    result = call(lambda: run_command(show, "show"), "show", "--size", 9)
    assert one_line_error(result) == "tacit: size=9: give less\n"


def test_option_groups_nest_and_keep_the_order_of_help():
    @click.command()
    @option_group("outer", dict, click.option("--first"), click.option("--second"))
    @option_group("inner", dict, click.option("--third", type=int))
    @click.option("--fourth")
    def show(outer, inner, fourth):
        return outer, inner, fourth

    assert [option.name for option in show.params] == ["first", "second", "third", "fourth"]
    values = show(["--third", "3", "--first", "1"], standalone_mode=False)
    assert values == ({"first": "1", "second": None}, {"third": 3}, None)
