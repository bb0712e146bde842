"""Paraphrase scores of pivot words with the same translations, against plain Python."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.language_models import vectorizer
from tacit import WTMF
from tacit.models.lexicon import MIN_PARAPHRASE, Lexicon, build_translation_tables, find_paraphrases

N = 6
cells = st.dictionaries(
    st.tuples(st.integers(0, 4), st.integers(0, N - 1)), st.sampled_from([0.3, 0.6, 0.75, 1.0])
)


def lexicon(cells: dict[tuple[int, int], float]) -> Lexicon:
    places = sorted(cells)
    indptr = np.searchsorted([row for row, _ in places], np.arange(6))
    return Lexicon(
        indptr.astype(np.int64),
        np.array([column for _, column in places], np.int32),
        np.array([cells[place] for place in places], np.float32),
    )


@settings(max_examples=100)
@given(tables=st.lists(cells, max_size=3), pivot_words=st.sets(st.integers(0, N - 1)))
def test_paraphrase_score_is_that_of_best_translation(tables, pivot_words):
    starts, columns, values = find_paraphrases(
        *build_translation_tables([lexicon(table) for table in tables], N),
        np.array(sorted(pivot_words), np.int64),
    )
    actual = {
        (u, int(columns[k])): float(values[k]) for u in range(N) for k in range(starts[u], starts[u + 1])
    }
    expected = {}
    for u in pivot_words:
        for v in pivot_words:
            ways = [
                np.float32(table[f, u]) * np.float32(table[f, v])
                for table in tables
                for f in range(5)
                if (f, u) in table and (f, v) in table
            ]
            if ways and max(ways) >= np.float32(MIN_PARAPHRASE):
                expected[u, v] = float(max(ways))
    assert actual == expected
    assert all(list(columns[a:b]) == sorted(columns[a:b]) for a, b in pairwise(starts))


def test_second_language_makes_synonyms_similar():
    pairs = [("the boat sank", "el barco"), ("a ship sank", "un barco"), ("the boat", "el barco"),
             ("ship", "barco"), ("the bank", "el banco"), ("a bank", "un banco")]  # fmt: skip
    wtmf = WTMF(vectorizer(), n_components=2, missing_weight=0.1, regularization=0.1)
    alone = wtmf.fit([en for en, _ in pairs] * 2).model_
    before = alone.similarity(["ship"], ["boat", "bank"], "matching", "en", "en")[0]
    after = alone.add_language("es", pairs).similarity(["ship"], ["boat", "bank"], "matching", "en", "en")[0]
    assert after[0] > before[0]
    assert after[0] > after[1]
