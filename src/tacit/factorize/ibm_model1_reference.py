"""IBM model 1 (Brown et al. 1993) by EM with a dictionary of counts (test oracle)."""

from __future__ import annotations

from collections.abc import Sequence


def fit_ibm_model1(pairs: Sequence[tuple[list[int], list[int]]], n_iter: int) -> dict[tuple[int, int], float]:
    """Estimate t(f|e) for the words e of the first texts, of which -1 is the NULL word.

    >>> table = fit_ibm_model1([([0, 1], [5, 6]), ([0], [5])], 20)
    >>> table[0, 5] > 0.9, table[1, 6] > 0.9
    (True, True)
    """
    t: dict[tuple[int, int], float] = {}
    for es, fs in pairs:
        t |= {(e, f): 1.0 for e in (-1, *es) for f in fs}
    for _ in range(n_iter):
        count = dict.fromkeys(t, 0.0)
        for es, fs in pairs:
            for f in fs:
                denominator = sum(t[e, f] for e in (-1, *es))
                for e in (-1, *es):
                    count[e, f] += t[e, f] / denominator
        totals: dict[int, float] = {}
        for (e, _), value in count.items():
            totals[e] = totals.get(e, 0.0) + value
        t = {(e, f): value / totals[e] for (e, f), value in count.items()}
    return t
