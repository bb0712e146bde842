"""Limits, access settings and the bearer token."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

from tacit.errors import InputError

TOKEN_VARIABLE = "TACIT_TOKEN"  # noqa: S105 - the name of a variable, not a secret
MIN_TOKEN_CHARS = 16
MAX_TEXT_CHARS = 5_000
MAX_EXPLAINED_CHARS = 2_000  # of a text that is split into the contributions of its words
MAX_RESULTS = 100  # per request
MAX_DIMENSIONS = 10_000  # of the outside vector of a query
MAX_OFFSET = 10_000  # into the hits of a search
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True)
class Limits:
    """Limits that can be set when the service starts; a request beyond one of them gets an error.

    ``max_character_pairs`` bounds the sum of ``len(a) * len(b)`` over the text pairs of a request, because
    each word of one text is compared with each word of the other. ``request_timeout`` covers a request from
    its first byte to the last byte of the response.
    """

    max_texts_per_request: int = 2_048
    max_body_bytes: int = 8_000_000
    max_total_body_bytes: int = 32_000_000  # of all requests in progress
    max_character_pairs: int = 100_000_000
    max_pending_requests: int = 512  # waiting for the worker thread
    max_connections: int = 1_000
    request_timeout: float = 30.0  # seconds
    max_upload_bytes: int = 200_000_000
    max_texts_per_collection: int = 1_000_000
    max_collections: int = 100
    max_columns: int = 200  # of a new collection that can be filtered
    max_pending_jobs: int = 20  # waiting or running
    max_inspection_seconds: float = 30.0  # of the uploads of one client that are inspected at the same time
    shutdown_grace: float = 10.0  # seconds that running requests get at shutdown

    @property
    def lock_timeout(self) -> float:
        """Seconds that a change waits for other writers of its collection, with time left to answer."""
        return min(10.0, 0.8 * self.request_timeout)

    def __post_init__(self) -> None:
        for limit in fields(self):
            value = getattr(self, limit.name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
                raise InputError(f"{limit.name}={value!r}: give a number above 0", parameter=limit.name)


@dataclass(frozen=True)
class Settings:
    """Limits, access control, and where collections are stored.

    ``hosts`` are the accepted values of the Host header, None accepts any; ``allow_ip_hosts`` also accepts
    any IP address. Without these checks, a web page could point its own domain name at this machine (DNS
    rebinding) and read what is served. ``store_dir`` None disables creating collections. ``cors_origins`` are
    origins of other pages that may send requests. ``access_log`` is None, ``text`` or ``json``.
    """

    limits: Limits = field(default_factory=Limits)
    token: str | None = None
    hosts: frozenset[str] | None = None
    allow_ip_hosts: bool = False
    store_dir: Path | None = None
    cors_origins: tuple[str, ...] = ()
    access_log: str | None = None
    n_threads: int | None = None


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address."""
    return host in LOOPBACK or host.startswith("127.")


def allowed_hosts(host: str, token: str | None, extra_hosts: Sequence[str] = ()) -> frozenset[str] | None:
    """Return the accepted Host headers for a service on ``host``; None accepts any.

    >>> sorted(allowed_hosts("127.0.0.1", None))
    ['127.0.0.1', '[::1]', 'localhost']
    """
    if token is not None and not extra_hosts:
        return None
    names = {*LOOPBACK, host, *extra_hosts}
    if not is_loopback(host):
        names |= {socket.gethostname().lower(), socket.getfqdn().lower()}
    return frozenset(f"[{name}]" if ":" in name else name for name in names)


def read_token(path: str | None) -> str | None:
    """Read the bearer token from a file, else from the environment; None if there is neither.

    The token is never a command-line argument, because other users of the machine can read those.
    """
    if path is None:
        source, token = TOKEN_VARIABLE, os.environ.get(TOKEN_VARIABLE, "").strip()
        if not token:
            return None
    else:
        source = path
        try:
            token = Path(path).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"cannot read the token file {path}: {error}") from None
    if len(token) < MIN_TOKEN_CHARS or not token.isascii() or not token.isprintable() or " " in token:
        raise InputError(
            f"the token in {source} must have at least {MIN_TOKEN_CHARS} ASCII characters and no spaces: "
            "create one with python -c 'import secrets; print(secrets.token_urlsafe(32))'"
        )
    return token
