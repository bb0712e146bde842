"""Follow a page of the documentation word for word, in an empty folder.

    python tests/helpers/follow_page.py docs/index.md --bin .venv/bin

Saves the Python blocks under the names that the sentences before them give, runs the commands of the console
blocks in a terminal with the programs of a folder, and compares what they print with what the page shows.
Commands that install tacit are skipped: the folder of programs has it. Needs only the standard library, so
that it can check an installed wheel.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

BLOCK = re.compile(r"(?:`(\S+)`:\n\n)?^```(python|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SKIPPED = re.compile(r"^(pip install|python -m venv) ")


def follow(page: Path, programs: Path, folder: Path) -> list[str]:
    """Follow a page.

    Parameters
    ----------
    page : Path
        The page, in Markdown.
    programs : Path
        The folder of ``python`` and ``tacit``.
    folder : Path
        An empty folder to work in.

    Returns
    -------
    list of str
        The commands that were run.

    Raises
    ------
    AssertionError
        If a command fails, or does not print what the page shows.
    """
    inherited = {
        name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")
    }
    environment = inherited | {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "TACIT_CACHE": str(folder / "cache"),
        "TERM": "xterm",
    }
    commands = []
    for name, kind, body in BLOCK.findall(page.read_text("utf-8")):
        if kind == "python":
            assert name, f"a block of Python needs the name of its file: {body}"
            (folder / name).write_text(body, "utf-8")
            continue
        for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            if SKIPPED.match(command):
                continue
            code, printed = run_in_terminal(command, folder, environment)
            assert code == 0, f"{command}\n{printed}"
            assert_printed(expected, printed, command)
            commands.append(command)
    return commands


def run_in_terminal(command: str, folder: Path, environment: dict[str, str]) -> tuple[int, str]:
    """Run a command in a terminal of 100 columns; return its exit code and what it shows, without colors."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    process = subprocess.Popen(
        command, shell=True, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave
    )
    os.close(slave)
    shown = b""
    while part := _read(master):
        shown += part
    os.close(master)
    return process.wait(), re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode("utf-8")).replace("\r", "\n")


def _read(terminal: int) -> bytes:
    """Read what was written to a terminal; nothing if its other end is closed."""
    try:
        return os.read(terminal, 1 << 16)
    except OSError:
        return b""  # Linux reports the closed end as an error


def assert_printed(expected: str, printed: str, command: str) -> None:
    """Assert that lines are printed in this order; ``...`` stands for any text, and for any lines."""
    rest = [" ".join(line.split()) for line in printed.splitlines()]
    for line in filter(None, (" ".join(line.split()) for line in expected.splitlines())):
        if line == "...":
            continue
        pattern = ".*".join(map(re.escape, line.split("...")))
        position = next((number for number, other in enumerate(rest) if re.fullmatch(pattern, other)), None)
        assert position is not None, f"{command}\nnot printed: {line}\nprinted:\n{printed}"
        del rest[: position + 1]


def main() -> None:
    """Follow the page that the command line names."""
    parser = argparse.ArgumentParser(description="Follow a page of the documentation in an empty folder.")
    parser.add_argument("page", type=Path)
    parser.add_argument(
        "--bin", type=Path, default=Path(sys.executable).parent, help="Folder of the programs."
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for command in follow(options.page.resolve(), options.bin.absolute(), Path(folder)):
            sys.stdout.write(f"as shown: {command}\n")


if __name__ == "__main__":
    main()
