"""The measure ``alignment`` against plain Python."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings

from helpers.measure_references import TEXTS, assert_measure_equals, letter_score, sentence_pairs, small_model
from tacit.models.measures.alignment import COSINE_POWER
from tacit.models.token_tables import MIN_WEIGHT
from tacit.models.word_similarity import IDF_POWER, NUMBER_WEIGHT
from tacit.text.tokenizers import tokenize


def trust() -> float:
    """Vectors are trusted less with few texts and if all words are similar."""
    words = small_model().word_vectors_.astype(float)
    units = words / np.linalg.norm(words, axis=1, keepdims=True)
    return len(TEXTS) / (len(TEXTS) + 1000) * (1 - np.mean(units @ units.T))


def term(word: str) -> str:
    return small_model().vectorizer_.normalize_word(word)


def word_score(u: str, v: str) -> float:
    if term(u) == term(v):
        return 1.0
    if u[0].isdigit() or v[0].isdigit():
        return 0.0
    columns, vectors, cosine = small_model().vectorizer_.vocabulary_, small_model().word_vectors_, 0.0
    if term(u) in columns and term(v) in columns:
        p, q = (vectors[columns[term(word)]].astype(float) for word in (u, v))
        norm = np.linalg.norm(p) * np.linalg.norm(q)
        cosine = p @ q / norm if norm else 0.0
    return max(
        trust() * max(0.0, cosine) ** COSINE_POWER, letter_score(small_model().vectorizer_, u, v, cosine)
    )


def weight(word: str) -> float:
    vectorizer = small_model().vectorizer_
    column = vectorizer.vocabulary_.get(term(word))
    df = 1 if column is None else vectorizer.words_.df[column]
    idf = max(math.log(len(TEXTS) / df), MIN_WEIGHT)
    return idf**IDF_POWER * (NUMBER_WEIGHT if word[0].isdigit() else 1)


def alignment(a: str, b: str) -> float:
    left, right = tokenize(a), tokenize(b)
    score = total = 0.0
    for words, others in ((left, right), (right, left)):
        for u in words:
            score += weight(u) * max((word_score(u, v) for v in others), default=0.0)
            total += weight(u)
    return score / total if total else 0.0


@settings(max_examples=60)
@given(pairs=sentence_pairs)
def test_alignment_equals_reference(pairs):
    assert_measure_equals("alignment", alignment, pairs)
