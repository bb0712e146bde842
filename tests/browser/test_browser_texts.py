"""Difficult input: endless words, right-to-left text, odd files and damaged collections."""

from __future__ import annotations

import asyncio
import json
import re

import pytest

from examples.make_data import write_samples
from helpers.services import PATIENCE, running_service
from helpers.waiting import wait_until
from tacit.server.server_settings import Limits, Settings, allowed_hosts
from tacit.server.static_pages import PAGE_DIR

WORD = "supercalifragilistic" * 40
WIDTH = "document.documentElement.scrollWidth"
TABLE = "1,the card was declined\n2,where is my parcel\n3,I forgot the password\n"
DROPPED = """(text) => {
    const carried = new DataTransfer();
    carried.items.add(new File([text], "notes.csv", { type: "text/csv" }));
    return carried;
}"""


@pytest.fixture
def home(tmp_path):
    settings = Settings(
        Limits(request_timeout=PATIENCE, max_inspection_seconds=PATIENCE),
        hosts=allowed_hosts("127.0.0.1", None),
        store_dir=tmp_path,
    )
    with running_service([], settings) as service:
        yield service


@pytest.fixture
def screen(browser):
    context = browser.new_context(viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    context.close()


def answered(answer):
    return lambda route: route.fulfill(body=json.dumps(answer))


def test_endless_words_do_not_widen_a_view(screen, site):
    shared = {"query": WORD, "text": WORD, "share": 0.3}
    hit = {"id": WORD, "row": 0, "text": WORD, "score": 0.9, "percentile": 99.0, "words": [shared]}
    answer = {"hits": [{**hit, "columns": {WORD: WORD}}], "more": False, "searched": 15, "language": "en"}
    screen.route("**/search", answered(answer))
    screen.goto(f"{site.base}/#search?q=word")
    screen.wait_for_selector("#hits li")
    assert screen.evaluate(WIDTH) <= 390
    assert screen.inner_text(".reason") == f"Matching words: {WORD[:40]}\u2026 0.30"
    screen.click("#tab-compare")
    screen.fill("#text-a", f"{WORD} card")
    screen.fill("#text-b", f"payment {WORD}")
    screen.wait_for_selector("#comparison[aria-busy=false] #top-pairs li")
    assert screen.evaluate(WIDTH) <= 390


def test_right_to_left_theme_names_have_left_to_right_counts(screen, site):
    name = "\u0645\u0631\u062d\u0628\u0627"
    texts = {"quotes": [name], "texts": [{"id": "1", "text": name}], "subthemes": []}
    theme = {"id": "1", "name": name, "n_texts": 2, "is_mixed": False, **texts}
    result = {"n_texts": 2, "n_themes": 1, "other": 0, "stability": None, "notes": [], "themes": [theme]}
    answers = {
        "themes": {"job": "x"},
        "jobs/x": {"id": "x", "state": "done", "result": result},
    }
    for path, answer in answers.items():
        screen.route(f"**/{path}", answered(answer))
    screen.goto(f"{site.base}/#themes")
    screen.click("#themes-form button")
    screen.wait_for_selector("#themes h3")
    directions = "(one) => getComputedStyle(one).direction"
    assert screen.locator("#themes h3 bdi").evaluate(directions) == "rtl"
    assert screen.locator("#themes h3 > span").last.evaluate(directions) == "ltr"


def test_the_number_of_themes_can_be_2_to_500(screen, site):
    theme = {
        "id": "1",
        "name": "a",
        "n_texts": 1,
        "is_mixed": False,
        "quotes": [],
        "texts": [],
        "subthemes": [],
    }
    result = {"n_texts": 900, "n_themes": 9, "other": 0, "stability": None, "notes": [], "themes": [theme]}
    screen.route("**/jobs/x", answered({"id": "x", "state": "done", "result": result}))
    screen.route("**/themes", answered({"job": "x"}))
    screen.goto(f"{site.base}/#themes")
    screen.click("#themes-form button")
    screen.wait_for_selector("#themes h3")
    for number in ("500", "2"):
        with screen.expect_request("**/themes") as sent:
            screen.fill("#theme-count-field", number)
            screen.keyboard.press("Tab")
        assert sent.value.post_data_json["n_themes"] == int(number)
        screen.wait_for_function("() => document.querySelector('#theme-count-field').value === '9'")
    sent_later = []
    screen.on("request", lambda request: sent_later.append(request.url))
    screen.fill("#theme-count-field", "501")
    screen.keyboard.press("Tab")
    assert not screen.evaluate("document.querySelector('#theme-count-field').validity.valid")
    assert sent_later == []


def test_a_damaged_collection_can_be_deleted_on_the_page(screen, home, tmp_path):
    (tmp_path / "bad" / "index").mkdir(parents=True)
    (tmp_path / "bad" / "about.json").write_text('{"texts": 3}', encoding="utf-8")
    screen.goto(f"{home.base}/#search?collection=bad")
    screen.wait_for_selector("#notice:visible")
    assert "cannot load the collection" in screen.inner_text("#notice")
    screen.goto("about:blank")
    screen.goto(home.base)
    screen.wait_for_selector("#collections li")
    assert "incomplete model: config.json is missing" in screen.inner_text("#collections")
    assert screen.locator("#collections button:has-text('Try again')").is_visible()
    screen.click("#collections button:has-text('Delete')")
    screen.click("#collections button.confirming")
    screen.wait_for_selector("#collection-list", state="hidden")
    wait_until(lambda: not (tmp_path / "bad").exists())
    assert not screen.is_visible("#notice")


def test_dropped_file_is_uploaded_and_can_be_corrected(screen, home):
    screen.goto(home.base)
    screen.wait_for_selector("#panel-texts:visible")
    screen.dispatch_event("footer", "drop", {"dataTransfer": screen.evaluate_handle(DROPPED, TABLE)})
    screen.wait_for_selector("#preview:visible")
    assert screen.inner_text("#preview h2") == "3 rows"
    widths = screen.locator("#preview td.is-text").evaluate_all("(all) => all.map((td) => td.clientWidth)")
    assert min(widths) > 200
    screen.check("#preview [name=header]")
    screen.wait_for_selector("#preview h2:text-is('2 rows')")
    screen.wait_for_selector("#preview [name=header]:focus")
    assert screen.input_value("#preview [name=text]") == "the card was declined"
    screen.select_option("#preview [name=language]", "de")
    assert screen.is_disabled("#preview [name=background]")


def test_running_jobs_are_shown_and_can_be_cancelled(screen, home, monkeypatch):
    async def long_work(payload, set_progress):
        set_progress(41.0, "training")
        await asyncio.Event().wait()

    monkeypatch.setattr("tacit.server.jobs.run_task", long_work)
    job = home.post("/collections", {"name": "notes", "texts": ["one text", "another text"]}).json()["job"]
    screen.goto(home.base)
    screen.wait_for_selector("#running-job:has-text('training (41 %)')")
    screen.click("#running-job button")
    screen.wait_for_selector("#running-job", state="hidden")
    assert home.get(f"/jobs/{job}").json()["state"] == "cancelled"


def test_a_sample_is_learned_and_searched_in_one_click(screen, home):
    screen.goto(home.base)
    screen.click("#samples button:has-text('Support tickets')")
    screen.wait_for_selector("#panel-search:visible #hits li")
    assert screen.locator("#hits li").count() == 3
    example = re.search("most similar to “(.+)” among 240 texts", screen.inner_text("#search-status"))
    assert example
    assert example[1] not in screen.locator("#hits .text").all_inner_texts()
    assert screen.evaluate(WIDTH) <= 390
    screen.click("#tab-texts")
    screen.click("#samples button:has-text('Support tickets')")
    screen.wait_for_selector("#panel-search:visible #hits li")
    assert [each["name"] for each in home.get("/collections").json()["collections"]] == ["sample tickets"]


@pytest.mark.parametrize("name", ["tickets", "products", "survey"])
def test_samples_are_those_of_the_script(name, tmp_path):
    write_samples(tmp_path)
    assert (PAGE_DIR / "samples" / f"{name}.csv").read_bytes() == (tmp_path / f"{name}.csv").read_bytes()
