"""The progress bar of the command line."""

from __future__ import annotations

import io
import re
import sys
from contextlib import suppress

import pytest

from tacit.cli.output import ProgressBar, format_event
from tacit.workflows.progress import ProgressEvent


class TerminalStream(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def use_terminal(monkeypatch) -> TerminalStream:
    """Make stderr a terminal; not a fixture, because pytest replaces stderr after the setup."""
    stream = TerminalStream()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")
    return stream


def last_lines(stream: TerminalStream) -> list[str]:
    """The lines of the last drawing, without colors and cursor movements."""
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", stream.getvalue())
    return [line.rpartition("\r")[2].rstrip() for line in text.splitlines() if line.strip()]


def test_each_stage_has_a_bar_with_its_numbers(monkeypatch):
    terminal = use_terminal(monkeypatch)
    with ProgressBar() as bar:
        bar(ProgressEvent("reading", 30_000, None, "texts"))
        bar(ProgressEvent("sweeps", 3, 3, "loss 12"))
    *_, reading, sweeps = last_lines(terminal)
    assert re.fullmatch(r"reading +━+ 30,000 texts +0:00:0\d 0:00:00", reading)
    assert re.fullmatch(r"sweeps +━+ 3/3 loss 12 +0:00:0\d 0:00:00", sweeps)


def test_a_stage_that_starts_again_has_a_new_bar(monkeypatch):
    terminal = use_terminal(monkeypatch)
    with ProgressBar() as bar:
        for _ in range(2):
            bar(ProgressEvent("pass", 1, 2))
            bar(ProgressEvent("pass", 2, 2))
    assert [line.split()[0] for line in last_lines(terminal)[-2:]] == ["pass", "pass"]


def test_a_failed_stage_without_a_total_stays_incomplete(monkeypatch):
    terminal = use_terminal(monkeypatch)
    with suppress(KeyboardInterrupt), ProgressBar() as bar:
        bar(ProgressEvent("reading", 10))
        raise KeyboardInterrupt
    assert re.fullmatch(r"reading ━+ 10 0:00:0\d", last_lines(terminal)[-1])  # no remaining time
    assert bar.last == ProgressEvent("reading", 10)


def test_nothing_is_shown_where_stderr_is_no_terminal(capsys):
    with ProgressBar() as bar:
        bar(ProgressEvent("reading", 1, 1))
    assert capsys.readouterr().err == ""
    assert bar.last == ProgressEvent("reading", 1, 1)


def test_finished_passes_are_lines_where_stderr_is_no_terminal(capsys):
    with ProgressBar() as bar:
        bar(ProgressEvent("sweep 1 of 2, texts", 0.5, 1.0, "9 texts/s"))
        bar(ProgressEvent("sweep 1 of 2, texts", 1.0, 1.0, "9 texts/s"))
    assert re.fullmatch(r"tacit: sweep 1 of 2, texts: 100 %, 9 texts/s, \d\.\d s\n", capsys.readouterr().err)


@pytest.mark.parametrize(
    ("event", "where"), [(None, ""), (ProgressEvent("sweeps", 3, 15), " after 3 of 15 sweeps")]
)
def test_ctrl_c_says_how_far_the_work_came(event, where):
    bar = ProgressBar(writes_at_end=True)
    bar.last = event
    with pytest.raises(KeyboardInterrupt, match=f"^stopped{where}; nothing was written$"), bar:
        raise KeyboardInterrupt


def test_ctrl_c_has_no_message_where_something_may_be_written():
    with pytest.raises(KeyboardInterrupt, match=r"^$"), ProgressBar():
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (ProgressEvent("merging", 2000, 4000), "2,000/4,000"),
        (ProgressEvent("reading", 2000), "2,000"),
        (ProgressEvent("pass", 0.25, 1.0), "25 %"),
    ],
)
def test_events_without_detail_show_numbers_alone(event, text):
    assert format_event(event) == text
