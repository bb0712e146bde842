"""The path of a new user: upload a file, train, search, filter, map and compare."""

from __future__ import annotations

import csv
import io
from urllib.parse import parse_qs

import pytest
from axe_playwright_python.sync_playwright import Axe

from helpers.services import PATIENCE, running_service
from helpers.tickets import tickets
from tacit.server.server_settings import Limits, Settings, allowed_hosts

TABLE = tickets()
ROWS = list(csv.DictReader(io.StringIO(TABLE)))
DROP = """(text) => {
    const carried = new DataTransfer();
    carried.items.add(new File([text], "tickets.csv", { type: "text/csv" }));
    return carried;
}"""


@pytest.fixture
def empty(tmp_path):
    """A service with an empty store of collections."""
    settings = Settings(
        Limits(request_timeout=PATIENCE, max_inspection_seconds=PATIENCE),
        hosts=allowed_hosts("127.0.0.1", None),
        store_dir=tmp_path,
    )
    with running_service([], settings) as service:
        yield service


class Visitor:
    """A browser window on the page, and checks of its views in light and dark."""

    def __init__(self, browser, width: int, pictures) -> None:
        self.width, self.pictures, self.errors = width, pictures, []
        self.context = browser.new_context(viewport={"width": width, "height": 860}, has_touch=width < 500)
        self.page = self.context.new_page()
        self.page.set_default_timeout(2000 * PATIENCE)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on(
            "console", lambda message: self.errors.append(message.text) if message.type == "error" else None
        )

    def check_view(self, name: str) -> None:
        """Check that a view breaks no rule of axe-core and fits the screen, in both themes."""
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            self.page.wait_for_function("() => !document.querySelector('[aria-busy=true]')")
            broken = Axe().run(self.page)
            assert broken.violations_count == 0, f"{name}, {scheme}: {broken.generate_report()}"
            assert self.page.evaluate("document.documentElement.scrollWidth") <= self.width, name
            if self.pictures:
                path = self.pictures / f"{name}-{self.width}-{scheme}.png"
                self.page.screenshot(path=str(path), full_page=True)


@pytest.mark.parametrize("width", [1280, 390])
def test_all_views_from_upload_to_comparison(browser, empty, width, pictures):
    visitor = Visitor(browser, width, pictures)
    page = visitor.page
    page.goto(empty.base)
    page.wait_for_selector("#panel-texts:visible")
    visitor.check_view("empty")
    page.dispatch_event("#drop", "drop", {"dataTransfer": page.evaluate_handle(DROP, TABLE)})
    page.wait_for_selector("#preview:visible")
    assert "2,000 rows" in page.inner_text("#preview h2")
    assert page.input_value("#preview [name=text]") == "message"
    assert page.input_value("#preview [name=id]") == "id"
    assert page.input_value("#preview [name=language]") == "en"
    assert page.locator("#preview tbody tr").count() == 5
    visitor.check_view("preview")
    page.click("#preview button.solid")
    page.wait_for_selector("#panel-search:visible")
    page.wait_for_selector("#search-status:has-text('among 2,000 texts')")
    page.wait_for_selector("#search-notes:has-text('Self-check: hidden words')")
    visitor.check_view("search-first")
    search_with_filters(visitor)
    open_map(visitor)
    address = compare_two_points(visitor)
    check_other_views(visitor)
    assert visitor.errors == []
    visitor.context.close()
    check_shared_url(browser, address)


def search_with_filters(visitor) -> None:
    page = visitor.page
    page.fill("#query", "I cannot get into my account")
    page.wait_for_selector("#results[aria-busy=false] #hits li")
    assert page.locator("#hits li").count() == 10
    page.click("#filters summary")
    box = page.locator("#filters fieldset", has_text="team").locator("label", has_text="login")
    assert box.locator("b").inner_text() == "500"
    box.locator("input").check()
    page.wait_for_selector("#results[aria-busy=false] #hits li")
    page.wait_for_function("() => location.hash.includes('where')")
    teams = page.locator("#hits .columns div:has(dt:text-is('team')) dd").all_inner_texts()
    assert set(teams) == {"login"}
    links = page.locator("#hits .columns a")
    assert links.first.get_attribute("href").startswith("https://tickets.test/")
    assert links.first.get_attribute("rel") == "noopener noreferrer"
    page.click("#more")
    page.wait_for_function("() => document.querySelectorAll('#hits > li').length === 20")
    shown = page.locator("#hits .actions code").all_inner_texts()
    assert len(set(shown)) == 20
    with page.expect_download() as written:
        page.click("#export")
    rows = list(csv.DictReader(io.StringIO(written.value.path().read_text(encoding="utf-8-sig"))))
    assert [row["id"] for row in rows][:20] == shown
    assert {row["team"] for row in rows} == {"login"}
    visitor.check_view("search")
    page.locator("#hits .actions summary").first.click()
    page.locator("#hits button", has_text="More like this").first.click()
    page.wait_for_function("() => location.hash.includes('like=')")
    page.wait_for_selector("#results[aria-busy=false] #hits li")
    assert shown[0] not in page.locator("#hits .actions code").all_inner_texts()
    page.go_back()
    page.wait_for_function("() => location.hash.includes('q=')")
    page.wait_for_selector("#results[aria-busy=false] #hits li")


def open_map(visitor) -> None:
    page = visitor.page
    wanted = page.locator("#hits .actions code").first.inner_text()
    page.locator("#hits .actions summary").first.click()
    page.locator("#hits button", has_text="Show on the map").first.click()
    page.wait_for_selector('#map[data-points="2000"]')
    page.wait_for_selector("#map-text .text")
    assert page.inner_text("#map-text code") == wanted
    assert page.inner_text(".map-count") == "100 of 2,000 texts"
    visitor.check_view("map")
    page.focus("#map")
    page.keyboard.press("Escape")
    page.wait_for_selector('.map-count:text-is("2,000 texts")')
    page.keyboard.press("0")
    drag_around(page, page.locator("#map").bounding_box())
    page.wait_for_selector(".map-texts li")
    assert "texts selected" in page.inner_text("#map-text")
    assert page.inner_text(".map-words")
    visitor.check_view("map-selection")


def drag_around(page, frame) -> None:
    page.click("[data-do=lasso]")
    corners = ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))
    for number, (x, y) in enumerate(corners):
        page.mouse.move(frame["x"] + x * frame["width"], frame["y"] + y * frame["height"], steps=3)
        if not number:
            page.mouse.down()
    page.mouse.up()


def compare_two_points(visitor) -> str:
    page = visitor.page
    page.focus("#map")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#map-text .text")
    first = page.inner_text("#map-text .text")
    page.click("#map-text button:has-text('Compare')")
    page.wait_for_selector(".map-first-text")
    page.focus("#map")
    for key in ("ArrowUp", "ArrowUp", "ArrowLeft", "ArrowDown"):
        page.keyboard.press(key)
        page.wait_for_selector("#map-text[aria-busy=false] .text")
        if (second := page.inner_text("#map-text .text")) != first:
            break
    page.click("#map-text button:has-text('Compare')")
    page.wait_for_selector("#comparison[aria-busy=false] #verdict")
    assert (page.input_value("#text-a"), page.input_value("#text-b")) == (first, second)
    visitor.check_view("compare")
    return f"{page.url} {page.get_attribute('#score', 'data-score')}"


def check_other_views(visitor) -> None:
    page = visitor.page
    page.click("#tab-duplicates")
    page.click("#duplicates-form button")
    page.wait_for_selector("#duplicates > li")
    with page.expect_download() as written:
        page.click("#duplicates-tools button:has-text('without copies')")
    rows = list(csv.DictReader(io.StringIO(written.value.path().read_text(encoding="utf-8"))))
    n_removed = 2000 - len({row["message"] for row in ROWS})
    assert f"{n_removed} texts of 2,000 can be removed" in page.inner_text("#duplicates-status")
    assert len(rows) == 2000 - n_removed
    page.click("#duplicates-tools summary:has-text('Choose the threshold')")
    page.click("#duplicates-tools summary:has-text('Review pairs')")
    visitor.check_view("duplicates")
    page.click("#tab-themes")
    page.click("#themes-form button")
    page.wait_for_selector("#themes > li")
    page.locator("#theme-count").focus()
    page.keyboard.press("Home")
    page.wait_for_function("() => document.querySelectorAll('#themes > li').length === 2")
    page.locator("#themes summary").first.click()
    visitor.check_view("themes")
    page.click("#tab-link")
    page.wait_for_selector("#link-status:has-text('Upload a second list')")
    visitor.check_view("link-empty")
    page.click("#tab-texts")
    page.wait_for_selector("#collections li")
    assert "2,000 texts" in page.inner_text("#collections")
    visitor.check_view("texts")


def check_shared_url(browser, told: str) -> None:
    address, score = told.split(" ")
    assert parse_qs(address.partition("?")[2])["collection"] == ["tickets"]
    other = browser.new_context()
    page = other.new_page()
    page.goto(address)
    page.wait_for_selector(f'#score[data-score="{score}"]', timeout=1000 * PATIENCE)
    other.close()


def test_a_collection_is_cancelled_pasted_and_deleted(browser, empty):
    visitor = Visitor(browser, 1280, None)
    page = visitor.page
    page.goto(empty.base)
    page.fill("#paste", "\n".join(row["message"] for row in ROWS[:60]))
    page.click("#paste-form button")
    page.wait_for_selector("#preview:visible")
    page.fill("#preview [name=name]", "pasted notes")
    page.click("#preview button.solid")
    page.click("#train-job button:has-text('Cancel')")
    page.wait_for_selector("#notice:visible")
    assert "Nothing was stored" in page.inner_text("#notice")
    assert empty.get("/collections").json()["collections"] == []
    page.click("#preview button.solid")
    page.wait_for_selector("#panel-search:visible")
    page.click("#tab-texts")
    page.fill("#paste", "\n".join(row["message"] for row in ROWS[60:120]))
    page.click("#paste-form button")
    page.click("#preview button.solid")
    page.wait_for_selector("#panel-search:visible")
    assert page.locator("#collection option").count() == 2  # side by side
    assert empty.client.delete("/collections/pasted").status_code == 204
    page.goto("about:blank")
    page.goto(f"{empty.base}/#texts")
    page.click("#collections button:has-text('Delete')")
    page.click("#collections button.confirming")
    page.wait_for_selector("#panel-texts:visible #upload-panel")
    page.wait_for_selector("#collection-list", state="hidden")
    assert empty.get("/collections").json()["collections"] == []
    assert [
        message for message in visitor.errors if "404" not in message
    ] == []  # the file that was sent again
    visitor.context.close()
