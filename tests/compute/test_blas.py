"""BLAS is limited to one thread inside the context; the last context restores the limit."""

from __future__ import annotations

import threading

import pytest
import scipy.linalg  # noqa: F401  (loads its own BLAS)
from threadpoolctl import threadpool_info, threadpool_limits

from tacit.compute import threads as module
from tacit.compute.threads import one_blas_thread


def threads() -> set[int]:
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def two_threads():
    with threadpool_limits(limits=2, user_api="blas"):
        if threads() != {2}:
            pytest.skip("this BLAS has no two threads")
        yield


def test_overlapping_contexts_restore_the_number_of_threads():
    first, second = one_blas_thread(), one_blas_thread()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)  # while the second is active, the limit stays 1
    assert threads() == {1}
    second.__exit__(None, None, None)
    assert threads() == {2}


def test_concurrent_contexts_restore_the_number_of_threads():
    numbers = set()

    def race() -> None:
        for _ in range(200):
            with one_blas_thread():
                numbers.update(threads())

    workers = [threading.Thread(target=race) for _ in range(4)]
    for thread in workers:
        thread.start()
    for thread in workers:
        thread.join()
    assert numbers == {1}
    assert threads() == {2}


def test_error_inside_restores_the_number_of_threads():
    with pytest.raises(ZeroDivisionError), one_blas_thread():
        _ = 1 / 0
    assert threads() == {2}


def test_blas_loaded_later_is_limited_too(monkeypatch):
    with one_blas_thread():
        pass
    before = module._find_blas_libraries.cache_info().misses
    monkeypatch.setitem(__import__("sys").modules, "a_module_loaded_later", threading)
    with one_blas_thread():
        assert module._find_blas_libraries.cache_info().misses == before + 1
