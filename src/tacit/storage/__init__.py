"""A model on disk: one folder, one commit point, checked on the way in and out, never pickle.

``config.json`` says what the model is and names its content by digest: ``model-DIGEST.safetensors`` holds the
arrays, ``vocabulary-DIGEST.txt`` the words, ``part-DIGEST.safetensors`` arrays that are written once and kept
when the rest changes. ``README.md`` is a card for people.
"""

from __future__ import annotations

from tacit.storage.config import FORMAT, content_entries, read_config
from tacit.storage.digest import fingerprint
from tacit.storage.lock import writing
from tacit.storage.read import read_model
from tacit.storage.stored_model import Part, Stored
from tacit.storage.target import check_target
from tacit.storage.tensors import release
from tacit.storage.write import put_part, write_model

__all__ = [
    "FORMAT",
    "Part",
    "Stored",
    "check_target",
    "content_entries",
    "fingerprint",
    "put_part",
    "read_config",
    "read_model",
    "release",
    "write_model",
    "writing",
]
