"""The baselines of the papers equal their formulas, for pairs and for candidates."""

from __future__ import annotations

import numpy as np
import pytest

from helpers.cats_and_stocks import CATS, STOCKS, TEXTS, words
from papers.baselines import LDAScorer, LSAScorer, NgramScorer, RandomRanker, lda
from papers.baselines.scorers import SurfaceScorer, TfidfScorer
from papers.experiments.definition_retrieval import block_scores
from papers.experiments.measurement import measure_random_labels
from papers.experiments.wmf_models import LatentScorer
from papers.specs import Experiment, ModelSpec
from tacit import WTMF, InputError
from tacit.errors import NotFittedError
from tacit.evaluation.search_task import RetrievalData

TOPICS = ["cat kitten mat sleep", "kitten cat sat", "stocks market trade fell", "market stocks rose"] * 10


def blocks(scorer, queries, candidates):
    return block_scores(scorer, RetrievalData(queries, candidates, []))


def trained():
    return {
        "ir": TfidfScorer(words()).fit(TEXTS),
        "ngram-tfidf": NgramScorer(tfidf=True).fit(TEXTS),
        "lsa": LSAScorer(3, words()).fit(TEXTS),
        "wtmf": LatentScorer(WTMF(words(), n_components=3, regularization=1.0).fit(TEXTS)),
        "surface": SurfaceScorer(),
        "ngram": NgramScorer(),
    }


@pytest.fixture(scope="module")
def scorers():
    return trained()


@pytest.mark.parametrize("name", ["ir", "ngram-tfidf", "lsa", "wtmf", "surface", "ngram"])
class TestEveryVectorScorer:
    def test_pairs_and_blocks_agree(self, scorers, name):
        scorer = scorers[name]
        block = blocks(scorer, CATS, STOCKS)
        assert block(1, 3).shape == (2, len(STOCKS))
        assert np.diag(block(0, 4)) == pytest.approx(scorer.score_pairs(CATS, STOCKS), abs=1e-6)
        assert block(1, 3) == pytest.approx(block(0, 4)[1:3], abs=1e-6)

    def test_text_is_most_similar_to_itself(self, scorers, name):
        rows = blocks(scorers[name], CATS, CATS)(0, 4)
        assert (rows.argmax(axis=1) == np.arange(4)).all()

    def test_empty_text_scores_0_and_is_unknown(self, scorers, name):
        scorer = scorers[name]
        assert scorer.score_pairs(["", "cat", ""], ["cat", "", ""]).tolist() == [0, 0, 0]
        assert scorer.has_known_words(["", "the cat sat"]).tolist() == [False, True]

    def test_scorer_has_its_name(self, scorers, name):
        assert scorers[name].name == name

    def test_sides_of_unequal_length_raise(self, scorers, name):
        with pytest.raises(InputError, match="2 and 1 texts"):
            scorers[name].score_pairs(["a", "b"], ["a"])


@pytest.mark.parametrize("name", ["ir", "lsa", "wtmf"])
def test_text_of_unknown_words_is_unknown(scorers, name):
    assert scorers[name].has_known_words(["zebra", "zebra cat"]).tolist() == [False, True]
    assert scorers[name].score_pairs(["zebra"], ["cat"]).tolist() == [0]


def ngram_sets(text, longest):
    tokens = text.split()
    return {tuple(tokens[i : i + n]) for n in range(1, longest + 1) for i in range(len(tokens) - n + 1)}


@pytest.mark.parametrize("longest", [1, 2, 3, 4])
def test_ngrams_are_counted_once(longest):
    a, b = ["to be or not to be", "be", "b a"], ["not to be is to be", "be", "a b"]
    expected = [len(ngram_sets(x, longest) & ngram_sets(y, longest)) for x, y in zip(a, b, strict=True)]
    assert NgramScorer(longest, language=None).score_pairs(a, b).tolist() == expected


def test_ngrams_do_not_cross_texts():
    # "b" ends one text and "c" begins the next: "b c" is in neither
    scores = blocks(NgramScorer(2, language=None), ["a b", "c d"], ["b c"])(0, 2)
    assert scores.tolist() == [[1], [1]]


def test_ngram_weights_equal_formula():
    texts = ["a b", "a c", "a b", "d e"]
    scorer = NgramScorer(2, tfidf=True, language=None).fit(texts)
    idf = {
        "a": np.log(4 / 3),
        "b": np.log(4 / 2),
        "c": np.log(4),
        "a b": np.log(4 / 2),
        "a c": np.log(4),
        "x": np.log(4),
    }
    ab, ac = [idf["a"], idf["b"], idf["a b"]], [idf["a"], idf["c"], idf["a c"]]
    expected = idf["a"] ** 2 / np.linalg.norm(ab) / np.linalg.norm(ac)
    assert scorer.score_pairs(["a b"], ["a c"]) == pytest.approx([expected])
    # of "a x" only "a" was seen: the others weigh as if seen once; a word said twice counts twice
    ax = [idf["a"], idf["x"], idf["x"]]
    assert scorer.score_pairs(["a x"], ["x"]) == pytest.approx([idf["x"] / np.linalg.norm(ax)])
    assert scorer.score_pairs(["x x"], ["x"]) == pytest.approx([2 / np.sqrt(2**2 + 1**2)])


def test_lsa_folds_in_by_the_formula():
    scorer = LSAScorer(3, words(), n_iter=10).fit(TEXTS)
    X = words().fit_transform(TEXTS).toarray().astype(float)
    _, _, right = np.linalg.svd(X, full_matrices=False)
    V = right[:3].T
    a, b = (words().fit(TEXTS).transform(side).toarray() @ V for side in (CATS, STOCKS))
    expected = np.sum(a * b, axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    assert scorer.score_pairs(CATS, STOCKS) == pytest.approx(expected, abs=1e-4)


def test_lsa_error_has_maximum_components():
    with pytest.raises(InputError, match=r"n_components=500: give 1 to \d+ for 40 texts of \d+ words"):
        LSAScorer(500, words()).fit(TEXTS)


@pytest.fixture(scope="module")
def sampled():
    return LDAScorer(2, words(), alpha=0.1, n_iter=200).fit(TOPICS)


def test_lda_separates_two_topics(sampled):
    assert sampled.score_pairs(["cat", "cat"], ["kitten", "stocks"])[0] > 0.9
    assert sampled.score_pairs(["cat", "cat"], ["kitten", "stocks"])[1] < 0.5


def test_lda_word_vectors_are_distributions(sampled):
    assert sampled.word_vectors_.sum(axis=1) == pytest.approx(
        np.ones(len(sampled.vectorizer_.words_)), abs=1e-5
    )
    assert (sampled.word_vectors_ >= 0).all()


def test_lda_text_vectors_are_weighted_means(sampled):
    summed = sampled.vectorizer_.transform(CATS).toarray() @ sampled.word_vectors_
    assert sampled.encode(CATS) == pytest.approx(
        summed / np.linalg.norm(summed, axis=1, keepdims=True), abs=1e-6
    )


def test_lda_is_deterministic_by_seed(sampled):
    assert (
        LDAScorer(2, words(), alpha=0.1, n_iter=200).fit(TOPICS).word_vectors_ == sampled.word_vectors_
    ).all()


def test_lda_word_vectors_follow_bayes():
    # without beta, P(z|w) is the share of the word's tokens that have the topic
    word_topic_counts = np.array([[15, 2], [15, 8]])
    assert lda.word_topic_distribution(word_topic_counts, 0.0) == pytest.approx(
        word_topic_counts / word_topic_counts.sum(axis=1, keepdims=True)
    )


@pytest.mark.parametrize("wrong", [{"alpha": 0}, {"beta": -1}, {"n_iter": 0}, {"n_components": 2.5}])
def test_lda_checks_parameters_before_sampling(wrong):
    (name,) = wrong
    with pytest.raises(InputError, match=f"{name}={wrong[name]}"):
        LDAScorer(**wrong).fit(TEXTS)


@pytest.mark.parametrize("scorer", [TfidfScorer(), LSAScorer(), LDAScorer(), NgramScorer(tfidf=True)])
def test_unfitted_scorer_raises(scorer):
    with pytest.raises(NotFittedError, match=r"fit\(texts\) first"):
        scorer.score_pairs(["a"], ["b"])


@pytest.mark.parametrize("longest", [0, 1.5, True])
def test_invalid_ngram_length_raises(longest):
    with pytest.raises(InputError, match=f"longest={longest}"):
        NgramScorer(longest)


def test_random_ranks_depend_on_query_index():
    block = RandomRanker().score_blocks(CATS, STOCKS)
    assert block(1, 4)[1:].tolist() == block(2, 4).tolist()
    assert RandomRanker(1).score_blocks(CATS, STOCKS)(0, 4).tolist() != block(0, 4).tolist()


def test_random_labels_have_accuracy_one_half(tmp_path):
    labels = ["0", "1", "1", "1"] * 500
    for name in ("train", "test"):
        file = tmp_path / f"sts/msrp/{name}.tsv"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"{label}\ta {i}\tb {i}\n" for i, label in enumerate(labels)), "utf-8")
    coins = [measure_random_labels(Experiment("", ModelSpec("coin"), seed), tmp_path) for seed in range(20)]
    metrics, low, high = (
        np.array([coin[f"msr04/test/accuracy{end}"] for coin in coins]) for end in ("", "_low", "_high")
    )
    deviation = (0.25 / 2000) ** 0.5
    assert np.mean(metrics) == pytest.approx(0.5, abs=0.01)
    assert np.std(metrics) == pytest.approx(deviation, rel=0.5)
    assert np.mean(high - low) == pytest.approx(2 * 1.96 * deviation, rel=0.1)
    assert ((low < metrics) & (metrics < high)).all()
    assert measure_random_labels(Experiment("", ModelSpec("coin"), 3), tmp_path) == coins[3]
