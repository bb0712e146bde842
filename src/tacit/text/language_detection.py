"""Detect the language of a collection of texts before a model is trained on them.

The detector is py3langid: a naive Bayes model over byte n-grams that is part of its wheel, so that nothing is
downloaded. It is imported on first use, which takes half a second. A trained model of several languages does
not need it: it tells its own languages apart by their words (``TextSet.detected``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from tacit.text.codes import ISO, language_name

SAMPLE_TEXTS = 1000
"""The language of a collection is decided by its first texts, at most this many."""
MIN_SHARE = 0.3
"""A detected language needs at least this share of the texts, weighted by their letters."""
MIN_RATIO = 1.5
"""A detected language needs at least this many times the share of the next one."""
MIN_LETTERS = 20
"""With fewer letters in all texts together the language is not decided."""

_TEXT_CHARACTERS = 300
_TEXT_LETTERS = 100
_NO_LANGUAGE = "zxx"
_LEFT_OUT = {"la", "vo"}  # names of species, drugs and products look like Latin or Volapük
_MERGED = {"bs": "hr"}  # standard varieties of one language that the detector cannot tell apart


class LanguageGuess(NamedTuple):
    """The language of a collection: ``en`` with ``is_sure=False`` where it could not be detected.

    ``note`` is a sentence for users; ``share`` is the share of the language in the texts, 0 if unsure.
    """

    code: str
    is_sure: bool
    note: str
    share: float


def detect_collection_language(texts: Iterable[str]) -> LanguageGuess:
    """Detect the language of a collection by its first 1,000 texts; the same texts give the same answer.

    Takes texts, of which no more than the first 1,000 are read, and returns a ``LanguageGuess``
    ``(code, is_sure, note, share)``. The answer is sure if the texts have 20 letters or more, and the first
    language has a share of at least 0.3 and of 1.5 times the next one; otherwise it is English.

    >>> guess = detect_collection_language(["der Hund schläft im Garten", "die Katze sitzt auf dem Dach"])
    >>> guess.code, guess.is_sure, guess.note
    ('de', True, 'Language: German (detected from 2 texts).')
    >>> detect_collection_language(["A-100", "B-205/x"]).note
    'Language: English (assumed: the texts have too few letters to detect it).'
    """
    sample = [text for text in islice(texts, SAMPLE_TEXTS) if _count_letters(text)]
    if sum(map(_count_letters, sample)) < MIN_LETTERS:
        return _assume_english("the texts have too few letters to detect it")
    shares = language_shares(sample)
    if not shares:
        return _assume_english("the detector could not be loaded, it needs 70 MB for a temporary file")
    code, second, third = sorted(shares, key=lambda code: (-shares[code], code))[:3]
    n_texts = "1 text" if len(sample) == 1 else f"{len(sample):,} texts"
    if code != _NO_LANGUAGE and shares[code] >= max(MIN_SHARE, MIN_RATIO * shares[second]):
        note = f"Language: {language_name(code)} (detected from {n_texts})."
        return LanguageGuess(code, True, note, shares[code])
    named = [each for each in (code, second, third) if each != _NO_LANGUAGE]
    looks = ", ".join(f"{language_name(each)} {shares[each]:.0%}" for each in named[:2])
    return _assume_english(f"the language of {n_texts} is unclear, {looks}")


def _assume_english(reason: str) -> LanguageGuess:
    return LanguageGuess("en", False, f"Language: English (assumed: {reason}).", 0.0)


def language_shares(texts: Iterable[str]) -> dict[str, float]:
    """Return the share of each language in the texts; they sum to 1, without letters there are none.

    A text adds to every language the square of its probability, scaled to sum to 1: squaring takes away the
    long tail of unlikely languages that a short text has. A text counts by its letters, up to 100.

    >>> shares = language_shares(["the cat sleeps on the roof", "die Katze sitzt auf dem Dach"])
    >>> sorted(shares, key=shares.get)[-2:]
    ['en', 'de']
    """
    totals: dict[str, float] = defaultdict(float)
    for text in texts if _load_detector() else ():
        weight = min(_count_letters(text), _TEXT_LETTERS)
        if weight:
            for code, squared in _squared_probabilities(text):
                totals[_MERGED.get(code, code)] += weight * squared
    total = sum(totals.values())
    return {code: value / total for code, value in totals.items()}


def _squared_probabilities(text: str) -> list[tuple[str, float]]:
    ranked = _load_detector().rank(text[:_TEXT_CHARACTERS])
    total = sum(probability**2 for _, probability in ranked)
    return [(code, probability**2 / total) for code, probability in ranked]


def _count_letters(text: str) -> int:
    return sum(map(str.isalpha, text[:_TEXT_CHARACTERS]))


@cache
def _load_detector() -> Any:
    """Load the model of py3langid, limited to ISO 639-1 and its class for text without a language.

    Returns None if there is no room for the temporary file that it is unpacked to.
    """
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    try:
        detector = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    except OSError:  # a full or read-only disk must not stop a training
        return None
    detector.set_languages(({*detector.labels} & ISO) - _LEFT_OUT | {_NO_LANGUAGE})
    return detector


def describe_mismatch(texts: list[str], declared: str, where: str) -> str | None:
    """Return a sentence if most texts are in another language than the declared one, else None.

    Looks at 200 texts, evenly spaced. A declared language that the detector does not know is not questioned.

    >>> describe_mismatch(["der Hund schläft im Garten", "die Katze sitzt auf dem Dach"], "en", "the texts")
    "most of the texts look like 'de', not 'en': are the languages swapped?"
    """
    detector = _load_detector()
    if detector is None or declared not in detector.labels:
        return None
    shares = language_shares(texts[:: max(1, len(texts) // 200)][:200])
    code = max(shares, key=shares.__getitem__, default=declared)
    if code == declared or shares[code] <= 0.5 or shares.get(declared, 0.0) * 4 > shares[code]:
        return None
    return f"most of {where} look like {code!r}, not {declared!r}: are the languages swapped?"
