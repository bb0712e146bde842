"""The report in Chromium: no rule of axe-core is broken, and it fits the screen in light and dark."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from helpers.complaints import complaints
from tacit import find_themes
from tacit.reports.content import build_report
from tacit.reports.files import write_report

TEXTS, TOPICS = complaints(240)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    rows = [{"text": text, "topic": topic, "day": f"2024-{1 + i % 9:02d}-11"}
            for i, (text, topic) in enumerate(zip(TEXTS, TOPICS, strict=True))]  # fmt: skip
    target = tmp_path_factory.mktemp("report") / "report.html"
    write_report(build_report(find_themes(rows, text="text"), title="Complaints"), target)
    return target


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_report_breaks_no_rule_and_fits_the_screen(browser, path, width, scheme, pictures):
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())
    page.eval_on_selector_all("details", "all => all.forEach(each => each.open = true)")
    broken = Axe().run(page)
    assert broken.violations_count == 0, broken.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert requests == [path.as_uri()]
    if pictures:
        page.screenshot(path=str(pictures / f"report-{width}-{scheme}.png"), full_page=True)
    page.close()


def test_report_prints_on_white_paper(browser, path):
    page = browser.new_page(color_scheme="dark")
    page.goto(path.as_uri())
    page.emulate_media(media="print", color_scheme="dark")
    color = page.evaluate("getComputedStyle(document.body).color")
    assert sum(map(int, color.removeprefix("rgb(").removesuffix(")").split(","))) < 200
    assert page.pdf().startswith(b"%PDF")
    page.close()
