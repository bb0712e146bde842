"""tacit serve: models and collections over HTTP, with a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tacit.cli.common import complain, threads_option, verb

DEMO_MODEL, DEMO_INDEX = "demo/wordnet", "demo/wordnet.index"
_MEGABYTE = 1_000_000


@click.command(short_help="Serve models and collections over HTTP, with a page.")
@click.option("--model", multiple=True, metavar="[NAME=]FOLDER", help="A model: compare, explain, vectors.")
@click.option("--index", multiple=True, metavar="[NAME=]FOLDER", help="An index: also search and the map.")
@click.option("--senses", help="A folder of senses: which sense a word has.")
@click.option("--classifier", multiple=True, metavar="[NAME=]FOLDER", help="A classifier: /classify.")
@click.option("--demo", is_flag=True, help=f"Serve WordNet's definitions; made in {DEMO_INDEX} if absent.")
@click.option("--home", metavar="DIR", help="Where collections made on the page are kept.")
@click.option("--read-only", is_flag=True, help="Let nobody make collections.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; this machine alone.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one."
)
@click.option("--allow-host", multiple=True, metavar="NAME", help="Another name this service is called by.")
@click.option("--token-file", help="A file with the bearer token to ask for; or set TACIT_TOKEN.")
@click.option("--cors-origin", multiple=True, metavar="ORIGIN", help="A page elsewhere that may ask.")
@click.option("--access-log", type=click.Choice(["text", "json"]), help="A line for each request on stderr.")
@click.option("--telemetry", is_flag=True, help="Traces for OpenTelemetry, as OTEL_... variables say.")
@click.option("--seconds", type=float, default=30.0, show_default=True, help="The time a request may take.")
@click.option(
    "--grace", type=float, default=10.0, show_default=True, help="Seconds for requests under way at the end."
)
@click.option(
    "--batch", type=click.IntRange(1), default=2048, show_default=True, help="Most texts in a request."
)
@click.option(
    "--max-upload", type=click.IntRange(1), default=200, show_default=True, help="Megabytes of a file."
)
@click.option(
    "--max-texts", type=click.IntRange(1), default=1_000_000, show_default=True, help="Texts of a collection."
)
@click.option(
    "--max-collections", type=click.IntRange(1), default=100, show_default=True, help="Collections kept."
)
@threads_option
@click.pass_context
@verb
def serve(
    ctx: click.Context,
    model: tuple[str, ...],
    index: tuple[str, ...],
    senses: str | None,
    classifier: tuple[str, ...],
    demo: bool,
    home: str | None,
    read_only: bool,
    host: str,
    port: int,
    allow_host: tuple[str, ...],
    token_file: str | None,
    cors_origin: tuple[str, ...],
    access_log: str | None,
    telemetry: bool,
    seconds: float,
    grace: float,
    batch: int,
    max_upload: int,
    max_texts: int,
    max_collections: int,
    threads: int | None,
) -> None:
    """Serve models and collections over HTTP: a page at /, the addresses for programs at /docs.

    With nothing named it starts empty: drop a file on the page. An OpenAI client finds vectors at /v1. Ctrl-C
    ends, after the requests under way.
    """
    from tacit.errors import InputError, MissingExtraError

    if demo and (model or index):
        raise InputError("--demo brings its own model and index: leave out --model and --index")
    if home and read_only:
        raise InputError("--home is for collections made on the page, and --read-only lets nobody make any")
    try:
        from tacit.server.access_log import write_to_stderr
        from tacit.server.app import make_app
        from tacit.server.listening import address_of, open_socket, run
        from tacit.server.served_models import load_all
        from tacit.server.settings import Limits, Settings, allowed_hosts, is_loopback, read_token
    except ImportError:
        raise MissingExtraError("the service", "server") from None
    token = read_token(token_file)
    limits = Limits(
        seconds=seconds,
        grace=grace,
        batch=batch,
        upload=max_upload * _MEGABYTE,
        texts=max_texts,
        collections=max_collections,
    )
    open_to_others = not is_loopback(host)
    with open_socket(host, port) as listening:  # before work that may take a minute
        if demo:
            index = (_demo(ctx, threads),)
        served, classifiers = load_all(model, index, senses, classifier, threads)
        kept = None if read_only else _home(home, open_to_others and token is None)
        if open_to_others and token is None:
            complain(f"{host} is open to others without a token: whoever reaches it can read what is served")
        if not served and kept is None:
            raise InputError("nothing to serve: name --model, --index, --senses or --demo, or allow a --home")
        settings = Settings(
            limits,
            token,
            allowed_hosts(host, token, allow_host),
            addresses=open_to_others,
            home=kept,
            cors=cors_origin,
            access_log=access_log,
            threads=threads,
        )
        app = make_app(served, settings, classifiers)
        traces = _traced(app) if telemetry else None
        if access_log:
            write_to_stderr()
        names = [models.name for models in served] or ["nothing yet"]
        be = "are" if len(names) > 1 else "is"
        click.echo(f"{', '.join(names)} {be} served at {address_of(listening)} (Ctrl-C ends)")
        if kept is not None:
            click.echo(
                f"collections made on the page are kept in {kept}: files of at most {max_upload:,} MB, "
                f"{max_texts:,} texts, {max_collections:,} collections"
            )
        try:
            run(app, listening, limits)
        finally:
            if traces is not None:
                traces.shutdown()


def _home(given: str | None, unguarded: bool) -> Path | None:
    """Where collections are kept, taken for a moment to see that it can be; None if nobody may make any."""
    from tacit.errors import InputError
    from tacit.server.home import Home

    if unguarded:
        if given is not None:
            raise InputError("--home without a token is for this machine alone: name a --token-file too")
        return None
    if given is not None:
        with Home(Path(given)):
            return Path(given)
    from platformdirs import user_data_path

    folder = user_data_path("tacit", appauthor=False) / "collections"
    try:
        with Home(folder):
            return folder
    except InputError as error:
        complain(f"{error}; no collections can be made on the page")
        return None


def _traced(app: Any) -> Any:
    from tacit.server.telemetry import trace

    return trace(app)


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
