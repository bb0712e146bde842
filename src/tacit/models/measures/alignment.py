"""``alignment``: each word of a text finds its best partner in the other, weighted by how telling it is.

    s(u, v) = 1                                    for the same term
            = 0                                    if one of them is a number
            = max(t cos(p_u, p_v)^power, d(u, v))  otherwise

with p the model's word vectors, t how far they are to be trusted (``Language.trust``), and d the Dice
coefficient of the letters' pairs and triples, counted where it is large and both words are long enough. The
score of two texts is the mean of the best s of all their words, weighted by idf^emphasis, numbers one and a
half times as much. ``power``, ``emphasis``, the least d and what numbers weigh were chosen on the STS 2012
training pairs and the STS Benchmark development pairs.

It knows one language, the pivot of a model; ``matching`` compares across languages.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tacit.compute.tiles import jit
from tacit.models.measure import Array, Measure, Table, TextGroups
from tacit.models.word_similarity import fill_dice, fill_dot_products

if TYPE_CHECKING:
    from tacit.models.text_set import TextSet

logger = logging.getLogger(__name__)

EMPHASIS = 1.4
NUMBER = 1.5
POWER = 1.5  # of the cosine; the kernel takes it by a square root
LEAST_DICE = 0.4
LEAST_LETTERS = 4
MAX_WORDS = 1024
"""Words of a text that look for partners; of a longer one a sample, see ``lookers``."""

CELLS = 1 << 22
"""Pairs of words that are remembered while one text meets many: 16 MB."""


class Alignment(Measure):
    """Each word with its best partner; a sum over words already, so it explains itself."""

    name, summary = "alignment", "each word with its best partner, by meaning or by letters"
    is_explainable = True

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """The alignment of every pair, from 0 to 1."""
        scores = np.zeros(len(left))
        own, words = self._prepared(texts)
        pairs = left.astype(np.int64), right.astype(np.int64)
        align_pairs(texts.distinct_tokens[0], own.ids, own.heft, own.looking, *words, *pairs, scores)
        return np.minimum(scores, 1)

    def contribution_tables(self, texts: TextSet, a: TextGroups, b: TextGroups) -> dict[str, Table]:
        """What each word adds with its partner."""
        own, words = self._prepared(texts)
        starts, table = texts.distinct_tokens[0], np.zeros((a.n_groups, b.n_groups))
        of_a, of_b = (slice(starts[text.text_id], starts[text.text_id + 1]) for text in (a, b))
        total = float(own.heft[of_a].sum() + own.heft[of_b].sum())
        if total > 0 and table.size:
            for one, of_one, other, of_other, filled in (
                (a, of_a, b, of_b, table),
                (b, of_b, a, of_a, table.T),
            ):
                looking = slice(of_one.start, of_one.start + own.looking[one.text_id])
                best, s = best_partners(own.ids[looking], own.ids[of_other], *words)
                lines = one.group_of_token[own.order[looking] - of_one.start]
                columns = other.group_of_token[own.order[of_other][best] - of_other.start]
                np.add.at(filled, (lines, columns), own.heft[looking] * s / total)
        return {self.name: table}

    def _prepared(self, texts: TextSet) -> tuple[Lookers, tuple[Array, ...]]:
        """What the words of each text weigh, and what ``partners`` asks of them; made once."""
        if self.name not in texts.cache:
            tokens = texts.tokens
            weights = tokens.idf_weights(0) ** EMPHASIS * np.where(tokens.is_number, NUMBER, 1.0)
            words = (
                tokens.term_ids(0),
                tokens.word_columns(0),
                tokens.is_number,
                *tokens.pivot_ngrams,
                tokens.languages[0].trust_scaled_vectors,
            )
            texts.cache[self.name] = lookers(*texts.distinct_tokens, weights), words
        found: tuple[Lookers, tuple[Array, ...]] = texts.cache[self.name]
        return found


MEASURE = Alignment()


class Lookers(NamedTuple):
    """The words of texts, those that look for a partner first in each text; ``looking`` tells how many do.

    ``ids`` are their tokens, ``order`` their places among all, ``heft`` what the partner they find counts.
    """

    ids: Array
    order: Array
    heft: Array
    looking: Array


def lookers(starts: Array, ids: Array, times: Array, weights: Array) -> Lookers:
    """The words of texts that look for a partner: all of them, or a sample of ``MAX_WORDS``.

    A score is a mean over words, which a sample tells well: it is drawn evenly from the words in the order of
    what they weigh, so that every part of the weight is seen, and the most telling words are always there.
    Words that do not look can still be found.
    """
    order, heft, looking = np.arange(len(ids)), times * weights[ids], np.diff(starts)
    long = np.flatnonzero(looking > MAX_WORDS)
    if len(long):
        logger.info(
            "%d texts have more than %d distinct words: a sample looks for partners", len(long), MAX_WORDS
        )
    for text in long.tolist():
        own = slice(starts[text], starts[text + 1])
        picked, share = drawn(heft[own], MAX_WORDS)
        rest = np.setdiff1d(np.arange(looking[text]), picked)
        order[own] = starts[text] + np.concatenate([picked, rest])
        heft[own] = np.concatenate([share, np.zeros(len(rest))])
        looking[text] = len(picked)
    return Lookers(ids[order], order, heft, looking)


def drawn(heft: Array, n: int) -> tuple[Array, Array]:
    """A sample of words, n draws at even distances along their weights, and what each stands for.

    >>> drawn(np.array([1.0, 6.0, 1.0]), 4)
    (array([0, 1]), array([2., 6.]))
    """
    order = np.argsort(-heft, kind="stable")
    along = np.cumsum(heft[order])
    places = np.searchsorted(along, (np.arange(n) + 0.5) * along[-1] / n)
    picked, draws = np.unique(order[places], return_counts=True)
    return picked, draws * along[-1] / n


@jit
def partner(same, number, near, spelling):  # type: ignore[no-untyped-def]
    """s(u, v), from whether they are the same term, whether one is a number, and what is alike."""
    if same:
        return np.float32(1)
    if number:
        return np.float32(0)
    near = max(np.float32(0), min(np.float32(1), near))
    return max(near * np.sqrt(near), spelling)  # POWER is 1.5


@jit
def partners(v, us, rows, terms, columns, numbers, starts, grams, lengths, marks, spares, P, near, found):  # type: ignore[no-untyped-def]
    """found[i] = s(us[i], v); ``rows`` are the columns of us, ``near`` is room for as many numbers."""
    fill_dot_products(P, rows, columns[v], near)
    fill_dice(v, us, LEAST_DICE, LEAST_LETTERS, starts, grams, lengths, marks, spares, found)
    for i in range(len(us)):
        u = us[i]
        found[i] = partner(terms[u] == terms[v], numbers[u] or numbers[v], near[i], found[i])


@jit
def align_pairs(  # type: ignore[no-untyped-def]
    texts, ids, heft, looking, terms, columns, numbers, starts, grams, lengths, marks, spares, P,
    left, right, scores,
):  # fmt: skip
    """scores[i] = the alignment of texts left[i] and right[i], CSR rows of distinct tokens, see ``Lookers``.

    A word that a text repeats finds the same partner each time, so it looks for it once; and a word of the
    texts that meet the same one on the left meets its words once: ``cells`` keeps what it found.
    """
    column_of = np.full(len(terms), -1, np.int64)
    met, known, n_met = np.empty(len(terms), np.int64), np.empty(len(terms), np.int64), 0
    cells = np.empty(0, np.float32)
    for pair in range(len(left)):
        a, b = left[pair], right[pair]
        us = ids[texts[a] : texts[a + 1]]
        n = len(us)
        if pair == 0 or a != left[pair - 1]:
            n_met = forget(column_of, met, n_met)
            rows, near, best_a = columns[us], np.empty(n, np.float32), np.empty(n, np.float32)
        best_a[:] = 0
        found = total = 0.0
        for j in range(texts[b], texts[b + 1]):
            v, asked = ids[j], n if j < texts[b] + looking[b] else looking[a]
            if column_of[v] < 0:
                if (n_met + 1) * n > len(cells):
                    if len(cells) >= CELLS:
                        n_met = forget(column_of, met, n_met)
                    cells = enlarged(cells, n_met * n, (n_met + 1) * n)
                column_of[v], met[n_met], known[n_met] = n_met, v, 0
                n_met += 1
            column = column_of[v]
            cell = cells[column * n : (column + 1) * n]
            if known[column] < asked:
                own = slice(known[column], asked)
                partners(
                    v, us[own], rows[own], terms, columns, numbers, starts, grams, lengths, marks, spares, P,
                    near, cell[own],
                )  # fmt: skip
                known[column] = asked
            best = np.float32(0)
            for i in range(asked):
                best = max(best, cell[i])
                best_a[i] = max(best_a[i], cell[i])
            found += heft[j] * best
            total += heft[j]
        for i in range(looking[a]):
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
    """The place in ``vs`` of each word's best partner, the first of equal ones, and how good it is."""
    best, s = np.zeros(len(us), np.int64), np.full(len(us), np.float32(-1))
    near, found, rows = np.empty(len(us), np.float32), np.empty(len(us), np.float32), columns[us]
    for j in range(len(vs)):
        partners(
            vs[j], us, rows, terms, columns, numbers, starts, grams, lengths, marks, spares, P, near, found
        )
        for i in range(len(us)):
            if found[i] > s[i]:
                best[i], s[i] = j, found[i]
    return best, s
