"""The map of an index: drawn once, when it is first asked for, beside other work; kept with the index."""

from __future__ import annotations

import logging
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING

from tacit.errors import TacitError

if TYPE_CHECKING:
    from tacit.search.index import Index
    from tacit.search.map import Map

logger = logging.getLogger(__name__)


class MapBuilder:
    """A map that is not yet there, being drawn, done, or failed."""

    def __init__(self, index: Index, folder: Path | None = None) -> None:
        self.index, self.folder = index, folder
        self.done = 0.0
        self.map: Map | None = None
        self._error: str | None = None
        self._lock = Lock()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Begin to draw, unless that has begun, or the texts are still those that were drawn."""
        with self._lock:
            fresh = self.map is not None and self.map.snapshot is self.index.snapshot
            if self._thread is None and not fresh and self._error is None:
                self.done = 0.0
                self._thread = Thread(target=self._draw, name="tacit-map", daemon=True)
                self._thread.start()

    @property
    def error(self) -> str | None:
        """Why it could not be drawn, said once: whoever asks again lets it be tried again."""
        with self._lock:
            said, self._error = self._error, None
        return said

    def ready(self) -> Map | None:
        """The map, while it is of the texts as they are."""
        drawn = self.map
        return drawn if drawn is not None and drawn.snapshot is self.index.snapshot else None

    def _draw(self) -> None:
        from tacit.search.map_cache import load_or_draw_map

        error = None
        try:
            self.map = load_or_draw_map(self.index, self.folder, progress=self._told)
        except TacitError as failure:
            error = failure.problem
        except Exception:
            logger.exception("the map could not be drawn")
            error = "the map could not be drawn; the service's log says why"
        with self._lock:
            self._error, self._thread = error, None

    def _told(self, done: int, total: int) -> None:
        self.done = done / max(total, 1)
