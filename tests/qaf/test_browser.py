"""The browser fixtures themselves."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser import Complaints


@pytest.mark.browser
def test_a_page_opens_and_is_styled(page: Page) -> None:
    page.goto("/admin/login/")
    assert page.locator("#id_username").is_visible()


@pytest.mark.browser
def test_a_script_error_is_a_complaint(page: Page, complaints: Complaints) -> None:
    page.goto("/admin/login/")
    page.evaluate("setTimeout(() => { throw new Error('broken') })")
    page.wait_for_timeout(100)
    assert complaints == ["error: broken"]
    complaints.clear()
