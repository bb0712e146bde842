"""LDA of the papers' tables against tomotopy: Gibbs sampling of WordNet's definitions, one thread each.

    python benchmarks/lda.py [--texts N] [--topics K]

Both sample the same tokens with the same priors, in turns, after the same number of burn-in iterations. The
log-likelihood of a word given the topics is printed too, by one formula for both: the samplers must agree.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

import numpy as np
from scipy.special import gammaln

from tacit.corpora import read_named_texts

sys.path.insert(0, str(Path(__file__).parents[1]))  # papers is not installed with tacit
from papers.baselines.lda import GibbsChain, LDAScorer
from tacit import TextVectorizer

ALPHA = BETA = 0.05


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--texts", type=int, default=None)
    parser.add_argument("--topics", type=int, default=100)
    parser.add_argument("--iterations", type=int, default=50)
    options = parser.parse_args()
    import tomotopy

    scorer = LDAScorer(vectorizer=TextVectorizer.paper(min_df=1, min_count=2))
    texts = [
        text for text, _ in zip(read_named_texts("wordnet"), range(options.texts or 10**9), strict=False)
    ]
    scorer.learn_words(texts)
    words, lengths = scorer._words(texts)
    n_words = len(scorer.vectorizer_.words_)
    chain = GibbsChain()
    chain.begin(words, lengths, n_words, options.topics, seed=0)
    peer = tomotopy.LDAModel(k=options.topics, alpha=ALPHA, eta=BETA, seed=1)
    peer.optim_interval = 0
    for text in np.split(words, np.cumsum(lengths)[:-1]):
        if len(text):
            peer.add_doc([str(word) for word in text])
    ours, theirs = [], []
    for turn in range(6):  # the first is burn-in, and compiles
        start = time.perf_counter()
        chain.run(chain.iterations + options.iterations, ALPHA, BETA)
        ours.append((time.perf_counter() - start) / options.iterations)
        start = time.perf_counter()
        peer.train(options.iterations, workers=1)
        theirs.append((time.perf_counter() - start) / options.iterations)
        likelihoods = [fit(chain.state.word_topic_counts), fit(counts(peer, n_words))]
        text = " and ".join(f"{likelihood:.3f}" for likelihood in likelihoods)
        print(f"after {(turn + 1) * options.iterations:4} iterations: {text} a word")
    per = {"tacit": statistics.median(ours[1:]), f"tomotopy ({tomotopy.isa})": statistics.median(theirs[1:])}
    print(f"{len(texts):,} texts, {len(words):,} tokens of {n_words:,} words, {options.topics} topics")
    for name, seconds in per.items():
        print(
            f"{name:22} {seconds * 1000:8.1f} ms an iteration, {seconds / len(words) * 1e9:5.0f} ns a token"
        )
    print(f"tacit is {statistics.median(theirs[1:]) / statistics.median(ours[1:]):.2f} times as fast")


def fit(word_topic_counts: np.ndarray) -> float:
    """Compute the log-likelihood of a word given the topics; word distributions are integrated out."""
    n_words, n_topics = word_topic_counts.shape
    totals = word_topic_counts.sum(axis=0)
    words = (gammaln(word_topic_counts + BETA) - gammaln(BETA)).sum()
    return float(
        (words + n_topics * gammaln(n_words * BETA) - gammaln(totals + n_words * BETA).sum()) / totals.sum()
    )


def counts(peer, n_words: int) -> np.ndarray:
    """Compute the counts of words x topics from the distributions of tomotopy."""
    result = np.zeros((n_words, peer.k))
    totals = np.asarray(peer.get_count_by_topics(), dtype=float)
    columns = [int(word) for word in peer.used_vocabs]
    for topic in range(peer.k):
        share = np.asarray(peer.get_topic_word_dist(topic), dtype=float)
        result[columns, topic] = np.maximum(share * (totals[topic] + n_words * BETA) - BETA, 0).round()
    return result


if __name__ == "__main__":
    main()
