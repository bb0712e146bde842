"""The process that does one long work: a task on its input, progress and the result on its output.

A process of its own keeps the service answering while it trains, can be ended at any moment, and takes
nobody along when a hostile file breaks it. Messages are lines of JSON; what the library prints or logs goes
to stderr.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tacit.errors import TacitError

_PAUSE = 0.1  # seconds between two reports of progress

Told = Callable[[float, str], None]
"""Called with how much is done, from 0 to 1, and what is being done."""


class Reporter:
    """Writes messages to the parent; one that nobody reads any more ends the work."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor, self.last, self.phase = descriptor, 0.0, ""

    def tell(self, **message: Any) -> None:
        """Send one message."""
        line = json.dumps(message, ensure_ascii=True, allow_nan=False).encode() + b"\n"
        while line:
            line = line[os.write(self.descriptor, line) :]

    def progress(self, done: float, message: str) -> None:
        """Say how far the work is; not too often."""
        moment = time.monotonic()
        if message != self.phase or moment - self.last >= _PAUSE:
            self.last, self.phase = moment, message
            self.tell(done=round(100 * min(max(done, 0.0), 1.0), 1), message=message)


def main() -> int:
    """Read the task, do it, tell the result or what is wrong."""
    reporter = Reporter(os.dup(1))
    os.dup2(2, 1)  # whatever prints must not break the messages
    task = json.loads(sys.stdin.buffer.read())
    with suppress(OSError, AttributeError):
        os.nice(10)  # requests come first
    _bound(task.get("memory"), task.get("seconds"))
    from tacit.errors import TacitError
    from tacit.server.tasks import TASKS

    try:
        result = TASKS[task["kind"]](task, reporter.progress)
    except TacitError as error:
        reporter.tell(error=_in_their_words(error, task))
    except MemoryError:
        reporter.tell(error="this takes more memory than the service allows: give fewer or shorter texts")
    except BrokenPipeError:
        return 1
    else:
        reporter.tell(result=result)
    return 0


def _in_their_words(error: TacitError, task: dict[str, Any]) -> str:
    """The text of an error for who uploaded a file: with its own name, and without remedies for programs."""
    source = str(task.get("source") or "")
    name = task.get("filename") or "the file"
    message = error.problem
    if not source:
        return message
    if getattr(error, "parameter", None) == "encoding":
        message += "; save it as UTF-8, if it is a file of texts at all"
    return message.replace(source, name).replace(os.path.basename(source), name)


def _bound(memory: int | None, seconds: int | None) -> None:
    """Bound the process, where the system can."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        if seconds:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


if __name__ == "__main__":
    sys.exit(main())
