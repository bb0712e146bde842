"""Turn exceptions into one-line errors and exit codes; stop reliably at Ctrl-C, also in compiled code.

Python raises KeyboardInterrupt wherever it happens to be. During numba's conversion of a result it becomes a
SystemError; in a finalizer it is printed and ignored. So the signal is sent again until the exception leaves
the command, and a command that ends in any other way after a Ctrl-C counts as stopped.
"""

from __future__ import annotations

import functools
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import FrameType
from typing import Any, Self

import click

from tacit.cli.output import print_stderr
from tacit.errors import TacitError

EXIT_INTERRUPTED = 130
RESEND_SECONDS = 0.1
"""Seconds until a signal without effect is sent again."""

PRESSES_TO_KILL = 3
"""After this number of Ctrl-C the process exits without cleaning up."""


def handle_errors(function: Callable[..., None]) -> Callable[..., None]:
    """Print expected exceptions as one line on stderr and exit with a code; a decorator of commands."""

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> None:
        try:
            function(*args, **kwargs)
            if sys.stdout is not None:  # None: the caller closed it
                sys.stdout.flush()
        except TacitError as error:
            context = click.get_current_context(silent=True)  # None: raised by a group of options
            code = _report_failure(_name_option(error, context.command.params if context else ()))
        except KeyboardInterrupt as stop:
            code = _report_failure(str(stop) or "stopped", EXIT_INTERRUPTED)
        except BrokenPipeError:  # the reader, such as `head`, has closed its end
            _discard_stdout()
            code = 0
        except OSError as error:
            _discard_stdout()
            where = f"{error.filename}: " if error.filename else ""
            reason = error.strerror or error
            code = _report_failure(f"{where}{reason}; check the path, its permissions and the disk")
        except EOFError as error:  # which click would report as Ctrl-C
            code = _report_failure(f"a file ends too early ({error}); copy or write it again")
        except SystemError as error:  # numba turns a Ctrl-C during the conversion of a result into this
            if not _is_interrupt(error):
                raise
            code = _report_failure("stopped", EXIT_INTERRUPTED)
        except MemoryError as error:
            code = _report_failure(f"out of memory: {error}; try fewer texts at a time, or fewer components")
        else:
            return
        raise SystemExit(code)

    return run


def _name_option(error: TacitError, parameters: Iterable[click.Parameter]) -> str:
    """Return the text of an error with the option of the command in place of the parameter that it names.

    >>> from tacit.errors import InputError
    >>> error = InputError("n_iter=0: give more", parameter="n_iter")
    >>> _name_option(error, [click.Option(["--sweeps", "n_iter"])]), _name_option(error, [])
    ('--sweeps 0: give more', 'n_iter=0: give more')
    """
    name = getattr(error, "parameter", None)
    for parameter in parameters:
        if name is not None and isinstance(parameter, click.Option) and parameter.name == name:
            flag = parameter.opts[0]
            return str(error).replace(f"{name}=True", flag).replace(f"{name}=", f"{flag} ")
    return str(error)


def _report_failure(message: str, code: int = 1) -> int:
    """Print a message and return the exit code; from here on Ctrl-C raises nothing."""
    for interruptible in _active:
        interruptible.stop_resending()
    print_stderr(message)
    return code


def _discard_stdout() -> None:
    """Redirect stdout to the null device: Python flushes it again when it exits."""
    if sys.stdout is not None:
        with suppress(OSError):  # stdout is not a file: nothing is flushed again
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
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
        if not self._is_leaving.is_set() and not _is_interrupt(sys.exception()):
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


def _is_interrupt(error: BaseException | None) -> bool:
    """Whether an exception that is being handled is, or comes from, a KeyboardInterrupt.

    >>> _is_interrupt(ValueError()), _is_interrupt(KeyboardInterrupt())
    (False, True)
    """
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, KeyboardInterrupt):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False
