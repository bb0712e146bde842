"""Save and load models as folders of plain files.

``config.json`` describes the model and names its content files by digest: ``model-DIGEST.safetensors`` has
the arrays, ``vocabulary-DIGEST.txt`` the words, and ``part-DIGEST.safetensors`` arrays that are written once
and kept when the rest changes. ``README.md`` is a model card. Nothing is pickled; contents are checked when
they are written and read. Renaming ``config.json`` is the only commit point.
"""

from __future__ import annotations

from tacit.storage.config import FORMAT, content_entries, read_checksum, read_config
from tacit.storage.content_formats import release_pages
from tacit.storage.fingerprints import fingerprint
from tacit.storage.folder_lock import FolderLockedError, check_target, lock_for_writing
from tacit.storage.model_folder import read_model, write_array_file, write_model
from tacit.storage.stored_model import ArrayFile, StoredModel

__all__ = [
    "FORMAT",
    "ArrayFile",
    "FolderLockedError",
    "StoredModel",
    "check_target",
    "content_entries",
    "fingerprint",
    "lock_for_writing",
    "read_checksum",
    "read_config",
    "read_model",
    "release_pages",
    "write_array_file",
    "write_model",
]
