"""The map of an index, drawn once, beside the other work, when it is first asked for."""

from __future__ import annotations

import logging
from threading import Lock, Thread
from typing import TYPE_CHECKING

from tacit.errors import TacitError

if TYPE_CHECKING:
    from tacit.search.index import Index
    from tacit.search.map import Map

logger = logging.getLogger(__name__)


class MapDrawing:
    """A map that is not yet there, being drawn, or done."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.done = 0.0
        self.map: Map | None = None
        self.error: str | None = None
        self._lock = Lock()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Begin to draw, unless that has begun."""
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._draw, name="tacit-map", daemon=True)
                self._thread.start()

    def _draw(self) -> None:
        from tacit.search.map import draw_map

        try:
            self.map = draw_map(self.index, progress=self._told)
        except TacitError as error:
            self.error = str(error)
        except Exception:
            logger.exception("the map could not be drawn")
            self.error = "the map could not be drawn; the service's log says why"

    def _told(self, done: int, total: int) -> None:
        self.done = done / max(total, 1)
