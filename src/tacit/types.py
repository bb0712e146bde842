"""Types shared by all packages: arrays and progress callbacks."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any

from numpy.typing import NDArray

Array = NDArray[Any]
"""An array of any type and shape."""

ProgressCallback = Callable[[int, int], None]
"""A function that is called with the number of finished steps and the total number of steps."""


class ProgressCounter:
    """Counts finished steps and reports them to a callback, if there is one; threads may share a counter.

    >>> counter = ProgressCounter(lambda done, total: print(f"{done} of {total}"), total=3)
    >>> counter.advance(2)
    2 of 3
    >>> counter.finish()
    3 of 3
    """

    def __init__(self, callback: ProgressCallback | None, total: int, done: int = 0) -> None:
        self.callback, self.total, self.done = callback, total, done
        self._lock = Lock()

    def advance(self, n: int = 1) -> None:
        """Count ``n`` more finished steps, up to the total, and report."""
        with self._lock:
            self.done = min(self.done + n, self.total)
            if self.callback:
                self.callback(self.done, self.total)

    def finish(self) -> None:
        """Count all remaining steps as finished and report."""
        self.advance(self.total)
