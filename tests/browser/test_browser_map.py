"""The HTML file that `tacit map` writes, opened from disk."""

from __future__ import annotations

import pytest

from helpers.notes import NOTES, notes_index, notes_model
from helpers.waiting import PATIENCE
from tacit.search.map import draw_map
from tacit.search.map_export import SCRIPTS, VIEWER_DIR, render_html

ODD = '</script><img src=x onerror=alert(1)> my card & "quotes"'
INK = """(canvas) => {
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    let drawn = 0;
    for (let i = 3; i < pixels.length; i += 4) drawn += pixels[i] > 100;
    return drawn;
}"""


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    index = notes_index(notes_model())
    index.add([ODD])
    path = tmp_path_factory.mktemp("map") / "notes.html"
    path.write_text(render_html(draw_map(index.snapshot), "Notes __DATA__ <1>"), encoding="utf-8")
    return path


@pytest.fixture
def alone(browser, file):
    """The file in a browser without a network; it must not complain, nor ask anybody."""
    context = browser.new_context(viewport={"width": 900, "height": 700}, offline=True)
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: errors.append(request.url) if request.url != file.as_uri() else None)
    page.goto(file.as_uri())
    page.wait_for_selector('#map[data-points="16"]')
    yield page
    context.close()
    assert errors == []


def test_the_file_contains_the_scripts_and_style_of_the_page(file, site):
    written = file.read_text(encoding="utf-8")
    assert (VIEWER_DIR / "viewer.css").read_text(encoding="utf-8") in written
    scripts = sorted(path.stem for path in VIEWER_DIR.glob("*.js"))
    assert sorted(SCRIPTS) == scripts
    for name in scripts:
        served = site.get(f"/static/map/{name}.js").text
        for line in served.splitlines():
            assert line.startswith("import ") or line.removeprefix("export ") in written


def test_points_are_drawn_and_reached_by_keys(alone):
    assert alone.inner_text("h1") == "Notes __DATA__ <1>"
    assert alone.locator(".map-dots").evaluate(INK) > 500
    alone.focus("#map")
    alone.keyboard.press("ArrowRight")
    alone.wait_for_selector("#map-text .text")
    first = alone.inner_text("#map-text .text")
    alone.keyboard.press("ArrowDown")
    alone.keyboard.press("ArrowLeft")
    alone.keyboard.press("ArrowUp")
    alone.wait_for_selector(f'#map-text .text:not(:text-is("{first}"))')
    assert alone.inner_text("#map-text .text") in [*NOTES, ODD]
    assert alone.locator("img").count() == 0
    assert alone.locator("#map-text button").count() == 0  # there is nothing to search with


def test_search_fades_the_other_points(alone):
    before = alone.locator(".map-dots").evaluate(INK)
    alone.fill("input[type=search]", "PARCEL arrived")
    alone.wait_for_selector('.map-count:text-is("1 of 16 texts")')
    alone.wait_for_timeout(200)
    assert alone.locator(".map-dots").evaluate(INK) < before
    alone.focus("#map")
    alone.keyboard.press("ArrowRight")
    alone.wait_for_selector('#map-text .text:text-is("the parcel has not arrived")')
    alone.fill("input[type=search]", "")
    alone.wait_for_selector('.map-count:text-is("16 texts")')


def test_a_group_can_be_shown_alone(alone):
    buttons = alone.locator(".map-side li button")
    assert buttons.count() == 2
    buttons.first.click()
    assert buttons.first.get_attribute("aria-pressed") == "true"
    name = alone.locator(".map-side li span").first.inner_text()
    alone.focus("#map")
    for key in ("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"):
        alone.keyboard.press(key)
        alone.wait_for_timeout(150)
        assert name in alone.inner_text("#map-text .map-about")
    buttons.first.click()
    assert buttons.first.get_attribute("aria-pressed") == "false"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1180])
def test_it_fits(browser, file, scheme, width, pictures):
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    page.goto(file.as_uri())
    page.wait_for_selector('#map[data-points="16"]')
    page.focus("#map")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#map-text .text")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.documentElement.scrollHeight") <= 800
    if pictures:
        page.wait_for_timeout(200)
        page.screenshot(path=str(pictures / f"alone-{scheme}-{width}.png"))
    context.close()
