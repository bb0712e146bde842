from __future__ import annotations

from importlib import import_module
from inspect import isfunction

import pytest

from helpers.paper_data import make_data
from papers.code_digest import UNUSED


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The layout of the data with next to nothing in it."""
    root = tmp_path_factory.mktemp("data")
    make_data(root)
    return root


@pytest.fixture(autouse=True)
def without_what_no_digest_covers(monkeypatch):
    """Whatever is computed in these tests is computed without the code that results are not kept by."""

    def shut(*args, **kwargs):
        raise AssertionError("code that the digest of a result leaves out was used for one")

    for name in UNUSED:
        for function in vars(import_module(name)).values():
            if isfunction(function) and function.__module__ == name:
                monkeypatch.setattr(function, "__code__", shut.__code__)
