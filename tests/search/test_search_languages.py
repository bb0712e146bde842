"""Search over texts of several languages: a query finds similar texts in all of them."""

from __future__ import annotations

import pytest

import tacit
from helpers.language_models import PAIRS, bilingual, pivot
from tacit import Index, InputError

TEXTS = ["the cat sleeps", "el perro persigue al gato", "die Bank verleiht Geld", "money for loans"]


def pivots():
    model = pivot()
    for code, pairs in PAIRS.items():
        model.add_language(code, pairs)
    return model


@pytest.mark.parametrize("make", [pivots, bilingual])
def test_query_finds_texts_in_any_language(make):
    index = Index(make())
    index.add(TEXTS)
    best = [index.search(query, k=1)[0].text for query in ("el gato duerme", "the dog chases the cat")]
    assert best == ["the cat sleeps", "el perro persigue al gato"]
    assert index.search("the bank lends money", k=2, language="en")[0].text == "die Bank verleiht Geld"


def test_multilingual_hits_have_words_and_percentiles():
    index = Index(pivots())
    index.add(TEXTS)
    hit = index.search("el gato duerme", k=1, language="es")[0]
    assert {("gato", "cat"), ("duerme", "sleeps")} <= {(a, b) for a, b, _ in hit.words}
    assert 0 <= hit.percentile <= 100


def test_saved_index_keeps_its_languages(tmp_path):
    index = Index(pivots())
    index.add(TEXTS)
    index.save(tmp_path / "index")
    again = tacit.load(tmp_path / "index")
    for query in ("der Hund jagt die Katze", "dinero"):
        assert again.search(query) == index.search(query)


def test_unknown_language_raises_an_error(index):
    across = Index(pivots())
    across.add(TEXTS)
    with pytest.raises(InputError, match="no language 'fr': it has en, es, de"):
        across.search("le chat dort", language="fr")
    with pytest.raises(InputError, match="no language 'fr': it has en"):
        index.search("card", language="fr")
