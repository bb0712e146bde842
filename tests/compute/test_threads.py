"""Blocks on several threads: order of results, errors, number of threads."""

from __future__ import annotations

import threading
import time

import pytest

from tacit.compute.threads import effective_n_threads, run_blocks
from tacit.errors import InputError


@pytest.mark.parametrize("n_threads", [1, 2, 7])
def test_results_keep_the_order_of_the_blocks(n_threads):
    assert run_blocks(lambda b: b * b, range(100), n_threads) == [b * b for b in range(100)]


@pytest.mark.parametrize("n_threads", [1, 3])
def test_error_stops_remaining_blocks_and_is_raised(n_threads):
    done = []

    def work(block: int) -> None:
        if block == 5:
            raise KeyboardInterrupt
        time.sleep(0.001)
        done.append(block)

    with pytest.raises(KeyboardInterrupt):
        run_blocks(work, range(5000), n_threads)
    assert len(done) < 2500


def test_blocks_run_on_several_threads():
    barrier = threading.Barrier(2, timeout=10)
    run_blocks(lambda _: barrier.wait(), range(2), n_threads=2)  # would time out on one thread
    assert not barrier.broken


@pytest.mark.parametrize("bad", [0, -1, 1.5, "2", True])
def test_invalid_n_threads_raises_input_error(bad):
    with pytest.raises(InputError, match="n_threads="):
        effective_n_threads(bad)
