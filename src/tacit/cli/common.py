"""What the verbs share: errors as one line, progress on stderr, JSON for programs, common arguments."""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, ParamSpec, TypeVar

import click

from tacit.cli.interrupts import INTERRUPTED, leaving, under_way

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from tacit.models.text_model import TextModel
    from tacit.search.index import Index

P = ParamSpec("P")
Text = TypeVar("Text")

at_least_one = click.IntRange(min=1)
model_argument = click.argument("model")
index_argument = click.argument("index")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
top_option = click.option(
    "-k", "--top", type=at_least_one, default=10, show_default=True, help="How many to show."
)
threads_option = click.option(
    "--threads", type=at_least_one, help="Number of threads; by default every core."
)
language_option = click.option(
    "--language", help="For a model of several languages: the code of the text's; by default detected."
)
languages_option = click.option(
    "--language", help="For a model of several languages: A's and B's codes, as en,es; by default detected."
)


class AutoOr(click.ParamType[Any]):
    """A number, or the word auto: by the data."""

    def __init__(self, kind: type[int] | type[float]) -> None:
        """Keep the kind of number."""
        self.kind, self.name = kind, "auto|number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, or auto."""
        if value == "auto":
            return value
        inner = click.INT if self.kind is int else click.FLOAT
        return inner.convert(value, param, ctx)


def measure_option(*others: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The choice of a measure, by the names of the registry and of others that a verb knows."""
    from tacit.models.measures import DEFAULT, measure_names

    names = ", ".join([*measure_names(), *others])
    return click.option("--measure", default=DEFAULT, show_default=True, help=f"How to compare: {names}.")


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
            code = _fail(_with_flag(str(error), click.get_current_context().command.params))
        except KeyboardInterrupt as stop:
            code = _fail(str(stop) or "stopped", INTERRUPTED)
        except BrokenPipeError:  # the reader, such as `head`, has seen enough
            _drop_output()
            code = 0
        except OSError as error:
            _drop_output()
            where = f"{error.filename}: " if error.filename else ""
            code = _fail(f"{where}{error.strerror or error}; check the path, its permissions and the disk")
        except EOFError as error:  # which click would take for Ctrl-C
            code = _fail(f"a file ends too early ({error}); copy or write it again")
        except SystemError as error:  # what numba makes of a Ctrl-C while it hands over a result
            if not under_way(error):
                raise
            code = _fail("stopped", INTERRUPTED)
        except MemoryError as error:
            code = _fail(f"out of memory: {error}; try fewer texts at a time, or fewer components")
        else:
            return
        raise SystemExit(code)

    return run


def _with_flag(message: str, parameters: Iterable[click.Parameter]) -> str:
    """The message with the flag in place of the parameter that it begins with.

    >>> _with_flag("n_iter=0: give more", [click.Option(["--sweeps", "n_iter"])])
    '--sweeps 0: give more'
    >>> _with_flag("a=b is no file", [])
    'a=b is no file'
    """
    name, equals, rest = message.partition("=")
    for parameter in parameters:
        if equals and isinstance(parameter, click.Option) and parameter.name == name:
            return f"{parameter.opts[0]} {rest}"
    return message


def _fail(message: str, code: int = 1) -> int:
    leaving()
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


def counted_as(number: int, name: str) -> str:
    """A number of things.

    >>> counted_as(1, "text"), counted_as(2000, "text")
    ('1 text', '2,000 texts')
    """
    return f"{number:,} {name}{'s' * (number != 1)}"


def fixed(value: float, places: int) -> str:
    """A number with so many decimals, and no sign on a zero."""
    return f"{round(value, places) + 0.0:.{places}f}"


def load_model(folder: str, threads: int | None = None) -> TextModel:
    """Load a model, or that of an index; warnings about unknown words are the verb's to give."""
    from tacit.errors import ModelError
    from tacit.models.text_model import TextModel

    model = getattr(found := _load(folder), "model", found)  # an index has one
    if not isinstance(model, TextModel):
        raise ModelError(
            f"{folder} is a {type(model).__name__}, and a model of texts is needed: name a folder that "
            "tacit train or tacit index wrote"
        )
    model.n_threads = threads
    return model


def load_index(folder: str, threads: int | None = None, trusted: bool = False) -> Index:
    """Load an index; its graph only if the folder is trusted."""
    from tacit.errors import ModelError
    from tacit.search.index import Index
    from tacit.storage import read_config

    trusted = trusted and read_config(folder)["class"] == Index.__name__  # a model has nothing to trust
    index = _load(folder, **({"trusted": True} if trusted else {}))
    if not isinstance(index, Index):
        raise ModelError(
            f"{folder} is a model, not an index: make one with tacit index OUT FILE --model {folder}"
        )
    index.n_threads = index.model.n_threads = threads
    return index


def _load(folder: str, **given: Any) -> Any:
    import tacit

    hush()
    return tacit.load(folder, **given)


def hush() -> None:
    """Leave what the library logs to the verb, which says it in its own words."""
    import logging

    logging.getLogger("tacit").addHandler(logging.NullHandler())
    logging.getLogger("tacit").propagate = False


def say_aloud(name: str) -> None:
    """Let what a part of the library warns of be a line on stderr."""
    import logging

    aloud = logging.Handler(logging.WARNING)
    aloud.emit = lambda record: complain(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger(name).handlers = [aloud]


@contextmanager
def aloud(name: str) -> Iterator[None]:
    """Print what a part of the library has to say, a line each, on stderr."""
    import logging

    logger, teller = logging.getLogger(name), logging.Handler()
    teller.emit = lambda record: complain(record.getMessage())  # type: ignore[method-assign]
    before = logger.level
    logger.addHandler(teller)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(teller)
        logger.setLevel(before)


def two_languages(model: TextModel, language: str | None) -> tuple[str | None, str | None]:
    """The languages of A and B, given as one code for both or as two with a comma between."""
    from tacit.errors import InputError

    if language is None:
        return None, None
    codes = language.split(",")
    if len(codes) > 2:
        raise InputError(f"--language {language}: give one code for both texts, or two as en,es")
    for code in codes:
        model.language_number(code)
    return codes[0], codes[-1]


def unknown_by(measure: str) -> str:
    """What follows for a text without a known word: some measures still see its letters."""
    from tacit.models.measures import find_measure

    return "scored 0" if find_measure(measure).needs_known_words else "compared by letters alone"


def no_known_word(texts: Iterable[str], so: str) -> None:
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


@contextmanager
def shown_progress(name: str) -> Iterator[Callable[[int, int], None]]:
    """A bar for work that tells what is done and what there is to do."""
    with progress("{task.completed:,}/{task.total:,}") as bar:
        task = bar.add_task(name, total=1)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def writable_file(out: str, suffixes: Iterable[str]) -> Path:
    """The file to write; what stands in the way is reported before work starts."""
    from tacit.errors import InputError

    target = Path(out)
    if target.suffix not in suffixes:
        raise InputError(f"{out!r}: the name must end in {', '.join(suffixes)}")
    if target.is_dir():
        raise InputError(f"{out} is a folder; name a file")
    if not target.absolute().parent.is_dir():
        raise InputError(f"{out}: there is no folder {target.parent}; make it first")
    return target


def write_whole(target: Path, write: Callable[[BinaryIO], Any]) -> None:
    """Write beside the target, then rename: a crash leaves the old file or the new one."""
    from tacit.errors import InputError

    temporary = target.with_name(f".tacit-{os.getpid()}{target.suffix}")
    try:
        with temporary.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        raise InputError(f"{target} cannot be written: {error.strerror or error}; write elsewhere") from None
    finally:
        temporary.unlink(missing_ok=True)


def counted(texts: Iterable[Text], bar: Progress, task: TaskID) -> Iterator[Text]:
    """Pass texts on and show how many have been read."""
    number = 0
    for text in texts:
        yield text
        number += 1
        if number % 1000 == 0:
            bar.update(task, completed=number, note=f"{number:,} texts")
    bar.update(task, completed=number, total=number or 1, note=f"{number:,} texts")
