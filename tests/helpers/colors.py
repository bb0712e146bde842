"""Contrast of colors, by the formula of WCAG."""

from __future__ import annotations

from collections.abc import Sequence


def color_contrast(a: Sequence[float], b: Sequence[float]) -> float:
    """The contrast of two colors, each with red, green and blue from 0 to 255."""
    lighter, darker = sorted((luminance(a), luminance(b)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(color: Sequence[float]) -> float:
    parts = [value / 255 for value in color[:3]]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
