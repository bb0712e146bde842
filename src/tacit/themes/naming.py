"""Name themes by words and phrases that are frequent in one theme and rarer in the others."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tacit.themes.terms import Term, TermTable
from tacit.types import Array

MAX_TERMS, MAX_NAME_WORDS = 3, 4
MIN_RELATIVE_SCORE = 0.25
"""Further terms of a name have at least this share of the score of the first."""
MIN_DF, MIN_SHARE = 2, 0.01
"""A term occurs in at least this number and this share of the texts of its theme."""
_PRIOR, _PRIOR_SHARE = 10.0, 0.05
"""Texts with average word frequencies that are added to each theme, at most this share of all texts."""
_PHRASE_SHARE, _CHARACTERS_SHARE = 0.4, 0.7
"""A word gives way to a phrase that has at least this share of its texts."""
_PREFIX_LENGTH = 4
MIN_AFFINITY = 0.02
MIN_SCORE, MIN_COVERAGE = 0.05, 1 / 6
"""If no term has this score, or fewer of the texts have a term of the name, they have no common topic."""


class ScoredTerm(NamedTuple):
    """A term of a name, its column in the table, and its score."""

    term: Term
    column: int
    score: float


def choose_terms(table: TermTable, labels: Array, affinities: Array) -> list[list[ScoredTerm]]:
    """Choose up to three terms for each theme, best first; none for texts without a common topic.

    ``labels`` has the theme of each row of the table; rows with -1 count for the collection only.
    ``affinities``, themes x terms, are cosines of the terms with the themes. The score of a term is
    p log(p / q) (1 + (words - 1) / 4) times its affinity; p is its share in the theme, smoothed towards q,
    its share in the collection. Each term can name only the theme where its score is highest.
    """
    n_themes = len(affinities)
    members = [table.matrix[labels == theme] for theme in range(n_themes)]
    counts = np.stack([np.asarray(rows.sum(axis=0), np.float64).ravel() for rows in members])
    sizes = np.bincount(labels[labels >= 0], minlength=n_themes)
    lengths = np.array([term.n_words for term in table.terms])
    q = np.maximum(np.asarray(table.matrix.sum(axis=0)).ravel(), 1e-9) / max(len(labels), 1)
    prior = min(_PRIOR, _PRIOR_SHARE * len(labels))
    p = (counts + prior * q) / (sizes[:, None] + prior)
    scores = p * np.log(p / q) * (1 + (lengths - 1) / 4) * np.maximum(affinities, MIN_AFFINITY)
    scores[counts < np.maximum(MIN_DF, MIN_SHARE * sizes)[:, None]] = -np.inf
    if not len(table.terms):
        return [[] for _ in range(n_themes)]
    best_theme = scores.argmax(axis=0)
    names = []
    for theme in range(n_themes):
        own_scores = np.where(best_theme == theme, scores[theme], -np.inf)
        terms = _choose_for_theme(table, own_scores, counts[theme])
        has_topic = terms and terms[0].score >= MIN_SCORE
        is_common = has_topic and _share_with_a_term(members[theme], terms) >= MIN_COVERAGE
        names.append(terms if is_common else [])
    return names


def _share_with_a_term(matrix: Any, terms: list[ScoredTerm]) -> float:
    """Return the share of the rows of a table that have one of the terms."""
    n_terms = np.asarray(matrix[:, [term.column for term in terms]].sum(axis=1))
    return float((n_terms > 0).mean())


def _choose_for_theme(table: TermTable, scores: Array, counts: Array) -> list[ScoredTerm]:
    terms = table.terms
    order = [int(i) for i in np.argsort(-scores, kind="stable")[:100] if scores[i] > 0]
    chosen: list[int] = []
    for i in order:
        if scores[i] < MIN_RELATIVE_SCORE * scores[order[0]] or len(chosen) == MAX_TERMS:
            break
        n_words = sum(terms[j].n_words for j in chosen)
        is_part = any(_gives_way(terms[i], terms[j], counts[i], counts[j]) for j in order if j != i)
        has_space = n_words + terms[i].n_words <= MAX_NAME_WORDS
        if has_space and not is_part and not any(_start_alike(terms[i], terms[j]) for j in chosen):
            chosen.append(i)
    return [ScoredTerm(terms[i], i, float(scores[i])) for i in chosen]


def _gives_way(term: Term, phrase: Term, n_term: float, n_phrase: float) -> bool:
    """Return whether a phrase replaces a term: it contains the term and occurs in enough of its texts."""
    if term.n_words > phrase.n_words or term.stems == phrase.stems:
        return False
    if len(phrase.stems) == 1:
        return term.stems[0] in phrase.stems[0] and n_phrase >= _CHARACTERS_SHARE * n_term
    n = len(term.stems)
    parts = (phrase.stems[i : i + n] for i in range(len(phrase.stems) - n + 1))
    return term.stems in parts and n_phrase >= _PHRASE_SHARE * n_term


def _start_alike(a: Term, b: Term) -> bool:
    """Return whether two terms have words with the same beginning."""
    starts = [{word[:_PREFIX_LENGTH] for word in term.stems} for term in (a, b)]
    if len(a.stems) == len(b.stems) == 1 and (a.stems[0] in b.stems[0] or b.stems[0] in a.stems[0]):
        return True
    return bool(starts[0] & starts[1])
