"""Wait for what another thread or process does, with a limit."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE = 120.0  # seconds: a busy machine is no fault
Found = TypeVar("Found")


def wait_until(look: Callable[[], Found], seconds: float = PATIENCE) -> Found:
    """Look until there is something to see, and give it."""
    limit = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < limit, f"still waiting after {seconds:g} s"
        time.sleep(0.01)
    return found
