"""Hits: truncation, links, copying and CSV export."""

from __future__ import annotations

import csv
import io
import json

import pytest

ARABIC = "لم يصل الطرد حتى الآن"
LONG = f"{ARABIC} " + "word " * 400
COLUMNS = {
    "sum": "=1+1",
    "call": "+49 30 1234",
    "change": "-5",
    "wide": "\uff1d1+1",
    "page": "https://a.test/1",
    "run": "javascript:alert(1)",
}
PAID = {"query": "money", "text": "paid", "share": 0.2}
HITS = [
    {"id": "@7", "row": 0, "text": LONG.strip(), "columns": COLUMNS, "words": [], "outside": 0.31},
    {"id": "8", "row": 1, "text": '=HYPERLINK("http://evil.test")', "columns": {}, "words": [PAID]},
]


@pytest.fixture
def found(page, site):
    """The page with two hits that were made up."""
    hits = [{"score": 0.5, "percentile": 99.0, **hit} for hit in HITS]
    answer = {"hits": hits, "more": False, "searched": 15, "language": "en"}
    page.route("**/search", lambda route: route.fulfill(body=json.dumps(answer)))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{site.base}/#search?q=parcel")
    page.wait_for_selector("#hits li")
    return page


def test_a_long_hit_is_truncated_and_can_be_expanded(found):
    text = found.locator("#hits .text").first
    assert len(text.inner_text()) < 430
    assert text.evaluate("(one) => getComputedStyle(one).direction") == "rtl"
    found.click("#hits button:has-text('Show all')")
    assert text.inner_text() == LONG.strip()
    found.click("#hits button:has-text('Show less')")
    assert text.inner_text().endswith("…")
    assert found.locator("#hits button[aria-expanded]").count() == 1


def test_reasons_name_words_and_outside_vectors(found):
    assert found.locator("#hits .reason").all_inner_texts() == [
        "Outside vectors +0.31",
        "Matching words: money ~ paid 0.20",
    ]


def test_only_http_urls_are_links_and_copy_takes_the_whole_text(found):
    assert [one.get_attribute("href") for one in found.locator("#hits .columns a").all()] == [
        "https://a.test/1"
    ]
    assert "javascript:alert(1)" in found.locator("#hits .columns").first.inner_text()
    found.locator("#hits .actions summary").first.click()
    found.locator("#hits button", has_text="Copy").first.click()
    found.wait_for_selector("#hits button:has-text('Copied')")
    assert found.evaluate("navigator.clipboard.readText()") == LONG.strip()


def test_exported_cells_are_not_formulas(found):
    with found.expect_download() as written:
        found.click("#export")
    text = written.value.path().read_text(encoding="utf-8-sig")
    first, second = csv.DictReader(io.StringIO(text, newline=""))
    assert (first["id"], first["sum"], first["call"]) == ("'@7", "'=1+1", "'+49 30 1234")
    assert first["wide"] == "'\uff1d1+1"
    assert (first["change"], first["page"], first["text"]) == ("-5", "https://a.test/1", LONG.strip())
    assert second["text"] == '\'=HYPERLINK("http://evil.test")'
    assert [row["rank"] for row in (first, second)] == ["1", "2"]


def test_views_offer_examples(page, site):
    page.goto(f"{site.base}/#search")
    page.locator("#search-examples button").first.click()
    page.wait_for_selector("#hits li")
    page.click("#tab-compare")
    page.locator("#examples button").first.click()
    page.wait_for_selector("#comparison[aria-busy=false] #verdict")
