"""Counts and weights agree with plain Python; the vectorizer is a scikit-learn estimator."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from tacit import WTMF, Index
from tacit.errors import InputError, NotFittedError
from tacit.text import TextVectorizer
from tacit.text.languages import SNOWBALL_LANGUAGES
from tacit.text.normalization import make_stemmer
from tacit.text.tokenizers import tokenize
from tacit.text.vectorizer_parameters import auto_min_df

corpora = st.lists(
    st.lists(st.sampled_from(["cat", "cats", "dog", "dogs", "sat", "red"]), max_size=8).map(" ".join),
    min_size=1,
    max_size=12,
)


@settings(max_examples=80)
@given(texts=corpora, min_df=st.integers(1, 3), tf=st.sampled_from(["raw", "log", "log1p"]))
def test_weights_are_those_of_the_formula(texts, min_df, tf):
    stem = make_stemmer("en")
    counts = [Counter(stem(tokenize(text))) for text in texts]
    df = Counter(term for count in counts for term in count)
    kept = {term: n for term, n in df.items() if n >= min_df}
    vectorizer = TextVectorizer.paper(min_df=min_df, tf=tf)
    if not kept:
        with pytest.raises(InputError):
            vectorizer.fit(texts)
        return
    X = vectorizer.fit_transform(texts)
    assert X.dtype == np.float32
    assert X.has_canonical_format
    assert X.data.all()
    weigh = {"raw": lambda n: n, "log": lambda n: 1 + math.log(n), "log1p": math.log1p}[tf]
    for row, count in zip(X.toarray(), counts, strict=True):
        for term, column in vectorizer.vocabulary_.items():
            expected = weigh(count[term]) * math.log(len(texts) / df[term]) if count[term] else 0.0
            assert row[column] == pytest.approx(expected, rel=1e-6)
    assert np.array_equal(X.toarray(), vectorizer.transform(texts).toarray())
    terms = list(vectorizer.vocabulary_)
    assert terms == sorted(kept, key=lambda term: (-kept[term], term))


def test_weights_equal_those_of_scikit_learn():
    texts = ["the red cat", "the dog sat on the cat", "red red dog", "a bird"]
    ours = TextVectorizer.paper(language=None, min_df=1, idf="smooth").fit(texts)
    theirs = TfidfVectorizer(norm=None, token_pattern=r"\w+").fit(texts)
    names = theirs.get_feature_names_out().tolist()
    columns = [ours.vocabulary_[name] for name in names]
    np.testing.assert_allclose(
        ours.transform(texts).toarray()[:, columns], theirs.transform(texts).toarray(), rtol=1e-6
    )


def test_feature_names_are_the_most_frequent_forms():
    texts = ["definitions", "definitions", "definition", "defining it"]
    assert "definitions" in TextVectorizer(min_df=1).fit(texts).get_feature_names_out()


def test_unknown_words_are_counted():
    vectorizer = TextVectorizer(min_df=1).fit(["a cat", "a dog"])
    rows = vectorizer.transform_rows(["a zebra cat", "zebra zebra", ""])
    assert rows.n_known.tolist() == [2, 0, 0]
    assert rows.n_unknown.tolist() == [1, 2, 0]


def test_a_generator_is_read_once_and_the_size_can_be_limited():
    texts = (text for text in ["a b c", "a b", "a"])
    vectorizer = TextVectorizer(language=None, min_df=1, max_features=2).fit(texts)
    assert list(vectorizer.vocabulary_) == ["a", "b"]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"language": "xx"}, r"no stemmer for language='xx'.*en"),
        ({"min_df": 0}, "min_df=0"),
        ({"min_df": 0.5}, "min_df=0.5"),
        ({"max_features": 0}, "max_features=0"),
        ({"tf": "sqrt"}, "tf='sqrt'.*raw"),
        ({"idf": "no"}, "idf='no'.*plain"),
        ({"normalize": "root"}, "normalize='root'.*stem"),
    ],
)
def test_invalid_parameter_raises_input_error_with_remedy(parameters, message):
    with pytest.raises(InputError, match=message):
        TextVectorizer(**parameters).fit(["a b", "a c"])


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ([], "empty"),
        (["", " "], "no tokens found in 2 texts"),
        (["a b"], "min_df"),
        (["a", "b"], "lower min_df"),
    ],
)
def test_empty_vocabulary_raises_input_error(texts, message):
    with pytest.raises(InputError, match=message):
        TextVectorizer(min_df=2).fit(texts)


def test_transform_before_fit_raises_not_fitted_error():
    with pytest.raises(NotFittedError, match="call fit"):
        TextVectorizer().transform(["a"])


@pytest.mark.parametrize("language", sorted(SNOWBALL_LANGUAGES))
def test_every_language_has_a_stemmer(language):
    assert make_stemmer(language)(["a"])


def test_lemmas_replace_inflected_forms():
    vectorizer = TextVectorizer(normalize="lemma", min_df=1).fit(["mice ran", "a mouse runs"])
    assert {"mouse", "run"} <= set(vectorizer.vocabulary_)
    with pytest.raises(InputError, match="no lemmas for language='xx'"):
        TextVectorizer(language="xx", normalize="lemma").fit(["a"])


def test_vectorizer_works_in_scikit_learn_tools():
    vectorizer = TextVectorizer(min_df=1, tf="log")
    copy = clone(vectorizer)
    assert copy is not vectorizer
    assert copy.get_params() == vectorizer.get_params()
    assert repr(copy) == "TextVectorizer(min_df=1, tf='log')"
    with pytest.raises(InputError, match="no parameter 'colour'"):
        copy.set_params(colour="red")
    texts = ["good film", "great film", "good plot", "bad film", "awful film", "bad plot"] * 3
    labels = [1, 1, 1, 0, 0, 0] * 3
    search = GridSearchCV(
        make_pipeline(vectorizer, LogisticRegression()), {"textvectorizer__tf": ["raw", "log"]}, cv=3
    ).fit(texts, labels)
    assert search.predict(["a good film", "an awful plot"]).tolist() == [1, 0]


def test_length_normalization_does_not_depend_on_other_texts():
    texts = ["a cat", "a very long text about a cat and a dog and a mouse and their long day", "", "a dog"]
    kept, damped, equal = (
        TextVectorizer(min_df=1, length=length).fit(texts) for length in ("keep", "damped", "equal")
    )
    lengths = [np.sqrt(v.transform(texts).power(2).sum(axis=1)).A1[[0, 1, 3]] for v in (kept, damped, equal)]
    assert lengths[0].max() > 1.5 * lengths[0].min()
    np.testing.assert_allclose(lengths[2], kept.rms_norm_, rtol=1e-5)
    expected = lengths[0] ** 0.25 * kept.rms_norm_**0.75
    np.testing.assert_allclose(lengths[1], expected, rtol=1e-3)
    for number, text in enumerate(texts):
        alone, together = damped.transform([text]), damped.transform(texts)[number]
        assert (alone != together).nnz == 0


def test_default_weights_are_positive():
    assert TextVectorizer().fit(["a cat", "a dog", "a bird"]).idf_.min() > 0


@pytest.mark.parametrize(("n_texts", "least"), [(1, 1), (50, 1), (20_000, 1), (200_000, 2), (10_000_000, 4)])
def test_auto_min_df_grows_with_the_number_of_texts(n_texts, least):
    assert auto_min_df(n_texts) == least


def test_min_count_ignores_rare_terms():
    texts = ["cat cat dog", "bird sat", "bird ran"]
    counted = TextVectorizer(language=None, min_df=1, min_count=2).fit(texts)
    assert sorted(counted.vocabulary_) == ["bird", "cat"]  # cat twice in one text
    assert sorted(TextVectorizer(language=None, min_df=2).fit(texts).vocabulary_) == ["bird"]
    with pytest.raises(InputError, match="min_count=0"):
        TextVectorizer(min_count=0).fit(texts)
    with pytest.raises(InputError, match=r"occurs 9 times: give more texts, or lower min_df and min_count"):
        TextVectorizer(min_df=1, min_count=9).fit(texts)


def test_feature_names_before_fit_raise_not_fitted_error():
    with pytest.raises(NotFittedError, match="this TextVectorizer is not fitted yet"):
        TextVectorizer().get_feature_names_out()


def test_vectorizer_of_a_folder_without_the_setting_splits_addresses():
    stored = TextVectorizer().params_to_dict()
    assert TextVectorizer.from_params_dict(stored).urls == "token"
    del stored["urls"]
    assert TextVectorizer.from_params_dict(stored).urls == "split"
    assert TextVectorizer.paper().urls == "split"


def test_address_is_found_by_search_and_names_nothing():
    words = ("tea", "hat", "car", "pen")
    texts = [f"order {word} at https://shop.example/{word} or ask @{word}" for word in words]
    model = WTMF(TextVectorizer(min_df=1), n_components=2, regularization=0.1).fit(texts)
    index = Index(model)
    index.add(texts)
    for position, word in enumerate(words):
        for query in (f"https://shop.example/{word}", f"@{word}"):
            assert index.search(query, k=1)[0].id == str(position + 1)
    named = {word for cluster in index.clusters(2) for word, _ in [*cluster.said, *cluster.unsaid]}
    named |= {word for word, _ in model.unsaid("order tea", 50)}
    assert named
    assert not any("@" in word or "/" in word for word in named)
    assert {"https", "shop", "example"}.isdisjoint(named)
