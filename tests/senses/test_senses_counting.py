"""From passages to counts: by their definitions, on small text."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.corpora.passages import Passage
from tacit.errors import InputError
from tacit.senses.counting import Collector, Names, NumbersOnDisk, observe
from tacit.senses.features import SHOWN, contents, features, occurrence_of
from tacit.senses.passages import positional_passages, spacy_passages


def parsed(*rows):
    """A passage of (form, tag, relation, head) rows."""
    forms, tags, relations, heads = zip(*rows, strict=True)
    return Passage(list(forms), [form.lower() for form in forms], list(tags), list(relations), list(heads))


def found(passage):
    kept = contents(passage)
    return [(passage.terms[place], name) for place, name in features(passage, kept)]


def test_prepositions_are_collapsed_in_both_schemes():
    clear = parsed(("live", "VERB", "ROOT", 0), ("in", "ADP", "prep", 0), ("Rome", "PROPN", "pobj", 1))
    universal = parsed(("live", "VERB", "root", 0), ("in", "ADP", "case", 2), ("Rome", "PROPN", "obl", 0))
    assert found(clear) == found(universal) == [("live", "prep_in:rome"), ("rome", "prep_in<:live")]


def test_a_passive_subject_is_an_object():
    for name in ("nsubjpass", "nsubj:pass", "dobj", "obj"):
        passage = parsed(("bread", "NOUN", name, 1), ("bake", "VERB", "root", 1))
        assert found(passage) == [("bake", "obj:bread"), ("bread", "obj<:bake")]


def test_function_words_and_numbers_make_no_feature():
    passage = parsed(
        ("the", "DET", "det", 1), ("cat", "NOUN", "nsubj", 2), ("eat", "VERB", "root", 2),
        ("it", "PRON", "obj", 2), ("7", "NUM", "nummod", 1),
    )  # fmt: skip
    assert found(passage) == [("eat", "nsubj:cat"), ("cat", "nsubj<:eat")]


def test_positions_are_two_places_to_each_side():
    (passage,) = positional_passages(["one two three four"], None)
    assert [name for word, name in found(passage) if word == "two"] == ["-1:one", "+1:three", "+2:four"]


texts = st.lists(
    st.lists(st.sampled_from(["ab", "cd", "ef", "gh"]), min_size=1, max_size=6), min_size=1, max_size=8
)


@settings(max_examples=50)
@given(texts)
def test_the_matrices_by_their_definition(passages):
    collector = Collector([], None, 10)
    for terms in passages:
        collector.add(Passage(terms, terms))
    try:
        seen = observe(collector, 100, 100, 100, [], 1.0, 1)
    except InputError:
        assert all(len(terms) == 1 for terms in passages)
        return
    A, B, C = Counter(), Counter(), Counter()
    for terms in passages:
        pairs = [(terms[place], name) for place, name in features(Passage(terms, terms), terms)]
        A.update(pairs)
        B.update((word, other) for word in terms for other in terms if other != word)
        C.update((context, name) for context in terms for _, name in pairs)
    for matrix, rows, columns, expected in (
        (seen.A, seen.words, seen.features, A),
        (seen.B, seen.words, seen.contexts, B),
        (seen.C, seen.contexts, seen.features, C),
    ):
        dense = matrix.toarray()
        assert dense.sum() == sum(expected.values())
        assert all(dense[rows.index(a), columns.index(b)] == n for (a, b), n in expected.items())


def test_stop_words_and_too_frequent_terms_are_left_out():
    collector = Collector([], None, 10)
    for passage in positional_passages(["the cat sat here", "the dog sat there", "the end"] * 3, None):
        collector.add(passage)
    seen = observe(collector, 100, 100, 100, ["end"], 0.9, 1)
    assert {"the", "end"} <= seen.stop_words
    assert not {"the", "end"} & {*seen.words, *seen.contexts}
    assert not any(name.endswith((":the", ":end")) for name in seen.features)


def test_a_word_asked_for_is_kept_however_rare():
    collector = Collector(["rare"], None, 10)
    for passage in positional_passages(["cats and dogs"] * 5 + ["a rare cats"], None):
        collector.add(passage)
    seen = observe(collector, 2, 100, 100, [], 1.0, 1)
    assert "rare" in seen.words
    assert [item.text for item in collector.samples["rare"]] == ["a rare cats"]


def test_samples_are_bounded_and_the_same_each_time():
    def sampled():
        collector = Collector(["cat"], None, 5)
        for passage in positional_passages([f"cat number x{'i' * k}" for k in range(50)], None):
            collector.add(passage)
        return [item.text for item in collector.samples["cat"]]

    assert len(sampled()) == 5
    assert sampled() == sampled()


def test_names_beyond_the_limit_are_forgotten_the_rarest_first():
    names = Names(most=4)
    for name in ["often"] * 9 + ["a1", "b1", "c1", "d1", "often"]:
        names.number(name)
    assert names.counts[names.index["often"]] == 10
    assert len(names.index) <= 4


def test_numbers_beyond_their_buffer_are_kept(monkeypatch):
    monkeypatch.setattr("tacit.senses.counting._BUFFER", 4)
    held = NumbersOnDisk()
    for start in range(0, 30, 3):
        held.extend(range(start, start + 3))
    assert np.array_equal(held.numbers(), np.arange(30))


def test_a_corpus_without_features_says_so():
    collector = Collector([], None, 10)
    for passage in positional_passages(["cat", "dog"] * 3, None):
        collector.add(passage)
    with pytest.raises(InputError, match="none of the 6 passages has a feature seen 3 times"):
        observe(collector, 100, 100, 100, [], 1.0, 3)


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


def test_a_spacy_pipeline_is_read():
    (passage,) = spacy_passages(["Cats sleep"], Pipeline())
    assert passage == Passage(
        ["Cats", "sleep"], ["cat", "sleep"], ["NOUN", "VERB"], ["nsubj", "ROOT"], [1, 1]
    )


def test_a_pipeline_without_a_parser_is_refused(monkeypatch):
    monkeypatch.setattr(Document, "parsed", False)
    with pytest.raises(InputError, match="has no parser"):
        list(spacy_passages(["Cats sleep"], Pipeline()))


def test_the_shown_text_is_bounded():
    (passage,) = positional_passages([" ".join(["word"] * 500)], None)
    assert len(occurrence_of(passage, 250).text.split()) == 2 * SHOWN + 1


def test_a_single_character_is_a_word_where_a_script_writes_words_so():
    parsed = Passage(
        ["川", "の", "土手"],
        ["川", "の", "土手"],
        ["NOUN", "ADP", "NOUN"],
        ["nmod", "case", "root"],
        [2, 0, 2],
    )
    assert features(parsed, contents(parsed)) == [(2, "prep_の:川"), (0, "prep_の<:土手")]
    assert contents(Passage(["a", "川", "7"], ["a", "川", "7"])) == ["", "川", ""]
