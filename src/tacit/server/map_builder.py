"""Draw the map of an index in a background thread."""

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
    """Draws the map of an index, and draws it again only after texts were added or deleted.

    A map that is stored in the folder of the index is read; new maps are stored if ``is_stored`` is true.
    """

    def __init__(self, index: Index, folder: Path | None = None, is_stored: bool = False) -> None:
        self.index, self.folder, self.is_stored = index, folder, is_stored
        self.progress = 0.0
        self._map: Map | None = None
        self._error: str | None = None
        self._lock = Lock()
        self._thread: Thread | None = None

    def start(self) -> None:
        """Start drawing, unless the map is being drawn, is up to date, or an error has not been taken."""
        with self._lock:
            if self._thread is None and self.current_map() is None and self._error is None:
                self.progress = 0.0
                self._thread = Thread(target=self._draw, name="tacit-map", daemon=True)
                self._thread.start()

    def current_map(self) -> Map | None:
        """Return the map, or None if it is not drawn or shows other texts than the index has now."""
        drawn = self._map
        return drawn if drawn is not None and drawn.snapshot is self.index.snapshot else None

    def take_error(self) -> str | None:
        """Return why drawing failed, and clear the error: the next ``start`` tries again."""
        with self._lock:
            error, self._error = self._error, None
        return error

    def _draw(self) -> None:
        from tacit.search.map import load_or_draw_map

        error = None
        try:
            self._map = load_or_draw_map(
                self.index, self.folder, progress=self._set_progress, store=self.is_stored
            )
        except TacitError as failure:
            error = failure.problem
        except Exception:
            logger.exception("the map could not be drawn")
            error = "the map could not be drawn: see the log of the service"
        with self._lock:
            self._error, self._thread = error, None

    def _set_progress(self, done: int, total: int) -> None:
        self.progress = done / max(total, 1)
