"""The door of the command line."""

from __future__ import annotations

import gc
import sys

import click

from tacit import __version__
from tacit.cli.common import complain, say_aloud, verb
from tacit.cli.interrupts import Interruptible
from tacit.cli.verbs import find_verb, verb_names


class Verbs(click.Group):
    """A verb is imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs."""
        return verb_names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a verb."""
        return find_verb(cmd_name) if cmd_name in verb_names() else None


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="tacit %(version)s")
def app() -> None:
    """Find what short texts mean beyond the words they use, learnt from your own text, offline."""


def run() -> None:
    """The entry point."""
    gc.set_threshold(
        100_000
    )  # imports make many objects and no garbage: looking for it is a tenth of a start
    run_command(app, "tacit")


@verb
def run_command(command: click.Command, name: str) -> None:
    """Run a command on the arguments of this process; what is wrong with them is said in one line."""
    for stream in (sys.stdout, sys.stderr):  # a file name need not be Unicode, nor a terminal UTF-8
        if stream is not None:
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    for part in ("tacit.jit", "tacit.storage"):
        say_aloud(part)
    try:
        with Interruptible():
            code = command(sys.argv[1:] or ["--help"], prog_name=name, standalone_mode=False)
    except click.UsageError as error:
        complain(f"{error.format_message()} {_remedy(error)}")
        code = error.exit_code
    except click.Abort:  # Ctrl-C before the verb began
        raise KeyboardInterrupt from None
    if code:
        raise SystemExit(code)


def _remedy(error: click.UsageError) -> str:
    """Where to look; a text that begins with a dash was taken for an option."""
    path = error.ctx.command_path if error.ctx else "tacit"
    dash = isinstance(error, click.NoSuchOption) and not error.option_name.startswith("--")
    return f"{'A text that begins with - goes after --. ' if dash else ''}See: {path} --help"
