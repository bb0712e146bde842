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

import logging
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.compute.tiles import jit
from tacit.models.measure import Array, Measure, Table, TextGroups
from tacit.models.measures.alignment import EMPHASIS, LEAST_LETTERS, NUMBER
from tacit.models.word_similarity import fill_dice, fill_dot_products, letter_ngrams, match_greedily
from tacit.text.normalization import strip_accents

if TYPE_CHECKING:
    from tacit.models.text_set import TextSet

logger = logging.getLogger(__name__)

LEAST_DICE = 0.5
DETOUR = 1 / 0.7
VECTOR_POWER = 2
VECTOR_TRUST = 0.7
HALF_TRUST = 100_000
UNKNOWN = 0.7
MAX_WORDS = 5120
"""Distinct words of a text that are matched, the most telling of a longer one: prose of 100 kB has fewer, and
texts of 300 kB score up to .02 less than they would with all of their words. A table of 100 MB."""


class Matching(Measure):
    """Words matched one to one through translations, vectors and letters."""

    name, summary = "matching", "each word with one partner, through translations too"
    is_explainable = True

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """The matching of every pair, from 0 to 1."""
        scores = np.zeros(len(left))
        weights, words = self._prepared(texts)
        pairs = (left.astype(np.int64), right.astype(np.int64))
        room = np.zeros(len(texts.model.pivot.word_vectors), np.float32)
        match_pairs(
            *texts.distinct_tokens, texts.language_ids, weights, MAX_WORDS, *words, room, *pairs, scores
        )
        return np.minimum(scores, 1)

    def contribution_tables(self, texts: TextSet, a: TextGroups, b: TextGroups) -> dict[str, Table]:
        """What every matched pair of words adds."""
        weights, words = self._prepared(texts)
        starts, ids, times = texts.distinct_tokens
        of_a, of_b = (slice(starts[text.text_id], starts[text.text_id + 1]) for text in (a, b))
        one, other = (int(texts.language_ids[text.text_id]) for text in (a, b))
        table = np.zeros((a.n_groups, b.n_groups))
        sides = weights[one, ids[of_a]], weights[other, ids[of_b]], times[of_a], times[of_b]
        room = np.zeros(len(texts.model.pivot.word_vectors), np.float32)
        i, j, gains = match_words(ids[of_a], one, ids[of_b], other, *sides, MAX_WORDS, *words, room)
        np.add.at(table, (a.group_of_token[i], b.group_of_token[j]), gains)
        return {self.name: table}

    def _prepared(self, texts: TextSet) -> tuple[Array, tuple[Any, ...]]:
        """The weights of the tokens in every language, and what ``partner`` asks of them; made once."""
        if self.name not in texts.cache:
            long = int(np.count_nonzero(np.diff(texts.distinct_tokens[0]) > MAX_WORDS))
            if long:
                logger.info(
                    "%d texts have more than %d distinct words: the most telling match", long, MAX_WORDS
                )
            texts.cache[self.name] = prepared(texts)
        found: tuple[Array, tuple[Any, ...]] = texts.cache[self.name]
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
        if number in texts.language_ids_present:
            columns = tokens.word_columns(number)
            known = np.flatnonzero(columns >= 0)
            weights[number] = tokens.idf_weights(number) * UNKNOWN
            weights[number, known] /= UNKNOWN
            terms[number] = tokens.term_ids(number)
            words[number, known] = columns[known] + offset
            places[number, known] = n_vectors + np.arange(len(known))
            reliable = reliability(number, language.vectorizer.n_texts_)
            vectors.append(language.unit_word_vectors[columns[known]] * np.float32(reliable**0.25))
            n_vectors += len(known)
        offset += len(language.word_vectors)
    weights = weights**EMPHASIS * np.where(tokens.is_number, NUMBER, 1.0)
    grams = letter_ngrams([strip_accents(token) for token in tokens.strings])
    tables = (model.stacked_lexicon, model.paraphrases(np.unique(words[0][words[0] >= 0])))
    return weights, (terms, words, places, np.concatenate(vectors), tokens.is_number, *grams, *tables)


def reliability(number: int, n_pairs: int) -> float:
    """How far the vectors of a language are to be trusted, from the pairs it was learnt from; the first is 1.

    >>> reliability(0, 10), reliability(1, 100_000)
    (1.0, 0.5)
    """
    return n_pairs / (n_pairs + HALF_TRUST) if number else 1.0


@jit
def translations(v, us, detour, table, room, found):  # type: ignore[no-untyped-def]
    """found[i] = the best word that both stand for, max_e S(us[i], e) S(v, e); 0 for a word that is -1.

    The row of v is spread over ``room``, zeros for every word of the pivot, which it leaves as it was.
    """
    indptr, indices, data = table
    found[:] = 0
    if v < 0:
        return
    for k in range(indptr[v], indptr[v + 1]):
        room[indices[k]] = data[k]
    for i in range(len(us)):
        if us[i] >= 0:
            best = np.float32(0)
            for k in range(indptr[us[i]], indptr[us[i] + 1]):
                best = max(best, data[k] * room[indices[k]])
            if best > 0:
                best = min(np.float32(1), best)
                found[i] = best**DETOUR if detour else best
    for k in range(indptr[v], indptr[v + 1]):
        room[indices[k]] = 0


@jit
def looked_up(v, us, table, room, found):  # type: ignore[no-untyped-def]
    """The same for words of the pivot, from a table of them by each other."""
    indptr, indices, data = table
    found[:] = 0
    if v < 0:
        return
    for k in range(indptr[v], indptr[v + 1]):
        room[indices[k]] = data[k]
    for i in range(len(us)):
        if us[i] >= 0 and room[us[i]] > 0:
            found[i] = room[us[i]] ** DETOUR
    for k in range(indptr[v], indptr[v + 1]):
        room[indices[k]] = 0


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
    room, found,
):  # fmt: skip
    """found[i] = s of token us[i] in language a and token v in language b."""
    near, translated = np.empty(len(us), np.float32), np.empty(len(us), np.float32)
    fill_dot_products(P, places[a][us], places[b, v], near)
    fill_dice(v, us, LEAST_DICE, LEAST_LETTERS, starts, grams, lengths, marks, spares, found)
    if a == 0 and b == 0:
        looked_up(words[b, v], words[a][us], paraphrases, room, translated)
    else:
        translations(words[b, v], words[a][us], (a > 0) == (b > 0), table, room, translated)
    for i in range(len(us)):
        same = us[i] == v or (a == b and terms[a, us[i]] == terms[b, v])
        number = numbers[us[i]] or numbers[v]
        found[i] = partner(same, number, translated[i], near[i], found[i])


@jit
def similarities(  # type: ignore[no-untyped-def]
    us, a, vs, b, terms, words, places, P, numbers, starts, grams, lengths, marks, spares, table, paraphrases,
    room,
):  # fmt: skip
    """s of every token of one text with every token of another, a row for each of the other."""
    found = np.empty((len(vs), len(us)), np.float32)
    for j in range(len(vs)):
        partners(
            vs[j], b, us, a, terms, words, places, P, numbers, starts, grams, lengths, marks, spares, table,
            paraphrases, room, found[j],
        )  # fmt: skip
    return found


@jit
def most_telling(heft, most):  # type: ignore[no-untyped-def]
    """The places of the words that weigh most, in the order of the text."""
    if len(heft) <= most:
        return np.arange(len(heft))
    return np.sort(np.argsort(-heft, kind="mergesort")[:most])


@jit
def match_words(  # type: ignore[no-untyped-def]
    us, a, vs, b, left, right, times_u, times_v, most, terms, words, places, P, numbers, starts, grams,
    lengths, marks, spares, table, paraphrases, room,
):  # fmt: skip
    """The places of matched words in ``us`` and ``vs``, and what each pair adds to the score.

    Of a text with more than ``most`` words the most telling are matched, as if it had no others.
    """
    kept_u, kept_v = most_telling(left * times_u, most), most_telling(right * times_v, most)
    us, left, free_u = us[kept_u], left[kept_u], times_u[kept_u]
    vs, right, free_v = vs[kept_v], right[kept_v], times_v[kept_v]
    length = np.sqrt((left * free_u).sum() * (right * free_v).sum())
    found, gains = np.empty((len(us) + len(vs), 3), np.int64), np.empty(len(us) + len(vs))
    if length <= 0:
        return found[:0, 0], found[:0, 1], gains[:0]
    worth = similarities(
        us, a, vs, b, terms, words, places, P, numbers, starts, grams, lengths, marks, spares, table,
        paraphrases, room,
    )  # fmt: skip
    for j in range(len(vs)):
        for i in range(len(us)):
            worth[j, i] *= np.sqrt(left[i] * right[j])
    n = match_greedily(worth, free_v, free_u, found)
    for k in range(n):
        j, i, times = found[k]
        found[k, 0], found[k, 1] = kept_u[i], kept_v[j]
        gains[k] = times * worth[j, i] / length
    return found[:n, 0], found[:n, 1], gains[:n]


@jit
def match_pairs(  # type: ignore[no-untyped-def]
    texts, ids, times, spoken, weights, most, terms, words, places, P, numbers, starts, grams, lengths,
    marks, spares, table, paraphrases, room, left, right, scores,
):  # fmt: skip
    """scores[i] = the matching of texts left[i] and right[i], CSR rows of distinct tokens."""
    for pair in range(len(left)):
        a, b = left[pair], right[pair]
        first, last = slice(texts[a], texts[a + 1]), slice(texts[b], texts[b + 1])
        us, vs = ids[first], ids[last]
        scores[pair] = match_words(
            us, spoken[a], vs, spoken[b], weights[spoken[a]][us], weights[spoken[b]][vs], times[first],
            times[last], most, terms, words, places, P, numbers, starts, grams, lengths, marks, spares,
            table, paraphrases, room,
        )[2].sum()  # fmt: skip
