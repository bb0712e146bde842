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
from tacit.models.spelling import dice, dice_of_many

if TYPE_CHECKING:
    from tacit.models.text_set import TextSet

EMPHASIS = 1.4
NUMBER = 1.5
POWER = 1.5  # of the cosine; the kernel takes it by a square root
LEAST_DICE = 0.4
LEAST_LETTERS = 4
MOST_CELLS = 8_000_000
"""Of a table of words by words that is kept while many pairs are scored: 64 MB."""


class Alignment(Measure):
    """Each word with its best partner; a sum over words already, so it explains itself."""

    name, summary = "alignment", "each word with its best partner, by meaning or by letters"
    explains = True

    def prepare(self, texts: TextSet, left: Array, right: Array) -> None:
        """The tokens' words; and, where few texts meet many, a table of their words by all others.

        A cell of it is filled when it is first asked for: by any thread, with the same bits.
        """
        words = self._prepared(texts)[1]
        sizes = np.diff(texts.distinct[0])
        few = _tokens_of(texts, np.unique(left))
        cells = len(few) * len(texts.tokens)
        if cells > MOST_CELLS or 4 * float(sizes[left] @ sizes[right]) < cells:
            return
        row_of = np.full(len(texts.tokens), -1, np.int64)
        row_of[few] = np.arange(len(few))
        spelled = np.zeros((len(few), len(texts.tokens)), np.float32)
        starts, grams, lengths = words[3:6]
        order = np.argsort(grams, kind="stable")
        dice_of_many(starts, grams, few, order, LEAST_DICE, LEAST_LETTERS, lengths, spelled)
        texts.made["alignment table"] = row_of, spelled, np.full_like(spelled, -1)

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """The alignment of every pair, from 0 to 1."""
        scores = np.zeros(len(left))
        weights, words = self._prepared(texts)
        pairs = left.astype(np.int64), right.astype(np.int64)
        none = np.zeros(0, np.int64), np.zeros((0, 0), np.float32), np.zeros((0, 0), np.float32)
        table = texts.made.get("alignment table", none)
        align_pairs(*texts.distinct, weights, *words, *table, *pairs, scores)  # type: ignore[call-arg]
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
                *tokens.pivot_grams,
                tokens.languages[0].unit_words,
            )
            texts.made[self.name] = weights, words
        found: tuple[Array, tuple[Array, ...]] = texts.made[self.name]
        return found


MEASURE = Alignment()


def _tokens_of(texts: TextSet, rows: Array) -> Array:
    """The distinct tokens of some texts."""
    starts, tokens, _ = texts.distinct
    marked = np.zeros(len(texts.tokens), np.bool_)
    for row in rows.tolist():
        marked[tokens[starts[row] : starts[row + 1]]] = True
    return np.flatnonzero(marked)


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
    spelling = 0.0
    if lengths[u] >= LEAST_LETTERS and lengths[v] >= LEAST_LETTERS:
        spelling = dice(starts, grams, u, v)
        if spelling <= LEAST_DICE:
            spelling = 0.0
    return partner_spelled(u, v, terms, columns, numbers, P, np.float32(spelling))


@jit
def partner_spelled(u, v, terms, columns, numbers, P, spelling):  # type: ignore[no-untyped-def]
    """s(u, v), where what their letters say is known."""
    if terms[u] == terms[v]:
        return np.float32(1)
    if numbers[u] or numbers[v]:
        return np.float32(0)
    best = np.float32(0)
    if columns[u] >= 0 and columns[v] >= 0:
        near = max(0.0, min(1.0, cosine(P, columns[u], columns[v])))
        best = np.float32(near * np.sqrt(near))  # POWER is 1.5
    return max(best, spelling)


@jit
def align_pairs(  # type: ignore[no-untyped-def]
    texts, ids, times, weights, terms, columns, numbers, starts, grams, lengths, P, row_of, spelled, table,
    left, right, scores,
):  # fmt: skip
    """scores[i] = the alignment of texts left[i] and right[i], as CSR rows of distinct tokens.

    A word that a text repeats finds the same partner each time, so it looks for it once. A cell of the table
    below 0 is not known yet.
    """
    has_table = len(row_of) > 0
    best_b = np.zeros(16, np.float32)
    for pair in range(len(left)):
        a, last_a = texts[left[pair]], texts[left[pair] + 1]
        b, last_b = texts[right[pair]], texts[right[pair] + 1]
        if len(best_b) < last_b - b:
            best_b = np.zeros(2 * (last_b - b), np.float32)
        best_b[: last_b - b] = 0
        found = total = 0.0
        for i in range(a, last_a):
            best = np.float32(0)
            row = row_of[ids[i]] if has_table else -1
            for j in range(b, last_b):
                if row >= 0:
                    s = table[row, ids[j]]
                    if s < 0:
                        s = partner_spelled(ids[i], ids[j], terms, columns, numbers, P, spelled[row, ids[j]])
                        table[row, ids[j]] = s
                else:
                    s = partner(ids[i], ids[j], terms, columns, numbers, starts, grams, lengths, P)
                best = max(best, s)
                best_b[j - b] = max(best_b[j - b], s)
            found += times[i] * weights[ids[i]] * best
            total += times[i] * weights[ids[i]]
        for j in range(b, last_b):
            found += times[j] * weights[ids[j]] * best_b[j - b]
            total += times[j] * weights[ids[j]]
        if total > 0:
            scores[pair] = found / total
