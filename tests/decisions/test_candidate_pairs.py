"""Candidates are the nearest texts by the sum of word and character cosine."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import TfidfVectorizer

from tacit.decisions import candidate_pairs
from tacit.decisions.candidate_pairs import find_candidates


def dense(rows, n_columns: int) -> np.ndarray:
    matrix = csr_matrix((rows.values, rows.columns, rows.offsets), (len(rows.offsets) - 1, n_columns))
    return matrix.toarray().astype(np.float64)


def cosines(texts) -> tuple[np.ndarray, np.ndarray]:
    words = dense(texts.word_rows, texts.n_terms)
    chars = dense(texts.char_rows(0, len(texts)), texts.n_chars)
    return words @ words.T, chars @ chars.T


def expected_pairs(scores: np.ndarray, n_left: int | None, k: int) -> set[tuple[int, int]]:
    """The k best of each text in both directions, compared with all others; no ties at the end."""
    n = len(scores)
    pairs = set()
    for i in range(n):
        is_left = n_left is None or i < n_left
        others = [j for j in range(n) if j != i and (n_left is None or (j < n_left) != is_left)]
        best = sorted((j for j in others if scores[i, j] > 1e-6), key=lambda j: (-scores[i, j], j))[:k]
        pairs |= {(min(i, j), max(i, j)) for j in best}
    return pairs


def distinct_scores(texts) -> np.ndarray:
    words, chars = cosines(texts)
    return words + chars


@pytest.mark.parametrize(("n_left", "k"), [(120, 3), (100, 10), (200, 2), (None, 4)])
def test_candidates_are_those_of_a_complete_comparison(product_texts, n_left, k):
    result = find_candidates(product_texts, n_left, k)
    scores = distinct_scores(product_texts)
    pairs = set(zip(result.left.tolist(), result.right.tolist(), strict=True))
    expected = expected_pairs(scores, n_left, k)
    # scores that are equal but for rounding may be in another order
    for a, b in pairs ^ expected:
        kth = [sorted(scores[i][others(i, len(scores), n_left)])[-k] for i in (a, b)]
        assert min(abs(scores[a, b] - limit) for limit in kth) < 1e-5
    assert len(pairs ^ expected) < 0.05 * len(expected)


def others(i: int, n: int, n_left: int | None) -> list[int]:
    return [j for j in range(n) if j != i and (n_left is None or (j < n_left) != (i < n_left))]


def test_cosines_are_those_of_the_rows(product_texts):
    result = find_candidates(product_texts, 120)
    words, chars = cosines(product_texts)
    assert np.allclose(result.word_cosines, words[result.left, result.right], atol=1e-5)
    assert np.allclose(result.char_cosines, chars[result.left, result.right], atol=1e-5)


def test_pairs_are_sorted_and_occur_once(product_texts):
    result = find_candidates(product_texts, 120)
    keys = result.left * len(product_texts) + result.right
    assert (np.diff(keys) > 0).all()
    assert result.left.max() < 120 <= result.right.min()


def test_blocks_and_threads_do_not_change_the_candidates(product_texts, monkeypatch):
    before = find_candidates(product_texts, 120)
    monkeypatch.setattr(candidate_pairs, "_BLOCK_TEXTS", 7)
    monkeypatch.setattr(product_texts.texts.model, "n_threads", 1)
    for one, other in zip(before, find_candidates(product_texts, 120), strict=True):
        assert np.array_equal(one, other)


def test_word_cosine_agrees_with_scikit_learn(product_texts):
    """With the idf of scikit-learn in place of ours, on the same terms."""
    texts = product_texts
    starts = texts.texts.token_starts
    documents = [" ".join(f"t{term}" for term in texts.terms[a:b]) for a, b in pairwise(starts)]
    matrix = TfidfVectorizer(norm=None, smooth_idf=True).fit(documents)
    df = np.array([(matrix.transform(documents) > 0).sum(axis=0)]).ravel()
    matrix.idf_ = np.log((len(documents) + 1) / (df + 0.5))
    rows = matrix.transform(documents).toarray()
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    assert np.allclose(cosines(texts)[0], rows @ rows.T, atol=1e-5)
