"""Files to read, and what is said of those that cannot be."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from tacit.errors import InputError


def written(folder: Path, name: str, content: str | bytes) -> Path:
    """A file of this name and content."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def refusal(read: Callable[..., Iterable[Any]], *given: Any, **named: Any) -> str:
    """Return the error of reading a file to its end, which must be one line."""
    with pytest.raises(InputError) as caught:
        list(read(*given, **named))
    message = str(caught.value)
    assert "\n" not in message
    return message


def standard_input(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    """Let standard input hold these bytes."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
