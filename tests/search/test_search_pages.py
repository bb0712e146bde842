"""Pages of hits: offsets, excluded ids, and the attributes of a list of hits."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import language_models
from helpers.notes import NOTES, notes_model
from tacit import Index, InputError
from tacit.search import ranking

MODEL = notes_model()
COLUMNS = [{"team": team, "line": line} for team in ("billing", "login", "post") for line in range(5)]
CANDIDATES = 8
"""Candidates of each kind, fewer than the texts: other candidates could change the order of the hits."""


@pytest.fixture(scope="module")
def index() -> Index:
    index = Index(MODEL)
    index.add(NOTES, columns=COLUMNS)
    return index


def plain(hits):
    return [(hit.id, hit.score, hit.percentile, hit.columns) for hit in hits]


@settings(max_examples=60, deadline=None)
@given(
    query=st.sampled_from([*NOTES, "card", "my late password"]),
    measure=st.sampled_from(["blend", "latent", "search", "lexical"]),
    k=st.integers(1, 8),
    where=st.sampled_from([None, {"team": ["billing", "post"]}, {"line": {">=": 2}}]),
)
def test_pages_are_slices_of_all_hits(index, query, measure, k, where):
    """This holds for ``offset + k + 1 <= n_candidates``, and always for latent, which compares all texts."""
    options = {"where": where, "n_candidates": CANDIDATES}
    end = len(NOTES) if measure == "latent" else CANDIDATES - 1
    all_hits = index.search(query, end, measure, offset=0, **options)
    for offset in range(end - k + 1):
        page = index.search(query, k, measure, offset=offset, **options)
        assert plain(page) == plain(all_hits[offset : offset + k])
        assert page.offset == offset
        assert page.more == (len(index.search(query, offset + k + 1, measure, **options)) > offset + k)


def test_further_hit_is_looked_up_only_for_pages(index, monkeypatch):
    numbers = []
    rank = ranking.rank
    monkeypatch.setattr(ranking, "rank", lambda *given: numbers.append(given[2]) or rank(*given))
    assert index.search("my card", 3).more is None
    assert index.search("my card", 3, offset=0).more is True
    assert index.search("my card", 3, offset=4).offset == 4
    assert index.similar("1", 3).more is None
    assert index.similar("1", 3, offset=0).more is True
    assert numbers == [3, 4, 8, 4, 5]


def test_excluded_ids_are_no_hits(index):
    hits = index.search("my card was declined", 5)
    first, second, *others = plain(hits)
    assert plain(index.search("my card was declined", 3, exclude_ids=[first[0], int(second[0])])) == others
    assert plain(index.search("my card was declined", 3, exclude_ids=["nobody"])) == plain(hits)[:3]
    several = index.search_many(["my card", "my parcel"], 3, exclude_ids=[["1", "2"], []])
    assert several == [index.search("my card", 3, exclude_ids=["1", "2"]), index.search("my parcel", 3)]
    with pytest.raises(InputError, match="exclude_ids for 1 of 2 queries"):
        index.search_many(["a", "b"], exclude_ids=[["1"]])
    with pytest.raises(InputError, match="put it in a list"):
        index.search("a", exclude_ids="1")


def test_similar_accepts_all_search_options(index):
    hits = index.similar("1", 2, where={"team": "billing"}, offset=1, exclude_ids=["2"], counts=True)
    expected = index.search(NOTES[0], 5, where={"team": "billing"})
    assert plain(hits) == [hit for hit in plain(expected) if hit[0] not in ("1", "2")][1:3]
    assert (hits.total, hits.more) == (5, False)
    assert {each["value"]: each["n"] for each in hits.counts["team"]} == {"billing": 5, "login": 5, "post": 5}


def test_hits_are_a_list_with_attributes_of_the_search(index):
    hits = index.search("my card", 2, where={"line": {"<": 3}}, counts=True, offset=0)
    assert isinstance(hits, list)
    assert hits == list(hits) == [*hits]
    assert hits[:1] == [hits[0]]
    assert (hits.total, hits.language, hits.offset, hits.more) == (9, "en", 0, True)
    assert hits.counts["line"] == [{"value": line, "n": 3} for line in range(5)]
    assert hits.counts["team"][0] == {"value": "billing", "n": 3}
    decoded = json.loads(json.dumps(hits.to_dict()))
    assert list(decoded) == [
        "hits",
        "match",
        "offset",
        "more",
        "searched",
        "counts",
        "language",
        "unknown_words",
    ]
    assert [hit["row"] for hit in decoded["hits"]] == [hit.row for hit in hits]
    assert index.search("my crad and a zebra 99").unknown_words == ["crad", "zebra"]
    nothing = index.search("qqqq zzzz", where={"team": "nobody"})
    assert nothing == []
    assert (nothing.total, nothing.counts, nothing.more) == (0, None, None)


def test_hits_have_the_language_of_the_query():
    index = Index(language_models.pivot().add_language("es", language_models.PAIRS["es"]))
    index.add(["the cat sleeps", "el banco presta dinero"])
    pages = index.search_many(["the dog chases the cat", "el gato duerme"], 1)
    assert [page.language for page in pages] == ["en", "es"]
    assert index.search("el gato duerme", 1, language="en").language == "en"


@pytest.mark.parametrize("offset", [-1, 2.5, "3"])
def test_invalid_offset_raises_an_error(index, offset):
    with pytest.raises(InputError, match=f"offset={offset!r}: expected an integer of at least 0"):
        index.search("card", offset=offset)
