"""The search task: its metrics, and the comparison with bm25s and tf-idf."""

from __future__ import annotations

import numpy as np
import pytest

from papers.experiments.corpora import CORPORA
from tacit import WTMF, TextVectorizer
from tacit.evaluation import TASKS, evaluate
from tacit.evaluation.search_task import (
    SEARCH_DEPTH,
    Bm25sSearcher,
    IndexSearcher,
    TfidfSearcher,
    load_retrieval,
    make_searchers,
    mean_reciprocal_rank,
    recall_at,
    split_dev_test,
)

TEXTS = ["a cat sleeps", "the kitten sleeps", "a kitten is a young cat", "stocks fell", "the market fell"]


def test_ranking_metrics_equal_worked_example():
    result = [np.array([4, 2, 9]), np.array([1, 0, 3])]
    assert recall_at(2, result, [[2, 9], [7]]) == pytest.approx((1 / 2 + 0) / 2)
    assert mean_reciprocal_rank(result, [[9, 2], [3]]) == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert mean_reciprocal_rank(result, [[8], [8]]) == 0


def test_every_searcher_ranks_identical_text_first():
    model = WTMF(TextVectorizer(min_df=1), n_components=3, missing_weight=0.1, regularization=1.0).fit(TEXTS)
    for searcher in make_searchers(model):
        results = searcher.search(TEXTS, TEXTS, 3)
        if searcher.name != "random":
            assert [rows[0] for rows in results] == list(range(len(TEXTS))), searcher.name


def test_scorer_without_search_raises():
    with pytest.raises(ValueError, match="search"):
        evaluate("search", object())


@pytest.mark.quality
def test_search_beats_bm25s_and_tfidf_on_test_queries(data):
    """A thousand test queries, drawn by seed; weights and candidates were chosen on the dev queries."""
    pytest.importorskip("bm25s", reason="bm25s is not installed: pip install --group dev")
    retrieval = load_retrieval(TASKS["search"], data)
    test = split_dev_test(len(retrieval.queries))[1]
    drawn = retrieval.select_queries(np.sort(np.random.default_rng(1).choice(test, 1000, replace=False)))
    model = WTMF(n_iter=10).fit(CORPORA["definitions"].texts(data))
    rivals = [
        TfidfSearcher(),
        *(Bm25sSearcher(stems, stop) for stems in (True, False) for stop in (True, False)),
    ]
    numbers = {}
    for searcher in (IndexSearcher(model), *rivals):
        results = searcher.search(drawn.queries, drawn.candidates, SEARCH_DEPTH)
        numbers[searcher.name] = (
            recall_at(10, results, drawn.relevant),
            mean_reciprocal_rank(results, drawn.relevant),
        )
    recall, mrr = numbers.pop("search")
    assert recall > max(other for other, _ in numbers.values()), numbers
    assert mrr > max(other for _, other in numbers.values()), numbers
