"""Progress of a pass: fraction done, texts per second, time left."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class PassStatus:
    """Progress of a pass at one moment; speed and time left (in seconds) are None if unknown."""

    name: str
    fraction: float
    texts_per_second: float | None
    seconds_left: float | None
    is_finished: bool

    def __str__(self) -> str:
        """Return one line for users.

        >>> str(PassStatus("sweep 2 of 15, texts", 1.0, 812_345.6, 130.0, True))
        'sweep 2 of 15, texts: 100 %, 812,346 texts/s, 2 min 10 s left'
        """
        parts = [f"{self.name}: {self.fraction:.0%}".replace("%", " %")]
        if self.texts_per_second is not None:
            parts.append(f"{self.texts_per_second:,.0f} texts/s")
        if self.seconds_left is not None:
            parts.append(f"{format_duration(self.seconds_left)} left")
        return ", ".join(parts)


def format_duration(seconds: float) -> str:
    """Format a time in the two largest units.

    >>> [format_duration(s) for s in (7.4, 130, 7300)]
    ['7 s', '2 min 10 s', '2 h 1 min']
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


@dataclass
class PassProgress:
    """Counts finished partitions of a pass and calls ``on_update`` with its status after each."""

    on_update: Callable[[PassStatus], None] = lambda status: None
    _pass_seconds: float | None = None

    @contextmanager
    def track(
        self, name: str, total: int, passes_left: int | None = None, counts_texts: bool = True
    ) -> Iterator[Callable[[int], None]]:
        """Track a pass over ``total`` texts (or bytes); call the result with the size of each finished part.

        ``passes_left`` similar passes follow; None if the time left after this pass is not known.
        """
        started, done = time.perf_counter(), 0

        def update(is_finished: bool) -> None:
            seconds = max(time.perf_counter() - started, 1e-9)
            fraction = 1.0 if is_finished else min(done / max(total, 1), 1.0)
            speed = (total if is_finished else done) / seconds if counts_texts else None
            left = None
            if fraction and not (is_finished and passes_left is None):
                pass_seconds = (None if is_finished else self._pass_seconds) or seconds / fraction
                left = seconds / fraction - seconds + (passes_left or 0) * pass_seconds
            self.on_update(PassStatus(name, fraction, speed, left, is_finished))

        def advance(amount: int) -> None:
            nonlocal done
            done += amount
            update(is_finished=False)

        yield advance
        if passes_left is not None:
            self._pass_seconds = time.perf_counter() - started
        update(is_finished=True)
