"""Why two texts of two languages are alike: their score, split exactly into word-by-word contributions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.crosslingual.alignment import alignment_table
from tacit.crosslingual.measures import BLEND, LIFT, check_measure
from tacit.crosslingual.texts import CrossTexts
from tacit.sentences.explanation import Explanation, Table, contributions, word_parts

Array = NDArray[Any]


def explain_pair(texts: CrossTexts, measure: str) -> Explanation:
    """Explain the score of the first text with the second; the parts sum to it.

    Where the cosine is negative the latent measure is 0, and so is every part of it.
    """
    check_measure(measure)
    sides = [_distinct(texts, number) for number in (0, 1)]
    makers = {"latent": _latent, "alignment": _alignment}
    if measure == "blend":
        parts = {name: weight * makers[name](texts, sides) for name, weight in BLEND.items()}
        score = parts["latent"].sum() / BLEND["latent"]
        parts["latent"] *= max(score, np.finfo(float).tiny) ** (LIFT - 1)
    else:
        parts = {measure: makers[measure](texts, sides)}
    table: Table = sum(parts.values(), np.zeros([len(tokens) for tokens, _ in sides]))
    words = [[texts.seen.tokens[token] for token in tokens] for tokens, _ in sides]
    return Explanation(float(table.sum()), words[0], words[1], table, parts if len(parts) > 1 else {})


def _distinct(texts: CrossTexts, number: int) -> tuple[Array, Array]:
    """A token for each distinct term of a text, and the place of every token's term among these."""
    ids = texts.seen.ids[texts.starts[number] : texts.starts[number + 1]]
    terms = texts.terms(int(texts.spoken[number]))
    places: dict[str, int] = {}
    term_of = np.array([places.setdefault(terms[token], len(places)) for token in ids], np.int64)
    _, first = np.unique(term_of, return_index=True)
    return ids[first], term_of


def _latent(texts: CrossTexts, sides: list[tuple[Array, Array]]) -> Table:
    vectors = []
    for number, (tokens, _) in enumerate(sides):
        spoken = int(texts.spoken[number])
        fold, rows = texts.languages[spoken].fold, texts.rows(spoken)
        row = int(np.searchsorted(texts.places(spoken), number))
        columns = rows.indices[rows.indptr[row] : rows.indptr[row + 1]]
        weights = rows.data[rows.indptr[row] : rows.indptr[row + 1]]
        places = {column: place for place, column in enumerate(texts.columns(spoken)[tokens].tolist())}
        parts = np.zeros((len(tokens), fold.n_components))
        parts[[places[column] for column in columns.tolist()]] = word_parts(fold, columns, weights)
        vectors.append(parts)
    table = contributions(*vectors)
    return table if table.sum() > 0 else np.zeros_like(table)


def _alignment(texts: CrossTexts, sides: list[tuple[Array, Array]]) -> Table:
    """The parts of tokens, added up by term."""
    table = np.zeros([len(tokens) for tokens, _ in sides])
    of_tokens = alignment_table(texts, 0, 1)
    np.add.at(table, np.ix_(sides[0][1], sides[1][1]), of_tokens)
    return table
