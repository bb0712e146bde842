from __future__ import annotations

import pytest

from helpers.paper_data import make_data


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The layout of the data with next to nothing in it."""
    root = tmp_path_factory.mktemp("data")
    make_data(root)
    return root
