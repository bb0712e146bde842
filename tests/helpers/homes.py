"""Home folders of a service, with collections in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx

import tacit
from helpers.notes import notes_index
from helpers.services import RunningService, running_service
from helpers.waiting import PATIENCE
from tacit import WTMF
from tacit.server.collection_store import write_info
from tacit.server.server_settings import Limits, Settings, allowed_hosts


def write_collection(home: Path, name: str, model: WTMF) -> Path:
    """Write a collection of fifteen notes, and return the folder of its index."""
    notes_index(model).save(home / name / "index")
    write_info(home / name, {"texts": 15, "created": f"2026-01-01 {name}"})
    return home / name / "index"


def home_service(home: Path, **limits: Any) -> Any:
    """Return a context manager for a service of a home folder."""
    bounds = Limits(**{"request_timeout": PATIENCE, "max_inspection_seconds": PATIENCE, **limits})
    return running_service([], Settings(bounds, hosts=allowed_hosts("127.0.0.1", None), store_dir=home))


def add(service: RunningService, name: str, *texts: str) -> httpx.Response:
    """Add texts, with themselves as ids."""
    documents = [{"text": text, "id": text} for text in texts]
    return service.post(f"/collections/{name}/documents", {"documents": documents})


def stored_texts(index: Path) -> set[str]:
    """Return the texts of an index on disk that are not deleted."""
    loaded = tacit.load(index)
    return {loaded.texts[row] for row in loaded.snapshot.alive.nonzero()[0].tolist()}
