from __future__ import annotations

import pytest
from server_runs import running

from helpers.notes import notes_index, notes_model
from tacit.server.shelf import Shelf


@pytest.fixture(scope="session")
def served_model():
    return notes_model()


@pytest.fixture(scope="session")
def shelf(served_model):
    index = notes_index(served_model)
    shelf = Shelf("notes", served_model, index)
    shelf.warm()
    return shelf


@pytest.fixture(scope="session")
def service(shelf):
    with running(shelf) as service:
        yield service
