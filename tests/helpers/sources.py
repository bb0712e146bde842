"""Write files to read, and get the error for files that cannot be read."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from tacit.errors import InputError


def write_file(folder: Path, name: str, content: str | bytes) -> Path:
    """Write a file and return its path."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def error_message(read: Callable[..., Iterable[Any]], *args: Any, **kwargs: Any) -> str:
    """Return the error of reading a file to its end, which must be one line."""
    with pytest.raises(InputError) as caught:
        list(read(*args, **kwargs))
    message = str(caught.value)
    assert "\n" not in message
    return message


def standard_input(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    """Replace standard input by these bytes."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
