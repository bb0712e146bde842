"""What several clusterings of the same rows agree on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

Array = NDArray[Any]


def consensus(shares: Sequence[Array]) -> Array:
    """The mean of several clusterings, rows x clusters each, whatever their clusters are called.

    Each is renamed so that it agrees most with the sum of those before it; the first gives the names.

    >>> import numpy as np
    >>> one = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> consensus([one, one[:, ::-1]])
    array([[1., 0.],
           [1., 0.],
           [0., 1.]])
    """
    from scipy.optimize import linear_sum_assignment

    total: Array = shares[0].copy()
    for other in shares[1:]:
        _, names = linear_sum_assignment(total.T @ other, maximize=True)
        total += other[:, names]
    return total / len(shares)
