"""Ways to run the command line: in this process, as a process of its own, and in a terminal."""

from __future__ import annotations

import fcntl
import io
import json
import os
import pty
import re
import resource
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from unittest.mock import patch

from tacit.cli.main import run

COMMAND = [sys.executable, "-m", "tacit"]
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
"""Output is buffered, as it is for users, so that what is left of it at the end counts."""

PATIENCE = 60.0
"""Seconds before a process that should have spoken or ended counts as hung: compiling may come first."""


@dataclass(frozen=True)
class Result:
    """Exit code and output of a run of the command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The output, parsed as JSON."""
        return json.loads(self.out)


def tacit(*args: object, stdin: bytes = b"", encoding: str = "utf-8") -> Result:
    """Run the real entry point in this process, with streams like those of a pipe."""
    return call(run, "tacit", *args, stdin=stdin, encoding=encoding)


def call(
    entry: Callable[[], None], name: str, *args: object, stdin: bytes = b"", encoding: str = "utf-8"
) -> Result:
    """Run an entry point in this process."""
    streams = {
        "stdin": io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"),
        "stdout": io.TextIOWrapper(io.BytesIO(), encoding=encoding),
        "stderr": io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="backslashreplace"),
    }
    code = 0
    with patch.multiple(sys, argv=[name, *map(str, args)], **streams):
        try:
            entry()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
    out, err = (_written(streams[name]) for name in ("stdout", "stderr"))
    return Result(code, out, err)


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode("utf-8", "surrogateescape")  # type: ignore[attr-defined]


def command(*args: object, stdin: bytes = b"", **environment: str) -> Result:
    """Run the real command as a process."""
    done = subprocess.run(
        [*COMMAND, *(arg if isinstance(arg, bytes) else str(arg) for arg in args)],
        input=stdin,
        capture_output=True,
        env={**ENVIRONMENT, **environment},
        timeout=PATIENCE,
    )
    return Result(
        done.returncode, *(part.decode("utf-8", "surrogateescape") for part in (done.stdout, done.stderr))
    )


def one_line_error(result: Result, code: int = 1) -> str:
    """The complaint of a failed run: one line, no traceback, nothing on stdout."""
    assert result.code == code, result
    assert result.out == ""
    assert re.fullmatch(r"tacit: [^\n]+\n", result.err), result.err
    assert "Traceback" not in result.err
    return result.err


def tree(folder: Path) -> dict[str, bytes]:
    """Everything below a folder, hidden files too."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b"folder"
        for path in folder.rglob("*")
    }


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file may grow beyond so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


class Terminal:
    """The command in a terminal of 80 columns: stdout and stderr are one screen, stdin a pipe left open."""

    def __init__(self, *args: object, columns: int = 80) -> None:
        """Start it."""
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        kept = {name: value for name, value in ENVIRONMENT.items() if name not in ("COLUMNS", "NO_COLOR")}
        self.process = subprocess.Popen(
            [*COMMAND, *map(str, args)],
            stdin=subprocess.PIPE,
            stdout=slave,
            stderr=slave,
            env={**kept, "TERM": "xterm-256color"},
        )
        os.close(slave)
        self.raw = b""

    def __enter__(self) -> Self:
        """Begin watching."""
        return self

    def __exit__(self, *_: object) -> None:
        """Leave no process behind."""
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()  # type: ignore[union-attr]
        os.close(self.master)

    def until(self, pattern: str) -> None:
        """Watch the screen until something appears."""
        limit = time.monotonic() + PATIENCE
        while not re.search(pattern, self.screen):
            assert time.monotonic() < limit, f"{pattern} did not appear: {self.screen[-500:]}"
            assert self._read(), f"ended before {pattern}: {self.screen[-500:]}"

    def end(self) -> int:
        """Watch until it ends; the exit code."""
        limit = time.monotonic() + PATIENCE
        while self._read():
            assert time.monotonic() < limit, f"did not end: {self.screen[-500:]}"
        return self.process.wait(PATIENCE)

    @property
    def screen(self) -> str:
        """All that was ever shown, without colours and cursor movements."""
        text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.raw.decode("utf-8", "replace"))
        return text.replace("\r\n", "\n")

    def _read(self) -> bool:
        ready, _, _ = select.select([self.master], [], [], PATIENCE)
        assert ready, f"silent for {PATIENCE} s: {self.screen[-500:]}"
        try:
            part = os.read(self.master, 1 << 16)
        except OSError:  # Linux's way to say that the other end is closed
            part = b""
        self.raw += part
        return bool(part)
