"""The page, as people use it: with a pointer, with keys alone, on a phone, in the dark."""

from __future__ import annotations

import base64
import struct

import pytest

from helpers.services import running
from tacit.server.settings import Limits, Settings

PATIENCE = 25_000  # milliseconds
READY = '#map[data-points="15"]'


def compare(page, a: str, b: str) -> None:
    page.wait_for_selector("#heat td")  # an example is there at first
    page.fill("#text-a", a)
    page.fill("#text-b", b)
    page.wait_for_selector(f'#heat thead span:text-is("{b.split()[-1]}")')
    page.wait_for_selector(f'#heat tbody th:text-is("{a.split()[-1]}")')


def test_the_cells_on_the_page_sum_to_the_score(page, site):
    page.goto(site.base)
    compare(page, "my card was declined", "the payment failed")
    values = [float(cell.get_attribute("data-value")) for cell in page.locator("#heat td[data-value]").all()]
    score = float(page.get_attribute("#score", "data-score"))
    assert len(values) == 4 * 3
    assert sum(values) == pytest.approx(score, abs=1e-9)
    assert page.inner_text("#score") == f"{score:.2f}"
    assert page.inner_text("#heat .total") == f"{score:.2f}"
    asked = site.ask("/explain", {"a": "my card was declined", "b": "the payment failed"}).json()
    assert score == asked["score"]
    assert f"{asked['percentile']:.1f} % of random pairs" in page.inner_text("#percentile")


def test_each_text_tells_what_it_leaves_unsaid(page, site):
    page.goto(site.base)
    compare(page, "my parcel", "forgot password")
    for side, text in (("a", "my parcel"), ("b", "forgot password")):
        words = [found["word"] for found in site.ask("/unsaid", {"text": text, "k": 8}).json()["words"]]
        page.wait_for_selector(f'#unsaid-{side} b:text-is("{words[0]}")')
        assert page.locator(f"#unsaid-{side} b").all_inner_texts() == words


def test_a_text_of_unknown_words_is_said_to_be_one(page, site):
    page.goto(site.base)
    compare(page, "xylophone", "payment failed")
    page.wait_for_selector("#unknown:visible")
    assert "knows no word of the one text" in page.inner_text("#unknown")


def test_text_is_text_whatever_it_holds(page, site):
    page.goto(site.base)
    page.fill("#text-a", "<img src=x onerror=alert(1)> card")
    page.fill("#text-b", "<b>card</b>")
    page.wait_for_selector('#heat tbody th:text-is("onerror")')
    assert page.locator("#heat img, #heat b").count() == 0


def test_the_heat_map_is_walked_by_keys(page, site):
    page.goto(site.base)
    compare(page, "card declined", "payment failed")
    page.focus('#heat [data-i="0"][data-j="0"]')
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    focused = page.locator("#heat td:focus")
    assert focused.get_attribute("aria-label").startswith("declined and failed: add 0.")
    assert page.inner_text("#cell-note").startswith("declined and failed add 0.")
    page.keyboard.press("ArrowDown")  # at the edge nothing happens
    assert page.locator("#heat td:focus").get_attribute("data-i") == "1"


def test_search_answers_while_one_types(page, site):
    page.goto(f"{site.base}/#search")
    page.locator("#query").press_sequentially("card fai", delay=30)
    page.wait_for_selector("#hits li")
    page.locator("#query").press_sequentially("led", delay=30)
    expected = site.ask("/search", {"query": "card failed", "k": 10}).json()["hits"]
    page.wait_for_selector(f'#hits li:first-child .text:has-text("{expected[0]["text"]}")')
    assert page.locator("#hits .text").all_inner_texts() == [hit["text"] for hit in expected]
    because = page.locator("#hits .because").first.inner_text()
    assert because.startswith("because of ")
    assert expected[0]["words"][0]["text"] in because
    assert page.locator("#hits li").first.locator("mark").count() > 0
    assert "among 15" in page.inner_text("#search-status")
    page.fill("#query", "")
    page.wait_for_selector("#hits li", state="detached")


def test_the_map_is_read_by_keys_and_by_pointer(page, site):
    page.goto(f"{site.base}/#map")
    page.wait_for_selector(READY)
    page.focus("#map")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#map-text .text")
    first = page.inner_text("#map-text .text")
    for _ in range(3):
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowLeft")
    page.wait_for_selector(f'#map-text .text:not(:text-is("{first}"))')
    page.keyboard.press("+")
    page.keyboard.press("Enter")
    page.wait_for_selector("#panel-search:visible")
    page.wait_for_selector("#hits li")
    text = page.input_value("#query")
    assert page.locator("#hits .text").first.inner_text() == text


def test_a_click_takes_the_point_under_the_pointer(page, site):
    page.goto(f"{site.base}/#map")
    page.wait_for_selector(READY)
    data = base64.b64decode(site.get("/map").json()["points"])
    points = [(x / 32767, y / 32767) for x, y in struct.iter_unpack("<hh", data)]
    for number in (0, 9, 14):
        page.click("#tab-map")
        frame = page.locator("#map").bounding_box()
        scale = 0.47 * min(frame["width"], frame["height"])
        x, y = points[number]
        page.mouse.click(
            frame["x"] + frame["width"] / 2 + x * scale, frame["y"] + frame["height"] / 2 - y * scale
        )
        page.wait_for_selector("#panel-search:visible")
        assert page.input_value("#query") == site.get(f"/map/{number}").json()["text"]


def test_tabs_are_chosen_by_keys(page, site):
    page.goto(site.base)
    page.wait_for_selector("#tab-compare[aria-selected=true]")
    page.focus("#tab-compare")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#panel-search:visible")
    assert page.locator("[role=tabpanel]:visible").count() == 1
    assert page.get_attribute("#tab-search", "aria-selected") == "true"
    assert page.url.endswith("#search")


def test_only_what_is_loaded_is_offered(page, site):
    page.goto(site.base)
    page.wait_for_selector("#tab-map:visible")
    assert page.locator("[role=tab]:visible").all_inner_texts() == ["Compare", "Search", "Map"]


def test_everything_has_a_name_for_those_who_listen(page, site):
    page.goto(site.base)
    compare(page, "card declined", "payment failed")
    for name in ("compare", "search", "map"):
        page.click(f"#tab-{name}")
        nameless = page.evaluate(
            """() => [...document.querySelectorAll("button, input, textarea, select, canvas, [role=grid]")]
                .filter((one) => one.checkVisibility())
                .filter((one) => !one.labels?.length && !one.ariaLabel && !one.innerText?.trim())
                .map((one) => one.outerHTML)"""
        )
        assert nameless == []
    assert page.get_attribute("html", "lang") == "en"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1180])
def test_it_fits_and_can_be_read(browser, site, scheme, width, pictures):
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(site.base)
    compare(page, "my card was declined at the shop", "late delivery, where is it")
    for name, seen in {"compare": "#heat td", "search": "#query", "map": READY}.items():
        page.click(f"#tab-{name}")
        page.wait_for_selector(seen)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert contrast(page, "body") >= 7
        if pictures:
            page.screenshot(path=str(pictures / f"{scheme}-{width}-{name}.png"), full_page=True)
    page.click("#tab-compare")
    for cell in page.locator("#heat td[data-value]").all():
        assert contrast(page, cell) >= 4.5
    for soft in ("#percentile", "#verdict-word", "#tries button", "footer"):
        assert contrast(page, soft) >= 4.5, soft
    context.close()


def test_the_theme_can_be_turned(page, site):
    page.emulate_media(color_scheme="light")
    page.goto(site.base)
    before = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.click("#theme")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") != before
    page.reload()
    assert page.get_attribute("html", "data-theme") == "dark"


def test_a_token_is_asked_for_and_kept_for_the_visit(browser, models_of_site):
    token = "0123456789abcdef0123"
    with running(models_of_site, Settings(Limits(seconds=120), token)) as service:
        context = browser.new_context()
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(service.base)
        page.fill("#token", "wrong-token-wrong-token")
        page.keyboard.press("Enter")
        page.wait_for_selector("#notice:visible")
        assert page.is_visible("#token")
        page.fill("#token", token)
        page.keyboard.press("Enter")
        page.wait_for_selector("#tab-compare[aria-selected=true]")
        assert not page.is_visible("#token")
        page.reload()
        page.wait_for_selector("#tab-compare[aria-selected=true]")
        assert not page.is_visible("#token")
        context.close()


def test_a_service_that_is_gone_is_said(browser, models_of_site):
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    with running(models_of_site) as service:
        page.goto(f"{service.base}/#search")
        page.wait_for_selector("#panel-search:visible")
    page.fill("#query", "card")
    page.wait_for_selector("#notice:visible")
    assert "does not answer" in page.inner_text("#notice")
    context.close()


def test_the_addresses_are_described(page, site):
    page.goto(f"{site.base}/docs")
    page.wait_for_selector(".api")
    assert page.locator(".api").count() == 14
    assert "/v1/embeddings" in page.inner_text("main")


def contrast(page, place) -> float:
    """The contrast of an element's letters with what is behind them, by the formula of WCAG."""
    locator = page.locator(place).first if isinstance(place, str) else place
    ink, behind = locator.evaluate(
        """(one) => {
            const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
            const paint = (colour) => {
                pen.fillStyle = colour;
                pen.fillRect(0, 0, 1, 1);
                return [...pen.getImageData(0, 0, 1, 1).data];
            };
            const layers = [];
            for (let at = one; at; at = at.parentElement) layers.push(getComputedStyle(at).backgroundColor);
            let behind;
            for (const layer of layers.reverse()) behind = paint(layer);
            return [paint(getComputedStyle(one).color), behind];
        }"""
    )
    lighter, darker = sorted((_luminance(ink), _luminance(behind)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: list[int]) -> float:
    parts = [value / 255 for value in colour[:3]]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_formula_of_contrast():
    assert (_luminance([255, 255, 255]) + 0.05) / (_luminance([0, 0, 0]) + 0.05) == pytest.approx(21)
