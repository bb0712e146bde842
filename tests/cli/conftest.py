from __future__ import annotations

import logging
import random
from pathlib import Path

import pytest

from helpers.cli_runs import tacit

SENTENCES = """\
the cat sleeps on the warm mat
a kitten is a young cat
our dog barks at the cat next door
a puppy is a young dog
my dog sleeps near the door
the kitten plays with the puppy on the mat
feed the dog and the cat twice a day
this puppy chews the mat and barks
the kitten sleeps while the dog barks
the old cat plays with a young puppy
the bank lends money to the firm
a loan from the bank costs interest
the bank pays interest on money you save
pay the loan back to the bank each month
save money at the bank every month
the firm pays interest on its loan
ask the bank to lend you money for a month
the interest on this loan is high
a firm that saves money needs no loan
the bank asks the firm to pay
rain falls from dark clouds
the wind blows the clouds and the rain away
snow falls when the wind is cold
cold wind and rain all day
dark clouds bring snow or rain
a warm day without wind or clouds
the snow melts on a warm day
cold rain turns into snow at night
the wind is high and the night is dark
clouds and wind before the rain
"""


@pytest.fixture(autouse=True)
def _logging_as_before():
    """The command takes the library's log for itself; other tests read it."""
    logger = logging.getLogger("tacit")
    handlers, propagate = list(logger.handlers), logger.propagate
    yield
    logger.handlers[:], logger.propagate = handlers, propagate


@pytest.fixture(scope="session")
def sentences() -> list[str]:
    return SENTENCES.splitlines()


@pytest.fixture(scope="session")
def corpus(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "notes.txt"
    path.write_text(SENTENCES, encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def model(tmp_path_factory, corpus) -> Path:
    """A small model that must not be changed."""
    folder = tmp_path_factory.mktemp("models") / "notes"
    result = tacit("train", folder, corpus, "--components", 8, "--regularization", 1)
    assert result.code == 0, result.err
    return folder


@pytest.fixture(scope="session")
def large_corpus(tmp_path_factory) -> Path:
    """Random words, enough of them that a sweep takes a while."""
    rng = random.Random(7)
    words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(8000)]
    path = tmp_path_factory.mktemp("large") / "large.txt"
    lines = (" ".join(words[int(8000 * rng.random() ** 3)] for _ in range(12)) for _ in range(30_000))
    path.write_text("\n".join(lines), encoding="utf-8")
    return path
