"""Files that people drop: streamed to disk, bounded, looked at in a process of its own, forgotten in time."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit.server.collection_registry import CollectionRegistry
from tacit.server.http_errors import ApiError
from tacit.server.jobs import run_task
from tacit.server.server_settings import Limits
from tacit.workflows.file_inspection import storage_name

KEPT, HOURS = 10, 2
"""How many files wait for what is to be made of them, and for how long."""
UNFOLDED = 10
"""A file may unfold to so many times the largest upload."""
_MEMORY, _SECONDS = 4_000_000_000, 120
_AT_ONCE = 2


@dataclass(frozen=True)
class Upload:
    """A file that has arrived, and what it looks like."""

    id: str
    name: str
    path: Path
    since: float
    guess: dict[str, Any]


class Uploads:
    """The files that wait, and how they come in."""

    def __init__(self, library: CollectionRegistry, limits: Limits) -> None:
        self.library, self.limits = library, limits
        self.all: dict[str, Upload] = {}
        self._looking = asyncio.Semaphore(_AT_ONCE)
        self._held = 0

    async def take(self, name: str, content: AsyncIterator[bytes], header: bool | None = None) -> Upload:
        """Write a file to disk as it arrives, and look at it; whatever goes wrong leaves nothing.

        ``header`` is whether its first row names columns; None lets that be guessed.
        """
        self._forget()
        room = self.library.room()
        path = room / storage_name(name)
        try:
            await self._write(path, content)
            guess = await self._looked_at(path, name, header)
        except BaseException:
            shutil.rmtree(room, ignore_errors=True)
            raise
        upload = Upload(room.name, name, path, time.monotonic(), guess)
        self.all[upload.id] = upload
        return upload

    def find(self, name: str) -> Upload:
        """The file of an id."""
        if name not in self.all:
            raise ApiError(404, f"there is no upload {name!r}: send the file again, it may have expired")
        return self.all[name]

    def used(self, upload: Upload) -> None:
        """Let go of a file that another has taken over."""
        self.all.pop(upload.id, None)

    async def _write(self, path: Path, content: AsyncIterator[bytes]) -> None:
        most, size = self.limits.max_upload_bytes, 0
        try:
            with path.open("wb") as file:
                async for chunk in content:
                    size += len(chunk)
                    self._held += len(chunk)
                    if size > most:
                        raise ApiError(413, f"the file is larger than {most:,} bytes: send a part of it")
                    if self._held > KEPT * most:
                        raise ApiError(503, "too many files are arriving at once", retry_after="10")
                    file.write(chunk)
        except OSError as fault:
            raise ApiError(507, f"the file cannot be kept: {fault.strerror or fault}") from None
        finally:
            self._held -= size
        if not size:
            raise ApiError(422, "the file is empty")

    async def _looked_at(self, path: Path, name: str, header: bool | None) -> dict[str, Any]:
        task = {
            "kind": "inspect",
            "source": str(path),
            "filename": name,
            "header": header,
            "max_texts": self.limits.max_texts_per_collection,
            "max_chars": UNFOLDED * self.limits.max_upload_bytes,
            "memory": _MEMORY,
            "seconds": _SECONDS,
        }
        async with self._looking:
            return await run_task(task)

    def _forget(self) -> None:
        """Forget the oldest files, and those that have waited for hours."""
        now = time.monotonic()
        old = [each for each in self.all.values() if now - each.since > HOURS * 3600]
        most = [*self.all.values()][: max(0, len(self.all) - KEPT + 1)]
        for upload in {each.id: each for each in [*old, *most]}.values():
            del self.all[upload.id]
            shutil.rmtree(upload.path.parent, ignore_errors=True)
