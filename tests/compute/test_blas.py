"""BLAS on one thread for as long as anybody needs it, and no longer."""

from __future__ import annotations

import threading

import pytest
import scipy.linalg  # noqa: F401  (it brings a BLAS of its own)
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


def test_callers_that_overlap_leave_the_number_as_it_was():
    first, second = one_blas_thread(), one_blas_thread()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)  # the second's own record of the number is 1
    assert threads() == {1}
    second.__exit__(None, None, None)
    assert threads() == {2}


def test_threads_that_race_leave_the_number_as_it_was():
    seen = set()

    def race() -> None:
        for _ in range(200):
            with one_blas_thread():
                seen.update(threads())

    racing = [threading.Thread(target=race) for _ in range(4)]
    for thread in racing:
        thread.start()
    for thread in racing:
        thread.join()
    assert seen == {1}
    assert threads() == {2}


def test_an_error_inside_sets_it_back():
    with pytest.raises(ZeroDivisionError), one_blas_thread():
        _ = 1 / 0
    assert threads() == {2}


def test_a_blas_that_came_later_is_limited_too(monkeypatch):
    with one_blas_thread():
        pass
    before = module._find_blas_libraries.cache_info().misses
    monkeypatch.setitem(__import__("sys").modules, "a_module_that_came_later", threading)
    with one_blas_thread():
        assert module._find_blas_libraries.cache_info().misses == before + 1
