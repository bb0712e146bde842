"""Review of pairs, choice of a threshold and names of themes on the page, with jobs that were made up."""

from __future__ import annotations

import csv
import io

import pytest

from helpers.services import running_service
from helpers.waiting import PATIENCE
from tacit.server.served_collection import ServedCollection


def make_pair(number: int, score: float) -> dict:
    sides = {f"{name}_{side}": f"{name} {side}{number}" for side in "ab" for name in ("id", "text")}
    columns = {"columns_a": {}, "columns_b": {"price": number}}
    return sides | columns | {"score": score, "match": True, "reason": "same distinctive words +1.0"}


PAIRS = [make_pair(number, 1 - number / 10) for number in range(4)]
RESULT = {
    "found": 4, "precision": [0.9], "recall": [], "notes": ["a note"], "next": PAIRS[:2],
    "cuts": [{"threshold": pair["score"], "n_pairs": n + 1, "pairs": PAIRS} for n, pair in enumerate(PAIRS)],
}  # fmt: skip


@pytest.fixture
def linked(browser, models_of_site):
    """The view with links, and the requests that it sends."""
    second = ServedCollection("others", models_of_site.model, models_of_site.index)
    with running_service([models_of_site, second]) as service:
        context = browser.new_context(viewport={"width": 390, "height": 800})
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.requests, page.service = [], service

        def answer(route):
            page.requests.append(route.request.post_data_json)
            route.fulfill(json={"job": f"j{len(page.requests)}"})

        page.route("**/link", answer)
        done = {"state": "done", "result": RESULT}
        page.route("**/jobs/*", lambda route: route.fulfill(json=done | {"id": route.request.url[-2:]}))
        listed = {"offset": 0, "found": 4, "groups": PAIRS}
        page.route("**/jobs/*/result*", lambda route: route.fulfill(json=listed))
        page.goto(f"{service.base}/#link")
        page.click("#link-form button")
        page.wait_for_selector("#link > li")
        yield page
        context.close()


def open_review(page) -> None:
    page.click("#link-tools summary:has-text('Review pairs')")
    page.wait_for_selector(".judge:focus")


def test_links_are_shown_with_their_evidence(linked):
    assert linked.requests == [{"other": "others", "many": False}]
    first = linked.locator("#link > li").first.inner_text()
    assert all(part in first for part in ("text a0", "text b0", "1.00", "same distinctive words"))
    assert "Estimated precision 0.90." in linked.inner_text("#link-status")
    assert "A note." in linked.inner_text("#link-tools")


def test_pairs_are_judged_by_keys(linked):
    open_review(linked)
    linked.keyboard.press("y")
    linked.wait_for_selector(".judging:has-text('Pair 2 of 2')")
    linked.keyboard.press("u")
    linked.wait_for_selector(".judging:has-text('Pair 1 of 2')")
    linked.keyboard.press("n")
    linked.wait_for_selector(".judging:has-text('Pair 2 of 2')")
    linked.keyboard.press("y")
    linked.wait_for_selector("summary:has-text('2 judged')")
    linked.wait_for_selector(".judging:has-text('Pair 1 of 2')")
    labels = [{"id_a": f"id a{n}", "id_b": f"id b{n}", "label": n} for n in (0, 1)]
    assert stored_judgements(linked) == labels
    assert linked.requests[-1] == {"other": "others", "many": False, "job": "j1"}
    linked.keyboard.press("u")  # the last judgement of the round before
    linked.wait_for_selector(".judging:has-text('Pair 1 of 3')")
    linked.wait_for_selector("summary:has-text('1 judged')")
    assert "text a1" in linked.inner_text(".judging")
    assert stored_judgements(linked) == labels[:1]


def stored_judgements(page) -> list[dict]:
    """The judgements that the service has stored."""
    return page.service.get("/judgements?other=others").json()["judgements"]


def test_a_judgement_that_cannot_be_stored_is_not_lost_silently(linked):
    linked.route(
        "**/judgements", lambda route: route.fulfill(status=507, json={"error": {"message": "full"}})
    )
    open_review(linked)
    linked.keyboard.press("y")
    linked.wait_for_selector("#notice:has-text('full')")
    assert "Pair 1 of 2" in linked.inner_text(".judging")
    linked.unroute("**/judgements")
    linked.keyboard.press("y")
    linked.wait_for_selector(".judging:has-text('Pair 2 of 2')")
    assert not linked.is_visible("#notice")


def test_judgements_survive_a_reload_and_are_exported(linked):
    open_review(linked)
    linked.locator(".judging button", has_text="Same").click()
    linked.wait_for_selector(".judging:has-text('Pair 2 of 2')")
    linked.reload()
    linked.click("#link-form button")
    linked.wait_for_selector("summary:has-text('1 judged')")
    open_review(linked)
    with linked.expect_download() as written:
        linked.click(".judging button:has-text('Export')")
    rows = list(csv.DictReader(io.StringIO(written.value.path().read_text(encoding="utf-8-sig"))))
    assert rows == [{"id_a": "id a0", "id_b": "id b0", "label": "1"}]


def test_a_threshold_is_chosen_by_its_pairs(linked):
    linked.click("#link-tools summary:has-text('Choose the threshold')")
    linked.locator("#link-tools input[type=range]").focus()
    linked.keyboard.press("Home")
    assert linked.locator("#link-tools li.rejected").count() == 3
    linked.click("#link-tools button:has-text('Use this threshold')")
    linked.wait_for_selector("#link-tools button:has-text('Automatic')", state="attached")
    assert linked.requests[-1]["threshold"] == 1
    assert linked.evaluate("document.documentElement.scrollWidth") <= 390
