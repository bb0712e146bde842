"""With missing words as heavy as the others and no shrinking, WMF is the truncated SVD (LSA)."""

from __future__ import annotations

import numpy as np
from sklearn.decomposition import TruncatedSVD

from tacit import WMF


def test_wmf_with_full_weight_reaches_the_loss_of_the_svd():
    rng = np.random.default_rng(0)
    X = np.where(rng.random((60, 40)) < 0.3, rng.random((60, 40)), 0.0)
    svd = TruncatedSVD(5, algorithm="arpack", random_state=0).fit(X)
    best = np.square(X - svd.transform(X) @ svd.components_).sum()
    wmf = WMF(n_components=5, missing_weight=1.0, regularization=0.0, n_iter=1000, tol=1e-12).fit(X)
    assert wmf.loss_[-1] >= best * (1 - 1e-9)
    np.testing.assert_allclose(wmf.loss_[-1], best, rtol=1e-4)
    reached = np.square(X - wmf.transform(X) @ wmf.components_).sum()
    np.testing.assert_allclose(reached, wmf.loss_[-1], rtol=1e-6)
