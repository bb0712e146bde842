"""Kernel for rows with few non-zeros: one n x n system each, eight at a time.

In whitened coordinates (``T = P L^-T``, where ``L L' = w_m P'P + lambda I`` is shared by all rows) a row
with observed columns V, values x and c = 1 - w_m has the best vector

    y = (I_K + c T_V' T_V)^-1 T_V' x  =  T_V' z,   (I_n + c T_V T_V') z = x        (push-through identity)

Eight rows of about the same length share one pass of the Cholesky factorization, each in its own lane.
Lanes do not mix and a shorter row is padded with the identity, so that its bits do not depend on the other
rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from tacit.compute.tiles import dot, jit, jit_inline, jit_reassoc, typed_intrinsic

LANES = 8


@jit_reassoc
def dots_2x4(a0, a1, b0, b1, b2, b3):  # type: ignore[no-untyped-def]
    """Compute the eight dot products of two rows with four others."""
    zero = a0.dtype.type(0)
    s00 = s01 = s02 = s03 = s10 = s11 = s12 = s13 = zero
    for k in range(len(a0)):
        u, v = a0[k], a1[k]
        w, x, y, z = b0[k], b1[k], b2[k], b3[k]
        s00 += u * w
        s01 += u * x
        s02 += u * y
        s03 += u * z
        s10 += v * w
        s11 += v * x
        s12 += v * y
        s13 += v * z
    return s00, s01, s02, s03, s10, s11, s12, s13


@jit_inline
def weighted_sum(T, columns, z, y):  # type: ignore[no-untyped-def]
    """Compute y = T_V' z, four columns at a time; z is padded with zeros."""
    last = len(columns) - 1
    y[:] = 0
    for i in range(0, len(columns), 4):
        a, b = T[columns[i]], T[columns[min(i + 1, last)]]
        c, d = T[columns[min(i + 2, last)]], T[columns[min(i + 3, last)]]
        z0, z1, z2, z3 = z[i], z[i + 1], z[i + 2], z[i + 3]
        for k in range(len(y)):
            y[k] += z0 * a[k] + z1 * b[k] + z2 * c[k] + z3 * d[k]


@typed_intrinsic
def eliminate(_typing, g, target, left, right, right_step, n):  # type: ignore[no-untyped-def]
    """Compute G[target + t] -= G[left] * G[right + t * right_step] for t < n; each G[...] is eight lanes."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        bits = sig.args[0].dtype.bitwidth
        vector = ir.VectorType(context.get_value_type(sig.args[0].dtype), LANES)
        data = context.make_array(sig.args[0])(context, builder, args[0]).data
        G = builder.bitcast(data, vector.as_pointer())
        fma = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(vector, [vector] * 3), f"llvm.fmuladd.v{LANES}f{bits}"
        )

        def load(index: Any) -> Any:
            value = builder.load(builder.gep(G, [index]))
            value.align = bits // 8
            return value

        factor = builder.fneg(load(args[2]))
        with cgutils.for_range(builder, args[5]) as loop:
            other = load(builder.add(args[3], builder.mul(loop.index, args[4])))
            index = builder.add(args[1], loop.index)
            store = builder.store(builder.call(fma, [factor, other, load(index)]), builder.gep(G, [index]))
            store.align = bits // 8
        return context.get_dummy_value()

    return types.void(g, target, left, right, right_step, n), codegen


@jit_inline
def multiply_lanes(G, target, factor):  # type: ignore[no-untyped-def]
    """Compute G[target] *= G[factor] in eight lanes."""
    for lane in range(LANES):
        G[target * LANES + lane] *= G[factor * LANES + lane]


@jit_inline
def solve_batch(G, n, width):  # type: ignore[no-untyped-def]
    """Solve eight symmetric n x n systems by Cholesky, in place; their right-hand sides are in row n."""
    rhs_row = n * width
    for j in range(n):
        pivot = j * width + j
        for k in range(pivot * LANES, (pivot + 1) * LANES):
            G[k] = 1 / np.sqrt(G[k])
        for i in range(j + 1, n + 1):
            multiply_lanes(G, i * width + j, pivot)
        for i in range(j + 1, n + 1):
            eliminate(G, i * width + j + 1, i * width + j, (j + 1) * width + j, width, min(i, n - 1) - j)
    for i in range(n - 1, -1, -1):
        multiply_lanes(G, rhs_row + i, i * width + i)
        eliminate(G, rhs_row, rhs_row + i, i * width, 1, i)


@jit_inline
def fill_lane(T, columns, x, c, lane, n, width, G):  # type: ignore[no-untyped-def]
    """Write I + c T_V T_V' and x to one lane of G, padded with the identity to n x n."""
    n_observed = len(columns)
    last = n_observed - 1
    for i in range(0, n_observed, 2):
        a0, a1 = T[columns[i]], T[columns[min(i + 1, last)]]
        for j in range(0, i + 2, 4):
            b0, b1 = T[columns[j]], T[columns[min(j + 1, last)]]
            b2, b3 = T[columns[min(j + 2, last)]], T[columns[min(j + 3, last)]]
            dots = dots_2x4(a0, a1, b0, b1, b2, b3)
            at = (i * width + j) * LANES + lane
            for t in range(4):
                G[at + t * LANES] = c * dots[t]
                G[at + (width + t) * LANES] = c * dots[4 + t]
    rhs = n * width * LANES + lane
    for i in range(n_observed):
        G[(i * width + i) * LANES + lane] += 1
        G[rhs + i * LANES] = x[i]
    for i in range(n_observed, n):
        for j in range(i):
            G[(i * width + j) * LANES + lane] = 0
        G[(i * width + i) * LANES + lane] = 1
        G[rhs + i * LANES] = 0


@jit
def solve_short(indptr, indices, data, T, c, rows, max_length, Y):  # type: ignore[no-untyped-def]
    """Compute Y[r] = y for each of ``rows``, of at most ``max_length`` columns; return the explained loss.

    At its best vector q a row's loss is x'x - b'q, where b'q = y'T_V'x = |y|^2 + |x - z|^2 / c.
    """
    width = max_length + 4
    G = np.zeros((max_length + 2) * width * LANES, T.dtype)
    z = np.empty(max_length + 3, T.dtype)
    explained_loss = 0.0
    for first in range(0, len(rows), LANES):
        group = rows[first : first + LANES]
        n = np.int64(0)  # not the literal 0, for which numba compiles the kernels below again
        for r in group:
            n = max(n, indptr[r + 1] - indptr[r])
        for lane in range(LANES):
            r = group[min(lane, len(group) - 1)]
            start = indptr[r]
            stop = indptr[r + 1] if lane < len(group) else start
            fill_lane(T, indices[start:stop], data[start:stop], c, lane, n, width, G)
        solve_batch(G, n, width)
        for lane in range(len(group)):
            r = group[lane]
            start, y = indptr[r], Y[r]
            n_observed = indptr[r + 1] - start
            z[n_observed : n_observed + 3] = 0
            squared_error = 0.0
            for i in range(n_observed):
                z[i] = G[(n * width + i) * LANES + lane]
                squared_error += (data[start + i] - z[i]) ** 2
            weighted_sum(T, indices[start : start + n_observed], z, y)
            explained_loss += dot(y, y)
            if c > 0:
                explained_loss += squared_error / c
    return explained_loss
