"""The page with mouse and keyboard, on wide and narrow screens, in light and dark."""

from __future__ import annotations

import pytest

from helpers.colors import color_contrast
from helpers.services import running_service
from helpers.waiting import PATIENCE
from tacit.server.server_settings import Limits, Settings

READY = '#map[data-points="15"]'
SHOWN = {"compare": "#heat-map td", "search": "#query", "map": READY}
"""By tab, what is there when it has come to rest."""


# The answer to one question comes only when the test says so, whatever has become of the question.
HOLD = """() => {
    const real = window.fetch;
    window.fetch = async (path, options) => {
        if (!options.body?.includes("password")) return real(path, options);
        const answer = await real(path, { ...options, signal: undefined });
        return new Promise((soon) => { window.late = () => soon(answer); });
    };
}"""


def compare(page, a: str, b: str) -> None:
    page.wait_for_selector("#heat-map td")  # an example is there at first
    page.fill("#text-a", a)
    page.fill("#text-b", b)
    page.wait_for_selector("#comparison[aria-busy=false]")
    assert page.locator("#heat-map thead span").all_inner_texts()[-2] == b.split()[-1].strip(",")


def open_actions(page) -> None:
    page.locator("#hits .actions summary").first.click()


def test_the_cells_on_the_page_sum_to_the_score(page, site):
    page.goto(site.base)
    compare(page, "my card was declined", "the payment failed")
    values = [
        float(cell.get_attribute("data-value")) for cell in page.locator("#heat-map td[data-value]").all()
    ]
    score = float(page.get_attribute("#score", "data-score"))
    assert len(values) == 4 * 3
    assert sum(values) == pytest.approx(score, abs=1e-9)
    assert page.inner_text("#score") == f"{score:.2f}"
    assert page.inner_text("#heat-map .total") == f"{score:.2f}"
    asked = site.post("/explain", {"a": "my card was declined", "b": "the payment failed"}).json()
    assert score == asked["score"]
    assert "%" not in page.inner_text("#verdict")


def test_each_text_shows_its_unsaid_words(page, site):
    page.goto(site.base)
    compare(page, "my parcel", "forgot password")
    for side, text in (("a", "my parcel"), ("b", "forgot password")):
        words = [found["word"] for found in site.post("/unsaid", {"text": text, "k": 8}).json()["words"]]
        page.wait_for_selector(f'#unsaid-{side} b:text-is("{words[0]}")')
        assert page.locator(f"#unsaid-{side} b").all_inner_texts() == words


def test_a_text_of_unknown_words_is_reported(page, site):
    page.goto(site.base)
    compare(page, "xylophone", "payment failed")
    page.wait_for_selector("#unknown:visible")
    assert "knows no word of text A" in page.inner_text("#unknown")


def test_html_in_texts_is_not_interpreted(page, site):
    page.goto(site.base)
    page.fill("#text-a", "<img src=x onerror=alert(1)> card")
    page.fill("#text-b", "<b>card</b>")
    page.wait_for_selector('#heat-map tbody th:text-is("onerror")')
    assert page.locator("#heat-map img, #heat-map b").count() == 0


def test_arrow_keys_move_in_the_heat_map(page, site):
    page.goto(site.base)
    compare(page, "card declined", "payment failed")
    page.focus('#heat-map [data-i="0"][data-j="0"]')
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    focused = page.locator("#heat-map td:focus")
    assert focused.get_attribute("aria-label").startswith("declined and failed raise the score by 0.")
    assert page.inner_text("#cell-note").startswith("declined and failed raise the score by 0.")
    page.keyboard.press("ArrowDown")  # at the edge nothing happens
    assert page.locator("#heat-map td:focus").get_attribute("data-i") == "1"


def test_search_while_typing(page, site):
    page.goto(f"{site.base}/#search")
    page.wait_for_selector("#query:focus")
    page.locator("#query").press_sequentially("card fai", delay=30)
    page.wait_for_selector("#search-status:has-text('Most similar of 15 texts')")
    page.locator("#query").press_sequentially("led", delay=30)
    expected = site.post("/search", {"query": "card failed", "k": 10}).json()["hits"]
    page.wait_for_selector(f'#hits li:first-child .text:has-text("{expected[0]["text"]}")')
    assert page.locator("#hits .text").all_inner_texts() == [hit["text"] for hit in expected]
    reason = page.locator("#hits .reason").first.inner_text()
    assert reason.startswith("Matching words: ")
    assert expected[0]["words"][0]["text"] in reason
    assert page.locator("#hits li").first.locator("mark").count() > 0
    assert "of 15 texts" in page.inner_text("#search-status")
    page.fill("#query", "")
    page.wait_for_selector("#search-status:has-text('An example, until you type')")
    assert page.locator("#hits li").count() == 3
    assert page.is_visible("#search-examples")
    assert not page.is_visible("#more")


def test_hits_have_words_for_their_match_strength(page, site):
    page.goto(f"{site.base}/#search?q=card failed parcel")
    page.wait_for_selector("#hits li")
    answer = site.post("/search", {"query": "card failed parcel"}).json()
    assert answer["match"] != "no good match"
    assert page.locator("#hits .grade b").all_inner_texts() == [hit["match"] for hit in answer["hits"]]
    assert not page.is_visible("#no-match")
    assert "%" not in page.inner_text("#hits")


def test_an_unrelated_query_is_called_so(page, site):
    page.goto(f"{site.base}/#search?q=xylophones zithers")
    page.wait_for_selector("#no-match:visible")
    assert site.post("/search", {"query": "xylophones zithers"}).json()["match"] == "no good match"
    assert page.inner_text("#no-match") == "Nothing like this here."
    page.fill("#query", "card")
    page.wait_for_selector("#no-match", state="hidden")


@pytest.mark.parametrize(
    ("match", "word", "message"),
    [(None, "", ""), ("no good match", "no good match", "Nothing like this here. The nearest texts")],
)
def test_words_are_shown_only_for_rated_hits(page, site, match, word, message):
    hit = {"id": "1", "row": 0, "text": "a text", "score": 0.4, "match": match, "words": [], "columns": {}}
    answer = {"hits": [hit], "match": match, "more": False, "searched": 15, "language": "en"}
    page.route("**/search", lambda route: route.fulfill(json=answer))
    page.goto(f"{site.base}/#search?q=text")
    page.wait_for_selector("#hits li")
    assert page.inner_text("#hits .grade").split("\n") == [*([word] if word else []), "0.40"]
    assert page.inner_text("#no-match").startswith(message)


def test_the_page_says_that_a_collection_is_opened(page, site):
    held = []
    page.route("**/about", lambda route: held.append(route))
    with page.expect_request("**/about"):
        page.goto(site.base)
    assert page.is_visible("#opening")
    held[0].continue_()
    page.wait_for_selector("#opening", state="hidden")


def test_arrow_keys_reach_every_tab_and_back(page, site):
    page.goto(site.base)
    page.wait_for_selector("#tab-compare[aria-selected=true]")
    page.focus("#tab-compare")
    names = [tab.get_attribute("data-view") for tab in page.locator("[role=tab]:visible").all()]
    for name in [*names[1:], names[0], names[-1]]:
        page.keyboard.press("ArrowLeft" if name == names[-1] and page.url.count(names[0]) else "ArrowRight")
        page.wait_for_selector(f"#panel-{name}:visible")
        assert page.locator("[role=tabpanel]:visible").count() == 1
        assert page.get_attribute(f"#tab-{name}", "aria-selected") == "true"
        assert page.evaluate("document.activeElement.id") == f"tab-{name}"


def test_back_and_forward_move_between_views(page, site):
    page.goto(f"{site.base}/#search?q=card")
    page.wait_for_selector("#hits li")
    open_actions(page)
    page.click('#hits li:first-child button:has-text("Compare with the query")')
    page.wait_for_selector("#heat-map td")
    assert page.input_value("#text-a") == "card"
    page.go_back()
    page.wait_for_selector("#panel-search:visible")
    assert page.input_value("#query") == "card"
    page.go_forward()
    page.wait_for_selector("#panel-compare:visible")
    assert page.input_value("#text-a") == "card"


def test_the_url_restores_the_comparison(page, site):
    page.goto(site.base)
    compare(page, "my card & co", "50 % of the payment")
    page.wait_for_function("location.hash.includes('payment')")
    address = page.url
    score = page.get_attribute("#score", "data-score")
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector(f'#score[data-score="{score}"]')
    assert page.input_value("#text-a") == "my card & co"
    assert page.input_value("#text-b") == "50 % of the payment"


def test_a_long_text_is_truncated_with_a_note(page, site):
    page.goto(site.base)
    compare(page, "my card was declined", "the payment failed")
    before = page.get_attribute("#score", "data-score")
    long = "my card was declined at the shop, says a long letter. " * 39  # 2,106 characters
    page.fill("#text-a", long)
    page.fill("#text-b", long)
    page.wait_for_selector("#truncated-b:visible")
    assert "first 2,000 of 2,106 characters" in page.inner_text("#truncated-a")
    page.wait_for_selector('#score:text-is("1.00")')
    assert page.get_attribute("#score", "data-score") != before
    assert not page.is_visible("#notice")


def test_an_error_removes_the_old_result(page, site):
    page.goto(site.base)
    compare(page, "my card was declined", "the payment failed")
    refusal = {
        "status": 422,
        "content_type": "application/json",
        "body": '{"error": {"message": "no, thanks"}}',
    }
    page.route("**/explain", lambda route: route.fulfill(**refusal))
    page.fill("#text-a", "my parcel")
    page.wait_for_selector("#notice:visible")
    assert page.inner_text("#notice") == "no, thanks"
    page.wait_for_selector("#verdict", state="hidden")
    assert page.get_attribute("#score", "data-score") is None
    assert not page.is_visible("#heat-map")
    page.wait_for_selector("#unsaid-a b")  # what works does not silence what does not
    assert page.is_visible("#notice")
    page.unroute("**/explain")
    page.fill("#text-a", "my parcel is late")
    page.wait_for_selector("#verdict:visible")
    assert not page.is_visible("#notice")
    page.errors[:] = [message for message in page.errors if "422" not in message]


def test_late_responses_are_dropped(page, site):
    page.goto(f"{site.base}/#search")
    page.wait_for_selector("#panel-search:visible")
    page.evaluate(HOLD)
    page.fill("#query", "password")
    page.wait_for_function("() => window.late !== undefined")
    assert page.get_attribute("#results", "aria-busy") == "true"
    page.fill("#query", "parcel")
    page.wait_for_selector("#results[aria-busy=false] #hits li")
    texts = page.locator("#hits .text").all_inner_texts()
    assert "parcel" in texts[0]
    page.evaluate("() => { late(); return new Promise((soon) => setTimeout(soon, 50)); }")
    assert page.locator("#hits .text").all_inner_texts() == texts
    assert page.get_attribute("#results", "aria-busy") == "false"


def test_colors_have_one_scale_for_all_texts(page, site):
    """Equal contributions have the same color in all tables."""
    page.goto(site.base)
    seen = {}
    for a, b in (("card", "card"), ("my card was declined at the shop", "the shop declined my card")):
        compare(page, a, b)
        for cell in page.locator("#heat-map td[data-value]").all():
            strength = float(cell.evaluate("(one) => one.style.getPropertyValue('--strength')"))
            seen[float(cell.get_attribute("data-value"))] = strength
    assert all(
        strength == pytest.approx(min(1, (abs(value) / 0.25) ** 0.5), abs=1e-3)
        for value, strength in seen.items()
    )
    assert max(seen.values()) == 1


def test_only_available_views_have_tabs(page, site):
    page.goto(site.base)
    page.wait_for_selector("#tab-map:visible")
    assert page.locator("[role=tab]:visible").all_inner_texts() == [
        "Compare",
        "Search",
        "Map",
        "Themes",
        "Duplicates",
        "Link",
    ]


def test_all_controls_have_accessible_names(page, site):
    page.goto(site.base)
    compare(page, "card declined", "payment failed")
    for name, seen in SHOWN.items():
        page.click(f"#tab-{name}")
        page.wait_for_selector(seen)
        nameless, hidden = page.evaluate(
            """() => {
                const all = "button, input, textarea, select, canvas, [role=grid]";
                const shown = [...document.querySelectorAll(all)].filter((one) => one.checkVisibility());
                const heard = shown.filter((one) => !one.closest("[aria-hidden=true]"));
                const named = (one) => one.labels?.length || one.ariaLabel || one.innerText?.trim();
                const silent = shown.filter((one) => !heard.includes(one) && one.tabIndex >= 0);
                return [heard.filter((one) => !named(one)), silent].map((ones) =>
                    ones.map((one) => one.outerHTML));
            }"""
        )
        assert nameless == []
        assert hidden == []  # what is not told of cannot be reached by keys
    assert page.get_attribute("html", "lang") == "en"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1180])
def test_views_fit_the_screen_with_enough_contrast(browser, site, scheme, width, pictures):
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(site.base)
    compare(page, "my card was declined at the shop", "late delivery, where is it")
    for name, seen in SHOWN.items():
        page.click(f"#tab-{name}")
        page.wait_for_selector(seen)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert all(tab.bounding_box()["x"] + tab.bounding_box()["width"] <= width for tab in tabs(page))
        assert contrast(page, "body") >= 7
        if pictures:
            page.screenshot(path=str(pictures / f"{scheme}-{width}-{name}.png"), full_page=True)
    page.click("#tab-compare")
    for cell in page.locator("#heat-map td[data-value]").all():
        assert contrast(page, cell) >= 4.5
    for soft in ("#verdict p", "#examples button", "footer"):
        assert contrast(page, soft) >= 4.5, soft
    context.close()


def test_the_theme_can_be_switched(page, site):
    page.emulate_media(color_scheme="light")
    page.goto(site.base)
    before = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.click("#theme")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") != before
    page.reload()
    assert page.get_attribute("html", "data-theme") == "dark"


def test_the_token_is_requested_once_per_visit(browser, models_of_site):
    token = "0123456789abcdef0123"
    with running_service(models_of_site, Settings(Limits(request_timeout=120), token)) as service:
        context = browser.new_context()
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.goto(service.base)
        page.fill("#token", "wrong-token-wrong-token")
        page.keyboard.press("Enter")
        page.wait_for_selector("#notice:visible")
        assert [page.is_visible(one) for one in ("#token", "[role=tablist]")] == [True, False]
        page.fill("#token", token)
        page.keyboard.press("Enter")
        page.wait_for_selector("#tab-compare[aria-selected=true]")
        assert not page.is_visible("#token")
        page.reload()
        page.wait_for_selector("#tab-compare[aria-selected=true]")
        assert not page.is_visible("#token")
        context.close()


def test_a_stopped_service_is_reported(browser, models_of_site):
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    with running_service(models_of_site) as service:
        page.goto(f"{service.base}/#search")
        page.wait_for_selector("#panel-search:visible")
    page.fill("#query", "card")
    page.wait_for_selector("#notice:visible")
    assert "does not respond" in page.inner_text("#notice")
    context.close()


def test_the_api_page_lists_all_routes(page, site):
    page.goto(f"{site.base}/docs")
    page.wait_for_selector(".opblock")
    assert page.locator(".opblock").count() > 25
    assert "/v1/embeddings" in page.inner_text("main")


def test_a_route_can_be_tried_on_the_api_page(page, site):
    page.goto(f"{site.base}/docs")
    page.click(".opblock-summary-path[data-path='/unsaid']")
    page.fill(".opblock textarea", '{"text": "my card was declined", "k": 3}')
    page.click(".execute")
    page.wait_for_selector(".live-responses-table .response-col_status:has-text('200')")
    words = site.post("/unsaid", {"text": "my card was declined", "k": 3}).json()["words"]
    answer = page.inner_text(".live-responses-table .response .response-col_description")
    assert all(found["word"] in answer for found in words)


def tabs(page) -> list:
    return page.locator("[role=tab]:visible").all()


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
    return color_contrast(ink, behind)


def test_contrast_of_black_and_white():
    assert color_contrast([255, 255, 255], [0, 0, 0]) == pytest.approx(21)
