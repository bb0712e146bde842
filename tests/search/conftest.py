from __future__ import annotations

import pytest

from helpers.notes import NOTES, notes_index, notes_model
from tacit import Index


@pytest.fixture(scope="session")
def notes() -> list[str]:
    return NOTES


@pytest.fixture(scope="session")
def model():
    return notes_model()


@pytest.fixture
def index(model) -> Index:
    return notes_index(model)
