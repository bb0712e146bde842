"""Texts' vectors put together again from what the texts left are those that were solved."""

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

K, STAMP = 16, 41


@pytest.fixture
def given():
    rng = np.random.default_rng(0)
    return whiten(
        Factors.from_vectors(rng.standard_normal((500, K)).astype(np.float32)), 0.01, 1.0, 1, diagonal=True
    )[0]


@pytest.fixture
def rows(tmp_path):
    """Short texts, texts longer than K words, which are solved another way, and empty ones."""
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


def left_file(rows):
    return os.path.join(os.path.dirname(rows.path), "left-000003.bin")


def test_a_vector_is_the_sum_of_its_words_by_what_the_text_left(rows, given):
    for block, Y in solved_blocks(rows, given):
        z, again = compute_text_residuals(block, Y, given), np.zeros_like(Y)
        combine_words_kernel(block.indptr, block.indices, z, given.T, again)
        for row in (0, 1, 17, block.shape[0] - 2):  # the formulae in float64
            own = slice(block.indptr[row], block.indptr[row + 1])
            T, x = given.T[block.indices[own]].astype(float), block.data[own].astype(float)
            y = np.linalg.solve(np.eye(K) + float(given.c) * T.T @ T, T.T @ x)
            np.testing.assert_allclose(z[own], x - float(given.c) * T @ y, atol=2e-5)
            np.testing.assert_allclose(again[row], T.T @ (x - float(given.c) * T @ y), atol=2e-5)
        np.testing.assert_allclose(again, Y, atol=1e-4)


def cut_short(path):
    os.truncate(path, os.path.getsize(path) - 4)


def one_bit_other(path):
    with open(path, "r+b") as file:
        file.seek(1000)
        byte = file.read(1)[0]
        file.seek(1000)
        file.write(bytes([byte ^ 1]))


@pytest.mark.parametrize("harm", [os.unlink, cut_short, one_bit_other, lambda path: os.truncate(path, 3)])
def test_what_is_not_as_it_was_kept_is_found_again_with_the_same_bits(rows, given, harm):
    directions = np.random.default_rng(2).standard_normal(given.T.shape).astype(np.float32)
    word_gradients_pass(rows, given, STAMP)
    before = word_products_pass(rows, given, STAMP, directions).rows.tobytes()
    harm(left_file(rows))
    assert word_products_pass(rows, given, STAMP, directions).rows.tobytes() == before


def test_what_another_sweep_kept_is_not_taken(rows, given):
    word_gradients_pass(rows, given, STAMP)
    given.T[:] *= 0.5  # another sweep's words, under another stamp
    ours = [Y for _, Y in iterate_restored_blocks(rows, given, STAMP + 1)]
    theirs = [Y for _, Y in iterate_restored_blocks(rows, given, STAMP)]
    expected = [Y for _, Y in solved_blocks(rows, given)]
    np.testing.assert_allclose(np.concatenate(ours), np.concatenate(expected), atol=1e-4)
    assert np.abs(np.concatenate(theirs) - np.concatenate(expected)).max() > 0.01


def test_a_full_disk_is_told_and_leaves_no_part_of_a_file(rows, given, tmp_path):
    with Fault("write", 1, no_space), pytest.raises(InputError, match=r"left-000003.*No space left"):
        word_gradients_pass(rows, given, STAMP)
    assert [path.name for path in tmp_path.iterdir()] == ["rows-000003.bin"]


def test_a_training_that_finds_nothing_kept_ends_with_the_same_bits(tmp_path):
    """As on a cluster whose file system is behind: all that the first pass kept is gone before the next."""
    parts = cut(write_corpus(tmp_path / "texts.txt", n_texts=600))
    kept = training(parts, tmp_path / "a", n_iter=2).run()
    gone = []

    class Forgetful(ThreadEngine):
        def run(self, function, items, shared, add, on_done):
            if function is word_products_pass:
                for path in (tmp_path / "b").glob("left-*"):
                    path.unlink()
                    gone.append(path)
            return super().run(function, items, shared, add, on_done)

    assert vectors(training(parts, tmp_path / "b", Forgetful(1), n_iter=2).run()) == vectors(kept)
    assert len(gone) == 2 * len(parts)
