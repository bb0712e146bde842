"""Soft alignment: each word of a text finds its best partner in the other, weighted by how telling it is.

    s(u, v) = 1                                    for the same term
            = 0                                    if one of them is a number
            = max(cos(p_u, p_v)^power, d(u, v))    otherwise

with p the model's word vectors and d the Dice coefficient of the letters' pairs and triples, counted where it
is large and both words are long enough. The score of two texts is the mean of the best s of all their words,
weighted by idf^emphasis, numbers one and a half times as much. ``power``, ``emphasis``, the least d and what
numbers weigh were chosen on the STS 2012 training pairs and the STS Benchmark development pairs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.tiles import jit, jit_dots
from tacit.sentences.textset import TextSet

Array = NDArray[Any]

EMPHASIS = 1.4
NUMBER = 1.5
POWER = 1.5
LEAST_DICE = 0.4
LEAST_LETTERS = 4
_LETTER_BITS = 21  # of a code point


def alignment(texts: TextSet, left: Array, right: Array) -> Array:
    """The alignment of text ``left[i]`` with text ``right[i]``, from 0 to 1, for every i."""
    scores = np.zeros(len(left))
    weights, words = _prepared(texts)
    pairs = left.astype(np.int64), right.astype(np.int64)
    align_pairs(texts.starts, texts.seen.ids, weights, *words, *pairs, scores)  # type: ignore[call-arg]
    return scores


def alignment_parts(texts: TextSet, a: Array, b: Array) -> list[tuple[int, int, float]]:
    """What each token of ``a`` and of ``b`` adds to their alignment, with its place and its partner's."""
    weights, words = _prepared(texts)
    similar = np.array([[partner(u, v, *words) for v in b.tolist()] for u in a.tolist()])
    total = float(weights[a].sum() + weights[b].sum())
    if not similar.size or total <= 0:
        return []
    of_a = [(u, int(v), weights[a[u]] * similar[u, v] / total) for u, v in enumerate(similar.argmax(axis=1))]
    of_b = [(int(u), v, weights[b[v]] * similar[u, v] / total) for v, u in enumerate(similar.argmax(axis=0))]
    return of_a + of_b


def _prepared(texts: TextSet) -> tuple[Array, tuple[Array, ...]]:
    """The weights of the distinct tokens, and what ``partner`` asks of them; made once for a set of texts."""
    if "_alignment" not in texts.__dict__:
        numbers = np.array([term[:1].isdigit() for term in texts.terms], bool)
        words = (
            texts.term_numbers,
            texts.columns,
            numbers,
            *letter_grams(texts.terms),
            texts.model.unit_words,
        )
        texts.__dict__["_alignment"] = texts.weights**EMPHASIS * np.where(numbers, NUMBER, 1.0), words
    found: tuple[Array, tuple[Array, ...]] = texts.__dict__["_alignment"]
    return found


def letter_grams(terms: list[str]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The distinct pairs and triples of letters of each term, sorted: their starts, the grams, the lengths.

    >>> starts, grams, lengths = letter_grams(["ab", "abc"])
    >>> starts.tolist(), lengths.tolist()
    ([0, 1, 4], [2, 3])
    """
    lengths = np.fromiter(map(len, terms), np.int64, len(terms))
    codes = np.frombuffer("".join(terms).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
    starts = np.zeros(len(terms) + 1, np.int64)
    grams = np.empty(max(2 * len(codes), 1), np.int64)
    filled = fill_grams(codes, lengths, starts, grams)
    return starts, grams[:filled], lengths


@jit
def fill_grams(codes, lengths, starts, grams):  # type: ignore[no-untyped-def]
    """Write the grams of each term, sorted and without repeats; returns how many there are in all."""
    filled = first = 0
    for term in range(len(lengths)):
        begin = filled
        for size in (2, 3):
            for k in range(first, first + lengths[term] - size + 1):
                gram = np.int64(0)
                for letter in range(size):
                    gram = (gram << _LETTER_BITS) | (codes[k + letter] + 1)
                grams[filled] = gram
                filled += 1
        grams[begin:filled].sort()
        kept = begin
        for k in range(begin, filled):
            if k == begin or grams[k] != grams[kept - 1]:
                grams[kept] = grams[k]
                kept += 1
        filled = kept
        first += lengths[term]
        starts[term + 1] = filled
    return filled


@jit
def dice(starts, grams, u, v):  # type: ignore[no-untyped-def]
    """Twice the grams two terms share over those they have."""
    i, j = starts[u], starts[v]
    size = starts[u + 1] - i + starts[v + 1] - j
    shared = 0
    while i < starts[u + 1] and j < starts[v + 1]:
        if grams[i] == grams[j]:
            shared += 1
            i += 1
            j += 1
        elif grams[i] < grams[j]:
            i += 1
        else:
            j += 1
    return 2 * shared / size if size else 0.0


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
