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
from tacit.models.measure import Array, Grouped, Measure, Table
from tacit.models.spelling import dice_of_one

if TYPE_CHECKING:
    from tacit.models.text_set import TextSet

EMPHASIS = 1.4
NUMBER = 1.5
POWER = 1.5  # of the cosine; the kernel takes it by a square root
LEAST_DICE = 0.4
LEAST_LETTERS = 4
CELLS = 1 << 20
"""Pairs of words that are remembered while one text meets many: 4 MB."""


class Alignment(Measure):
    """Each word with its best partner; a sum over words already, so it explains itself."""

    name, summary = "alignment", "each word with its best partner, by meaning or by letters"
    explains = True

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """The alignment of every pair, from 0 to 1."""
        scores = np.zeros(len(left))
        heft, words = self._prepared(texts)
        pairs = left.astype(np.int64), right.astype(np.int64)
        align_pairs(*texts.distinct[:2], heft, *words, *pairs, scores)  # type: ignore[call-arg]
        return scores

    def tables(self, texts: TextSet, a: Grouped, b: Grouped) -> dict[str, Table]:
        """What each word adds with its partner."""
        heft, words = self._prepared(texts)
        starts, ids, _ = texts.distinct
        of_a, of_b = (slice(starts[text.number], starts[text.number + 1]) for text in (a, b))
        table = np.zeros((a.n_groups, b.n_groups))
        total = float(heft[of_a].sum() + heft[of_b].sum())
        if table.size and total > 0:
            best_a, best_b, s_a, s_b = best_partners(ids[of_a], ids[of_b], *words)  # type: ignore[call-arg]
            np.add.at(table, (a.groups, b.groups[best_a]), heft[of_a] * s_a / total)
            np.add.at(table, (a.groups[best_b], b.groups), heft[of_b] * s_b / total)
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
                tokens.languages[0].trusted_words,
            )
            _, ids, times = texts.distinct
            texts.made[self.name] = times * weights[ids], words
        found: tuple[Array, tuple[Array, ...]] = texts.made[self.name]
        return found


MEASURE = Alignment()


@jit_dots
def cosines(P, rows, row, found):  # type: ignore[no-untyped-def]
    """found[i] = the dot product of rows[i] of P and another row; 0 where one of them is -1."""
    for i in range(len(rows)):
        total = P.dtype.type(0)
        if rows[i] >= 0 and row >= 0:
            for k in range(P.shape[1]):
                total += P[rows[i], k] * P[row, k]
        found[i] = total


@jit
def partner(same, number, near, spelling):  # type: ignore[no-untyped-def]
    """s(u, v) of two words, from whether they are the same term, whether one is a number, and what is alike."""
    if same:
        return np.float32(1)
    if number:
        return np.float32(0)
    near = max(np.float32(0), min(np.float32(1), near))
    return max(near * np.sqrt(near), spelling)  # POWER is 1.5


@jit
def partners(v, us, rows, terms, columns, numbers, starts, grams, lengths, marks, spares, P, near, found):  # type: ignore[no-untyped-def]
    """found[i] = s(us[i], v); ``rows`` are the columns of us, ``near`` is room for as many numbers."""
    cosines(P, rows, columns[v], near)
    dice_of_one(v, us, LEAST_DICE, LEAST_LETTERS, starts, grams, lengths, marks, spares, found)
    for i in range(len(us)):
        u = us[i]
        found[i] = partner(terms[u] == terms[v], numbers[u] or numbers[v], near[i], found[i])


@jit
def align_pairs(  # type: ignore[no-untyped-def]
    texts, ids, heft, terms, columns, numbers, starts, grams, lengths, marks, spares, P, left, right, scores
):
    """scores[i] = the alignment of texts left[i] and right[i], CSR rows of distinct tokens and what they weigh.

    A word that a text repeats finds the same partner each time, so it looks for it once; and a word of the
    texts that meet the same one on the left meets its words once: ``cells`` keeps what it found.
    """
    column_of = np.full(len(terms), -1, np.int64)
    met, n_met = np.empty(len(terms), np.int64), 0
    cells = np.empty(0, np.float32)
    for pair in range(len(left)):
        a, b = left[pair], right[pair]
        us = ids[texts[a] : texts[a + 1]]
        if pair == 0 or a != left[pair - 1]:
            n_met = forget(column_of, met, n_met)
            rows, near, best_a = columns[us], np.empty(len(us), np.float32), np.empty(len(us), np.float32)
        best_a[:] = 0
        found = total = 0.0
        for j in range(texts[b], texts[b + 1]):
            v = ids[j]
            if column_of[v] < 0:
                if (n_met + 1) * len(us) > len(cells):
                    if len(cells) >= CELLS:
                        n_met = forget(column_of, met, n_met)
                    cells = enlarged(cells, n_met * len(us), (n_met + 1) * len(us))
                partners(
                    v, us, rows, terms, columns, numbers, starts, grams, lengths, marks, spares, P,
                    near, cells[n_met * len(us) : (n_met + 1) * len(us)],
                )  # fmt: skip
                column_of[v], met[n_met] = n_met, v
                n_met += 1
            first, best = column_of[v] * len(us), np.float32(0)
            for i in range(len(us)):
                best = max(best, cells[first + i])
                best_a[i] = max(best_a[i], cells[first + i])
            found += heft[j] * best
            total += heft[j]
        for i in range(len(us)):
            found += heft[texts[a] + i] * best_a[i]
            total += heft[texts[a] + i]
        if total > 0:
            scores[pair] = found / total


@jit
def forget(column_of, met, n_met):  # type: ignore[no-untyped-def]
    """Start anew with no word met."""
    for k in range(n_met):
        column_of[met[k]] = -1
    return 0


@jit
def enlarged(cells, used, needed):  # type: ignore[no-untyped-def]
    """Room for at least as many cells as are needed, those used at its beginning."""
    if needed <= len(cells):
        return cells
    more = np.empty(2 * needed, np.float32)
    more[:used] = cells[:used]
    return more


@jit
def best_partners(  # type: ignore[no-untyped-def]
    us, vs, terms, columns, numbers, starts, grams, lengths, marks, spares, P
):
    """The place of the best partner of each word of two texts, and how good it is: of us, and of vs."""
    of_u, of_v = np.zeros(len(us), np.int64), np.zeros(len(vs), np.int64)
    s_u, s_v = np.full(len(us), np.float32(-1)), np.zeros(len(vs), np.float32)
    near, found = np.empty(len(us), np.float32), np.empty(len(us), np.float32)
    for j in range(len(vs)):
        partners(
            vs[j], us, columns[us], terms, columns, numbers, starts, grams, lengths, marks, spares, P, near,
            found,
        )  # fmt: skip
        of_v[j] = found.argmax()
        s_v[j] = found[of_v[j]]
        for i in range(len(us)):
            if found[i] > s_u[i]:
                of_u[i], s_u[i] = j, found[i]
    return of_u, of_v, s_u, s_v
