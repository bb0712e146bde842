"""Removes what no config names: replaced content, and what a killed writer had begun."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from tacit.errors import ModelError
from tacit.storage.config import content_entries, read_config
from tacit.storage.files import CONFIG, is_content, sync_folder


def sweep(folder: Path) -> None:
    """Remove content that the config does not name; the caller holds the lock of ``folder``.

    Nothing goes before the config is known to be on the disk: a power cut must not bring back one whose
    files are gone.
    """
    with contextlib.suppress(OSError, ModelError):  # a damaged config may still be mended by hand
        sync_folder(folder)
        named = _named(folder)
        for name in os.listdir(folder):
            if is_content(name) and name not in named:
                with contextlib.suppress(
                    OSError
                ):  # Windows keeps what is mapped; the next writer tries again
                    os.unlink(folder / name)


def _named(folder: Path) -> set[str]:
    if not os.path.lexists(folder / CONFIG):
        return set()
    return {entry["name"] for entry in content_entries(read_config(folder))}
