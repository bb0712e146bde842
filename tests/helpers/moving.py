"""An index whose texts are others after some looks at them: what another thread does, at the worst moment."""

from __future__ import annotations

from tacit import Index
from tacit.search.snapshot import Snapshot


class Moving(Index):
    """An index that shows ``first`` so many times, and then ``later``."""

    def __init__(self, first: Snapshot, later: Snapshot, looks: int = 1) -> None:
        super().__init__(first.model, n_threads=1)
        self.move(first, later, looks)

    def move(self, first: Snapshot, later: Snapshot, looks: int = 1) -> None:
        """Begin again."""
        self.moment, self.later, self.looks = first, later, looks

    @property
    def snapshot(self) -> Snapshot:
        seen = self.moment
        self.looks -= 1
        if self.looks == 0:
            self.moment = self.later
        return seen

    @snapshot.setter
    def snapshot(self, found: Snapshot) -> None:
        self.move(found, found)
