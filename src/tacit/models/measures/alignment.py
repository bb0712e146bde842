"""``alignment``: each word of a text finds its best partner in the other, weighted by how telling it is.

    s(u, v) = 1                                    for the same term
            = 0                                    if one of them is a number
            = max(cos(p_u, p_v)^power, d(u, v))    otherwise

with p the model's word vectors and d the Dice coefficient of the letters' pairs and triples, counted where it
is large and both words are long enough. The score of two texts is the mean of the best s of all their words,
weighted by idf^emphasis, numbers one and a half times as much. ``power``, ``emphasis``, the least d and what
numbers weigh were chosen on the STS 2012 training pairs and the STS Benchmark development pairs.

It knows one language, the pivot of a model; ``matching`` compares across languages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tacit.compute.tiles import jit, jit_dots
from tacit.models.measure import Array, Measure, Table
from tacit.models.spelling import dice, letter_grams

if TYPE_CHECKING:
    from tacit.models.text_set import TextSet

EMPHASIS = 1.4
NUMBER = 1.5
POWER = 1.5
LEAST_DICE = 0.4
LEAST_LETTERS = 4


class Alignment(Measure):
    """Each word with its best partner; a sum over words already, so it explains itself."""

    name, summary = "alignment", "each word with its best partner, by meaning or by letters"
    explains = True

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """The alignment of every pair, from 0 to 1."""
        scores = np.zeros(len(left))
        weights, words = self._prepared(texts)
        pairs = left.astype(np.int64), right.astype(np.int64)
        align_pairs(texts.starts, texts.ids, weights, *words, *pairs, scores)  # type: ignore[call-arg]
        return scores

    def tables(self, texts: TextSet, a: int, b: int) -> dict[str, Table]:
        """What each token adds with its partner."""
        weights, words = self._prepared(texts)
        u, v = (texts.ids[texts.starts[n] : texts.starts[n + 1]] for n in (a, b))
        similar = np.array([[partner(i, j, *words) for j in v.tolist()] for i in u.tolist()])
        table = np.zeros((len(u), len(v)))
        total = float(weights[u].sum() + weights[v].sum())
        if similar.size and total > 0:
            for i, j in enumerate(similar.argmax(axis=1)):
                table[i, j] += weights[u[i]] * similar[i, j] / total
            for j, i in enumerate(similar.argmax(axis=0)):
                table[i, j] += weights[v[j]] * similar[i, j] / total
        return {self.name: table}

    def _prepared(self, texts: TextSet) -> tuple[Array, tuple[Array, ...]]:
        """The weights of the tokens, and what ``partner`` asks of them; made once for a set of texts."""
        if self.name not in texts.made:
            tokens = texts.tokens
            weights = tokens.weights(0) ** EMPHASIS * np.where(tokens.is_number, NUMBER, 1.0)
            words = (
                tokens.term_numbers(0),
                tokens.columns(0),
                tokens.is_number,
                *letter_grams(tokens.terms(0)),
                tokens.languages[0].unit_words,
            )
            texts.made[self.name] = weights, words
        found: tuple[Array, tuple[Array, ...]] = texts.made[self.name]
        return found


MEASURE = Alignment()


@jit_dots
def cosine(P, u, v):  # type: ignore[no-untyped-def]
    """The dot product of two rows."""
    total = P.dtype.type(0)
    for k in range(P.shape[1]):
        total += P[u, k] * P[v, k]
    return total


@jit
def partner(u, v, terms, columns, numbers, starts, grams, lengths, P):  # type: ignore[no-untyped-def]
    """s(u, v): how well two words stand for each other, from 0 to 1."""
    if terms[u] == terms[v]:
        return 1.0
    if numbers[u] or numbers[v]:
        return 0.0
    best = 0.0
    if columns[u] >= 0 and columns[v] >= 0:
        best = max(0.0, min(1.0, cosine(P, columns[u], columns[v]))) ** POWER
    if lengths[u] >= LEAST_LETTERS and lengths[v] >= LEAST_LETTERS:
        spelling = dice(starts, grams, u, v)
        if spelling > LEAST_DICE:
            best = max(best, spelling)
    return best


@jit
def distinct(ids):  # type: ignore[no-untyped-def]
    """The distinct ids and how often each stands there, in the order of the text.

    Not in the order of the ids: those depend on the texts beside it, and sums must not.
    """
    order = np.argsort(ids, kind="mergesort")  # stable: the first of equal ids is the first in the text
    times = np.zeros(len(ids), np.int64)
    head = 0
    for k in range(len(ids)):
        if k == 0 or ids[order[k]] != ids[order[k - 1]]:
            head = order[k]
        times[head] += 1
    found = np.empty_like(ids)
    kept = 0
    for k in range(len(ids)):
        if times[k]:
            found[kept] = ids[k]
            times[kept] = times[k]
            kept += 1
    return found[:kept], times[:kept]


@jit
def align_pairs(  # type: ignore[no-untyped-def]
    texts, ids, weights, terms, columns, numbers, starts, grams, lengths, P, left, right, scores
):
    """scores[i] = the alignment of texts left[i] and right[i].

    A word that a text repeats finds the same partner each time, so it looks for it once.
    """
    for pair in range(len(left)):
        a, times_a = distinct(ids[texts[left[pair]] : texts[left[pair] + 1]])
        b, times_b = distinct(ids[texts[right[pair]] : texts[right[pair] + 1]])
        best_b = np.zeros(len(b))
        found = total = 0.0
        for i in range(len(a)):
            best = 0.0
            for j in range(len(b)):
                s = partner(a[i], b[j], terms, columns, numbers, starts, grams, lengths, P)
                best = max(best, s)
                best_b[j] = max(best_b[j], s)
            found += times_a[i] * weights[a[i]] * best
            total += times_a[i] * weights[a[i]]
        for j in range(len(b)):
            found += times_b[j] * weights[b[j]] * best_b[j]
            total += times_b[j] * weights[b[j]]
        if total > 0:
            scores[pair] = found / total
