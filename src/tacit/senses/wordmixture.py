"""The mixture of one word: its senses, what is typical of each, and what decides between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.threads import run
from tacit.senses.collect import Occurrence
from tacit.senses.consensus import consensus
from tacit.senses.inventory import N_EXAMPLES
from tacit.senses.localfeatures import Columns
from tacit.senses.mixture import Mixture, fit_mixture, log_likelihood, log_likelihoods, posterior, refine

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Array = NDArray[Any]
MOST_SENSES = 8
STEPS = 5
"""Of expectation-maximization, after the fits have agreed."""


@dataclass(frozen=True)
class WordMixture:
    """The components of a word's contexts with their shares of the contexts, and examples of each."""

    columns: Columns
    mixture: Mixture
    shares: Array
    background: Array
    examples: list[list[str]]

    def decide(self, row: Mapping[str, float]) -> tuple[Array, Array]:
        """The joint log-probabilities and the posteriors of one context."""
        joint = self.mixture.joint(self.columns.matrix([row]))
        return joint[0], posterior(joint)[0]

    def typical(self, sense: int, k: int = 8) -> list[str]:
        """The content words that speak most for a sense, by the likelihood they add over all contexts."""
        gain = np.exp(self.mixture.log_columns[:, sense]) * (
            self.mixture.log_columns[:, sense] - self.background
        )
        order = np.argsort(-gain, kind="stable")
        names = (self.columns.names[place] for place in order if gain[place] > 0)
        return [name for name, _ in zip((n for n in names if is_content(n)), range(k), strict=False)]

    def dimensions(self, sense: int, k: int = 2) -> list[int]:
        """The latent dimensions that stand out in a sense."""
        logs = self.mixture.log_columns[-self.columns.n_topics :, sense]
        gain = np.exp(logs) * (logs - self.background[-self.columns.n_topics :])
        return [int(place) for place in np.argsort(-gain, kind="stable")[:k]]

    def evidence(self, row: Mapping[str, float], order: Array) -> list[tuple[str, float]]:
        """What each feature adds to the best sense's lead over the next; topics are added up."""
        if len(order) < 2:
            return []
        logs = self.mixture.log_columns
        found: dict[str, float] = {}
        for name, value in row.items():
            lead = value * float(np.subtract(*logs[self.columns.index[name], order[:2]]))
            shown = "(topics)" if name.startswith("#") else name
            found[shown] = found.get(shown, 0.0) + lead
        return sorted(found.items(), key=lambda pair: (-abs(pair[1]), pair[0]))


def is_content(name: str) -> bool:
    """Whether a column is a content word: no place, no relation, no topic."""
    return ":" not in name and not name.startswith("#")


def fit_word(
    occurrences: Sequence[Occurrence],
    columns: Columns,
    X: csr_array,
    n_senses: int,
    prior: float,
    n_restarts: int,
    seed: int,
    n_threads: int = 1,
) -> WordMixture:
    """Fit the mixture of a word several times and let the fits agree on one."""
    mixture, shares = agreed_mixture(X, n_senses, prior, n_restarts, seed, n_threads)
    labels = shares.argmax(axis=1)
    examples: list[list[str]] = []
    for sense in range(n_senses):
        own = np.flatnonzero(labels == sense)
        clearest = own[np.argsort(-shares[own, sense], kind="stable")][:N_EXAMPLES]
        examples.append([occurrences[i].text for i in clearest])
    weights = np.bincount(labels, minlength=n_senses) / max(len(labels), 1)
    counts = np.asarray(X.sum(axis=0)).ravel() + 1e-9
    return WordMixture(columns, mixture, weights, np.log(counts / counts.sum()), examples)


def agreed_mixture(
    X: csr_array, n_senses: int, prior: float, n_restarts: int, seed: int, n_threads: int = 1
) -> tuple[Mixture, Array]:
    """What several mixtures agree on, with the posteriors of its rows: a few steps from their mean.

    A single fit, even the most likely, stops at a local optimum; what chance did to it the mean forgets.
    """
    found = run(
        lambda start: fit_mixture(X, n_senses, prior, seed=[seed, start]), range(n_restarts), n_threads
    )
    likelihoods = [log_likelihood(mixture.joint(X)) for mixture, _ in found]
    best_first = np.argsort(likelihoods, kind="stable")[::-1]
    mean = consensus([found[place][1] for place in best_first])
    return refine(X, mean, prior, np.ones(STEPS))


def choose_senses(X: csr_array, prior: float, n_restarts: int, seed: int, n_threads: int = 1) -> int:
    """The fewest senses under which held-out contexts are about as likely as under any number.

    About as likely: within one standard error of the best.
    """
    n = X.shape[0]
    if n < 2 * MOST_SENSES:
        return 1
    held = np.random.default_rng(seed).permutation(n) < n // 5
    scores = []
    for n_senses in range(1, MOST_SENSES + 1):
        mixture, _ = agreed_mixture(X[~held], n_senses, prior, n_restarts, seed, n_threads)
        scores.append(log_likelihoods(mixture.joint(X[held])))
    best = scores[int(np.argmax([score.sum() for score in scores]))]
    for n_senses, score in enumerate(scores, 1):
        lag = best - score
        if lag.mean() <= lag.std() / np.sqrt(len(lag)):
            return n_senses
    return MOST_SENSES
