"""Entry point of the command line."""

from __future__ import annotations

import gc
import logging
import sys

import click

from tacit import __version__, first_start
from tacit.cli.error_handling import Interruptible, handle_errors
from tacit.cli.output import log_to_stderr, print_stderr, silence_logs
from tacit.cli.verbs import command_names, load_command


class LazyGroup(click.Group):
    """Imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names of the commands."""
        return command_names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        return load_command(cmd_name) if cmd_name in command_names() else None


_ON_TERMINAL = logging.INFO if sys.stderr is not None and sys.stderr.isatty() else logging.WARNING
_LOG_LEVELS = {
    "tacit.corpora": logging.INFO,
    "tacit.workflows": logging.INFO,
    "tacit.first_start": _ON_TERMINAL,
    "tacit.jit": logging.WARNING,
    "tacit.search": logging.WARNING,
    "tacit.search.duplicates": logging.INFO,
    "tacit.server": logging.WARNING,
    "tacit.storage": logging.WARNING,
}
"""The lowest level that is printed, by logger."""

_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100, "show_default": True}


@click.group(cls=LazyGroup, context_settings=_CONTEXT)
@click.version_option(__version__, message="tacit %(version)s")
def app() -> None:
    """Compare, search and group short texts with a model that is trained on your own texts, offline."""


def run() -> None:
    """Run the command ``tacit``."""
    first_start.is_enabled = True
    gc.set_threshold(300_000)  # imports create no garbage: collecting it took a tenth of the start
    run_command(app, "tacit")


@handle_errors
def run_command(command: click.Command, name: str) -> None:
    """Run a command on the arguments of this process; wrong arguments are a one-line error."""
    for stream in (sys.stdout, sys.stderr):  # file names may not be Unicode, terminals not UTF-8
        if stream is not None:
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        with silence_logs(), log_to_stderr(_LOG_LEVELS), Interruptible():
            code = command(sys.argv[1:] or ["--help"], prog_name=name, standalone_mode=False)
    except click.UsageError as error:
        print_stderr(f"{error.format_message()} {_usage_hint(error)}")
        code = error.exit_code
    except click.Abort:  # Ctrl-C before the command began
        raise KeyboardInterrupt from None
    if code:
        raise SystemExit(code)


def _usage_hint(error: click.UsageError) -> str:
    """Name the help to read; a text that begins with a dash was parsed as an option."""
    path = error.ctx.command_path if error.ctx else "tacit"
    dash = isinstance(error, click.NoSuchOption) and not error.option_name.startswith("--")
    return f"{'A text that begins with - goes after --. ' if dash else ''}See: {path} --help"
