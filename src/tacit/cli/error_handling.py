"""Turn exceptions into one-line errors and exit codes."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, ParamSpec

import click

from tacit.cli.interrupts import EXIT_INTERRUPTED, is_interrupt, stop_resending_all
from tacit.cli.output import print_stderr

if TYPE_CHECKING:
    from tacit.errors import TacitError

P = ParamSpec("P")


def handle_errors(function: Callable[P, None]) -> Callable[P, None]:
    """Print expected exceptions as one line on stderr and exit with a code; a decorator of commands."""

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        from tacit.errors import TacitError

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
            if not is_interrupt(error):
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
    stop_resending_all()
    print_stderr(message)
    return code


def _discard_stdout() -> None:
    """Redirect stdout to the null device: Python flushes it again when it exits."""
    if sys.stdout is not None:
        with suppress(OSError):  # stdout is not a file: nothing is flushed again
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
