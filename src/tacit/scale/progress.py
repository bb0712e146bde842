"""How far a training is: one pass after the other, texts a second, and the time that is left."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Moment:
    """A pass at a moment: how much of it is done, and what is known of speed and time left (in seconds)."""

    name: str
    done: float
    texts_a_second: float | None
    left: float | None
    finished: bool

    def __str__(self) -> str:
        """One line for people.

        >>> str(Moment("sweep 2 of 15, texts", 1.0, 812_345.6, 130.0, True))
        'sweep 2 of 15, texts: 100 %, 812,346 texts/s, 2 min 10 s left'
        """
        parts = [f"{self.name}: {self.done:.0%}".replace("%", " %")]
        if self.texts_a_second is not None:
            parts.append(f"{self.texts_a_second:,.0f} texts/s")
        if self.left is not None:
            parts.append(f"{duration(self.left)} left")
        return ", ".join(parts)


def duration(seconds: float) -> str:
    """A time for people.

    >>> [duration(s) for s in (7.4, 130, 7300)]
    ['7 s', '2 min 10 s', '2 h 1 min']
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


@dataclass
class Progress:
    """Told of every partition that is done; tells ``show`` where the work stands."""

    show: Callable[[Moment], None] = lambda moment: None
    texts_of: dict[int, int] = field(default_factory=dict)
    _pass_seconds: float | None = None

    @contextmanager
    def reading(self, n_bytes: int) -> Iterator[Callable[[int], None]]:
        """The first pass, of which only the bytes are known."""
        with self._timed("reading texts", n_bytes, None) as advance:
            yield advance

    @contextmanager
    def counted(self, name: str, passes_left: int | None = None) -> Iterator[Callable[[int], None]]:
        """A pass over partitions whose texts are known; told the number of each."""
        total = sum(self.texts_of.values())
        with self._timed(name, total, passes_left) as advance:
            yield lambda number: advance(self.texts_of.get(number, 0))

    @contextmanager
    def _timed(self, name: str, total: int, passes_left: int | None) -> Iterator[Callable[[int], None]]:
        started, done = time.perf_counter(), 0
        in_texts = bool(self.texts_of)

        def moment(finished: bool) -> Moment:
            seconds = max(time.perf_counter() - started, 1e-9)
            part = 1.0 if finished else min(done / max(total, 1), 1.0)
            here = seconds / part - seconds if part else None
            left = here
            if passes_left is not None and here is not None:
                left = here + passes_left * (seconds if finished else self._pass_seconds or seconds / part)
            speed = (total if finished else done) / seconds if in_texts else None
            return Moment(
                name, part, speed, left if passes_left is not None or not finished else None, finished
            )

        def advance(amount: int) -> None:
            nonlocal done
            done += amount
            self.show(moment(False))

        yield advance
        if passes_left is not None:
            self._pass_seconds = time.perf_counter() - started
        self.show(moment(True))
