"""Match strength: levels, their formula, and what has no level."""

from __future__ import annotations

import math
from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest
import Stemmer

import tacit
from helpers.notes import NOTES, notes_model
from tacit import Index
from tacit.search.match_strength import (
    COEFFICIENTS,
    INTERCEPT,
    LEVELS,
    MIN_DISTINCTIVE_IDF,
    MIN_PROBABILITIES,
)
from tacit.search.results import Hits
from tacit.text.name_words import function_words

TOPICS = (
    "router",
    "invoice",
    "password",
    "printer",
    "parcel",
    "refund",
    "keyboard",
    "licence",
    "screen",
    "cable",
)
VERBS = ("return", "replace", "reset", "cancel", "find", "order", "clean", "connect", "update", "move")
TEXTS = [f"how do I {verb} the {topic}" for topic in TOPICS for verb in VERBS]


@pytest.fixture(scope="module")
def index() -> Index:
    return tacit.build_index(TEXTS)


def stems(text: str) -> set[str]:
    """The distinct English stems of a text."""
    return set(Stemmer.Stemmer("english").stemWords(text.lower().split()))


def expected_level(query: str, hits: Hits) -> str:
    """The formula in plain Python."""
    rows = [stems(text) for text in TEXTS]
    terms = stems(query)
    idf = {term: math.log((len(rows) + 1) / (sum(term in row for row in rows) + 0.5)) for term in terms}
    total = sum(idf.values())
    coverage = max(sum(idf[term] for term in terms & row) for row in rows) / total
    known = sum(idf[term] for term in terms if any(term in row for row in rows)) / total
    functional = {term for word in function_words("en") for term in stems(word)}
    content = terms - functional or terms
    if not any(term in row for row in rows for term in content):
        return LEVELS[3]
    features = [hits[0].score, coverage, known, math.log(len(rows)), math.log(1 + len(terms))]
    probability = 1 / (1 + math.exp(-(INTERCEPT + float(np.dot(features, COEFFICIENTS)))))
    level = next(i for i, minimum in enumerate(MIN_PROBABILITIES) if probability >= minimum)
    shared = max((idf[term] for term in content & rows[hits[0].row]), default=0.0)
    return LEVELS[level if shared >= MIN_DISTINCTIVE_IDF * math.log(len(rows)) else max(level, 2)]


@pytest.mark.parametrize(
    "query",
    ["reset my password", "the printer", "clean a mouse or screen", "how do I", "bake sourdough bread",
     "qqqq", "parcel of bread", "connect", "how do I bake bread", "the refund of my bread order"],
)  # fmt: skip
def test_levels_follow_the_formula(index: Index, query: str) -> None:
    hits = index.search(query, k=5)
    assert hits.match == expected_level(query, hits)


def test_related_queries_match_and_unrelated_do_not(index: Index) -> None:
    assert index.search("reset the password").match == "strong"
    assert index.search("bake sourdough bread").match == "no good match"
    assert index.search("").match == "no good match"


def test_no_hit_is_rated_above_its_query(index: Index) -> None:
    for query in ("replace the cable", "refund", "order bread"):
        hits = index.search(query, k=30)
        ranks = [LEVELS.index(str(hit.match)) for hit in hits]
        assert min(ranks) >= LEVELS.index(str(hits.match))
        assert ranks[0] == min(ranks)


def test_paging_does_not_change_the_level(index: Index) -> None:
    query = "replace the cable"
    assert index.search(query, offset=20).match == index.search(query, offset=0).match


def test_excluded_texts_do_not_count(index: Index) -> None:
    hits = index.similar("1", k=3)
    assert hits.match == index.search(TEXTS[0], k=3, exclude_ids=["1"]).match
    alone = tacit.build_index(["the parcel is late", "bread and butter", "a screen is broken"])
    assert alone.similar("1").match != alone.search("the parcel is late").match


def test_other_measures_have_no_level(index: Index) -> None:
    hits = index.search("the printer", measure="blend")
    assert hits.match is None
    assert [hit.match for hit in hits] == [None] * len(hits)


def test_models_of_several_languages_have_no_level() -> None:
    pairs = [("the cat sleeps", "el gato duerme"), ("the dog barks", "el perro ladra")] * 5
    model = tacit.BilingualWMF(languages=("en", "es")).fit(pairs).model_
    index = Index(model)
    index.add(["the cat sleeps", "el perro ladra"], ids=["a", "b"])
    assert index.search("the cat").match is None


def test_search_is_an_alias_of_hybrid() -> None:
    index = Index(notes_model())
    index.add(NOTES)
    assert index.search("card", measure="search") == index.search("card", measure="hybrid")
    assert index.search("card") == index.search("card", measure="hybrid")
    assert index.percentile([0.5], "search") == index.percentile([0.5], "hybrid")


def test_hits_become_tables_of_plain_values() -> None:
    index = Index(notes_model())
    index.add(NOTES, columns=[{"line": i} for i in range(len(NOTES))])
    hits = index.search("card", k=3)
    assert list(asdict(hits[0])) == ["id", "text", "score", "percentile", "columns", "row"]
    assert list(pd.DataFrame(hits).columns) == list(asdict(hits[0]))
    table = hits.to_pandas()
    assert list(table.columns) == ["rank", "id", "text", "score", "match", "percentile", "line"]
    assert table["id"].tolist() == hits.to_polars()["id"].to_list() == [hit.id for hit in hits]
    assert table["line"].tolist() == [hit.columns["line"] for hit in hits]
    assert ">match</th>" in hits._repr_html_()
