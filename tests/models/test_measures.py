"""The measures against plain Python, on a small model."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit import WTMF, TextVectorizer
from tacit.errors import InputError
from tacit.models.measures import measure_names
from tacit.models.measures.alignment import COSINE_POWER, MIN_DICE
from tacit.models.text_set import MIN_WEIGHT
from tacit.models.word_similarity import IDF_POWER, MIN_LETTERS, NUMBER_WEIGHT, fill_dice, letter_ngrams
from tacit.text.normalization import make_stemmer
from tacit.text.tokenizers import tokenize

TEXTS = [
    "the cat sleeps on the sofa",
    "a kitten sleeps on a mat",
    "the dog chases a cat",
    "my puppy chases the kitten",
    "the bank raised the rate",
    "a lender raised its rates in 2012",
    "the bank lends money",
    "money for 1,000 loans",
]
WORDS = [*" ".join(TEXTS).split(), "zebra", "kittens", "banking", "2013", "sofas", "chasing"]
sentences = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)


@pytest.fixture(scope="module")
def model() -> WTMF:
    vectorizer = TextVectorizer.paper(min_df=1)
    return WTMF(vectorizer, n_components=5, regularization=0.5, missing_weight=0.1).fit(TEXTS)


def terms(text: str) -> list[str]:
    return make_stemmer("en")(tokenize(text))


def cosine(a: Counter, b: Counter) -> float:
    length = math.sqrt(sum(n * n for n in a.values()) * sum(n * n for n in b.values()))
    return sum(n * b[key] for key, n in a.items()) / length if length else 0.0


def runs(items, sizes) -> Counter:
    return Counter(tuple(items[i : i + n]) for n in sizes for i in range(len(items) - n + 1))


def letters(text: str) -> Counter:
    return sum((runs(f" {token} ", (3, 4, 5)) for token in tokenize(text)), Counter())


def weighted(model: WTMF, text: str) -> Counter:
    vectorizer = model.vectorizer_
    known = {t: n for t, n in Counter(terms(text)).items() if t in vectorizer.vocabulary_}
    return Counter({t: n * vectorizer.idf_[vectorizer.vocabulary_[t]] for t, n in known.items()})


def partner(model: WTMF, u: str, v: str) -> float:
    if u == v:
        return 1.0
    if u[0].isdigit() or v[0].isdigit():
        return 0.0
    places, best = model.vectorizer_.vocabulary_, 0.0
    if u in places and v in places:
        p, q = model.word_vectors_[places[u]].astype(float), model.word_vectors_[places[v]].astype(float)
        length = np.linalg.norm(p) * np.linalg.norm(q)
        best = trust(model) * max(0.0, p @ q / length) ** COSINE_POWER if length else 0.0
    if min(len(u), len(v)) >= MIN_LETTERS:
        a, b = set(runs(u, (2, 3))), set(runs(v, (2, 3)))
        dice = 2 * len(a & b) / (len(a) + len(b))
        best = max(best, dice) if dice > MIN_DICE else best
    return best


def trust(model: WTMF) -> float:
    """Little is known from few texts, and nothing from words that are all alike."""
    words = model.word_vectors_.astype(float)
    units = words / np.linalg.norm(words, axis=1, keepdims=True)
    return len(TEXTS) / (len(TEXTS) + 1000) * (1 - np.mean(units @ units.T))


def weight(model: WTMF, term: str) -> float:
    place = model.vectorizer_.vocabulary_.get(term)
    df = 1 if place is None else model.vectorizer_.words_.df[place]
    telling = max(math.log(len(TEXTS) / df), MIN_WEIGHT)
    return telling**IDF_POWER * (NUMBER_WEIGHT if term[0].isdigit() else 1)


def aligned(model: WTMF, a: str, b: str) -> float:
    left, right = terms(a), terms(b)
    found = total = 0.0
    for one, other in ((left, right), (right, left)):
        for u in one:
            found += weight(model, u) * max((partner(model, u, v) for v in other), default=0.0)
            total += weight(model, u)
    return found / total if total else 0.0


@settings(max_examples=60)
@given(pairs=st.lists(st.tuples(sentences, sentences), min_size=1, max_size=6))
def test_measures_are_what_they_say(model, pairs):
    a, b = zip(*pairs, strict=True)
    expected = {
        "lexical": lambda x, y: cosine(weighted(model, x), weighted(model, y)),
        "ngram": lambda x, y: cosine(runs(terms(x), (1, 2, 3)), runs(terms(y), (1, 2, 3))),
        "characters": lambda x, y: cosine(letters(x), letters(y)),
        "alignment": lambda x, y: aligned(model, x, y),
        "inner": lambda x, y: float(model.encode([x])[0] @ model.encode([y])[0]),
    }
    for measure, formula in expected.items():
        found = model.similarity_pairwise(a, b, measure=measure)
        np.testing.assert_allclose(
            found, [formula(x, y) for x, y in pairs], rtol=1e-4, atol=1e-5, err_msg=measure
        )
    latent, alignment = (model.similarity_pairwise(a, b, measure=m) for m in ("latent", "alignment"))
    blend = model.similarity_pairwise(a, b, measure="blend")
    np.testing.assert_allclose(blend, (latent + 2 * alignment) / 3, rtol=1e-6, atol=1e-7)


@settings(max_examples=60)
@given(a=sentences, b=sentences, measure=st.sampled_from(["latent", "alignment", "blend"]))
def test_explanations_sum_to_the_score(model, a, b, measure):
    explanation = model.explain(a, b, measure=measure)
    assert explanation.score == pytest.approx(model.similarity([a], [b], measure=measure)[0, 0], abs=1e-5)
    assert explanation.table.sum() == pytest.approx(explanation.score, abs=1e-9)
    assert make_stemmer("en")(explanation.words_a) == list(dict.fromkeys(terms(a)))
    assert set(explanation.parts) == ({"latent", "alignment"} if measure == "blend" else set())
    for table in explanation.parts.values():
        assert table.shape == explanation.table.shape
    if explanation.parts:
        np.testing.assert_allclose(sum(explanation.parts.values()), explanation.table)


@given(pairs=st.lists(st.tuples(sentences, sentences), min_size=2, max_size=6))
def test_a_pair_has_the_same_bits_alone_and_among_others(model, pairs):
    a, b = zip(*pairs, strict=True)
    for measure in ("alignment", "blend"):
        together = model.similarity_pairwise(a, b, measure=measure)
        alone = [model.similarity_pairwise([left], [right], measure=measure)[0] for left, right in pairs]
        assert together.tolist() == alone


def test_a_measure_that_does_not_split(model):
    with pytest.raises(InputError, match="'ngram' cannot be split by words: use blend"):
        model.explain("a", "b", measure="ngram")


@pytest.mark.parametrize("measure", measure_names())
def test_the_matrix_holds_the_pairs_and_threads_change_nothing(model, measure):
    a, b = TEXTS[:3], [*TEXTS[3:], "", "zebra"]
    matrix = model.similarity(a, b, measure=measure)
    assert matrix.shape == (3, 7)
    assert not matrix[:, 5].any()
    for i, text in enumerate(a):
        np.testing.assert_allclose(
            matrix[i], model.similarity_pairwise([text] * 7, b, measure=measure), atol=1e-6
        )
    many = [TEXTS * 700, TEXTS[::-1] * 700]
    results = []
    for n_threads in (1, 2):
        model.n_threads = n_threads
        results.append(model.similarity_pairwise(*many, measure=measure))
    assert np.array_equal(*results)
    assert model.similarity([], b, measure=measure).shape == (0, 7)
    assert model.similarity(a, [], measure=measure).shape == (3, 0)


def test_an_unknown_measure_is_named_with_those_there_are(model):
    with pytest.raises(InputError, match=r"measure='cos': use one of blend.*latent"):
        model.similarity(["a"], ["b"], measure="cos")
    with pytest.raises(InputError, match=r"\[text\]"):
        model.similarity_pairwise("a", "b")


def test_letter_ngrams_are_sets():
    starts, grams, lengths, *_ = letter_ngrams(["aaaa", "", "語言"])
    assert starts.tolist() == [0, 2, 2, 3]
    assert lengths.tolist() == [4, 0, 2]
    assert len(grams) == 3


@given(st.lists(st.text("abcé語", max_size=12), min_size=1, max_size=8), st.sampled_from([0.0, 0.4, 0.5]))
def test_dice_equals_that_of_ngram_sets(words, least):
    found = np.full(len(words), -1.0)
    fill_dice(0, np.arange(len(words)), least, 2, letter_ngrams(words), found)
    sets = [set(runs(word, (2, 3))) for word in words]
    for word, own, dice in zip(words, sets, found, strict=True):
        size = len(own) + len(sets[0])
        expected = 2 * len(own & sets[0]) / size if size and min(len(word), len(words[0])) >= 2 else 0.0
        assert dice == (expected if expected > least else 0.0)
