"""What an index must answer, told without one: every text looked at, at every moment an answer may be of.

Each writer counts what it does. A text lives from one count of its writer to another; a question sees each
writer at some count between the last write that had ended when it was asked and the last that had begun when
it was answered. An answer is right if it is the brute-force answer at some such moment.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

NEVER = 2**62
CLOSE = 2e-5
"""Of two scores that should be one: float32, in another order of words."""

Span = tuple[int, int]


@dataclass
class Life:
    """A text of the pool under an id, and the counts of its writer between which it lives."""

    text: int
    writer: int
    born: int
    died: int = NEVER


@dataclass
class Twin:
    """The scores of every query with every text of a pool, and which texts live when."""

    scores: dict[str, NDArray[np.float32]]
    n_writers: int
    lives: dict[str, Life] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.begun, self.ended = [0] * self.n_writers, [0] * self.n_writers

    def begin(self, writer: int) -> int:
        """A write begins; its count."""
        with self.lock:
            self.begun[writer] += 1
            return self.begun[writer]

    def end(self, writer: int) -> None:
        """It has ended."""
        with self.lock:
            self.ended[writer] = self.begun[writer]

    def since(self) -> list[int]:
        """What had ended when a question is asked."""
        with self.lock:
            return list(self.ended)

    def until(self) -> tuple[list[int], dict[str, Life]]:
        """What had begun when it was answered, and the lives of all texts by then."""
        with self.lock:
            return list(self.begun), dict(self.lives)

    def living(self) -> dict[str, int]:
        """The texts at a moment when nobody writes."""
        with self.lock:
            return {name: life.text for name, life in self.lives.items() if life.died == NEVER}

    def forget(self, names: list[str]) -> None:
        """Drop lives that no question can see any more."""
        with self.lock:
            for name in names:
                self.lives.pop(name, None)

    def fault(self, query: int, measure: str, k: int, hits: list[Any], since: list[int]) -> str | None:
        """What is wrong with an answer, if no moment explains it."""
        until, lives = self.until()
        row = self.scores[measure][query]
        for hit in hits:
            if hit.id not in lives:
                return f"{hit.id} is not there, or was deleted long ago"
            if abs(hit.score - row[lives[hit.id].text]) > CLOSE:
                return f"{hit.id} scores {hit.score}, by brute force {row[lives[hit.id].text]}"
        table = np.array(
            [[life.text, life.writer, life.born, life.died] for life in lives.values()], np.int64
        )
        names = np.array(list(lives), object)
        moments = product(*(range(a, b + 1) for a, b in zip(since, until, strict=True)))
        said = ""
        for moment in moments:
            said = self._differs(np.array(moment), names, table.reshape(-1, 4), row, k, hits)
            if not said:
                return None
        return said

    def _differs(self, moment: Any, names: Any, table: Any, row: Any, k: int, hits: list[Any]) -> str:
        counts = moment[table[:, 1]]
        alive = (table[:, 2] <= counts) & (counts < table[:, 3])
        scores = row[table[alive, 0]]
        best = np.sort(scores[scores > 0])[::-1][:k]
        found = np.array([hit.score for hit in hits])
        if not {hit.id for hit in hits} <= set(names[alive]):
            return "a text that does not live at the moment was found"
        sure = best[best > CLOSE]  # a score next to 0 may be one
        if not len(sure) <= len(found) <= max(len(best), int(np.sum(scores > -CLOSE))):
            return f"{len(found)} hits, by brute force {len(best)}"
        n = min(len(best), len(found))
        if np.any(np.abs(found[:n] - best[:n]) > CLOSE):
            return f"scores {found.tolist()}, by brute force {best.tolist()}"
        return ""
