"""Tokenizers and weighting schemes are table entries: used, listed in errors and stored by name."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacit
from tacit import WTMF, TextVectorizer
from tacit.errors import InputError
from tacit.text.token_ids import tokenize_texts
from tacit.text.tokenizers import TOKENIZERS, char_trigrams, tokenize
from tacit.text.weighting import TF_SCHEMES

TEXTS = ["a cat sleeps", "the kitten sleeps", "a kitten is a cat", "stocks fell", "the market fell"]


@given(st.lists(st.text(max_size=30), max_size=5))
def test_named_tokenizers_agree_with_their_functions(texts):
    for name, function in TOKENIZERS.items():
        tokenized = tokenize_texts(texts, name)
        tokens = [tokenized.tokens[number] for number in tokenized.ids]
        assert tokens == [token for text in texts for token in function(text)]
        assert tokenized.lengths.tolist() == [len(list(function(text))) for text in texts]


@given(st.text(max_size=40))
def test_trigrams_of_a_word_contain_its_characters(text):
    words, triples = tokenize(text), list(char_trigrams(text))
    assert len(triples) == sum(map(len, words))
    assert all(len(triple) == 3 for triple in triples)
    assert "".join(triple[1] for triple in triples) == "".join(words)


def test_misspelled_word_is_similar_with_trigrams():
    vectorizer = TextVectorizer(None, tokenizer="characters").fit(TEXTS)
    right, wrong, other = vectorizer.transform(["kitten", "kiten", "market"]).toarray()
    assert right @ wrong > 3 * (right @ other)


def test_tokenizer_name_is_stored(tmp_path):
    model = WTMF(TextVectorizer(None, tokenizer="characters"), n_components=2).fit(TEXTS)
    model.save(tmp_path / "model")
    loaded = tacit.load(tmp_path / "model")
    assert loaded.pivot.vectorizer.tokenizer == "characters"
    assert np.array_equal(loaded.encode(["kiten"]), model.encode(["kiten"]))


@pytest.mark.parametrize("wrong", ["wrods", None, 3])
def test_unknown_tokenizer_raises_input_error(wrong):
    with pytest.raises(InputError, match=r"tokenizer=.*words, letters, characters"):
        TextVectorizer(tokenizer=wrong).fit(TEXTS)


def test_new_scheme_needs_one_table_entry(monkeypatch):
    monkeypatch.setitem(TOKENIZERS, "halves", lambda text: [text[: len(text) // 2], text[len(text) // 2 :]])
    monkeypatch.setitem(TF_SCHEMES, "short", lambda count, words: count / words)
    vectorizer = TextVectorizer(None, tokenizer="halves", tf="short", idf="none", length="keep", min_df=1)
    assert vectorizer.fit_transform(["abcd", "abef"]).toarray().tolist() == [[0.5, 0.5, 0], [0.5, 0, 0.5]]


def test_tf_scheme_gets_the_number_of_tokens():
    vectorizer = TextVectorizer(None, tf="share", idf="none", length="keep", min_df=2).fit(["a b", "a b c"])
    rows = vectorizer.transform(["a", "a b b b", "a x y z"]).toarray()
    assert rows.tolist() == [[1.0, 0.0], [0.25, 0.75], [0.25, 0.0]]  # words that are not known count too
