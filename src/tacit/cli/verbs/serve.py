"""tacit serve: models and collections over HTTP, with a web page."""

from __future__ import annotations

import os
import webbrowser
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from tacit.cli import shared_options as shared
from tacit.cli.output import ProgressBar, print_stderr
from tacit.errors import InputError, MissingExtraError
from tacit.server.server_settings import Limits, Settings, allowed_hosts, is_loopback, read_token

DEMO_INDEX = "demo/wordnet.index"
_FOLDER = "[NAME=]FOLDER"
_MEGABYTE = 1_000_000


def _limit(option: str, name: str, help_text: str, unit: int = 1) -> Any:
    """An option for a field of `Limits`, with its default."""
    default = getattr(Limits, name) // unit
    kind = click.FLOAT if isinstance(default, float) else shared.POSITIVE_INT
    return click.option(option, name, type=kind, default=default, help=help_text)


_limit_options = shared.option_group(
    "limits",
    dict,
    _limit("--seconds", "request_timeout", "Time limit of a request in seconds."),
    _limit("--grace", "shutdown_grace", "Seconds in which running requests can finish at shutdown."),
    _limit("--batch", "max_texts_per_request", "Maximum number of texts per request."),
    _limit("--max-upload", "max_upload_bytes", "Maximum upload in MB.", _MEGABYTE),
    _limit("--max-texts", "max_texts_per_collection", "Maximum number of texts per collection."),
    _limit("--max-columns", "max_columns", "Filterable columns of a new collection."),
    _limit("--max-collections", "max_collections", "Maximum collections, unfinished ones included."),
    _limit("--max-jobs", "max_pending_jobs", "Maximum number of waiting and running jobs."),
    _limit("--inspection-seconds", "max_inspection_seconds", "Time limit to inspect a client's files."),
)


@click.command(short_help="Serve models and collections over HTTP, with a page.")
@click.option("--model", multiple=True, metavar=_FOLDER, help="Model folder.")
@click.option("--index", multiple=True, metavar=_FOLDER, help="Index folder.")
@click.option("--senses", help="Sense model folder.")
@click.option("--classifier", multiple=True, metavar=_FOLDER, help="Classifier folder.")
@click.option("--demo", is_flag=True, help=f"Serve WordNet's definitions; creates {DEMO_INDEX} if absent.")
@click.option("--home", metavar="DIR", help="Folder for collections created on the page.")
@click.option("--read-only", is_flag=True, help="Disable creating collections.")
@click.option("--host", default="127.0.0.1", help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, help="Port; 0 picks a free one.")
@click.option("--open", "open_page", is_flag=True, help="Open the page in the browser.")
@click.option("--allow-host", multiple=True, metavar="NAME", help="Additional accepted host name.")
@click.option("--token-file", help="File with the bearer token; or set TACIT_TOKEN.")
@click.option("--cors-origin", "cors_origins", multiple=True, metavar="ORIGIN", help="Allowed CORS origin.")
@click.option("--access-log", type=click.Choice(["text", "json"]), help="Log each request to stderr.")
@click.option("--telemetry", is_flag=True, help="Send OpenTelemetry traces, configured by OTEL_ variables.")
@_limit_options
@shared.threads_option
def serve(
    model: tuple[str, ...], index: tuple[str, ...], senses: str | None, classifier: tuple[str, ...],
    demo: bool, home: str | None, read_only: bool, host: str, port: int, open_page: bool,
    allow_host: tuple[str, ...], token_file: str | None, telemetry: bool, limits: dict[str, Any],
    **settings: Any,
) -> None:  # fmt: skip
    """Serve models and collections over HTTP: a page at /, the API documentation at /docs.

    Without options the service starts empty: upload a file on the page. OpenAI clients use /v1. Ctrl-C stops
    the service after running requests have finished.
    """
    if demo and (model or index):
        raise InputError("--demo has a model and an index: leave out --model and --index")
    if home and read_only:
        raise InputError("--home cannot be combined with --read-only: leave one out")
    try:
        from tacit.server.app import create_app
        from tacit.server.monitoring import install_tracing, log_access_to_stderr
        from tacit.server.served_collection import load_collections
        from tacit.server.uvicorn_server import base_url, open_socket, run_server
    except ImportError:
        raise MissingExtraError("the service", "server") from None
    token = read_token(token_file)
    bounds = Limits(**{**limits, "max_upload_bytes": limits["max_upload_bytes"] * _MEGABYTE})
    is_public = not is_loopback(host)
    with ExitStack() as stack:
        listening = stack.enter_context(open_socket(host, port))  # before work that may take a minute
        indexes = (_build_demo(settings["n_threads"]),) if demo else index
        served, classifiers = load_collections(model, indexes, senses, classifier, settings["n_threads"])
        store = None if read_only else _check_store(home, is_public and token is None)
        if is_public and token is None:
            print_stderr(f"{host} has no token: everyone who can reach it can read what is served")
        if not served and store is None:
            raise InputError("nothing to serve: give --model, --index, --senses, --demo or --home")
        hosts = allowed_hosts(host, token, allow_host)
        app = create_app(served, Settings(bounds, token, hosts, is_public, store, **settings), classifiers)
        if telemetry:
            stack.callback(install_tracing(app).shutdown)
        if settings["access_log"]:
            log_access_to_stderr()
        names = [collection.name for collection in served] or ["the page"]
        verb = "are" if len(names) > 1 else "is"
        click.echo(f"{', '.join(names)} {verb} served at {base_url(listening)} (press Ctrl-C to stop)")
        if store is not None:
            sizes = f"{limits['max_upload_bytes']:,} MB, {bounds.max_texts_per_collection:,} texts"
            most = f"files of at most {sizes}, {bounds.max_collections:,} collections"
            click.echo(f"collections created on the page are stored in {store}: {most}")
            os.umask(0o077)  # the owner alone may read what is written
        if open_page and not webbrowser.open(base_url(listening)):
            print_stderr(f"no browser was found: open {base_url(listening)} in one")
        run_server(app, listening, bounds)


def _check_store(folder: str | None, is_unprotected: bool) -> Path | None:
    """Lock the folder of collections for a moment, to check it; None if collections cannot be created."""
    from platformdirs import user_data_path

    from tacit.server.collection_store import CollectionStore

    if is_unprotected:
        if folder is not None:
            raise InputError("--home needs a token if other machines can reach it: add --token-file")
        return None
    path = Path(folder) if folder is not None else user_data_path("tacit", appauthor=False) / "collections"
    try:
        with CollectionStore(path):
            return path
    except InputError as error:
        if folder is not None:
            raise
        print_stderr(f"{error}; no collections can be created on the page")
        return None


def _build_demo(n_threads: int | None) -> str:
    """Index WordNet's definitions, unless that was done before, and return the folder."""
    from tacit.workflows import RecordSource, build_index

    if not Path(DEMO_INDEX).is_dir():
        Path(DEMO_INDEX).parent.mkdir(exist_ok=True)
        print_stderr(f"training on WordNet's definitions and indexing them in {DEMO_INDEX}")
        with ProgressBar() as bar:
            source = RecordSource(corpora=("wordnet",))
            build_index(source, into=DEMO_INDEX, language="en", n_threads=n_threads, progress=bar)
    return DEMO_INDEX
