"""Uploaded files: stored with a size limit, inspected in a subprocess, deleted after two hours."""

from __future__ import annotations

import shutil
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit.server.collection_store import create_work_dir, delete_on_error
from tacit.server.http_errors import ApiError
from tacit.server.inspection_budget import InspectionBudget
from tacit.server.jobs import run_task
from tacit.server.server_settings import Limits
from tacit.workflows.file_inspection import storage_name

MAX_UPLOADS, MAX_AGE_HOURS = 10, 2
MAX_EXPANSION = 10  # characters of a decompressed file, as a multiple of the largest upload
_INSPECTION_MEMORY, _INSPECTION_SECONDS = 4_000_000_000, 120


@dataclass(frozen=True)
class Upload:
    """A stored file; ``summary`` says what the inspection detected."""

    id: str
    name: str
    path: Path
    received_at: float
    summary: dict[str, Any]


class Uploads:
    """The files that were uploaded and not yet used."""

    def __init__(self, work_dir: Path, limits: Limits) -> None:
        self.work_dir, self.limits = work_dir, limits
        self.all: dict[str, Upload] = {}
        self._inspections = InspectionBudget(limits.max_inspection_seconds)
        self._bytes_arriving = 0

    async def save_upload(
        self, name: str, content: AsyncIterator[bytes], header: bool | None = None, client: str = ""
    ) -> Upload:
        """Store a file while it arrives, and inspect it; after an error nothing is stored.

        ``header`` says whether the first row has column names; None detects it. The time of inspection is
        limited for each ``client``.
        """
        self._delete_expired()
        with delete_on_error(create_work_dir(self.work_dir)) as folder:
            path = folder / storage_name(name)
            await self._write(path, content)
            async with self._inspections.limit(client):
                summary = await self._inspect(path, name, header)
        upload = Upload(folder.name, name, path, time.monotonic(), summary)
        self.all[upload.id] = upload
        return upload

    def get(self, upload_id: str) -> Upload:
        """Return an upload; raise a 404 error if there is none with this id."""
        if upload_id not in self.all:
            raise ApiError(404, f"there is no upload {upload_id!r}: send the file again, it may have expired")
        return self.all[upload_id]

    async def _write(self, path: Path, content: AsyncIterator[bytes]) -> None:
        """Write the content to a file, within the limits."""
        limit, size = self.limits.max_upload_bytes, 0
        try:
            with path.open("wb") as file:
                async for chunk in content:
                    size += len(chunk)
                    self._bytes_arriving += len(chunk)
                    if size > limit:
                        raise ApiError(413, f"the file is larger than {limit:,} bytes: send a part of it")
                    if self._bytes_arriving > MAX_UPLOADS * limit:
                        raise ApiError(503, "too many files are being uploaded: try again", retry_after="10")
                    file.write(chunk)
        except OSError as error:
            raise ApiError(507, f"the file cannot be stored: {error.strerror or error}") from None
        finally:
            self._bytes_arriving -= size
        if not size:
            raise ApiError(422, "the file is empty")

    async def _inspect(self, path: Path, name: str, header: bool | None) -> dict[str, Any]:
        """Detect format, columns and language of a file in a subprocess."""
        payload = {
            "kind": "inspect",
            "source": str(path),
            "filename": name,
            "header": header,
            "max_texts": self.limits.max_texts_per_collection,
            "max_chars": MAX_EXPANSION * self.limits.max_upload_bytes,
            "memory": _INSPECTION_MEMORY,
            "seconds": _INSPECTION_SECONDS,
        }
        return await run_task(payload)

    def _delete_expired(self) -> None:
        """Delete files that are too old, and the oldest ones if there are too many."""
        oldest = time.monotonic() - MAX_AGE_HOURS * 3600
        n_too_many = len(self.all) - MAX_UPLOADS + 1
        for n, upload in enumerate(list(self.all.values())):
            if n < n_too_many or upload.received_at < oldest:
                del self.all[upload.id]
                shutil.rmtree(upload.path.parent, ignore_errors=True)
