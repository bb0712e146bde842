"""What the service allows: how long, how many, how large, and who."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

from tacit.errors import InputError

TOKEN_VARIABLE = "TACIT_TOKEN"  # noqa: S105 - the name of a variable, not a secret
_SHORTEST = 16


TEXT, EXPLAINED, RESULTS = 5_000, 2_000, 100
"""Characters of a text, of one whose words are shown one by one, and results of a question, at most."""
MOST_OFFSET = 10_000
"""How far down a list of hits one may look."""


@dataclass(frozen=True)
class Limits:
    """Bounds on a request that a service may set; beyond one of them it is refused with the reason.

    ``comparison`` bounds the sum of (characters of a x characters of b) over the pairs of a request, for
    words are aligned with words. ``bodies`` bounds the bytes of all requests
    under way. ``waiting`` is how many requests may wait for the processor. ``seconds`` is
    the time for a request from its first byte to its last. ``upload`` bounds the bytes of a file, ``texts``
    those of a collection, ``collections`` how many are kept, ``jobs`` how many may wait. ``grace`` is
    the time that requests under way have at the end.
    """

    batch: int = 2_048
    body: int = 8_000_000
    bodies: int = 32_000_000
    comparison: int = 100_000_000
    waiting: int = 512
    connections: int = 1_000
    seconds: float = 30.0
    upload: int = 200_000_000
    texts: int = 1_000_000
    collections: int = 100
    jobs: int = 20
    grace: float = 10.0

    def __post_init__(self) -> None:
        for bound in fields(self):
            value = getattr(self, bound.name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
                raise InputError(f"the limit {bound.name} is {value!r}: give a number above 0")


@dataclass(frozen=True)
class Settings:
    """Limits, the token if one is asked for, and the names a request may call this host by.

    ``home`` is the folder of the collections that people make; None lets them make none.

    ``hosts`` None allows any name. Without a token only names that belong to this machine are allowed, on
    loopback those of loopback, elsewhere its own and any address given as a number (``addresses``): otherwise
    a web page could point a name of its own at this machine and read what is served. ``cors`` are the origins
    of other pages that may ask; ``access_log`` is None, ``text`` or ``json``.
    """

    limits: Limits = field(default_factory=Limits)
    token: str | None = None
    hosts: frozenset[str] | None = None
    addresses: bool = False
    home: Path | None = None
    cors: tuple[str, ...] = ()
    access_log: str | None = None
    threads: int | None = None


LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def is_loopback(host: str) -> bool:
    """Whether an address is this machine's alone."""
    return host in LOOPBACK or host.startswith("127.")


def allowed_hosts(host: str, token: str | None, others: Sequence[str] = ()) -> frozenset[str] | None:
    """The names that requests may use, as they write them; None for any.

    >>> sorted(allowed_hosts("127.0.0.1", None))
    ['127.0.0.1', '[::1]', 'localhost']
    """
    if token is not None and not others:
        return None
    own = set(LOOPBACK) | {host}
    if not is_loopback(host):
        own |= {socket.gethostname().lower(), socket.getfqdn().lower()}
    return frozenset(f"[{name}]" if ":" in name else name for name in own | set(others))


def read_token(file: str | None) -> str | None:
    """The bearer token: from a file, else from the environment, else none is asked for.

    It is never an argument of a command: other users of a machine can read those.
    """
    if file is not None:
        try:
            found = Path(file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"the token file {file} cannot be read: {error}") from None
        source = file
    else:
        found, source = os.environ.get(TOKEN_VARIABLE, "").strip(), TOKEN_VARIABLE
        if not found:
            return None
    if len(found) < _SHORTEST or not found.isascii() or not found.isprintable() or " " in found:
        raise InputError(
            f"the token in {source} must be at least {_SHORTEST} letters, digits or signs, without spaces: "
            "make one with python -c 'import secrets; print(secrets.token_urlsafe(32))'"
        )
    return found
