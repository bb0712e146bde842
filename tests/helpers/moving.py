"""An index whose snapshot changes after some reads, as if another thread had replaced it."""

from __future__ import annotations

from tacit import Index
from tacit.search.snapshot import Snapshot


class Moving(Index):
    """An index whose snapshot is ``first`` for the given number of reads, and then ``later``."""

    def __init__(self, first: Snapshot, later: Snapshot, looks: int = 1) -> None:
        super().__init__(first.model, n_threads=1)
        self.move(first, later, looks)

    def move(self, first: Snapshot, later: Snapshot, looks: int = 1) -> None:
        """Start again with other snapshots."""
        self.moment, self.later, self.looks = first, later, looks

    @property
    def snapshot(self) -> Snapshot:
        snapshot = self.moment
        self.looks -= 1
        if self.looks == 0:
            self.moment = self.later
        return snapshot

    @snapshot.setter
    def snapshot(self, snapshot: Snapshot) -> None:
        self.move(snapshot, snapshot)
