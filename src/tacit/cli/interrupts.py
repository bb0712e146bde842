"""Reliable Ctrl-C, also inside compiled code.

Python raises KeyboardInterrupt wherever it happens to be. During numba's conversion of a result it becomes a
SystemError; in a finalizer it is printed and ignored. So the signal is sent again until the exception leaves
the command, and a command that ends in any other way after a Ctrl-C counts as stopped.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import FrameType, TracebackType
from typing import Any, Self

EXIT_INTERRUPTED = 130
RESEND_SECONDS = 0.1
"""Seconds until a signal without effect is sent again."""

PRESSES_TO_KILL = 3
"""After this number of Ctrl-C the process exits without cleaning up."""


class Interruptible:
    """A context manager in which Ctrl-C always ends as a KeyboardInterrupt."""

    def __init__(self) -> None:
        self.n_presses, self._sent_by_us, self._is_leaving = 0, False, threading.Event()
        self._handler_before: Any = None

    def __enter__(self) -> Self:
        """Replace Python's default handler; a process that ignores Ctrl-C goes on ignoring it."""
        on_main = threading.current_thread() is threading.main_thread()
        if on_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._handler_before = signal.signal(signal.SIGINT, self._handle)
            self._hook_before, sys.unraisablehook = sys.unraisablehook, self._ignore_unraisable_interrupt
            _active.append(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End as stopped if Ctrl-C was pressed; further presses have no effect."""
        if self._handler_before is None:
            return
        self.stop_resending()
        _active.remove(self)
        if not self.n_presses:
            signal.signal(signal.SIGINT, self._handler_before)
            sys.unraisablehook = self._hook_before
        elif isinstance(error, SystemExit):
            error.code = EXIT_INTERRUPTED  # its message is printed already
        elif not isinstance(error, KeyboardInterrupt):
            raise KeyboardInterrupt from error

    def stop_resending(self) -> None:
        """Send no more signals: the exception has arrived."""
        self._is_leaving.set()

    def _handle(self, number: int, frame: FrameType | None) -> None:
        sent_by_us, self._sent_by_us = self._sent_by_us, False
        if not sent_by_us:
            self.n_presses += 1
            if self.n_presses == 1:
                threading.Thread(target=self._resend_until_leaving, daemon=True).start()
            elif self.n_presses >= PRESSES_TO_KILL:
                os._exit(EXIT_INTERRUPTED)
        if not self._is_leaving.is_set() and not is_interrupt(sys.exception()):
            raise KeyboardInterrupt

    def _resend_until_leaving(self) -> None:
        while not self._is_leaving.wait(RESEND_SECONDS):
            self._sent_by_us = True
            if hasattr(signal, "pthread_kill"):
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            else:
                signal.raise_signal(signal.SIGINT)

    def _ignore_unraisable_interrupt(self, args: Any) -> None:
        if not isinstance(args.exc_value, KeyboardInterrupt):
            self._hook_before(args)


_active: list[Interruptible] = []


def stop_resending_all() -> None:
    """Tell that a command is ending: from here on Ctrl-C raises nothing."""
    for interruptible in _active:
        interruptible.stop_resending()


def is_interrupt(error: BaseException | None) -> bool:
    """Whether an exception that is being handled is, or comes from, a KeyboardInterrupt.

    >>> is_interrupt(ValueError()), is_interrupt(KeyboardInterrupt())
    (False, True)
    """
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, KeyboardInterrupt):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False
