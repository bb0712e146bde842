"""Training out of core: close to training in memory, with the same bits for any threads and memory."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import tacit
from helpers.scaled import cut, training, vectors, write_corpus
from tacit import WTMF, TextVectorizer
from tacit.corpora.partitions import partition_corpus
from tacit.errors import InputError
from tacit.factorize.als import factorize
from tacit.models.percentiles import model_percentiles
from tacit.scale.engines import ThreadEngine


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return write_corpus(tmp_path_factory.mktemp("corpus") / "texts.txt")


@pytest.fixture(scope="module")
def trained(corpus, tmp_path_factory):
    run = training(cut(corpus), tmp_path_factory.mktemp("work"), n_iter=8)
    return run.run()


def read_texts(corpus):
    return corpus.read_text(encoding="utf-8").splitlines()


def test_result_is_close_to_training_in_memory(corpus, trained):
    in_memory = WTMF(n_components=12, n_iter=8, n_threads=1).fit(read_texts(corpus))
    assert trained.loss_[-1] == pytest.approx(in_memory.loss_[-1], rel=2e-3)
    assert all(a >= b for a, b in zip(trained.loss_, trained.loss_[1:], strict=False))
    settings, expected = trained.model_.provenance["settings"], in_memory.model_.provenance["settings"]
    assert settings == pytest.approx(expected, rel=1e-9)
    left, right = read_texts(corpus)[:200], read_texts(corpus)[200:400]
    on_disk, expected = (t.similarity(left, right, measure="latent") for t in (trained, in_memory))
    assert np.corrcoef(on_disk.ravel(), expected.ravel())[0, 1] > 0.98


def test_model_has_provenance_and_can_be_saved(corpus, trained, tmp_path):
    in_memory = WTMF(n_components=12, n_iter=8, n_threads=1).fit(read_texts(corpus))
    model, other = trained.model_, in_memory.model_
    assert model.provenance.keys() - other.provenance.keys() == {"engine", "partitions", "residual"}
    assert np.trace(model.pivot.text_gram) == pytest.approx(np.trace(other.pivot.text_gram), rel=0.02)
    assert model.provenance["spread"] == pytest.approx(other.provenance["spread"], abs=0.05, rel=0.05)
    assert model_percentiles(model, [0.0, 1.0], "blend")[1] == 100
    trained.save(tmp_path / "model")
    again = tacit.load(tmp_path / "model")
    np.testing.assert_array_equal(
        again.encode(read_texts(corpus)[:50]), model.encode(read_texts(corpus)[:50])
    )


@pytest.mark.parametrize(("n_threads", "memory"), [(2, 10**9), (3, 10**8), (1, 50 * 10**6)])
def test_threads_and_memory_do_not_change_bits(corpus, tmp_path, n_threads, memory):
    parts = cut(corpus)
    once = training(parts, tmp_path / "a", n_iter=2).run()
    again = training(
        parts, tmp_path / "b", ThreadEngine(n_threads), memory, n_iter=2, n_threads=n_threads
    ).run()
    assert vectors(once) == vectors(again)
    assert once.loss_ == again.loss_


def test_memory_training_has_the_bits_of_exact_sweeps(corpus):
    texts = read_texts(corpus)
    model = WTMF(n_components=12, n_iter=3, n_threads=2).fit(texts)
    rows = TextVectorizer().fit_transform_rows(texts)
    X = csr_matrix((rows.data, rows.indices, rows.indptr), rows.shape)
    start = np.random.default_rng(0).standard_normal((rows.shape[1], 12)).astype(np.float32)
    settings = {name: v for name, v in model.model_.provenance["settings"].items() if name != "n_components"}
    (P,), losses = factorize([[X]], [start], **settings)
    assert P.tobytes() == vectors(model)
    assert losses == model.loss_


def test_every_format_gives_the_same_model(corpus, tmp_path):
    csv = tmp_path / "texts.csv"
    csv.write_text("id,text\n" + "".join(f"{n},{t}\n" for n, t in enumerate(read_texts(corpus))), "utf-8")
    lines = training(partition_corpus([corpus]), tmp_path / "a", n_iter=1).run()
    table = training(partition_corpus([csv], "text"), tmp_path / "b", n_iter=1).run()
    assert vectors(lines) == vectors(table)


def test_ill_conditioned_sweeps_are_solved_in_float64(corpus, tmp_path):
    options = {"n_components": 5, "missing_weight": 1e-6, "regularization": 1e-3, "n_iter": 2}
    actual = training(cut(corpus), tmp_path / "work", **options).run()
    in_memory = WTMF(n_threads=1, **options).fit(read_texts(corpus))
    assert actual.word_vectors_.dtype == np.float32
    assert np.isfinite(actual.loss_).all()
    assert actual.loss_[0] < 3 * in_memory.loss_[0]


def test_a_training_in_partitions_stops_by_tolerance_and_callback(corpus, tmp_path):
    assert len(training(cut(corpus), tmp_path / "a", n_iter=9, tol=0.5).run().loss_) == 2
    stopped = training(cut(corpus), tmp_path / "b", n_iter=9, callback=lambda sweep, loss: sweep == 3)
    assert len(stopped.run().loss_) == 3


def test_work_folder_is_removed(corpus, tmp_path):
    run = training(cut(corpus), tmp_path / "work", n_iter=1)
    run.run()
    assert list((tmp_path / "work").glob("rows-*"))
    run.backend.remove_work_folder()
    assert not (tmp_path / "work").exists()


def test_invalid_input_raises_before_work_starts(corpus, tmp_path):
    parts = cut(corpus)
    with pytest.raises(InputError, match="a background needs training in memory"):
        training(parts, tmp_path / "a", background=["a text"]).run()
    with pytest.raises(InputError, match="there are no texts"):
        training([], tmp_path / "a")
    with pytest.raises(
        InputError, match=r"words x 12 components need \d+\.\d kB, and only 1.0 kB of memory may be used"
    ):
        training(parts, tmp_path / "b", memory=1000).run()
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match="neither empty nor a work folder of tacit"):
        training(parts, tmp_path / "c").run()
    same, empty = tmp_path / "same.txt", tmp_path / "empty.txt"
    same.write_text("a cat\na cat\n", encoding="utf-8")
    empty.write_text("\n\n", encoding="utf-8")
    with pytest.raises(InputError, match="every word is in every text"):
        training(cut(same, 1), tmp_path / "d", vectorizer=TextVectorizer(idf="plain")).run()
    with pytest.raises(InputError, match="the corpus is empty"):
        training(cut(empty, 1), tmp_path / "e").run()


def test_similar_vectors_log_a_warning(tmp_path, caplog):
    path = tmp_path / "alike.txt"
    path.write_text("".join(f"the same words again {'x' * (n % 3)}\n" for n in range(60)), encoding="utf-8")
    with caplog.at_level(logging.WARNING, "tacit.training"):
        training(cut(path, 3), tmp_path / "work", n_components=2).run()
    assert "hardly differ" in caplog.text
