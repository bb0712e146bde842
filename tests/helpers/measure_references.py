"""A small model, texts, and what the plain Python references of several measures share."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import takewhile
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tacit import WTMF, TextVectorizer
from tacit.models.letter_similarity import (
    FREQUENCY_RATIO,
    MAX_MISSPELT_SHARE,
    MAX_RARE_SHARE,
    MIN_COMPOUND_LETTERS,
    MIN_COSINE,
    MIN_COSINE_OF_OTHER_BEGINNING,
    MIN_RELATED_SHARE,
    MIN_SHARE,
    MIN_SHARE_OF_UNKNOWN,
)
from tacit.models.word_similarity import MIN_LETTERS
from tacit.text.normalization import make_stemmer, strip_accents
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
WORDS = [
    *" ".join(TEXTS).split(),
    "zebra",
    "kittens",
    "banking",
    "2013",
    "sofas",
    "chasing",
    "kiten",
    "sleesp",
]
sentences = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
sentence_pairs = st.lists(st.tuples(sentences, sentences), min_size=1, max_size=6)


@cache
def small_model() -> WTMF:
    vectorizer = TextVectorizer.paper(min_df=1)
    return WTMF(vectorizer, n_components=5, regularization=0.5, missing_weight=0.1).fit(TEXTS)


def terms(text: str) -> list[str]:
    return make_stemmer("en")(tokenize(text))


def ngrams(items: Sequence[Any], sizes: Iterable[int]) -> Counter:
    return Counter(tuple(items[i : i + n]) for n in sizes for i in range(len(items) - n + 1))


def dice(u: str, v: str) -> float:
    """Dice coefficient of the sets of letter bigrams and trigrams."""
    a, b = set(ngrams(u, (2, 3))), set(ngrams(v, (2, 3)))
    return 2 * len(a & b) / (len(a) + len(b))


def common_beginning(u: str, v: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(u, v, strict=False)))


def compare_letters(u: str, v: str) -> tuple[int, int, float]:
    """Letters of the common beginning and end, and their share of the longer string.

    A swap is one letter that differs.
    """
    start = common_beginning(u, v)
    end = min(common_beginning(u[::-1], v[::-1]), min(len(u), len(v)) - start)
    differing = [word[start : len(word) - end] for word in (u, v)]
    n = max(map(len, differing))
    n = 1 if n == 2 and differing[0] == differing[1][::-1] else n
    return start, end, 1 - n / max(len(u), len(v), 1)


def share_of_variants(u: str, v: str, least: float) -> float:
    start, _, share = compare_letters(u, v)
    least = least if start else max(least, MIN_SHARE)
    return share if min(len(u), len(v)) >= MIN_LETTERS and share >= least else 0.0


def share_of_related(u: str, v: str, cosine: float) -> float:
    u, v = sorted((u, v), key=len)
    start, _, share = compare_letters(u, v)
    if len(u) < MIN_LETTERS or share < MIN_RELATED_SHARE or set(u + v) & set("0123456789"):
        return 0.0
    is_beginning = start >= max(MIN_LETTERS, MIN_SHARE * len(u))
    is_end = v.endswith(u) and not start and len(v) - len(u) >= MIN_COMPOUND_LETTERS
    least = MIN_COSINE if start else MIN_COSINE_OF_OTHER_BEGINNING
    return share if cosine >= (0 if is_beginning or is_end else least) else 0.0


def letter_score(vectorizer: TextVectorizer, u: str, v: str, cosine: float) -> float:
    """Similarity of the letters of two tokens, for a model without a background."""
    words, terms = vectorizer.words_, [vectorizer.normalize_word(word) for word in (u, v)]
    columns = [words.column_of.get(term) for term in terms]
    rarest, other = sorted(0 if column is None else int(words.df[column]) for column in columns)
    if rarest > max(1, MAX_RARE_SHARE * vectorizer.n_texts_):
        return 0.0
    score = share_of_related(*terms, cosine if rarest else 0.0)
    if rarest > max(1, MAX_MISSPELT_SHARE * vectorizer.n_texts_) or other < FREQUENCY_RATIO * rarest:
        return score
    least = MIN_SHARE if rarest else MIN_SHARE_OF_UNKNOWN
    spellings = share_of_variants(strip_accents(u), strip_accents(v), least)
    return max(score, spellings, share_of_variants(*terms, MIN_SHARE))


def sparse_cosine(a: Counter, b: Counter) -> float:
    norm = math.sqrt(sum(n * n for n in a.values()) * sum(n * n for n in b.values()))
    return sum(n * b[key] for key, n in a.items()) / norm if norm else 0.0


def assert_measure_equals(
    measure: str, reference: Callable[[str, str], float], pairs: list[tuple[str, str]]
) -> None:
    a, b = zip(*pairs, strict=True)
    scores = small_model().similarity_pairwise(a, b, measure=measure)
    np.testing.assert_allclose(scores, [reference(x, y) for x, y in pairs], rtol=1e-4, atol=1e-5)
