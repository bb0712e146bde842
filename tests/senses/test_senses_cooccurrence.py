"""Features and count matrices equal their definitions on small texts."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.corpora.passages import Passage, parse_with_spacy, tokenize_passages
from tacit.errors import InputError
from tacit.senses.cooccurrence import CorpusCounter, CountedVocabulary, DiskIntArray, build_count_matrices
from tacit.senses.features import SNIPPET_WINDOW, content_terms, extract_features, make_occurrence


def parsed(*rows):
    """A passage of (form, tag, relation, head) rows."""
    forms, tags, relations, heads = zip(*rows, strict=True)
    return Passage(list(forms), [form.lower() for form in forms], list(tags), list(relations), list(heads))


def term_features(passage):
    features = extract_features(passage, content_terms(passage))
    return [(passage.terms[position], name) for position, name in features]


def test_prepositions_are_collapsed_in_both_schemes():
    clear = parsed(("live", "VERB", "ROOT", 0), ("in", "ADP", "prep", 0), ("Rome", "PROPN", "pobj", 1))
    universal = parsed(("live", "VERB", "root", 0), ("in", "ADP", "case", 2), ("Rome", "PROPN", "obl", 0))
    assert (
        term_features(clear)
        == term_features(universal)
        == [("live", "prep_in:rome"), ("rome", "prep_in<:live")]
    )


def test_passive_subject_is_object():
    for name in ("nsubjpass", "nsubj:pass", "dobj", "obj"):
        passage = parsed(("bread", "NOUN", name, 1), ("bake", "VERB", "root", 1))
        assert term_features(passage) == [("bake", "obj:bread"), ("bread", "obj<:bake")]


def test_function_words_and_numbers_give_no_features():
    passage = parsed(
        ("the", "DET", "det", 1), ("cat", "NOUN", "nsubj", 2), ("eat", "VERB", "root", 2),
        ("it", "PRON", "obj", 2), ("7", "NUM", "nummod", 1),
    )  # fmt: skip
    assert term_features(passage) == [("eat", "nsubj:cat"), ("cat", "nsubj<:eat")]


def test_positional_features_reach_two_tokens():
    (passage,) = tokenize_passages(["one two three four"], None)
    assert [name for word, name in term_features(passage) if word == "two"] == [
        "-1:one",
        "+1:three",
        "+2:four",
    ]


texts = st.lists(
    st.lists(st.sampled_from(["ab", "cd", "ef", "gh"]), min_size=1, max_size=6), min_size=1, max_size=8
)


@settings(max_examples=50)
@given(texts)
def test_count_matrices_equal_definition(passages):
    counter = CorpusCounter([], None, 10)
    for terms in passages:
        counter.add(Passage(terms, terms))
    try:
        counts = build_count_matrices(counter, 100, 100, 100, [], 1.0, 1)
    except InputError:
        assert all(len(terms) == 1 for terms in passages)
        return
    A, B, C = Counter(), Counter(), Counter()
    for terms in passages:
        pairs = [(terms[i], name) for i, name in extract_features(Passage(terms, terms), terms)]
        A.update(pairs)
        B.update((word, other) for word in terms for other in terms if other != word)
        C.update((context, name) for context in terms for _, name in pairs)
    for matrix, rows, columns, expected in (
        (counts.A, counts.words, counts.features, A),
        (counts.B, counts.words, counts.contexts, B),
        (counts.C, counts.contexts, counts.features, C),
    ):
        dense = matrix.toarray()
        assert dense.sum() == sum(expected.values())
        assert all(dense[rows.index(a), columns.index(b)] == n for (a, b), n in expected.items())


def test_stop_words_and_frequent_terms_are_dropped():
    counter = CorpusCounter([], None, 10)
    for passage in tokenize_passages(["the cat sat here", "the dog sat there", "the end"] * 3, None):
        counter.add(passage)
    counts = build_count_matrices(counter, 100, 100, 100, ["end"], 0.9, 1)
    assert {"the", "end"} <= counts.stop_words
    assert not {"the", "end"} & {*counts.words, *counts.contexts}
    assert not any(name.endswith((":the", ":end")) for name in counts.features)


def test_rare_target_word_is_kept():
    counter = CorpusCounter(["rare"], None, 10)
    for passage in tokenize_passages(["cats and dogs"] * 5 + ["a rare cats"], None):
        counter.add(passage)
    counts = build_count_matrices(counter, 2, 100, 100, [], 1.0, 1)
    assert "rare" in counts.words
    assert [item.text for item in counter.occurrences["rare"]] == ["a rare cats"]


def test_samples_are_bounded_and_deterministic():
    def sample():
        counter = CorpusCounter(["cat"], None, 5)
        for passage in tokenize_passages([f"cat number x{'i' * k}" for k in range(50)], None):
            counter.add(passage)
        return [item.text for item in counter.occurrences["cat"]]

    assert len(sample()) == 5
    assert sample() == sample()


def test_vocabulary_drops_rarest_beyond_limit():
    names = CountedVocabulary(max_size=4)
    for name in ["often"] * 9 + ["a1", "b1", "c1", "d1", "often"]:
        names.add(name)
    assert names.counts[names.index["often"]] == 10
    assert len(names.index) <= 4


def test_disk_array_keeps_flushed_numbers(monkeypatch):
    monkeypatch.setattr("tacit.senses.cooccurrence._BUFFER_BYTES", 16)
    numbers = DiskIntArray()
    for start in range(0, 30, 3):
        numbers.extend(range(start, start + 3))
    assert np.array_equal(numbers.to_array(), np.arange(30))


def test_corpus_without_features_raises():
    counter = CorpusCounter([], None, 10)
    for passage in tokenize_passages(["cat", "dog"] * 3, None):
        counter.add(passage)
    with pytest.raises(InputError, match="no feature occurs 3 times or more in 6 passages"):
        build_count_matrices(counter, 100, 100, 100, [], 1.0, 3)


class Token:
    def __init__(self, text, lemma, pos, dep, head):
        self.text, self.lemma_, self.pos_, self.dep_ = text, lemma, pos, dep
        self.head = type("Head", (), {"i": head})


class Document(list):
    parsed = True

    def has_annotation(self, name):
        return self.parsed and name == "DEP"


class Pipeline:
    def pipe(self, texts):
        for _ in texts:
            yield Document([Token("Cats", "cat", "NOUN", "nsubj", 1), Token("sleep", "", "VERB", "ROOT", 1)])


def test_spacy_pipeline_is_parsed():
    (passage,) = parse_with_spacy(["Cats sleep"], Pipeline())
    assert passage == Passage(
        ["Cats", "sleep"], ["cat", "sleep"], ["NOUN", "VERB"], ["nsubj", "ROOT"], [1, 1]
    )


def test_spacy_pipeline_without_parser_raises(monkeypatch):
    monkeypatch.setattr(Document, "parsed", False)
    with pytest.raises(InputError, match="has no parser"):
        list(parse_with_spacy(["Cats sleep"], Pipeline()))


def test_example_text_is_bounded():
    (passage,) = tokenize_passages([" ".join(["word"] * 500)], None)
    assert len(make_occurrence(passage, 250).text.split()) == 2 * SNIPPET_WINDOW + 1


def test_single_ideograph_is_a_word():
    parsed = Passage(
        ["川", "の", "土手"],
        ["川", "の", "土手"],
        ["NOUN", "ADP", "NOUN"],
        ["nmod", "case", "root"],
        [2, 0, 2],
    )
    assert extract_features(parsed, content_terms(parsed)) == [(2, "prep_の:川"), (0, "prep_の<:土手")]
    assert content_terms(Passage(["a", "川", "7"], ["a", "川", "7"])) == ["", "川", ""]
