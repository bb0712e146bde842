"""``matching``: greedy one-to-one word matching through translations, vectors and spelling.

    s(u, v) = 1                                              for equal strings, or one term of one language
            = 0                                              if one of them is a number
            = 1 - (1 - max(t(u, v), d(u, v))) (1 - c(u, v))  otherwise

- t comes from the translation lexicons: t(u, v) = max_e S(u, e) S(v, e), where S says which words e of the
  pivot language a word stands for (see ``lexicon``; a word of the pivot stands for itself). One formula
  serves every pair of languages. Two words of the pivot are compared by their paraphrase score instead. If
  both words are of the pivot, or neither is, t is raised to ``INDIRECT_POWER``.
- d finds cognates of two languages: the Dice coefficient of letter bigrams and trigrams without accents, used
  above ``MIN_DICE`` if both words have ``MIN_LETTERS`` letters. Words of one language are compared by
  ``letter_score`` instead, which is above 0 for spellings of one word and for related words only.
- c is ``VECTOR_WEIGHT`` sqrt(r_u r_v) cos(p_u, p_v)^2 with the word vectors p, where r is 1 for the pivot and
  n / (n + ``HALF_TRUST_PAIRS``) for a language learned from n pairs of texts.

Two words are unrelated only if both kinds of evidence fail. A word has as many partners as it has occurrences
in its text. Words are matched greedily by descending s sqrt(w_u w_v), and the score is the sum of these over
sqrt(sum w_u sum w_v). The weight w is idf^``IDF_POWER``; an unknown word has the idf ``UNKNOWN_IDF_SHARE``
log N, and numbers have ``NUMBER_WEIGHT`` times their weight. The constants were tuned on the STS Benchmark
development sets (English with Spanish, Spanish) and the Spanish news of 2014.
"""

from __future__ import annotations

import logging
from typing import NamedTuple

import numpy as np

from tacit.compute.tiles import jit, jit_inline
from tacit.models.letter_similarity import Spellings, fill_letter_scores, letter_arrays
from tacit.models.lexicon import CsrTuple
from tacit.models.measure import Measure, Table, TextGroups
from tacit.models.text_set import TextSet
from tacit.models.word_similarity import (
    LetterNgrams,
    fill_dice,
    fill_dot_products,
    match_greedily,
    word_weights,
)
from tacit.types import Array

logger = logging.getLogger(__name__)

MIN_DICE = 0.5
INDIRECT_POWER = 1 / 0.7
VECTOR_POWER = 2
VECTOR_WEIGHT = 0.7
HALF_TRUST_PAIRS = 100_000
UNKNOWN_IDF_SHARE = 0.7
MAX_WORDS = 5120
"""Distinct words of a text that are matched, those of the largest weight: a score table of 100 MB. Prose of
100 kB has fewer; the scores of texts of 300 kB are up to 0.02 lower than with all words."""


class TextWords(NamedTuple):
    """The distinct words of each text that are matched, as CSR arrays.

    ``order`` holds the position of each word among all distinct words, ``times`` how often it occurs in its
    text, ``weight_once`` the weight of one occurrence, and ``weights`` that of all.
    """

    offsets: Array
    token_ids: Array
    order: Array
    times: Array
    weight_once: Array
    weights: Array


class WordData(NamedTuple):
    """Arrays about each token that ``fill_word_scores`` reads; most are languages x tokens.

    ``word_ids`` are rows of the stacked lexicon, ``vector_rows`` rows of ``vectors``; -1 for unknown words.
    """

    term_ids: Array
    word_ids: Array
    vector_rows: Array
    vectors: Array
    cosine_scales: Array
    is_number: Array
    letters: LetterNgrams
    spellings: Spellings
    lexicon: CsrTuple
    paraphrases: CsrTuple


class Matching(Measure):
    """Greedy one-to-one matching of words; a sum over matches, so it can be explained."""

    name, summary = "matching", "greedy one-to-one word matching through translations, vectors and spelling"
    is_explainable = True

    def score(self, texts: TextSet, left: Array, right: Array) -> Array:
        """Return the matching score of each pair, from 0 to 1."""
        scores = match_texts(texts, left, right)[0]
        scores[texts.are_equal(left, right)] = 1  # not only up to rounding
        return np.minimum(scores, 1)

    def contribution_tables(self, texts: TextSet, a: TextGroups, b: TextGroups) -> dict[str, Table]:
        """Return what each matched pair of words adds to the score."""
        _, matches, gains = match_texts(texts, np.array([a.text_id]), np.array([b.text_id]))
        words, first_words = texts.cached(self.name, _prepare)[0], texts.distinct_tokens[0]
        groups = []
        for text, side in ((a, 1), (b, 0)):
            positions = words.order[words.offsets[text.text_id] + matches[:, side]]
            groups.append(text.group_of_token[positions - first_words[text.text_id]])
        table = np.zeros((a.n_groups, b.n_groups))
        np.add.at(table, tuple(groups), gains)
        return {self.name: table}


MEASURE = Matching()


def match_texts(texts: TextSet, left: Array, right: Array) -> tuple[Array, Array, Array]:
    """Return the score of each pair, and the matches of the last pair with their gains, see `match_pairs`."""
    words, data = texts.cached("matching", _prepare)
    n_words = np.diff(words.offsets)
    size = int((n_words[left] + n_words[right]).max(initial=0))
    scores, matches, gains = np.zeros(len(left)), np.empty((size, 3), np.int64), np.empty(size)
    scratch = np.zeros(len(texts.model.pivot.word_vectors), np.float32)
    pairs = left.astype(np.int64), right.astype(np.int64)
    n = match_pairs(words, data, texts.language_ids, scratch, *pairs, matches, gains, scores)
    return scores, matches[:n], gains[:n]


def _prepare(texts: TextSet) -> tuple[TextWords, WordData]:
    """Compute what the kernels need to know about the words of all texts."""
    token_weights, data = _word_data(texts)
    return select_words(*texts.distinct_tokens, token_weights, texts.language_ids), data


def select_words(
    offsets: Array, token_ids: Array, times: Array, token_weights: Array, language_ids: Array
) -> TextWords:
    """Select the words that are matched: of a long text the ``MAX_WORDS`` with the largest weight.

    ``token_weights`` is languages x tokens. A long text has the score that it would have without its other
    words.
    """
    n_words = np.diff(offsets)
    weight_once = token_weights[np.repeat(language_ids, n_words), token_ids]
    weights, long_texts = weight_once * times, np.flatnonzero(n_words > MAX_WORDS)
    order = np.arange(len(token_ids))
    if n := len(long_texts):
        logger.info("%d texts have more than %d distinct words: matching uses the heaviest", n, MAX_WORDS)
        is_selected = np.ones(len(token_ids), np.bool_)
        for first, last in zip(offsets[long_texts], offsets[long_texts + 1], strict=True):
            is_selected[first + np.argsort(-weights[first:last], kind="stable")[MAX_WORDS:]] = False
        order = np.flatnonzero(is_selected)
    arrays = (values[order] for values in (weight_once, weights))
    return TextWords(np.searchsorted(order, offsets), token_ids[order], order, times[order], *arrays)


def _word_data(texts: TextSet) -> tuple[Array, WordData]:
    """Compute the weight of each token in each language, and what the kernels need to know about tokens."""
    tokens, model = texts.tokens, texts.model
    shape = (len(tokens.languages), len(tokens))
    weights = np.zeros(shape)
    term_ids, word_ids, vector_rows = np.full((3, *shape), -1, np.int64)
    vectors = [np.zeros((0, model.n_components), np.float32)]
    cosine_scales, offset, n_vectors = np.zeros(len(tokens.languages)), 0, 0
    for language_id, language in enumerate(tokens.languages):
        if language_id in texts.language_ids_present:
            columns = tokens.word_columns(language_id)
            known = np.flatnonzero(columns >= 0)
            weights[language_id] = tokens.idf_weights(language_id) * UNKNOWN_IDF_SHARE
            weights[language_id, known] /= UNKNOWN_IDF_SHARE
            term_ids[language_id] = tokens.term_ids(language_id)
            word_ids[language_id, known] = columns[known] + offset
            vector_rows[language_id, known] = n_vectors + np.arange(len(known))
            trust = reliability(language_id, language.vectorizer.n_texts_)
            vectors.append(language.unit_word_vectors[columns[known]] * np.float32(trust**0.25))
            cosine_scales[language_id] = trust**-0.5 if trust else 0.0
            n_vectors += len(known)
        offset += len(language.word_vectors)
    return word_weights(weights, tokens.is_number), WordData(
        term_ids,
        word_ids,
        vector_rows,
        np.concatenate(vectors),
        cosine_scales,
        tokens.is_number,
        tokens.unaccented_ngrams,
        tokens.spellings,
        model.stacked_lexicon,
        model.paraphrases(np.unique(word_ids[0][word_ids[0] >= 0])),
    )


def reliability(language_id: int, n_pairs: int) -> float:
    """Return how reliable the vectors of a language are, from the number of pairs it was learned from.

    >>> reliability(0, 10), reliability(1, 100_000)
    (1.0, 0.5)
    """
    return n_pairs / (n_pairs + HALF_TRUST_PAIRS) if language_id else 1.0


@jit_inline
def fill_translation_scores(v, us, v_table, u_table, is_indirect, scratch, scores):  # type: ignore[no-untyped-def]
    """scores[i] = max_e S(us[i], e) S(v, e); 0 for a word that is -1.

    ``v_table`` and ``u_table`` hold S as CSR arrays. The row of v is expanded into ``scratch``, which is zero
    before and after.
    """
    indptr, indices, data = v_table
    u_indptr, u_indices, u_data = u_table
    scores[:] = 0
    if v < 0:
        return
    for k in range(indptr[v], indptr[v + 1]):
        scratch[indices[k]] = data[k]
    for i in range(len(us)):
        if us[i] >= 0:
            best = np.float32(0)
            for k in range(u_indptr[us[i]], u_indptr[us[i] + 1]):
                best = max(best, u_data[k] * scratch[u_indices[k]])
            if best > 0:
                best = min(np.float32(1), best)
                scores[i] = best**INDIRECT_POWER if is_indirect else best
    for k in range(indptr[v], indptr[v + 1]):
        scratch[indices[k]] = 0


@jit_inline
def fill_word_scores(v, b, us, a, data, scratch, scores):  # type: ignore[no-untyped-def]
    """Set scores[i] to the similarity s of token us[i] of language a and token v of language b."""
    cosines, translated = np.empty(len(us), np.float32), np.empty(len(us), np.float32)
    fill_dot_products(data.vectors, data.vector_rows[a][us], data.vector_rows[b, v], 0, len(us), cosines)
    if a == b:
        keys, first_term, codes, offsets, doc_freqs, limits = letter_arrays(data.spellings, a)
        fill_letter_scores(
            v, us, 0, len(us), cosines, data.cosine_scales[a], keys, first_term, codes, offsets, doc_freqs,
            limits, scores,
        )  # fmt: skip
    else:
        fill_dice(v, us, MIN_DICE, data.letters, scores)
    v_table = data.paraphrases if a == 0 and b == 0 else data.lexicon
    word_ids, is_indirect = data.word_ids[a][us], (a > 0) == (b > 0)
    fill_translation_scores(
        data.word_ids[b, v], word_ids, v_table, data.lexicon, is_indirect, scratch, translated
    )
    for i in range(len(us)):
        if us[i] == v or (a == b and data.term_ids[a, us[i]] == data.term_ids[b, v]):
            scores[i] = 1
        elif data.is_number[us[i]] or data.is_number[v]:
            scores[i] = 0
        else:
            similarity = VECTOR_WEIGHT * max(0.0, min(1.0, cosines[i])) ** VECTOR_POWER
            scores[i] = 1 - (1 - max(translated[i], scores[i])) * (1 - similarity)


@jit
def match_pairs(words, data, language_ids, scratch, left, right, matches, gains, scores):  # type: ignore[no-untyped-def]
    """scores[i] = the matching score of texts left[i] and right[i]; return the last pair's number of matches.

    Each pair overwrites ``matches`` and ``gains``: matches[k] has the positions of two matched words in the
    right and in the left text, and how often they match; gains[k] is what this adds to the score.
    """
    n_matches = np.int64(0)
    for pair in range(len(left)):
        a, b = left[pair], right[pair]
        first_u, first_v = words.offsets[a], words.offsets[b]
        us = words.token_ids[first_u : words.offsets[a + 1]]
        vs = words.token_ids[first_v : words.offsets[b + 1]]
        counts_u, counts_v = np.empty(len(us), np.int64), np.empty(len(vs), np.int64)
        weight_u = weight_v = score = 0.0
        for i in range(len(us)):
            counts_u[i] = words.times[first_u + i]
            weight_u += words.weights[first_u + i]
        for j in range(len(vs)):
            counts_v[j] = words.times[first_v + j]
            weight_v += words.weights[first_v + j]
        norm = np.sqrt(weight_u * weight_v)
        n_matches = np.int64(0)
        if norm <= 0:
            continue
        table = np.empty((len(vs), len(us)), np.float32)
        for j in range(len(vs)):
            fill_word_scores(vs[j], language_ids[b], us, language_ids[a], data, scratch, table[j])
            for i in range(len(us)):
                table[j, i] *= np.sqrt(words.weight_once[first_u + i] * words.weight_once[first_v + j])
        n_matches = match_greedily(table, counts_v, counts_u, matches)
        for k in range(n_matches):
            gains[k] = matches[k, 2] * table[matches[k, 0], matches[k, 1]] / norm
            score += gains[k]
        scores[pair] = score
    return n_matches
