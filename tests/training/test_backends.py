"""Training backends: how a trainer uses them, and its state after a failure."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np
import pytest

from helpers.cats_and_stocks import TEXTS
from helpers.scaled import cut, training, write_corpus
from tacit import WTMF, TextVectorizer
from tacit.training.trainer import MemoryBackend


def trainer(**options):
    return WTMF(TextVectorizer(min_df=1), **{"n_components": 3, "regularization": 0.5, **options})


class FailingBackend(MemoryBackend):
    """Fails in one of its methods; ``released`` says whether the context of ``prepare`` was left."""

    def __init__(self, texts, stage):
        super().__init__(texts)
        self.stage, self.released = stage, False

    def fail_at(self, stage):
        if stage == self.stage:
            raise RuntimeError(stage)

    @contextmanager
    def prepare(self, vectorizer, parameters):
        with super().prepare(vectorizer, parameters) as corpus:
            try:
                self.fail_at("prepare")
                yield corpus
            finally:
                self.released = True

    def factorize(self, trainer, settings, rng):
        self.fail_at("factorize")
        return super().factorize(trainer, settings, rng)

    def text_statistics(self, language):
        self.fail_at("text_statistics")
        return super().text_statistics(language)


def test_fit_trains_on_the_memory_backend():
    backend = MemoryBackend(iter(TEXTS))
    actual, expected = trainer().fit_backend(backend), trainer().fit(TEXTS)
    assert actual.model_.provenance == expected.model_.provenance
    assert actual.word_vectors_.tobytes() == expected.word_vectors_.tobytes()
    assert np.array_equal(backend.vectors, expected.encode(TEXTS))
    assert "engine" not in actual.model_.provenance


@pytest.mark.parametrize("stage", ["prepare", "factorize", "text_statistics"])
def test_a_failed_training_keeps_the_earlier_model(stage):
    fitted = trainer().fit(TEXTS)
    model, loss = fitted.model_, fitted.loss_
    backend = FailingBackend(TEXTS[:6], stage)
    with pytest.raises(RuntimeError, match=stage):
        fitted.fit_backend(backend)
    assert backend.released
    assert (fitted.model_, fitted.loss_) == (model, loss)


@pytest.mark.parametrize("stage", ["prepare", "factorize", "text_statistics"])
def test_a_failed_first_training_leaves_no_attribute(stage):
    failed = trainer()
    with pytest.raises(RuntimeError, match=stage):
        failed.fit_backend(FailingBackend(TEXTS, stage))
    assert not failed.__sklearn_is_fitted__()


def test_resumed_training_that_had_converged_does_not_sweep(tmp_path):
    parts = cut(write_corpus(tmp_path / "texts.txt", n_texts=300), 3)
    first = training(parts, tmp_path / "work", n_iter=9, tol=0.5).run()
    sweeps = []
    options = {"n_iter": 9, "tol": 0.5, "callback": lambda *state: sweeps.append(state)}
    again = training(parts, tmp_path / "work", **options).run()
    assert sweeps == []
    assert again.loss_ == first.loss_
    assert again.word_vectors_.tobytes() == first.word_vectors_.tobytes()


def test_a_model_trained_on_disk_uses_the_threads_of_its_trainer(tmp_path):
    parts = cut(write_corpus(tmp_path / "texts.txt", n_texts=300), 3)
    fitted = training(parts, tmp_path / "work", n_iter=1, n_threads=3).run()
    assert fitted.model_.n_threads == 3
    assert fitted.model_.pivot.own_fold_in.n_threads == 3
