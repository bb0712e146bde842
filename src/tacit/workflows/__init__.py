"""From texts to an answer: the functions shared by the command line, the service and Python.

Names are imported when first used, so that importing this package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

_MODULES = {
    "Progress": "tacit.workflows.progress",
    "ProgressEvent": "tacit.workflows.progress",
    "stage_callback": "tacit.workflows.progress",
    "load": "tacit.workflows.loading",
    "read_lines": "tacit.corpora",
    "read_pairs": "tacit.corpora",
}

__all__ = [
    "Progress",
    "ProgressEvent",
    "load",
    "read_lines",
    "read_pairs",
    "stage_callback",
]

if TYPE_CHECKING:
    from tacit.corpora import read_lines, read_pairs
    from tacit.workflows.loading import load
    from tacit.workflows.progress import Progress, ProgressEvent, stage_callback


def __getattr__(name: str) -> Any:
    """Import a public name from its module."""
    if name not in _MODULES:
        raise AttributeError(f"module 'tacit.workflows' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    """All names, including those not yet imported."""
    return sorted({*globals(), *__all__})
