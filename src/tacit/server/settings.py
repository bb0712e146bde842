"""What the service allows: how long, how many, how large, and who."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields
from pathlib import Path

from tacit.errors import InputError

TOKEN_VARIABLE = "TACIT_TOKEN"  # noqa: S105 - the name of a variable, not a secret
_SHORTEST = 16


TEXT, EXPLAINED, RESULTS = 5_000, 2_000, 100
"""Characters of a text, of one whose words are shown one by one, and results of a question, at most."""


@dataclass(frozen=True)
class Limits:
    """Bounds on a request that a service may set; beyond one of them it is refused with the reason.

    ``comparison`` bounds the sum of (characters of a x characters of b) over the pairs of a request, for
    words are aligned with words. ``waiting`` is how many requests may wait for the processor. ``seconds`` is
    the time for a request from its first byte to its last.
    """

    batch: int = 2_048
    body: int = 8_000_000
    comparison: int = 100_000_000
    waiting: int = 512
    connections: int = 1_000
    seconds: float = 30.0

    def __post_init__(self) -> None:
        for bound in fields(self):
            value = getattr(self, bound.name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
                raise InputError(f"the limit {bound.name} is {value!r}: give a number above 0")


@dataclass(frozen=True)
class Settings:
    """Limits, the token if one is asked for, and the names a request may call this host by.

    ``hosts`` None allows any name. A service on loopback without a token allows only loopback's names:
    otherwise a web page could point a name of its own at this machine and read what is served.
    """

    limits: Limits = field(default_factory=Limits)
    token: str | None = None
    hosts: frozenset[str] | None = None


LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def allowed_hosts(host: str, token: str | None) -> frozenset[str] | None:
    """The names that requests may use, as they write them; None for any.

    >>> sorted(allowed_hosts("127.0.0.1", None))
    ['127.0.0.1', '[::1]', 'localhost']
    """
    if host not in LOOPBACK or token is not None:
        return None
    return frozenset(f"[{name}]" if ":" in name else name for name in LOOPBACK)


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
