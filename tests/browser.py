"""Chromium for tests marked ``browser``: found on the machine, driven with Playwright, watched for errors."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Response, sync_playwright
from pytest_django.live_server_helper import LiveServer

from qaf.settings.environment import env

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}


def find_chromium() -> str | None:
    """The path of a Chromium, or None: QAF_CHROMIUM, else the system's, else Chrome on a Mac."""
    if env("QAF_CHROMIUM"):
        return str(env("QAF_CHROMIUM"))
    for name in NAMES:
        if found := shutil.which(name):
            return found
    return str(MAC) if MAC.exists() else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what asks for a browser, and skip it by reason where there is none."""
    found = find_chromium()
    for item in items:
        if {"browser", "page"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.browser)
        if item.get_closest_marker("browser") and found is None:
            item.add_marker(pytest.mark.skip(reason="no Chromium on this machine"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for the session."""
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # Playwright's synchronous interface runs an event loop in this thread; Django would take the test's own
        # queries for a mistake in asynchronous code.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        yield chromium
        chromium.close()


class Complaints(list[str]):
    """What a page should never say: script errors, refused policies, own files that are missing."""

    def listen(self, page: Page) -> None:
        """Hear what ``page`` has to complain of."""
        page.on("pageerror", lambda error: self.append(f"error: {error}"))
        page.on("console", self._console)
        page.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        # A page that answers 404 on purpose also logs a line; files that are missing are heard by _response.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.append(f"console: {message.text}")

    def _response(self, response: Response) -> None:
        if "/static/" in response.url and response.status >= 400:
            self.append(f"{response.status}: {response.url}")


@pytest.fixture
def complaints() -> Complaints:
    """What the pages of this test complained of; a test that expects some may clear it."""
    return Complaints()


@pytest.fixture
def page(browser: Browser, live_server: LiveServer, transactional_db: None, complaints: Complaints) -> Iterator[Page]:
    """A fresh tab on the live server (``page.goto("/en/")``); the test fails when the page complains.

    ``page.set_viewport_size(PHONE)`` makes it narrow. For a page without JavaScript take ``page_without_javascript``.
    """
    yield from _open(browser, live_server, complaints, java_script_enabled=True)


@pytest.fixture
def page_without_javascript(
    browser: Browser, live_server: LiveServer, transactional_db: None, complaints: Complaints
) -> Iterator[Page]:
    """As ``page``, with JavaScript off."""
    yield from _open(browser, live_server, complaints, java_script_enabled=False)


def _open(
    browser: Browser, live_server: LiveServer, complaints: Complaints, *, java_script_enabled: bool
) -> Iterator[Page]:
    context = browser.new_context(base_url=live_server.url, viewport=DESKTOP, java_script_enabled=java_script_enabled)
    context.set_default_timeout(10_000)
    page = context.new_page()
    complaints.listen(page)
    yield page
    context.close()
    assert not complaints, "\n".join(complaints)
