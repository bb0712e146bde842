"""The map on the page."""

from __future__ import annotations

import io
from itertools import combinations

import numpy as np
import pytest

from helpers.colors import color_contrast
from tacit.search.map import MAX_GROUPS

READY = '#map[data-points="15"]'
HOLD_FIRST = """() => {  // the text of point 0 comes only when the test says so
    const real = window.fetch;
    window.fetch = async (path, options) => {
        const answer = await real(path, options);
        if (!path.endsWith("/map/points/0")) return answer;
        return new Promise((soon) => { window.late = () => soon(answer); });
    };
}"""
LABELS = """async () => {
    const { byLevel, placeLabels } = await import("/static/map/labels.js");
    const names = [
        { level: 0, x: 0, y: 0, name: "group", size: 90 },
        { level: 1, x: 0.05, y: 0.2, name: "place", size: 9 },
        { level: 1, x: 0.05, y: 0.2, name: "under it", size: 4 },
        { level: 3, x: 0.04, y: 0.01, name: "corner", size: 4 },
    ];
    const pen = { measureText: (text) => ({ width: 8 * text.length }) };
    const seen = (scale) => placeLabels(pen, byLevel(names), { x: 0, y: 0, scale }, 800, 600);
    const at = (scale) => seen(scale).map(({ name }) => name);
    return [at(300), at(700), at(2800)];
}"""
COVERED = """async () => {
    const { byLevel, placeLabels } = await import("/static/map/labels.js");
    const names = [
        { level: 0, x: 0.9, y: -0.9, name: "behind the buttons", size: 9 },
        { level: 0, x: 0.9, y: 0.9, name: "beside", size: 9 },
    ];
    const pen = { measureText: (text) => ({ width: 8 * text.length }) };
    const view = { x: 0, y: 0, scale: 300 }, covered = { width: 60, height: 190 };
    return placeLabels(pen, byLevel(names), view, 720, 600, covered).map(({ name }) => name);
}"""


CROWDED = """async (crowd) => {
    const { byLevel, placeLabels } = await import("/static/map/labels.js");
    const names = byLevel([{ level: 0, x: 0, y: 0, name: "label", size: 9 }]);
    const pen = { measureText: (text) => ({ width: 8 * text.length }) }, view = { x: 0, y: 0, scale: 300 };
    const count = (left, bottom, right, top) => crowd * (bottom < 0 && top > 0 && left < 0 && right > 0);
    return placeLabels(pen, names, view, 720, 600, undefined, count).map(({ x, y }) => [x, y]);
}"""
COLORS = """async ([n, dark]) => {
    const { groupColor } = await import("/static/map/viewer.js");
    return Array.from({ length: n }, (_, number) => groupColor(number, dark));
}"""


def places(page, site) -> list[tuple[float, float]]:
    """Where each point is on the screen, while all are shown."""
    page.wait_for_selector(READY)
    frame = page.locator("#map").bounding_box()
    points = np.frombuffer(site.get("/map/points").content, "<f4", 30).reshape(-1, 2)
    scale = 0.47 * min(frame["width"], frame["height"])
    x0, y0 = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
    return [(x0 + x * scale, y0 - y * scale) for x, y in points.tolist()]


def text_of(page, site, number: int) -> None:
    text = site.get(f"/map/points/{number}").json()["text"]
    page.wait_for_selector(f'#map-text .text:text-is("{text}")')


def test_a_click_selects_the_point_under_it(page, site):
    page.goto(f"{site.base}/#map")
    where = places(page, site)
    page.evaluate(HOLD_FIRST)
    page.mouse.click(*where[0])
    page.wait_for_function("() => window.late !== undefined")
    page.mouse.click(*where[9])
    text_of(page, site, 9)
    page.evaluate("() => { late(); return new Promise((soon) => setTimeout(soon, 50)); }")
    text_of(page, site, 9)
    page.mouse.move(*where[14])  # what was clicked stays
    text_of(page, site, 9)
    page.click("#map-text button:has-text('More like this')")
    page.wait_for_selector("#results[aria-busy=false] #hits li")
    assert "like=10" in page.url


def test_a_tap_selects_a_point(browser, site):
    context = browser.new_context(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{site.base}/#map")
    page.touchscreen.tap(*places(page, site)[4])
    text_of(page, site, 4)
    context.close()


def test_a_failed_map_can_be_retried(page, site):
    refusal = {"status": 503, "content_type": "application/json", "body": '{"error": {"message": "not now"}}'}
    page.route("**/map", lambda route: route.fulfill(**refusal))
    page.goto(f"{site.base}/#map")
    page.wait_for_selector("#notice:visible")
    assert page.inner_text("#notice") == "not now"
    page.unroute("**/map")
    page.click("#map-progress button")
    page.wait_for_selector(READY)
    assert not page.is_visible("#notice")
    page.errors[:] = [message for message in page.errors if "503" not in message]


def test_zooming_in_shows_labels_of_smaller_areas(page, site):
    page.goto(site.base)
    assert page.evaluate(LABELS) == [["group"], ["place", "group"], ["corner", "group"]]


def test_a_selection_is_shown_until_the_next_search(page, site):
    page.goto(f"{site.base}/#map")
    page.wait_for_selector(READY)
    page.focus("#map")
    page.keyboard.press("s")
    page.wait_for_selector(".map-texts li")
    page.fill(".map-side input", "payment")
    page.wait_for_selector(".map-texts", state="detached")
    assert "texts selected" not in page.inner_text("#map-text")


def test_no_label_lies_behind_the_buttons(page, site):
    page.goto(site.base)
    assert page.evaluate(COVERED) == ["beside"]


def test_a_label_is_moved_where_it_covers_fewer_points(page, site):
    page.goto(site.base)
    assert page.evaluate(CROWDED, 0) == [[360, 300]]
    [[x, y]] = page.evaluate(CROWDED, 50)
    assert abs(x - 360) > 25 or abs(y - 300) > 10


@pytest.mark.parametrize(("is_dark", "background"), [(False, [255, 255, 255]), (True, [0x1D, 0x21, 0x25])])
def test_each_group_has_a_color_of_its_own(page, site, is_dark, background):
    page.goto(site.base)
    colors = page.evaluate(COLORS, [MAX_GROUPS, is_dark])
    assert all(color_contrast(color, background) >= 3 for color in colors)
    assert min(np.abs(np.subtract(a, b)).max() for a, b in combinations(colors, 2)) >= 35


def test_points_are_the_same_with_and_without_webgl(page, site):
    image = pytest.importorskip("PIL.Image", reason="the extra plots brings it")
    seen = []
    for painter in ("raster", "card"):
        page.goto("about:blank")
        page.goto(f"{site.base}/#map?painter={painter}")
        page.wait_for_selector(f'{READY}[data-painter="{painter}"][data-frames]')
        page.wait_for_timeout(200)
        shot = image.open(io.BytesIO(page.locator(".map-field").screenshot())).convert("RGB")
        red, green, blue = np.moveaxis(np.asarray(shot, int), 2, 0)
        seen.append((abs(red - green) > 60) | (abs(red - blue) > 60))
    page.errors[:] = [url for url in page.errors if url != "about:blank"]
    assert seen[0].sum() > 500
    assert (seen[0] & seen[1]).sum() > 0.8 * max(one.sum() for one in seen)
