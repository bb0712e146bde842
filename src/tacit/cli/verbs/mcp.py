"""tacit mcp: tools for language models, over the Model Context Protocol."""

from __future__ import annotations

import click

from tacit.cli import shared_options as shared
from tacit.errors import import_extra


@click.command(short_help="Serve files to language models over MCP.")
@click.argument("folder", default=".")
@click.option("--write", "can_write", is_flag=True, help="Let tools write result tables below FOLDER.")
@shared.threads_option
def mcp(folder: str, can_write: bool, n_threads: int | None) -> None:
    """Serve the files below FOLDER over standard input and output, for an MCP client.

    The tools are search, compare, explain, link, dedupe and themes. They read only, unless --write is given.
    """
    import_extra("mcp.server", "the MCP server", "mcp")
    from tacit.integrations.mcp_server import make_server

    make_server(folder, can_write, n_threads).run()
