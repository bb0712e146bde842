"""Vectors that texts of several languages share, learnt from sentence-aligned text: b-WMF and x-WMF."""

from __future__ import annotations

from typing import Any


def is_crosslingual(model: Any) -> bool:
    """Whether a model has several languages; asked without importing what makes one."""
    return hasattr(model, "languages_")
