"""The mixture's kernel against its formula."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from tacit.factorize import mixture_reference as reference
from tacit.factorize.mixture import anneal


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 10), st.integers(1, 7), st.integers(1, 4))
def test_the_kernel_is_the_formula(seed, n, m, k):
    random = np.random.default_rng(seed)
    X = random.poisson(0.7, (n, m)) * random.random((n, m))
    pseudo, shares = random.random(m) + 0.1, random.dirichlet(np.ones(k), n)
    exponents = np.linspace(0.2, 1, 5)
    expected = reference.anneal(X, shares.copy(), pseudo, exponents)
    sparse = csr_array(X)
    found = anneal(
        sparse.indptr.astype(np.int64),
        sparse.indices.astype(np.int32),
        sparse.data,
        shares,
        pseudo,
        exponents,
    )
    for ours, theirs in zip((*found, shares), expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-9)
