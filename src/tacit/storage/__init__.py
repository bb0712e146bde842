"""A model on disk: one folder, one commit point, checked on the way in and out, never pickle.

``config.json`` says what the model is and names its content by digest: ``model-DIGEST.safetensors`` holds the
arrays, ``vocabulary-DIGEST.txt`` the words. ``README.md`` is a card for people.
"""

from __future__ import annotations

from tacit.storage.config import FORMAT, read_config
from tacit.storage.contents import Stored
from tacit.storage.digest import fingerprint
from tacit.storage.lock import writing
from tacit.storage.read import read_model
from tacit.storage.target import check_target
from tacit.storage.write import write_model

__all__ = [
    "FORMAT",
    "Stored",
    "check_target",
    "fingerprint",
    "read_config",
    "read_model",
    "write_model",
    "writing",
]
