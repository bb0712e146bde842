"""Clean texts and sort them by a hash, so that the order of the input has no effect on the themes."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from tacit.corpora.html_text import TAG_PATTERN
from tacit.types import Array

_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<!\w)@\w+")
"""URLs, e-mail addresses and user names."""


class DistinctTexts(NamedTuple):
    """The distinct cleaned texts in the order of their hashes, and the row of each input text in them.

    The row of a text that is empty after cleaning is -1.
    """

    texts: list[str]
    rows: Array


def clean_text(text: str) -> str:
    """Remove tags, URLs, e-mail addresses and user names, and normalize characters and spaces.

    >>> clean_text("<b>Thanks</b> @anna &amp; co: see https://example.org/a?b=1")
    'Thanks & co: see'
    """
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = TAG_PATTERN.sub(" ", text)
    if "@" in text or "http" in text or "www." in text:
        text = _ADDRESS.sub(" ", text)
    return " ".join(unicodedata.normalize("NFC", text).split())


def sort_by_hash(texts: Iterable[str]) -> DistinctTexts:
    """Clean texts, drop repeated and empty ones, and sort the rest by a hash of their characters.

    >>> sort_by_hash(["a cat", " a  cat", "", "a dog"]).rows.tolist()
    [0, 0, -1, 1]
    """
    cleaned = [clean_text(text) for text in texts]
    ordered = sorted(filter(None, {*cleaned}), key=lambda text: (_hash(text), text))
    row_of = {text: row for row, text in enumerate(ordered)}
    return DistinctTexts(ordered, np.array([row_of.get(text, -1) for text in cleaned], np.int64))


def _hash(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
