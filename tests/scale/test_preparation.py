"""Words counted in partitions equal those counted at once; beyond the memory, within the logged bound."""

from __future__ import annotations

import logging
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.scaled import cut, write_corpus
from tacit.errors import InputError
from tacit.scale import preparation
from tacit.scale.engines import ThreadEngine
from tacit.scale.partition_files import load_tokens
from tacit.scale.pass_progress import PassProgress
from tacit.scale.preparation import (
    WordCounts,
    draw_smallest_keys,
    merge_counts,
    prepare,
    prune_counts,
)
from tacit.text.vectorizer import TextVectorizer


def counts_of(words: list[str], max_terms: int) -> WordCounts:
    df = Counter(words)
    return prune_counts(WordCounts(len(words), df, df.copy(), [], np.zeros(0), max_terms))


@given(
    st.lists(st.lists(st.sampled_from("abcdefghijklmnop"), max_size=40), min_size=1, max_size=6),
    st.integers(1, 20),
)
def test_counts_are_too_low_by_at_most_max_undercount(parts, max_terms):
    exact = Counter(word for part in parts for word in part)
    total = counts_of(parts[0], max_terms)
    for part in parts[1:]:
        total = merge_counts(total, counts_of(part, max_terms))
    assert len(total.df) <= max_terms
    for word, times in exact.items():
        assert times - total.max_undercount <= total.df.get(word, 0) <= times
    assert total.max_undercount <= sum(exact.values()) // (max_terms + 1)  # the bound of mergeable summaries


def test_smallest_keys_have_the_distribution_of_minima():
    drawn = np.array([np.sort(draw_smallest_keys(1000, 5, seed)) for seed in range(4000)])
    np.testing.assert_allclose(drawn.mean(axis=0), np.arange(1, 6) / 1001, rtol=0.05)
    assert len(draw_smallest_keys(0, 0, 1)) == 0
    assert draw_smallest_keys(3, 3, 1).max() < 1


def prepared(path, folder, memory=10**9, vectorizer=None, n_parts=7):
    folder.mkdir()
    options = vectorizer or TextVectorizer(), folder, memory, PassProgress()
    return prepare(ThreadEngine(2), cut(path, n_parts), *options)


@pytest.mark.parametrize(
    "options", [{}, {"min_df": 2, "min_count": 9, "length": "keep"}, {"max_features": 50}]
)
def test_prepared_corpus_equals_vectorizer_in_memory(tmp_path, options):
    path = write_corpus(tmp_path / "texts.txt")
    corpus = prepared(path, tmp_path / "work", vectorizer=TextVectorizer(**options))
    texts = path.read_text(encoding="utf-8").splitlines()
    expected = TextVectorizer(**options)
    rows = expected.fit_transform_rows(texts)
    vectorizer = corpus.vectorizer
    assert (vectorizer.words_.terms, vectorizer.words_.surface_forms) == (
        expected.words_.terms,
        expected.words_.surface_forms,
    )
    assert vectorizer.words_.df.tolist() == expected.words_.df.tolist()
    assert vectorizer.idf_.tolist() == expected.idf_.tolist()
    assert abs(vectorizer.rms_norm_ / expected.rms_norm_ - 1) < 1e-12
    data = np.concatenate([file.map_arrays()[2] for file in corpus.files])
    indices = np.concatenate([file.map_arrays()[1] for file in corpus.files])
    assert indices.tolist() == rows.indices.tolist()
    np.testing.assert_allclose(data, rows.data, rtol=1e-6)
    assert corpus.statistics.n_texts == len(texts)
    assert set(corpus.sample) <= set(texts)
    assert not list((tmp_path / "work").glob("tokens-*"))


def test_surface_form_is_the_most_frequent_of_all_partitions(tmp_path):
    """The rarer form is the first in the alphabet and the most frequent one of the first partition."""
    texts = ["a cat sleeps"] * 2 + ["two cats sleep"] * 3 + ["stocks fell"] * 3
    path = tmp_path / "texts.txt"
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    in_partitions = prepared(path, tmp_path / "work", n_parts=3).vectorizer.words_
    in_memory = TextVectorizer().fit(texts).words_
    for words in (in_partitions, in_memory):
        assert dict(zip(words.terms, words.surface_forms, strict=True))["cat"] == "cats"
    assert in_partitions.surface_forms == in_memory.surface_forms


def test_partition_without_known_words_has_no_nonzeros(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("cats sleep\nstocks fell\n" * 4 + "alpha beta\ngamma delta\n", encoding="utf-8")
    corpus = prepared(path, tmp_path / "work", vectorizer=TextVectorizer(min_df=2), n_parts=5)
    indptr, indices, data = corpus.files[-1].map_arrays()
    assert not indptr.any()
    assert (len(indices), len(data)) == (0, 0)


def test_sample_is_uniform_over_all_texts(tmp_path, monkeypatch):
    monkeypatch.setattr("tacit.scale.preparation.SAMPLE_TEXTS", 200)
    path = tmp_path / "texts.txt"
    path.write_text("".join(f"text number{n} here\n" for n in range(4000)), encoding="utf-8")
    corpus = prepared(path, tmp_path / "work")
    positions = [int(text.split()[1].removeprefix("number")) for text in corpus.sample]
    assert len(set(positions)) == 200
    assert abs(np.mean(positions) - 2000) < 4 * 4000 / np.sqrt(12 * 200)
    assert positions != sorted(positions)


def test_more_words_than_fit_in_memory_log_a_warning(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(preparation, "MIN_TERMS", 50)
    path = write_corpus(tmp_path / "texts.txt", n_texts=600)
    with caplog.at_level(logging.WARNING, "tacit.scale"):
        corpus = prepared(path, tmp_path / "work", memory=0)
    assert len(corpus.vectorizer.words_) <= 50
    assert "more than 50 distinct words: document frequencies are too low by at most" in caplog.text


def test_worker_without_the_work_folder_is_an_input_error(tmp_path):
    """The error is an InputError, not a ClusterError."""
    with pytest.raises(InputError, match=r"tokens of a\.txt cannot be read .*every worker must see the work"):
        load_tokens(tmp_path / "elsewhere", 3, "a.txt")
