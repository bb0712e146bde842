"""tacit serve: a model and an index over HTTP, with a page."""

from __future__ import annotations

from pathlib import Path

import click

from tacit.cli.common import complain, threads_option, verb

DEMO_MODEL, DEMO_INDEX = "demo/wordnet", "demo/wordnet.index"


@click.command(short_help="Serve a model and an index over HTTP, with a page.")
@click.option("--model", help="A model folder: compare, explain, unsaid, vectors.")
@click.option("--index", help="An index folder, with the model inside it: search and the map.")
@click.option("--senses", help="A folder of senses: which sense a word has.")
@click.option("--demo", is_flag=True, help=f"Serve WordNet's definitions; made in {DEMO_INDEX} if absent.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; this machine alone.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one."
)
@click.option("--token-file", help="A file with the bearer token to ask for; or set TACIT_TOKEN.")
@click.option("--seconds", type=float, default=30.0, show_default=True, help="The time a request may take.")
@click.option(
    "--batch", type=click.IntRange(1), default=2048, show_default=True, help="Most texts in a request."
)
@threads_option
@click.pass_context
@verb
def serve(
    ctx: click.Context,
    model: str | None,
    index: str | None,
    senses: str | None,
    demo: bool,
    host: str,
    port: int,
    token_file: str | None,
    seconds: float,
    batch: int,
    threads: int | None,
) -> None:
    """Serve a model, an index or both over HTTP: a page at /, the addresses for programs at /docs.

    An OpenAI client finds vectors at /v1. Ctrl-C ends, after the requests under way.
    """
    from tacit.errors import InputError, MissingExtraError

    if demo and (model or index):
        raise InputError("--demo brings its own model and index: leave out --model and --index")
    try:
        from tacit.server.app import make_app
        from tacit.server.listening import address_of, open_socket, quieten, run
        from tacit.server.served_models import load_served_models
        from tacit.server.settings import LOOPBACK, Limits, Settings, allowed_hosts, read_token
    except ImportError:
        raise MissingExtraError("the service", "server") from None
    token = read_token(token_file)
    limits = Limits(seconds=seconds, batch=batch)
    with open_socket(host, port) as listening:  # before work that may take a minute
        if demo:
            index = _demo(ctx, threads)
        served = load_served_models(model, index, senses, threads)
        quieten()
        served.warm()
        if host not in LOOPBACK and token is None:
            complain(f"{host} is open to others without a token: whoever reaches it can read what is served")
        app = make_app(served, Settings(limits, token, allowed_hosts(host, token)))
        click.echo(f"{served.name} is served at {address_of(listening)} (Ctrl-C ends)")
        run(app, listening, limits)


def _demo(ctx: click.Context, threads: int | None) -> str:
    """The index of WordNet's definitions, made first where it is not there."""
    from tacit.cli.verbs.index import index
    from tacit.cli.verbs.train import train

    Path(DEMO_INDEX).parent.mkdir(exist_ok=True)
    if not Path(DEMO_INDEX).is_dir():
        if not Path(DEMO_MODEL).is_dir():
            ctx.invoke(train, out=DEMO_MODEL, corpus=("wordnet",), threads=threads)
        ctx.invoke(index, out=DEMO_INDEX, corpus=("wordnet",), model=DEMO_MODEL, threads=threads)
    return DEMO_INDEX
