"""Notes about problems of a collection; a good collection has none."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.corpora import inspection
from tacit.corpora.inspection import CorpusInspector, ReservoirSample

TITLES = [f"how do I reset the password of account {number}" for number in range(1000)]
GERMAN = [f"wie setze ich das Passwort von Konto {number} zurück" for number in range(1000)]


def inspect(texts: list[str], language: str | None = None) -> list[str]:
    inspector = CorpusInspector()
    assert list(inspector.observe_all(texts)) == texts
    return inspector.notes(language)


@pytest.mark.parametrize("texts", [[], [""], ["a cat"], ["a cat", "a dog"], TITLES[:20], TITLES])
def test_good_texts_have_no_notes(texts):
    assert inspect(texts, "en") == []


def test_empty_texts_are_counted():
    assert inspect([*TITLES, "", " \n"]) == ["2 of 1,002 texts are empty"]


def test_one_long_document_among_titles_is_noted():
    assert inspect([*TITLES[:500], "a page of words. " * 6000, *TITLES[500:]]) == [
        "1 of 1,001 texts hold 71% of all characters (longest: text 501 with 102,000; median 42): "
        "split long documents into paragraphs"
    ]


def test_long_texts_among_long_texts_are_not_noted():
    assert inspect([f"{number} " + "some words " * (100 + number) for number in range(200)]) == []


def test_signature_in_texts_is_noted():
    mails = [f"{title}\nregards\n -- Sent from my phone \n" for title in TITLES]
    assert inspect(mails) == [
        "'-- Sent from my phone' occurs in 1,000 of 1,000 texts: "
        "remove it if it is a signature or boilerplate"
    ]


def test_identical_texts_are_noted():
    long = "this message is confidential and " * 20
    assert inspect([*TITLES, *[long] * 1000])[0].startswith(
        "'this message is confidential and this message is confidentia...' occurs in 1,000 of 2,000 texts"
    )
    assert inspect(["a cat"] * 50) == ["all 50 texts are the same: 'a cat'"]


def test_html_tags_are_noted():
    tagged = [f"<p>{title}</p>" for title in TITLES[:100]]
    assert inspect(TITLES + tagged) == ["100 of 1,100 texts have HTML tags: html=True or --html strips them"]
    assert inspect([*TITLES, "if a < b and c > d", "<user@example.com>"]) == []


def test_mixed_or_undeclared_languages_are_noted():
    mixed = inspect([text for pair in zip(TITLES, GERMAN, strict=True) for text in pair], "en")
    assert len(mixed) == 1
    assert mixed[0].startswith("the texts seem to be in several languages (")
    assert "de " in mixed[0]
    assert "en " in mixed[0]
    assert inspect(GERMAN, "en") == ["the texts seem to be de 100%, not 'en': set language= or --language"]
    assert inspect(GERMAN, "de") == inspect(GERMAN) == []


@given(st.lists(st.sampled_from("abcdefgh"), max_size=200))
def test_line_counts_are_within_their_bound(texts):
    inspector = CorpusInspector()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inspection, "MAX_COUNTED_LINES", 3)
        list(inspector.observe_all(texts))
    true = Counter(texts)
    assert len(inspector.lines) <= 3
    for line, count in true.items():
        assert count - len(texts) / 3 <= inspector.lines.get(line, 0) <= count


def test_the_sample_is_the_same_every_time_and_bounded():
    samples = []
    for _ in range(2):
        inspector = CorpusInspector()
        list(inspector.observe_all(TITLES * 3))
        samples.append(inspector.sample.texts)
    assert samples[0] == samples[1]
    assert len(samples[0]) == inspection.SAMPLE_TEXTS


def test_reservoir_sample_yields_all_texts_and_is_uniform():
    counts: Counter[int] = Counter()
    for seed in range(400):
        reservoir = ReservoirSample(10, seed)
        assert list(reservoir.pass_through(map(str, range(100)))) == [str(n) for n in range(100)]
        assert len(set(reservoir.texts)) == 10
        counts.update(int(text) for text in reservoir.texts)
    expected = 400 * 10 / 100
    chi_squared = sum((counts[n] - expected) ** 2 / expected for n in range(100))
    assert chi_squared < 150  # 99 degrees of freedom: beyond this once in a thousand


def test_reservoir_sample_truncates_long_texts():
    reservoir = ReservoirSample(2, max_chars=2000)
    texts = ["a" * 10**6, "b", "c" * 10**6, "d" * 10**6]
    assert list(reservoir.pass_through(texts)) == texts
    assert max(map(len, reservoir.texts)) == 2000


def test_reservoir_sample_keeps_all_of_few_texts():
    reservoir = ReservoirSample(10)
    assert list(reservoir.pass_through(["a", "b"])) == reservoir.texts == ["a", "b"]


@pytest.mark.parametrize(("length", "quoted"), [(60, "x" * 60), (61, "x" * 60 + "...")])
def test_repeated_line_of_more_than_60_characters_is_truncated(length, quoted):
    notes = inspect([*TITLES[:20], *["x" * length] * 20])
    assert notes[0].startswith(f"'{quoted}' occurs in 20 of 40 texts")


@pytest.mark.parametrize(("count", "is_noted"), [(4, False), (5, True)])
def test_line_is_noted_from_the_minimum_number_of_texts(count, is_noted):
    assert bool(inspect([*TITLES[:20], *["kind regards from us"] * count])) is is_noted
