"""The OpenAPI document says what the API does, and two pages show it without a line of inline code."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import get_resolver
from drf_spectacular.validation import validate_schema
from playwright.sync_api import Page

from qaf.api import urls
from qaf.api.openapi import TEXT_PATTERN
from qaf.api.pages import document
from qaf.operations import OPERATIONS, contract_schema
from tests.browser import Complaints


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    """The document."""
    read: dict[str, Any] = json.loads(document())
    return read


def test_it_is_made_without_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("spectacular", "--format", "openapi-json", "--validate", "--fail-on-warn")
    assert json.loads(capsys.readouterr().out) == json.loads(document())


def test_it_is_openapi_3_1(described: dict[str, Any]) -> None:
    assert described["openapi"] == "3.1.0"
    validate_schema(described)


def test_it_is_served_and_not_sent_twice(client: Client) -> None:
    response = client.get("/v1/openapi.json")
    assert response["Content-Type"] == "application/json"
    assert response.content == document()
    assert client.get("/v1/openapi.json", headers={"If-None-Match": response["ETag"]}).status_code == 304


def test_every_address_is_in_it(described: dict[str, Any]) -> None:
    routes = {
        "/v1/" + re.sub(r"<\w+:(\w+)>", r"{\1}", str(route.pattern))
        for route in urls.urlpatterns
        if getattr(route, "name", None) not in (None, "openapi", "docs", "redoc")
    }
    assert set(described["paths"]) == routes
    assert get_resolver().resolve("/v1/search").view_name == "api:search"


def test_operations_are_named_once(described: dict[str, Any]) -> None:
    named = [operation["operationId"] for path in described["paths"].values() for operation in path.values()]
    assert len(named) == len(set(named)) == 11
    assert set(OPERATIONS) <= set(named)


def test_the_body_of_a_search_is_the_contracts(described: dict[str, Any]) -> None:
    parts = described["components"]["schemas"]

    def inlined(schema: Any) -> Any:
        if isinstance(schema, list):
            return [inlined(item) for item in schema]
        if not isinstance(schema, dict):
            return schema
        name = schema.get("$ref", "").removeprefix("#/components/schemas/")
        beside = {key: inlined(value) for key, value in schema.items() if key != "$ref"}
        return {**inlined(parts[name]), **beside} if name else beside

    said = inlined(parts["SearchInput"])
    assert said["properties"]["query"].pop("pattern") == TEXT_PATTERN
    assert said == contract_schema(OPERATIONS["search"].takes)


def test_every_refusal_is_a_problem(described: dict[str, Any]) -> None:
    for path in described["paths"].values():
        for operation in path.values():
            for status, response in operation["responses"].items():
                if int(status) >= 400:
                    assert set(response["content"]) == {"application/problem+json"}


def test_a_key_is_optional(described: dict[str, Any]) -> None:
    assert described["components"]["securitySchemes"]["apiKey"]["scheme"] == "bearer"
    assert all(
        operation["security"] == [{}, {"apiKey": []}]
        for path in described["paths"].values()
        for operation in path.values()
    )


@pytest.mark.parametrize("text", ["x", " x ", "\u200b", "قاف", "\x1c"])
def test_the_pattern_takes_what_the_model_takes(text: str) -> None:
    assert re.search(TEXT_PATTERN, text)


@pytest.mark.parametrize("text", ["", " ", "\u3000\t", "a\0", "\0"])
def test_the_pattern_refuses_what_the_model_refuses(text: str) -> None:
    assert not re.search(TEXT_PATTERN, text)


@pytest.mark.parametrize("path", ["/v1/docs", "/v1/redoc"])
def test_the_pages_need_no_inline_code_and_no_other_host(client: Client, path: str) -> None:
    response = client.get(path)
    page = response.content.decode()
    assert "unsafe" not in response["Content-Security-Policy"]
    assert re.findall(r"<script(?![^>]* src=)|<style|\son\w+=|\sstyle=", page) == []
    assert re.findall(r"(?:src|href)=\"(?!/static/)", page) == []


@pytest.mark.browser
def test_swagger_shows_and_sends(page: Page) -> None:
    page.goto("/v1/docs")
    page.locator("#operations-catalog-list_genres").click()
    page.get_by_role("button", name="Try it out").click()
    page.get_by_role("button", name="Execute").click()
    page.get_by_text('"genres"').first.wait_for()


@pytest.mark.browser
def test_redoc_shows(page: Page, complaints: Complaints) -> None:
    page.goto("/v1/redoc")
    page.get_by_role("heading", name="Search the library").first.wait_for()
    assert page.locator("#redoc .menu-content").evaluate("node => getComputedStyle(node).position") == "sticky"
    page.get_by_placeholder("Search...").fill("verses")
    page.locator("[data-role='search:results']").get_by_text("Read verses of the Quran").wait_for()
    # The one thing refused is the maker's logo, from a host of theirs.
    assert [complaint for complaint in complaints if "logo-mini.svg" not in complaint] == []
    complaints.clear()
