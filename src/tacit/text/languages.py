"""Language codes (ISO 639-1) and language detection.

The detector is py3langid, a naive Bayes model over byte n-grams whose data is part of its wheel: nothing is
downloaded. It is imported on first use, which takes half a second. A trained model of several languages does
not need it: it identifies its own languages by their words (``TextSet.detected``).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from tacit.checks import close_names, format_count
from tacit.errors import InputError

_TABLE = Path(__file__).with_name("languages.tsv").read_text(encoding="utf-8")
_ROWS = [line.split("\t") for line in _TABLE.splitlines()]
LANGUAGE_NAMES = {code: name for code, name, _ in _ROWS}
"""English names of languages by ISO 639-1 code."""
SNOWBALL_LANGUAGES = {code: stemmer for code, _, stemmer in _ROWS if stemmer}
"""Names of Snowball stemmers by ISO 639-1 code; an installed PyStemmer may lack some of them."""
ISO_639_1 = frozenset(LANGUAGE_NAMES)
"""All language codes of ISO 639-1."""

UNNAMED_LANGUAGE = "x-unnamed"
"""The code of a language that was not declared."""

_PRIVATE_USE = re.compile(r"x-[a-z0-9]{1,16}")

SAMPLE_TEXTS = 1000
"""Language detection reads at most this many texts of a collection."""
MIN_SHARE = 0.3
"""A detected language needs at least this share of the texts, weighted by their letters."""
MIN_RATIO = 1.5
"""A detected language needs at least this many times the share of the next one."""
MIN_LETTERS = 20
"""With fewer letters in all texts together no language is detected."""

_TEXT_CHARACTERS = 300
_TEXT_LETTERS = 100
_NO_LANGUAGE = "zxx"
_EXCLUDED = {"la", "vo"}  # names of species, drugs and products look like Latin or Volapük
_MERGED = {"bs": "hr"}  # standard varieties of one language that the detector cannot tell apart


def check_language_code(code: object) -> str:
    """Return a language code in lower case; InputError if it is neither ISO 639-1 nor ``x-NAME``.

    >>> check_language_code("ES"), check_language_code("x-elvish")
    ('es', 'x-elvish')
    >>> check_language_code("spanish")
    Traceback (most recent call last):
    tacit.errors.InputError: 'spanish' is not a language code: did you mean es? Use ISO 639-1 ...
    """
    name = code.lower() if isinstance(code, str) else ""
    if name in ISO_639_1 or _PRIVATE_USE.fullmatch(name):
        return name
    codes = {language.lower(): short for short, language in LANGUAGE_NAMES.items()}
    hint = "".join(f"did you mean {codes[language]}? " for language in close_names(name, codes))
    raise InputError(f"{code!r} is not a language code: {hint}Use ISO 639-1 (en, es, de) or x-NAME")


def check_language_codes(codes: object, min_codes: int = 2) -> list[str]:
    """Return several language codes in lower case; InputError if one is repeated.

    >>> check_language_codes(["en", "EN"])
    Traceback (most recent call last):
    tacit.errors.InputError: language 'en' is given twice: give each language once
    """
    if not isinstance(codes, list | tuple):
        problem = f"languages={codes!r}: give a list of codes, such as ['en', 'es']"
        raise InputError(problem, parameter="languages")
    checked = [check_language_code(code) for code in codes]
    for code in checked:
        if checked.count(code) > 1:
            raise InputError(f"language {code!r} is given twice: give each language once")
    if len(checked) < min_codes:
        raise InputError(f"languages={codes!r}: give at least {min_codes}", parameter="languages")
    return checked


def stemmer_language(code: str) -> str | None:
    """Return the code if the installed PyStemmer has a stemmer for it, else None.

    >>> stemmer_language("es"), stemmer_language("ja")
    ('es', None)
    """
    import Stemmer

    return code if SNOWBALL_LANGUAGES.get(code) in Stemmer.algorithms() else None


def missing_stemmer_note(code: str) -> str | None:
    """Return a sentence for users if a language has no stemmer, else None.

    >>> missing_stemmer_note("ja")
    'There is no stemmer for Japanese: its words are used as they are.'
    """
    if stemmer_language(code) is not None:
        return None
    return f"There is no stemmer for {language_name(code)}: its words are used as they are."


def language_name(code: str) -> str:
    """Return the English name of a language, or the code itself if it is not of ISO 639-1.

    >>> language_name("de"), language_name("ja"), language_name("x-elvish")
    ('German', 'Japanese', 'x-elvish')
    """
    return LANGUAGE_NAMES.get(code, code)


class LanguageGuess(NamedTuple):
    """The detected language of a collection; ``en`` with ``is_sure=False`` if detection failed.

    ``note`` is a sentence for users; ``share`` is the share of the language in the texts, 0 if unsure.
    """

    code: str
    is_sure: bool
    note: str
    share: float


def detect_collection_language(texts: Iterable[str]) -> LanguageGuess:
    """Detect the language of a collection from its first 1,000 texts; English if it is unclear.

    The result is sure if the texts have at least ``MIN_LETTERS`` letters, and the most frequent language has
    a share of at least ``MIN_SHARE`` and of ``MIN_RATIO`` times the second one.

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
    n_texts = format_count(len(sample), "text")
    if code != _NO_LANGUAGE and shares[code] >= max(MIN_SHARE, MIN_RATIO * shares[second]):
        note = f"Language: {language_name(code)} (detected from {n_texts})."
        return LanguageGuess(code, True, note, shares[code])
    candidates = [candidate for candidate in (code, second, third) if candidate != _NO_LANGUAGE]
    likely = ", ".join(f"{language_name(candidate)} {shares[candidate]:.0%}" for candidate in candidates[:2])
    return _assume_english(f"the language of {n_texts} is unclear, {likely}")


def _assume_english(reason: str) -> LanguageGuess:
    return LanguageGuess("en", False, f"Language: English (assumed: {reason}).", 0.0)


def language_shares(texts: Iterable[str]) -> dict[str, float]:
    """Return the share of each language in the texts; shares sum to 1, the result is empty without letters.

    A text contributes to each language its squared probability, normalized to sum to 1: squaring reduces the
    long tail of unlikely languages of short texts. A text is weighted by its number of letters, up to 100.

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
    """Return the squared probability of each language for a text, normalized to sum to 1."""
    ranked = _load_detector().rank(text[:_TEXT_CHARACTERS])
    total = sum(probability**2 for _, probability in ranked)
    return [(code, probability**2 / total) for code, probability in ranked]


def _count_letters(text: str) -> int:
    return sum(map(str.isalpha, text[:_TEXT_CHARACTERS]))


@cache
def _load_detector() -> Any:
    """Load the model of py3langid, limited to ISO 639-1 and its class for text without a language.

    Returns None if there is no disk space for the temporary file that it is unpacked to.
    """
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    try:
        detector = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    except OSError:  # a full or read-only disk must not stop a training
        return None
    detector.set_languages(({*detector.labels} & ISO_639_1) - _EXCLUDED | {_NO_LANGUAGE})
    return detector


def describe_mismatch(texts: list[str], declared: str, where: str) -> str | None:
    """Return a sentence if most texts are in another language than the declared one, else None.

    Checks 200 evenly spaced texts. Returns None if the detector does not support the declared language.

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
