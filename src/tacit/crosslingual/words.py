"""Finding a word in a language, and showing the best of many."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.crosslingual.language import Language
from tacit.errors import InputError

if TYPE_CHECKING:
    from tacit.crosslingual.model import CrosslingualModel


def find_word(model: CrosslingualModel, word: str, language: str | None) -> tuple[Language, int]:
    """The language of a word, given or the one that has it most often, and its place there."""
    spoken = list(model.languages_.values())
    if language is not None:
        spoken = [spoken[model.language_number(language)]]
    found = [(each, each.vectorizer.words_.index.get(each.vectorizer.term(word))) for each in spoken]
    known = [(each, place) for each, place in found if place is not None]
    if known:
        return max(known, key=lambda pair: pair[0].chances[pair[1]])
    words = [surface for each in spoken for surface in each.vectorizer.words_.surfaces[:50_000]]
    near = get_close_matches(word.lower(), words, n=3)
    hint = f"; did you mean {', '.join(near)}?" if near else ""
    where = f" in language {language!r}" if language else ""
    raise InputError(f"the model does not know the word {word!r}{where}{hint}")


def top_words(language: Language, scores: NDArray[Any], k: int) -> list[tuple[str, float]]:
    """The k words of the highest scores."""
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise InputError(f"k={k!r}: give a whole number from 1")
    order = np.argsort(-scores, kind="stable")[:k]
    surfaces = language.vectorizer.words_.surfaces
    return [(surfaces[place], float(scores[place])) for place in order if np.isfinite(scores[place])]
