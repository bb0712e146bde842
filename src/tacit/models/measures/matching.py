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

A word has as many partners as times it stands in its text: pairs are matched greedily, those with the
greatest s sqrt(w_u w_v) first (see ``pairing``), and the score is the sum of these over
sqrt(sum w_u sum w_v). Words weigh idf^1.4, unknown ones as if their idf were .7 log N, and numbers one and a
half times as much. The constants were chosen on the STS Benchmark dev sets (English with Spanish, Spanish)
and the Spanish news of 2014.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.compute.tiles import jit
from tacit.models.measure import Array, Grouped, Measure, Table
from tacit.models.measures.alignment import EMPHASIS, LEAST_LETTERS, NUMBER, cosines
from tacit.models.pairing import pair_words
from tacit.models.spelling import dice_of_one, letter_grams
from tacit.text.languages import unaccented

if TYPE_CHECKING:
    from tacit.models.text_set import TextSet

LEAST_DICE = 0.5
DETOUR = 1 / 0.7
VECTOR_POWER = 2
VECTOR_TRUST = 0.7
HALF_TRUST = 100_000
UNKNOWN = 0.7
PORTION = 1024
"""Distinct words of a text that are matched at once: the cost of longer texts grows as their length."""


class Matching(Measure):
    """Words matched one to one through translations, vectors and letters."""

    name, summary = "matching", "each word with one partner, through translations too"
    explains = True

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """The matching of every pair, from 0 to 1."""
        scores = np.zeros(len(left))
        weights, words = self._prepared(texts)
        pairs = (left.astype(np.int64), right.astype(np.int64))
        match_pairs(*texts.distinct, texts.spoken, weights, *words, *pairs, scores)  # type: ignore[call-arg]
        return scores

    def tables(self, texts: TextSet, a: Grouped, b: Grouped) -> dict[str, Table]:
        """What every matched pair of words adds."""
        weights, words = self._prepared(texts)
        starts, ids, times = texts.distinct
        of_a, of_b = (slice(starts[text.number], starts[text.number + 1]) for text in (a, b))
        one, other = (int(texts.spoken[text.number]) for text in (a, b))
        table = np.zeros((a.n_groups, b.n_groups))
        sides = weights[one, ids[of_a]], weights[other, ids[of_b]], times[of_a], times[of_b]
        i, j, gains = match_words(ids[of_a], one, ids[of_b], other, *sides, *words)  # type: ignore[call-arg]
        np.add.at(table, (a.groups[i], b.groups[j]), gains)
        return {self.name: table}

    def _prepared(self, texts: TextSet) -> tuple[Array, tuple[Any, ...]]:
        """The weights of the tokens in every language, and what ``partner`` asks of them; made once."""
        if self.name not in texts.made:
            texts.made[self.name] = prepared(texts)
        found: tuple[Array, tuple[Any, ...]] = texts.made[self.name]
        return found


MEASURE = Matching()


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
def partner(same, number, translated, near, spelling):  # type: ignore[no-untyped-def]
    """s of two words, from whether they are the same, whether one is a number, and the kinds of evidence."""
    if same:
        return 1.0
    if number:
        return 0.0
    alike = max(0.0, min(1.0, near)) ** VECTOR_POWER
    return 1 - (1 - max(translated, spelling)) * (1 - VECTOR_TRUST * alike)


@jit
def partners(  # type: ignore[no-untyped-def]
    v, b, us, a, terms, words, places, P, numbers, starts, grams, lengths, marks, spares, table, paraphrases,
    near, found,
):  # fmt: skip
    """found[i] = s of token us[i] in language a and token v in language b; ``near`` is room for as many."""
    cosines(P, places[a][us], places[b, v], near)
    dice_of_one(v, us, LEAST_DICE, LEAST_LETTERS, starts, grams, lengths, marks, spares, found)
    for i in range(len(us)):
        u, translated = us[i], 0.0
        if words[a, u] >= 0 and words[b, v] >= 0:
            if a == 0 and b == 0:
                translated = looked_up(words[a, u], words[b, v], paraphrases)
            else:
                translated = through(words[a, u], words[b, v], table)
            if (a > 0) == (b > 0):
                translated = translated**DETOUR
        same = u == v or (a == b and terms[a, u] == terms[b, v])
        found[i] = partner(same, numbers[u] or numbers[v], translated, near[i], found[i])


@jit
def similarities(  # type: ignore[no-untyped-def]
    us, a, vs, b, terms, words, places, P, numbers, starts, grams, lengths, marks, spares, table, paraphrases
):
    """s of every token of one text with every token of another, a row for each of the other."""
    found, near = np.zeros((len(vs), len(us))), np.zeros(len(us), np.float32)
    for j in range(len(vs)):
        partners(
            vs[j], b, us, a, terms, words, places, P, numbers, starts, grams, lengths, marks, spares, table,
            paraphrases, near, found[j],
        )  # fmt: skip
    return found


@jit
def portion(carried, order, first):  # type: ignore[no-untyped-def]
    """Words carried over and the next ones, as many as are matched at once, in the order of the text."""
    following = order[first : first + PORTION - len(carried)]
    return np.sort(np.concatenate((carried, following))), first + len(following)


@jit
def carried_over(chosen, rest):  # type: ignore[no-untyped-def]
    """The words of a portion that are still free, no more than half of one: there are others to come."""
    return chosen[rest[chosen] > 0][: PORTION // 2]


@jit
def match_words(  # type: ignore[no-untyped-def]
    us, a, vs, b, left, right, times_u, times_v, terms, words, places, P, numbers, starts, grams, lengths,
    marks, spares, table, paraphrases,
):  # fmt: skip
    """The places of matched words in ``us`` and ``vs``, and what each pair adds to the score.

    Words of long texts are matched portion by portion, the most telling first.
    """
    found, gains = np.empty((len(us) + len(vs), 3), np.int64), np.empty(len(us) + len(vs))
    filled, next_u, next_v = 0, 0, 0
    rest_u, rest_v = times_u.copy(), times_v.copy()
    order_u, order_v = np.argsort(-left, kind="mergesort"), np.argsort(-right, kind="mergesort")
    chosen_u, chosen_v = order_u[:0], order_v[:0]
    length = np.sqrt((left * times_u).sum() * (right * times_v).sum())
    while length > 0 and (next_u < len(us) or next_v < len(vs)):
        chosen_u, next_u = portion(carried_over(chosen_u, rest_u), order_u, next_u)
        chosen_v, next_v = portion(carried_over(chosen_v, rest_v), order_v, next_v)
        worth = similarities(
            us[chosen_u], a, vs[chosen_v], b, terms, words, places, P, numbers, starts, grams, lengths, marks,
            spares, table, paraphrases,
        )  # fmt: skip
        worth *= np.sqrt(right[chosen_v]).reshape(-1, 1) * np.sqrt(left[chosen_u])
        free_u, free_v = rest_u[chosen_u], rest_v[chosen_v]
        n = pair_words(worth, free_v, free_u, found[filled:])
        for k in range(filled, filled + n):
            j, i, times = found[k]
            found[k, 0], found[k, 1] = chosen_u[i], chosen_v[j]
            gains[k] = times * worth[j, i] / length
        filled += n
        rest_u[chosen_u], rest_v[chosen_v] = free_u, free_v
    return found[:filled, 0], found[:filled, 1], gains[:filled]


@jit
def match_pairs(  # type: ignore[no-untyped-def]
    texts, ids, times, spoken, weights, terms, words, places, P, numbers, starts, grams, lengths, marks, spares,
    table, paraphrases, left, right, scores,
):  # fmt: skip
    """scores[i] = the matching of texts left[i] and right[i], CSR rows of distinct tokens."""
    for pair in range(len(left)):
        a, b = left[pair], right[pair]
        first, last = slice(texts[a], texts[a + 1]), slice(texts[b], texts[b + 1])
        us, vs = ids[first], ids[last]
        scores[pair] = match_words(
            us, spoken[a], vs, spoken[b], weights[spoken[a]][us], weights[spoken[b]][vs], times[first],
            times[last], terms, words, places, P, numbers, starts, grams, lengths, marks, spares, table, paraphrases,
        )[2].sum()  # fmt: skip
