"""Text vectors restored from text residuals equal those that were solved."""

from __future__ import annotations

import os

import numpy as np
import pytest

from helpers.faults import Fault, no_space
from helpers.scaled import cut, training, vectors, write_corpus
from tacit.compute.csr import CSRArrays
from tacit.errors import InputError
from tacit.factorize.row_solver import Factors, whiten
from tacit.scale.engines import ThreadEngine
from tacit.scale.partition_files import save_rows
from tacit.scale.passes import (
    combine_words_kernel,
    compute_text_residuals,
    iterate_restored_blocks,
    word_gradients_pass,
    word_products_pass,
)

K, SWEEP_ID = 16, 41


@pytest.fixture
def whitened():
    rng = np.random.default_rng(0)
    return whiten(
        Factors.from_vectors(rng.standard_normal((500, K)).astype(np.float32)), 0.01, 1.0, 1, diagonal=True
    )[0]


@pytest.fixture
def rows(tmp_path):
    """Write short texts, texts of more than K words, which another solver handles, and empty ones."""
    rng = np.random.default_rng(1)
    lengths = np.concatenate([rng.integers(0, 12, 9000), rng.integers(13, 60, 50), [0]])
    columns = [np.sort(rng.choice(500, n, replace=False)) for n in lengths]
    data = rng.uniform(0.5, 3, lengths.sum()).astype(np.float32)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    arrays = CSRArrays(starts, np.concatenate(columns), data, (len(lengths), 500))
    return save_rows(tmp_path / "rows-000003.bin", "texts", arrays)


def solved_blocks(rows, whitened):
    for block in rows.iterate_blocks(whitened.T.dtype):
        yield block, whitened.solve(block)[0].coordinates


def residuals_path(rows):
    return os.path.join(os.path.dirname(rows.path), "left-000003.bin")


def test_vector_is_the_sum_of_words_weighted_by_residuals(rows, whitened):
    for block, Y in solved_blocks(rows, whitened):
        z, restored = compute_text_residuals(block, Y, whitened), np.zeros_like(Y)
        combine_words_kernel(block.indptr, block.indices, z, whitened.T, restored)
        for row in (0, 1, 17, block.shape[0] - 2):  # the formulae in float64
            entries = slice(block.indptr[row], block.indptr[row + 1])
            T, x = whitened.T[block.indices[entries]].astype(float), block.data[entries].astype(float)
            y = np.linalg.solve(np.eye(K) + float(whitened.c) * T.T @ T, T.T @ x)
            np.testing.assert_allclose(z[entries], x - float(whitened.c) * T @ y, atol=2e-5)
            np.testing.assert_allclose(restored[row], T.T @ (x - float(whitened.c) * T @ y), atol=2e-5)
        np.testing.assert_allclose(restored, Y, atol=1e-4)


def truncate(path):
    os.truncate(path, os.path.getsize(path) - 4)


def flip_one_bit(path):
    with open(path, "r+b") as file:
        file.seek(1000)
        byte = file.read(1)[0]
        file.seek(1000)
        file.write(bytes([byte ^ 1]))


@pytest.mark.parametrize("damage", [os.unlink, truncate, flip_one_bit, lambda path: os.truncate(path, 3)])
def test_damaged_residuals_are_recomputed_with_the_same_bits(rows, whitened, damage):
    directions = np.random.default_rng(2).standard_normal(whitened.T.shape).astype(np.float32)
    word_gradients_pass(rows, whitened, SWEEP_ID)
    before = word_products_pass(rows, whitened, SWEEP_ID, directions).rows.tobytes()
    damage(residuals_path(rows))
    assert word_products_pass(rows, whitened, SWEEP_ID, directions).rows.tobytes() == before


def test_residuals_of_another_sweep_are_not_used(rows, whitened):
    word_gradients_pass(rows, whitened, SWEEP_ID)
    whitened.T[:] *= 0.5  # the words of another sweep
    recomputed = [Y for _, Y in iterate_restored_blocks(rows, whitened, SWEEP_ID + 1)]
    restored = [Y for _, Y in iterate_restored_blocks(rows, whitened, SWEEP_ID)]
    expected = [Y for _, Y in solved_blocks(rows, whitened)]
    np.testing.assert_allclose(np.concatenate(recomputed), np.concatenate(expected), atol=1e-4)
    assert np.abs(np.concatenate(restored) - np.concatenate(expected)).max() > 0.01


def test_full_disk_is_an_error_and_leaves_no_partial_file(rows, whitened, tmp_path):
    with Fault("write", 1, no_space), pytest.raises(InputError, match=r"left-000003.*No space left"):
        word_gradients_pass(rows, whitened, SWEEP_ID)
    assert [path.name for path in tmp_path.iterdir()] == ["rows-000003.bin"]


def test_training_without_residual_files_has_the_same_bits(tmp_path):
    """All residual files are deleted before the next pass, as if a network file system did not show them."""
    parts = cut(write_corpus(tmp_path / "texts.txt", n_texts=600))
    expected = training(parts, tmp_path / "a", n_iter=2).run()
    deleted = []

    class DeletingEngine(ThreadEngine):
        def run(self, function, items, shared, add, on_done):
            if function is word_products_pass:
                for path in (tmp_path / "b").glob("left-*"):
                    path.unlink()
                    deleted.append(path)
            return super().run(function, items, shared, add, on_done)

    assert vectors(training(parts, tmp_path / "b", DeletingEngine(1), n_iter=2).run()) == vectors(expected)
    assert len(deleted) == 2 * len(parts)
