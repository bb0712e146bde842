from __future__ import annotations

import pytest

from helpers.notes import notes_index, notes_model
from helpers.services import running_service
from tacit.server.served_collection import ServedCollection


@pytest.fixture(scope="session")
def served_model():
    return notes_model()


@pytest.fixture(scope="session")
def models(served_model):
    index = notes_index(served_model)
    models = ServedCollection("notes", served_model, index)
    models.warm_up()
    return models


@pytest.fixture(scope="session")
def service(models):
    with running_service(models) as service:
        yield service
