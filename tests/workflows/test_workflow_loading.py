"""Loading folders by kind."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import tacit
from tacit import InputError, ModelError
from tacit.decisions.grading import TaughtMeasure
from tacit.workflows.loading import _KINDS, load

TEXTS = [
    "the cat sat on the mat",
    "a cat sleeps on the mat",
    "the stocks fell today",
    "stocks and bonds fell",
    "the bank sold bonds",
    "a dog and a cat sleep",
]


@pytest.fixture(scope="module")
def folders(tmp_path_factory) -> dict[str, Path]:
    """One folder of each kind."""
    root = tmp_path_factory.mktemp("folders")
    model = tacit.WTMF(n_components=4, regularization=0.1).fit(TEXTS)
    index = tacit.Index(model.model_)
    index.add(TEXTS)
    labels = ["animals" if "cat" in text else "money" for text in TEXTS]
    saved = {
        "model": model,
        "index": index,
        "senses": tacit.SenseModel(n_components=2, n_clusters=2, min_count=1, max_df=1.0).fit(TEXTS * 3),
        "classifier": tacit.TextClassifier(lambda_=1.0, C=1.0).fit(TEXTS, labels),
        "kernel": tacit.ExponentialKernel().fit(TEXTS),
        "measure": TaughtMeasure(["blend"], np.ones(1), 0.0),
    }
    for kind, each in saved.items():
        each.save(root / kind)
    return {kind: root / kind for kind in saved}


@pytest.mark.parametrize("kind", _KINDS)
def test_each_kind_loads_with_and_without_its_name(folders, kind):
    assert type(load(folders[kind], kind)).__name__ in _KINDS[kind].classes
    assert type(tacit.load(folders[kind])) is type(load(folders[kind], kind, verify=True))


@pytest.mark.parametrize("needed", _KINDS)
@pytest.mark.parametrize("kind", _KINDS)
def test_another_kind_is_an_error_that_names_both(folders, kind, needed):
    if kind == needed or (kind, needed) == ("index", "model"):
        load(folders[kind], needed)
        return
    with pytest.raises(ModelError) as error:
        load(folders[kind], needed)
    message = str(error.value)
    assert f"holds {_KINDS[kind].noun}, not {_KINDS[needed].noun}" in message
    assert re.split(" OUT| --save| PAIRS", _KINDS[needed].command)[0] in message


def test_an_index_instead_of_a_model_gives_its_model(folders):
    assert load(folders["index"], "model").n_words == load(folders["model"]).n_words


def test_the_error_for_an_index_names_the_model_to_use(folders):
    with pytest.raises(ModelError, match=f"tacit index OUT FILE --model {folders['model']}"):
        load(folders["model"], "index")


@pytest.mark.parametrize("kind", ["model", "index", "senses"])
def test_n_threads_is_set_on_what_is_loaded(folders, kind):
    assert load(folders[kind], kind, 1).n_threads == 1


def test_trusted_is_accepted_for_every_kind(folders):
    for kind, folder in folders.items():
        assert load(folder, kind, trusted=True)


def test_an_unknown_kind_is_an_input_error(folders):
    with pytest.raises(InputError, match=r"kind='indexes'.*did you mean index"):
        load(folders["index"], "indexes")
