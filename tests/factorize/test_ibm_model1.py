"""IBM model 1 on sparse rows against the dictionary of counts, and the lexicon built from it."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.compute.csr import CSRArrays
from tacit.factorize import em_reference as reference
from tacit.factorize import ibm_model1 as ibm1
from tacit.factorize.ibm_model1 import fit_ibm_model1
from tacit.models.lexicon import MAX_TEXT_WORDS, MIN_PROBABILITY, PROBABILITY_POWER, Lexicon, learn_lexicon

words = st.lists(st.integers(0, 7), max_size=6, unique=True).map(sorted)


def rows_of(texts: list[list[int]], width: int = 8) -> CSRArrays:
    indptr = np.cumsum([0, *map(len, texts)]).astype(np.int64)
    indices = np.array([word for text in texts for word in text], np.int32)
    return CSRArrays(indptr, indices, np.ones(len(indices), np.float32), (len(texts), width))


def table_of(pairs, n_iter: int, n_threads: int = 1) -> dict[tuple[int, int], float]:
    first, second = (rows_of([pair[side] for pair in pairs]) for side in (0, 1))
    indptr, indices, data = fit_ibm_model1(first, second, n_iter, n_threads)
    first_words = np.repeat(np.arange(8), np.diff(indptr))
    return dict(zip(zip(first_words.tolist(), indices.tolist(), strict=True), data.tolist(), strict=True))


@settings(max_examples=60)
@given(pairs=st.lists(st.tuples(words, words), min_size=1, max_size=12), n_iter=st.integers(1, 6))
def test_kernel_equals_the_reference(pairs, n_iter):
    expected = {key: t for key, t in reference.fit_ibm_model1(pairs, n_iter).items() if key[0] >= 0}
    actual = table_of(pairs, n_iter)
    assert actual.keys() == expected.keys()
    assert all(abs(actual[key] - t) < 1e-5 for key, t in expected.items())


def test_blocks_and_threads_do_not_change_the_table(monkeypatch):
    rng = np.random.default_rng(0)
    pairs = [tuple(sorted(rng.choice(8, 4, replace=False).tolist()) for _ in (0, 1)) for _ in range(300)]
    whole = table_of(pairs, 4)
    monkeypatch.setattr(ibm1, "_BLOCK_PAIRS", 7)
    monkeypatch.setattr(ibm1, "_BLOCK_OCCURRENCES", 50)
    assert table_of(pairs, 4, n_threads=3) == table_of(pairs, 4) == whole


def test_lexicon_combines_both_directions_above_the_minimum():
    pairs = [([0], [5]), ([0, 1], [5, 6]), ([1], [6]), ([2], [6])] * 5
    lexicon = learn_lexicon(rows_of([f for _, f in pairs]), rows_of([e for e, _ in pairs]))
    forward, backward = table_of([(f, e) for e, f in pairs], 5), table_of(pairs, 5)
    actual = {}
    for u in range(8):
        for k in range(lexicon.indptr[u], lexicon.indptr[u + 1]):
            actual[u, int(lexicon.indices[k])] = float(lexicon.data[k])
    probabilities = {
        (u, e): [value if value >= MIN_PROBABILITY else 0 for value in (t, backward.get((e, u), 0))]
        for (u, e), t in forward.items()
    }
    expected = {
        key: (1 - (1 - t) * (1 - s)) ** PROBABILITY_POWER for key, (t, s) in probabilities.items() if t or s
    }
    assert actual.keys() == expected.keys()
    assert all(np.isclose(actual[key], s, rtol=1e-5) for key, s in expected.items())


def test_very_long_texts_are_skipped():
    n = MAX_TEXT_WORDS + 1
    long = CSRArrays(np.array([0, n]), np.arange(n, dtype=np.int32), np.ones(n, np.float32), (1, n))
    lexicon = learn_lexicon(long, rows_of([[0]]))
    assert len(lexicon.indices) == 0
    assert len(lexicon.indptr) == n + 1


def test_pivot_and_borrowed_words_have_one_translation():
    lexicon = Lexicon.empty(2).append(np.array([4, 1]))
    assert lexicon.indptr.tolist() == [0, 0, 0, 1, 2]
    assert lexicon.indices.tolist() == [4, 1]
    assert Lexicon.identity(3).indices.tolist() == [0, 1, 2]
