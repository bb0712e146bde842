"""The door of the command line."""

from __future__ import annotations

from importlib import import_module

import click

from tacit import __version__

VERBS = ("train", "embed", "compare", "explain", "unsaid", "words", "info", "doctor")


class Verbs(click.Group):
    """A verb lives in the module of its name, imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs, in the order in which people meet them."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a verb."""
        if cmd_name not in VERBS:
            return None
        command: click.Command = getattr(import_module(f"tacit.cli.{cmd_name}"), cmd_name)
        return command


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="tacit %(version)s")
def app() -> None:
    """Find what short texts mean beyond the words they use, learnt from your own text, offline."""


def run() -> None:
    """The entry point."""
    app(prog_name="tacit")
