"""The papers' baselines that tacit itself has not: n-grams, LSA, LDA, chance among many candidates."""

from papers.baselines.lda import LDAScorer
from papers.baselines.lsa import LSAScorer
from papers.baselines.ngrams import NgramScorer
from papers.baselines.random_ranker import RandomRanker

__all__ = ["LDAScorer", "LSAScorer", "NgramScorer", "RandomRanker"]
