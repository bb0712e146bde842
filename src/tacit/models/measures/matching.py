"""``matching``: the words of two texts, of one language or two, look for one partner each.

    s(u, v) = 1                                              for equal letters, or one term of one language
            = 0                                              if one of them is a number
            = 1 - (1 - max(t(u, v), d(u, v))) (1 - c(u, v))  otherwise

t is what the tables of translations say: max_e S(u, e) S(v, e), where S tells which words of the pivot
language a word stands for (see ``lexicon``; a word of the pivot stands for itself), so that one formula
serves every pair of languages. Two words of the pivot meet in the words of the other languages instead (see
``paraphrase``): what is translated alike means the like. Where both words are the pivot's, or neither is, t
is raised to 1.43. d is the Dice coefficient of the letters' pairs and triples, accents aside, where it is
above .5 and both words have four letters. c is .7 sqrt(r_u r_v) cos(p_u, p_v)^2 of the words' vectors, where
r is 1 for the pivot and n / (n + 100,000) for a language learnt from n pairs: few pairs make poor vectors.
The words are strangers only if both kinds of evidence fail.

A word has one partner at most: pairs are matched greedily, those with the greatest s sqrt(w_u w_v) first,
and the score is the sum of these over sqrt(sum w_u sum w_v). Words weigh idf^1.4, unknown ones as if their
idf were .7 log N, and numbers one and a half times as much. The constants were chosen on the STS Benchmark
dev sets (English with Spanish, Spanish) and the Spanish news of 2014.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.compute.tiles import jit
from tacit.errors import InputError
from tacit.models.measure import Array, Measure, Table
from tacit.models.measures.alignment import EMPHASIS, LEAST_LETTERS, NUMBER, cosine
from tacit.models.spelling import dice, letter_grams
from tacit.text.languages import unaccented

if TYPE_CHECKING:
    from tacit.models.text_set import TextSet

LEAST_DICE = 0.5
DETOUR = 1 / 0.7
VECTOR_POWER = 2
VECTOR_TRUST = 0.7
HALF_TRUST = 100_000
UNKNOWN = 0.7
MOST_CELLS = 4_000_000
"""Pairs of words that two texts may have: texts of 2,000 words each, three tables of 32 MB."""


class Matching(Measure):
    """Words matched one to one through translations, vectors and letters."""

    name, summary = "matching", "each word with one partner, through translations too"
    explains = True

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """The matching of every pair, from 0 to 1."""
        refuse_long(texts, left, right)
        scores = np.zeros(len(left))
        weights, words = self._prepared(texts)
        pairs = (left.astype(np.int64), right.astype(np.int64))
        align_pairs(texts.starts, texts.ids, texts.spoken, weights, *words, *pairs, scores)  # type: ignore[call-arg]
        return scores

    def tables(self, texts: TextSet, a: int, b: int) -> dict[str, Table]:
        """What every matched pair of tokens adds."""
        refuse_long(texts, np.array([a]), np.array([b]))
        weights, words = self._prepared(texts)
        u, v = (texts.ids[texts.starts[n] : texts.starts[n + 1]] for n in (a, b))
        one, other = int(texts.spoken[a]), int(texts.spoken[b])
        table = np.zeros((len(u), len(v)))
        if table.size:
            similar = similarities(u, one, v, other, *words)
            align(similar, weights[one, u], weights[other, v], table)
        return {self.name: table}

    def _prepared(self, texts: TextSet) -> tuple[Array, tuple[Any, ...]]:
        """The weights of the tokens in every language, and what ``partner`` asks of them; made once."""
        if self.name not in texts.made:
            texts.made[self.name] = prepared(texts)
        found: tuple[Array, tuple[Any, ...]] = texts.made[self.name]
        return found


MEASURE = Matching()


def refuse_long(texts: TextSet, left: Array, right: Array) -> None:
    """Raise an error if a pair of texts has more pairs of tokens than can be laid out as a table."""
    sizes = texts.counts.astype(np.int64)
    longest = int((sizes[left] * sizes[right]).max(initial=0))
    if longest > MOST_CELLS:
        raise InputError(
            f"two texts have {longest:,} pairs of words, and matching takes {MOST_CELLS:,}: cut them into "
            "passages, or compare them by measure latent"
        )


def prepared(texts: TextSet) -> tuple[Array, tuple[Any, ...]]:
    """The weights of the tokens in every language; their terms, words, vectors, letters and translations."""
    tokens, model = texts.tokens, texts.model
    shape = (len(tokens.languages), len(tokens))
    weights = np.zeros(shape)
    terms, words, places = np.full((3, *shape), -1, np.int64)
    vectors = [np.zeros((0, model.n_components), np.float32)]
    offset = n_vectors = 0
    for number, language in enumerate(tokens.languages):
        if number in texts.present:
            columns = tokens.columns(number)
            known = np.flatnonzero(columns >= 0)
            weights[number] = tokens.weights(number) * UNKNOWN
            weights[number, known] /= UNKNOWN
            terms[number] = tokens.term_numbers(number)
            words[number, known] = columns[known] + offset
            places[number, known] = n_vectors + np.arange(len(known))
            reliable = reliability(number, language.vectorizer.n_texts_)
            vectors.append(language.unit_words[columns[known]] * np.float32(reliable**0.25))
            n_vectors += len(known)
        offset += len(language.word_vectors)
    weights = weights**EMPHASIS * np.where(tokens.is_number, NUMBER, 1.0)
    grams = letter_grams([unaccented(token) for token in tokens.strings])
    tables = (model.lexicons, model.paraphrases(np.unique(words[0][words[0] >= 0])))
    return weights, (terms, words, places, np.concatenate(vectors), tokens.is_number, *grams, *tables)


def reliability(number: int, n_pairs: int) -> float:
    """How far the vectors of a language are to be trusted, from the pairs it was learnt from; the first is 1.

    >>> reliability(0, 10), reliability(1, 100_000)
    (1.0, 0.5)
    """
    return n_pairs / (n_pairs + HALF_TRUST) if number else 1.0


@jit
def through(u, v, table):  # type: ignore[no-untyped-def]
    """The best word that both words stand for, max_e S(u, e) S(v, e): the longer row is searched."""
    indptr, indices, data = table
    if indptr[u + 1] - indptr[u] > indptr[v + 1] - indptr[v]:
        u, v = v, u
    first, end, best = indptr[v], indptr[v + 1], 0.0
    for k in range(indptr[u], indptr[u + 1]):
        first = first_from(indices, first, end, indices[k])
        if first < end and indices[first] == indices[k]:
            best = max(best, data[k] * data[first])
    return min(1.0, best)


@jit
def looked_up(u, v, table):  # type: ignore[no-untyped-def]
    """The cell of row u and column v."""
    indptr, indices, data = table
    place = first_from(indices, indptr[u], indptr[u + 1], v)
    return data[place] if place < indptr[u + 1] and indices[place] == v else 0.0


@jit
def first_from(indices, first, end, wanted):  # type: ignore[no-untyped-def]
    """The first place from ``first`` on with an index not below the wanted one, by bisection."""
    while first < end:
        middle = (first + end) // 2
        if indices[middle] < wanted:
            first = middle + 1
        else:
            end = middle
    return first


@jit
def partner(  # type: ignore[no-untyped-def]
    u, a, v, b, terms, words, places, P, numbers, starts, grams, lengths, table, paraphrases
):
    """s of token u in language a and token v in language b, from 0 to 1."""
    if u == v or (a == b and terms[a, u] == terms[b, v]):
        return 1.0
    if numbers[u] or numbers[v]:
        return 0.0
    best = alike = 0.0
    if words[a, u] >= 0 and words[b, v] >= 0:
        if a == 0 and b == 0:
            best = looked_up(words[a, u], words[b, v], paraphrases)
        else:
            best = through(words[a, u], words[b, v], table)
        if (a > 0) == (b > 0):
            best = best**DETOUR
        alike = max(0.0, min(1.0, cosine(P, places[a, u], places[b, v]))) ** VECTOR_POWER
    if lengths[u] >= LEAST_LETTERS and lengths[v] >= LEAST_LETTERS:
        spelling = dice(starts, grams, u, v)
        if spelling > LEAST_DICE:
            best = max(best, spelling)
    return 1 - (1 - best) * (1 - VECTOR_TRUST * alike)


@jit
def similarities(  # type: ignore[no-untyped-def]
    us, a, vs, b, terms, words, places, P, numbers, starts, grams, lengths, table, paraphrases
):
    """s of every token of one text with every token of another."""
    found = np.zeros((len(us), len(vs)))
    for i in range(len(us)):
        for j in range(len(vs)):
            found[i, j] = partner(
                us[i],
                a,
                vs[j],
                b,
                terms,
                words,
                places,
                P,
                numbers,
                starts,
                grams,
                lengths,
                table,
                paraphrases,
            )
    return found


@jit
def matching_order(worth):  # type: ignore[no-untyped-def]
    """The cells of a table, the greatest first; of equal ones the last by i + j, then the first by |i - j|.

    Of words always met together the last is the likelier partner: articles come before nouns. The order of
    a table is that of its transpose: cells (i, j) and (j, i) tie, and do not compete.
    """
    n, m = worth.shape
    places = np.empty(n * m, np.int64)
    for i in range(n):
        for j in range(m):
            places[i * m + j] = abs(i - j) - (i + j) * (n + m)
    first = np.argsort(places, kind="mergesort")
    return first[np.argsort(-worth.ravel()[first], kind="mergesort")]


@jit
def align(similar, left, right, table):  # type: ignore[no-untyped-def]
    """Write what every matched pair of tokens brings to ``table``, and return the sum."""
    length = np.sqrt(left.sum() * right.sum())
    if length <= 0:
        return 0.0
    worth = similar * (np.sqrt(left).reshape(-1, 1) * np.sqrt(right))
    taken, given = np.zeros(len(left), np.bool_), np.zeros(len(right), np.bool_)
    for place in matching_order(worth):
        i, j = place // len(right), place % len(right)
        if worth[i, j] <= 0:
            break
        if not taken[i] and not given[j]:
            table[i, j] = worth[i, j] / length
            taken[i] = given[j] = True
    return table.sum()


@jit
def align_pairs(  # type: ignore[no-untyped-def]
    texts, ids, spoken, weights, terms, words, places, P, numbers, starts, grams, lengths, table, paraphrases,
    left, right, scores,
):  # fmt: skip
    """scores[i] = the alignment of texts left[i] and right[i]."""
    for pair in range(len(left)):
        a, b = left[pair], right[pair]
        us, vs = ids[texts[a] : texts[a + 1]], ids[texts[b] : texts[b + 1]]
        if len(us) and len(vs):
            similar = similarities(
                us, spoken[a], vs, spoken[b], terms, words, places, P, numbers, starts, grams, lengths,
                table, paraphrases,
            )  # fmt: skip
            parts = np.zeros(similar.shape)
            scores[pair] = align(similar, weights[spoken[a]][us], weights[spoken[b]][vs], parts)
