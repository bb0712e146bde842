"""A model on disk: one folder, versioned, checked on the way in and out, never pickle.

``config.json`` says what the model is and carries the checksums, ``model.safetensors`` holds the arrays,
``vocabulary.txt`` the words, ``README.md`` a card for people.
"""

from __future__ import annotations

from tacit.storage.digest import fingerprint
from tacit.storage.layout import FORMAT, Stored
from tacit.storage.read import read_config, read_model
from tacit.storage.target import check_target
from tacit.storage.write import write_model

__all__ = ["FORMAT", "Stored", "check_target", "fingerprint", "read_config", "read_model", "write_model"]
