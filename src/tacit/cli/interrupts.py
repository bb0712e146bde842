"""Ctrl-C that always stops: also where it falls into a compiled kernel, which may swallow or disguise it.

Python raises KeyboardInterrupt wherever it happens to be. Within numba's conversion of a result that becomes
a SystemError, within a finalizer it is printed and forgotten. So the signal is sent again until the exception
is on its way out, and whatever the command ends with after it, it was stopped.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import FrameType, TracebackType
from typing import Any, Self

INTERRUPTED = 130
AGAIN = 0.1
"""Seconds until a signal that had no effect is sent again."""

PATIENCE = 3
"""So many times somebody presses Ctrl-C before the process ends without cleaning up."""


class Interruptible:
    """While it is entered, Ctrl-C raises KeyboardInterrupt, in the end, in any case."""

    def __init__(self) -> None:
        """Nobody has asked yet."""
        self.pressed, self._own, self._left = 0, False, threading.Event()
        self._before: Any = None

    def __enter__(self) -> Self:
        """Take over from Python's own handler; where it is ignored, as in the background, leave it."""
        on_main = threading.current_thread() is threading.main_thread()
        if on_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._before = signal.signal(signal.SIGINT, self._handle)
            self._hook, sys.unraisablehook = sys.unraisablehook, self._unraisable
            _entered.append(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave as stopped if somebody asked for it; a second Ctrl-C on the way out changes nothing."""
        if self._before is None:
            return
        self.leave()
        _entered.remove(self)
        if not self.pressed:
            signal.signal(signal.SIGINT, self._before)
            sys.unraisablehook = self._hook
        elif isinstance(error, SystemExit):
            error.code = INTERRUPTED  # what there is to say has been said
        elif not isinstance(error, KeyboardInterrupt):
            raise KeyboardInterrupt from error

    def leave(self) -> None:
        """The exception has arrived: send no more."""
        self._left.set()

    def _handle(self, number: int, frame: FrameType | None) -> None:
        sent, self._own = self._own, False
        if not sent:
            self.pressed += 1
            if self.pressed == 1:
                threading.Thread(target=self._insist, daemon=True).start()
            elif self.pressed >= PATIENCE:
                os._exit(INTERRUPTED)
        if not self._left.is_set() and not under_way(sys.exception()):
            raise KeyboardInterrupt

    def _insist(self) -> None:
        """Send the signal again until the command has been left."""
        while not self._left.wait(AGAIN):
            self._own = True
            if hasattr(signal, "pthread_kill"):
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            else:
                signal.raise_signal(signal.SIGINT)

    def _unraisable(self, told: Any) -> None:
        if not isinstance(told.exc_value, KeyboardInterrupt):
            self._hook(told)


_entered: list[Interruptible] = []


def leaving() -> None:
    """Say that a command is on its way out: from here on Ctrl-C raises nothing."""
    for each in _entered:
        each.leave()


def under_way(error: BaseException | None) -> bool:
    """Say whether an exception that is being handled is, or comes from, a KeyboardInterrupt.

    >>> under_way(ValueError()), under_way(KeyboardInterrupt())
    (False, True)
    """
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, KeyboardInterrupt):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False
