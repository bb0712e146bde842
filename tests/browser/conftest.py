"""Fixtures: a headless Chromium and a running service."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from helpers.notes import notes_index, notes_model
from helpers.services import running_service
from helpers.waiting import PATIENCE
from tacit.server.served_collection import ServedCollection

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_browser() -> str | None:
    named = os.environ.get("TACIT_BROWSER")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="the dev group brings playwright")
    path = find_browser()
    if path is None:
        pytest.skip("no Chromium here: install Debian's chromium, or name one in TACIT_BROWSER")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def models_of_site():
    model = notes_model()
    index = notes_index(model)
    models = ServedCollection("notes", model, index)
    models.warm_up()
    return models


@pytest.fixture(scope="session")
def site(models_of_site):
    with running_service(models_of_site) as service:
        yield service


@pytest.fixture
def page(browser, site):
    """A page that must not log errors or send requests to other hosts."""
    context = browser.new_context(viewport={"width": 1100, "height": 800})
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "request",
        lambda request: None if request.url.startswith(site.base) else errors.append(request.url),
    )
    page.errors = errors
    yield page
    context.close()
    assert errors == []


@pytest.fixture(scope="session")
def pictures() -> Path | None:
    """The folder for screenshots, if TACIT_PICTURES names one."""
    folder = os.environ.get("TACIT_PICTURES")
    return Path(folder) if folder else None
