"""The views of senses and languages with real models."""

from __future__ import annotations

import pytest

from helpers.services import running_service
from helpers.waiting import PATIENCE
from tacit import SenseModel, TextVectorizer
from tacit.server.served_collection import ServedCollection

MONEY = ["the bank lent money to the firm", "money from the bank and interest on a loan"] * 20
RIVER = ["the bank of the river is steep and green", "water on the green bank of a river"] * 20
ROWS = [
    ("a cat sleeps", "un gato duerme"),
    ("the kitten sleeps", "el gatito duerme"),
    ("a kitten is a young cat", "un gatito es un gato joven"),
    ("stocks fell", "las acciones cayeron"),
    ("the market fell", "el mercado cayó"),
    ("stocks trade on the market", "las acciones cotizan en el mercado"),
]


@pytest.fixture
def visit(browser, pictures):
    context = browser.new_context(viewport={"width": 1100, "height": 800})
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    yield page
    if pictures:
        page.screenshot(path=str(pictures / f"{page.url.partition('#')[2]}.png"))
    context.close()


def test_senses_of_a_word_and_its_sense_in_a_text(visit):
    model = SenseModel(n_components=2, n_clusters=4, n_iter=20, max_df=1.0).fit(MONEY + RIVER)
    with running_service(ServedCollection("senses", senses=model)) as service:
        visit.goto(service.base)
        visit.fill("#sense-word", "bank")
        visit.wait_for_selector("#senses li")
        assert visit.locator("#senses li").count() == len(model.senses("bank"))
        visit.fill("#sense-text", "they lent money at the bank")
        visit.wait_for_selector("#senses li.current")
        assert visit.locator("#senses li.current[aria-current]").count() == 1
        visit.fill("#sense-word", "xylophone")
        visit.wait_for_selector("#senses li", state="detached")
        assert "xylophone" in visit.inner_text("#sense-status")


def test_translations_and_comparison_across_languages(visit):
    bilingual = pytest.importorskip("tacit.training.bilingual", reason="this tacit has one language yet")
    model = bilingual.BilingualWMF(
        ["en", "es"], TextVectorizer(min_df=1), n_components=3, missing_weight=0.1, regularization=1.0
    ).fit(ROWS)
    models = ServedCollection("polyglot", model)
    models.warm_up()  # as tacit serve does: a first request would wait for the compiler
    with running_service(models) as service:
        visit.goto(service.base)
        visit.wait_for_selector("#tab-languages:visible")
        visit.fill("#text-a", "the cat sleeps")
        visit.fill("#text-b", "el gato duerme")
        visit.wait_for_selector('#heat-map thead span:text-is("duerme")')
        assert visit.locator("#language-a option").all_inner_texts() == [
            "detected: English",
            "English",
            "Spanish",
        ]
        assert visit.locator("#language-b option").first.inner_text() == "detected: Spanish"
        visit.click("#tab-languages")
        visit.fill("#foreign-word", "cat")
        visit.wait_for_selector("#translations li")
        found = visit.locator("#translations li > span:first-child").all_inner_texts()
        assert found == [word for word, _ in model.translations("cat", "en", 10, "es")]
