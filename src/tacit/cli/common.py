"""What the verbs share: errors as one line, progress on stderr, JSON for programs, common arguments."""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, ParamSpec

import click

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from tacit.sentences.wtmf import WTMF

P = ParamSpec("P")

at_least_one = click.IntRange(min=1)
model_argument = click.argument("model")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
top_option = click.option(
    "-k", "--top", type=at_least_one, default=10, show_default=True, help="How many to show."
)
threads_option = click.option(
    "--threads", type=at_least_one, help="Number of threads; by default every core."
)
column_option = click.option(
    "--column", help="The column of a TSV, CSV, JSONL or Parquet file: its name, or its number from 1."
)

INTERRUPTED = 130


def measure_option(default: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The choice of a measure; the names are checked where the measures are, which are slow to import."""
    names = "latent, inner, lexical, ngram, characters, alignment or blend"
    return click.option("--measure", default=default, show_default=True, help=f"How to compare: {names}.")


def verb(function: Callable[P, None]) -> Callable[P, None]:
    """Turn what can go wrong on purpose into one line on stderr and an exit code."""

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        from tacit.errors import TacitError

        try:
            function(*args, **kwargs)
            if sys.stdout is not None:  # None: the caller closed it
                sys.stdout.flush()
        except TacitError as error:
            code = _fail(str(error))
        except KeyboardInterrupt as stop:
            code = _fail(str(stop) or "stopped", INTERRUPTED)
        except BrokenPipeError:  # the reader, such as `head`, has seen enough
            _drop_output()
            code = 0
        except OSError as error:
            _drop_output()
            where = f"{error.filename}: " if error.filename else ""
            code = _fail(f"{where}{error.strerror or error}; check the path, its permissions and the disk")
        except MemoryError as error:
            code = _fail(f"out of memory: {error}; try fewer texts at a time, or fewer components")
        else:
            return
        raise SystemExit(code)

    return run


def _fail(message: str, code: int = 1) -> int:
    complain(message)
    return code


def _drop_output() -> None:
    """Let what could not be written go nowhere, or Python tries again on its way out."""
    if sys.stdout is not None:
        with suppress(OSError):  # not a file: nothing to try again
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(message: str) -> None:
    """One line on stderr."""
    click.echo(f"tacit: {' '.join(message.split())}", err=True)


def print_json(value: Any) -> None:
    """JSON on stdout, in any letters that fit there."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    ascii_only = not encoding.lower().startswith("utf")
    click.echo(json.dumps(value, ensure_ascii=ascii_only, indent=2, allow_nan=False))


def fixed(value: float, places: int) -> str:
    """A number with so many decimals, and no sign on a zero."""
    return f"{round(value, places) + 0.0:.{places}f}"


def load_model(folder: str, threads: int | None = None) -> WTMF:
    """Load a model; its warnings about texts without known words are the verb's to report."""
    import logging

    import tacit

    _start_numba()
    logging.getLogger("tacit").addHandler(logging.NullHandler())
    logging.getLogger("tacit").propagate = False
    model: WTMF = tacit.load(folder)
    model.n_threads = threads
    return model


def _start_numba() -> None:
    """Start numba without its search for BLAS, which tacit's kernels do not call.

    The search imports scipy.linalg, a quarter of the time in which a saved model answers.
    """
    absent = object()
    before = sys.modules.get("scipy.linalg", absent)
    sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        del sys.modules["scipy.linalg"]
        if before is not absent:
            sys.modules["scipy.linalg"] = before  # type: ignore[assignment]


def no_known_word(texts: Iterable[str], so: str = "scored 0") -> None:
    """Warn, once, about texts the model can say nothing about, and what follows from it."""
    unknown = list(texts)
    if unknown:
        shown = ", ".join(repr(text[:40]) for text in unknown[:3])
        more = f" and {len(unknown) - 3} more" if len(unknown) > 3 else ""
        complain(f"no known word in {shown}{more}: {so}")


@contextmanager
def progress(*columns: str) -> Iterator[Progress]:
    """A progress bar on stderr; silent when that is not a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    console = Console(stderr=True)
    parts = [TextColumn("{task.description}"), BarColumn(), *(TextColumn(column) for column in columns)]
    with Progress(
        *parts, TimeElapsedColumn(), TimeRemainingColumn(), console=console, disable=not console.file.isatty()
    ) as bar:
        yield bar


def counted(texts: Iterable[str], bar: Progress, task: TaskID) -> Iterator[str]:
    """Pass texts on and show how many have been read."""
    number = 0
    for text in texts:
        yield text
        number += 1
        if number % 1000 == 0:
            bar.update(task, completed=number, note=f"{number:,} texts")
    bar.update(task, completed=number, total=number or 1, note=f"{number:,} texts")
