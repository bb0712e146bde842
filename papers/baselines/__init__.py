"""Baselines of the papers that tacit does not have: n-grams, LSA, LDA, chance among many candidates."""

from papers.baselines.lda import LDAScorer
from papers.baselines.scorers import LSAScorer, NgramScorer, RandomRanker

__all__ = ["LDAScorer", "LSAScorer", "NgramScorer", "RandomRanker"]
