"""Baselines, held against their formulae."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from tacit import WTMF, InputError, TextVectorizer
from tacit.errors import MissingExtraError, NotFittedError
from tacit.evaluation import baseline
from tacit.evaluation.baselines import (
    BASELINES,
    LDAScorer,
    LSAScorer,
    NgramScorer,
    RandomScorer,
    SurfaceScorer,
    TfidfScorer,
    WTMFScorer,
)

CATS = [
    "the cat sat on the mat",
    "a kitten and a cat sleep",
    "the kitten sat",
    "cats and kittens sleep on mats",
]
STOCKS = [
    "the stocks fell in trade",
    "a market and stocks rose",
    "the market fell",
    "stocks and markets trade",
]
TEXTS = (CATS + STOCKS) * 5
TOPICS = ["cat kitten mat sleep", "kitten cat sat", "stocks market trade fell", "market stocks rose"] * 10


def words():
    return TextVectorizer(min_df=1)


def trained():
    return {
        "ir": TfidfScorer(words()).fit(TEXTS),
        "ngram-tfidf": NgramScorer(tfidf=True).fit(TEXTS),
        "lsa": LSAScorer(3, words()).fit(TEXTS),
        "wtmf": WTMFScorer(WTMF(words(), n_components=3, regularization=1.0).fit(TEXTS)),
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
        block = scorer.many_to_many(CATS, STOCKS)
        assert block(1, 3).shape == (2, len(STOCKS))
        assert np.diag(block(0, 4)) == pytest.approx(scorer.score_pairs(CATS, STOCKS), abs=1e-6)
        assert block(1, 3) == pytest.approx(block(0, 4)[1:3], abs=1e-6)

    def test_a_text_is_most_like_itself(self, scorers, name):
        rows = scorers[name].many_to_many(CATS, CATS)(0, 4)
        assert (rows.argmax(axis=1) == np.arange(4)).all()

    def test_an_empty_text_scores_0_and_is_not_known(self, scorers, name):
        scorer = scorers[name]
        assert scorer.score_pairs(["", "cat", ""], ["cat", "", ""]).tolist() == [0, 0, 0]
        assert scorer.knows(["", "the cat sat"]).tolist() == [False, True]

    def test_it_has_its_name(self, scorers, name):
        assert scorers[name].name == name

    def test_pairs_need_equally_many(self, scorers, name):
        with pytest.raises(InputError, match="2 texts against 1"):
            scorers[name].score_pairs(["a", "b"], ["a"])


@pytest.mark.parametrize("name", ["ir", "lsa", "wtmf"])
def test_a_text_of_unknown_words_is_not_known(scorers, name):
    assert scorers[name].knows(["zebra", "zebra cat"]).tolist() == [False, True]
    assert scorers[name].score_pairs(["zebra"], ["cat"]).tolist() == [0]


def test_surface_is_the_cosine_of_sets():
    # 3 of 4 and 3 of 5 distinct tokens are shared, repeated ones count once; case and full stop are kept
    score = SurfaceScorer().score_pairs(["The cat cat sat ."], ["the cat sat on ."])
    assert score == pytest.approx([3 / np.sqrt(4 * 5)])


def test_tfidf_is_the_cosine_of_weights(scorers):
    a, b = (words().fit(TEXTS).transform(side).toarray() for side in (CATS, STOCKS))
    expected = np.sum(a * b, axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    assert scorers["ir"].score_pairs(CATS, STOCKS) == pytest.approx(expected, abs=1e-6)


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
    scores = NgramScorer(2, language=None).many_to_many(["a b", "c d"], ["b c"])(0, 2)
    assert scores.tolist() == [[1], [1]]


def test_ngrams_weighed():
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


def test_lsa_folds_by_the_formula():
    scorer = LSAScorer(3, words(), n_iter=10).fit(TEXTS)
    X = words().fit_transform(TEXTS).toarray().astype(float)
    _, _, right = np.linalg.svd(X, full_matrices=False)
    V = right[:3].T
    a, b = (words().fit(TEXTS).transform(side).toarray() @ V for side in (CATS, STOCKS))
    expected = np.sum(a * b, axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    assert scorer.score_pairs(CATS, STOCKS) == pytest.approx(expected, abs=1e-4)


def test_lsa_says_how_long_a_vector_may_be():
    with pytest.raises(InputError, match=r"n_components=500: give 1 to \d+ for 40 texts of \d+ words"):
        LSAScorer(500, words()).fit(TEXTS)


def test_wtmf_is_the_models_cosine():
    model = WTMF(words(), n_components=3, regularization=1.0).fit(TEXTS)
    expected = model.similarity_pairwise(CATS, STOCKS)
    assert WTMFScorer(model, "w_m=.01").score_pairs(CATS, STOCKS) == pytest.approx(expected, abs=1e-6)
    assert WTMFScorer(model, "w_m=.01").name == "w_m=.01"


def test_chance_is_drawn_by_seed():
    same, other = RandomScorer(1).score_pairs(CATS, STOCKS), RandomScorer(2).score_pairs(CATS, STOCKS)
    assert RandomScorer(1).score_pairs(CATS, STOCKS).tolist() == same.tolist() != other.tolist()
    many = RandomScorer().score_pairs([str(i) for i in range(2000)], ["x"] * 2000)
    assert (many.min() < 0.01, many.max() > 0.99, abs(many.mean() - 0.5) < 0.03) == (True, True, True)
    block = RandomScorer().many_to_many(CATS, STOCKS)
    assert block(1, 4)[1:].tolist() == block(2, 4).tolist()


@pytest.fixture(scope="module")
def lda():
    pytest.importorskip("tomotopy", reason="tomotopy is not installed: the LDA baseline needs tacit[lda]")
    return LDAScorer(2, words(), alpha=0.1, n_iter=200).fit(TOPICS)


def test_lda_parts_two_topics(lda):
    assert lda.score_pairs(["cat", "cat"], ["kitten", "stocks"])[0] > 0.9
    assert lda.score_pairs(["cat", "cat"], ["kitten", "stocks"])[1] < 0.5


def test_lda_word_vectors_are_distributions(lda):
    assert lda.word_vectors_.sum(axis=1) == pytest.approx(np.ones(len(lda.vectorizer_.words_)), abs=1e-5)
    assert (lda.word_vectors_ >= 0).all()


def test_lda_is_folded_by_weights(lda):
    summed = lda.vectorizer_.transform(CATS).toarray() @ lda.word_vectors_
    assert lda.encode(CATS) == pytest.approx(summed / np.linalg.norm(summed, axis=1, keepdims=True), abs=1e-6)


def test_lda_is_the_same_by_seed(lda):
    assert (LDAScorer(2, words(), alpha=0.1, n_iter=200).fit(TOPICS).word_vectors_ == lda.word_vectors_).all()


def test_lda_inverts_by_bayes():
    pytest.importorskip("tomotopy", reason="tomotopy is not installed: the LDA baseline needs tacit[lda]")
    from tacit.evaluation.baselines.lda import topics_of_words

    class Model:
        k = 2

        def get_topic_word_dist(self, topic):
            return [[0.5, 0.5], [0.25, 0.75]][topic]

        def get_count_by_topics(self):
            return [30, 10]

    # P(z=0|w=0) = .5 * 30 / (.5 * 30 + .25 * 10)
    assert topics_of_words(Model()) == pytest.approx(
        np.array([[15 / 17.5, 2.5 / 17.5], [15 / 22.5, 7.5 / 22.5]])
    )


@pytest.mark.parametrize("wrong", [{"alpha": 0}, {"beta": -1}, {"n_iter": 0}, {"n_components": 2.5}])
def test_lda_checks_before_it_works(wrong):
    pytest.importorskip("tomotopy", reason="tomotopy is not installed: the LDA baseline needs tacit[lda]")
    (name,) = wrong
    with pytest.raises(InputError, match=f"{name}={wrong[name]}"):
        LDAScorer(**wrong).fit(TEXTS)


def test_lda_without_its_extra_says_which(monkeypatch):
    monkeypatch.setitem(sys.modules, "tomotopy", None)
    with pytest.raises(MissingExtraError, match=r"LDA needs an extra: pip install 'tacit\[lda\]'"):
        LDAScorer().fit(TEXTS)


@pytest.mark.parametrize("scorer", [TfidfScorer(), LSAScorer(), LDAScorer(), NgramScorer(tfidf=True)])
def test_before_training_there_are_no_scores(scorer):
    with pytest.raises(NotFittedError, match=r"fit\(texts\) first"):
        scorer.score_pairs(["a"], ["b"])


@pytest.mark.parametrize("longest", [0, 1.5, True])
def test_the_longest_ngram_is_a_whole_number(longest):
    with pytest.raises(InputError, match=f"longest={longest}"):
        NgramScorer(longest)


def test_baselines_go_by_their_names():
    for name, (_, needs_training) in BASELINES.items():
        if needs_training:
            with pytest.raises(InputError, match=f"'{name}' learns from texts"):
                baseline(name)
        else:
            assert baseline(name).name == name
    assert baseline("lsa", iter(TEXTS), n_components=2).name == "lsa"
    with pytest.raises(InputError, match="no baseline is called 'bert'; there are random, surface"):
        baseline("bert")
