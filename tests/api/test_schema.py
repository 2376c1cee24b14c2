"""The OpenAPI schema: complete, clean, and what the endpoints really do (PL-40)."""

from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.api.endpoint import Endpoint
from core.api.views import schema
from tests.api.clients import ApiClient
from tests.api.conftest import World
from tests.api.world import WRITES, Operation, operations


def endpoints(patterns: list[Any], prefix: str = "") -> list[tuple[str, type]]:
    found = []
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            found += endpoints(pattern.url_patterns, prefix + str(pattern.pattern))
        elif isinstance(pattern, URLPattern) and hasattr(pattern.callback, "cls"):
            found.append((prefix + str(pattern.pattern), pattern.callback.cls))
    return found


@pytest.mark.spec("PL-40")
def test_the_schema_is_valid_and_without_warnings(tmp_path: Any) -> None:
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "schema.yaml"))


@pytest.mark.spec("PL-40")
@pytest.mark.parametrize("operation", operations(), ids=str)
def test_each_operation_says_what_it_does_and_what_may_come(operation: Operation) -> None:
    described = operation.described
    assert described["summary"]
    responses = described["responses"]
    assert {"401", "403", "422", "429"} <= set(responses)
    assert ("{" in operation.address) <= ("404" in responses)
    names = {parameter["name"] for parameter in described.get("parameters", [])}
    assert (operation.method in WRITES) == ("Idempotency-Key" in names)
    assert all(response.get("description") for response in responses.values())


@pytest.mark.spec("PL-41", "ACC-D9")
def test_every_endpoint_inherits_the_frame_and_takes_any_text_for_an_id() -> None:
    found = [(route, view) for route, view in endpoints(get_resolver().url_patterns) if route.startswith("api/")]
    assert len(found) > 10
    for route, view in found:
        if route.removeprefix("api/v1/") not in ("schema", "docs"):
            assert issubclass(view, Endpoint), route
            assert "<uuid:" not in route
            assert "<int:" not in route


@pytest.mark.spec("PL-42")
def test_every_list_of_results_is_paged() -> None:
    components = schema()["components"]["schemas"]
    for operation in operations("get"):
        content = operation.described["responses"].get("200", {}).get("content", {})
        shape = content.get("application/json", {}).get("schema", {})
        assert shape.get("type") != "array", operation
        if "PageOf" in str(shape):
            page = components[shape["$ref"].rpartition("/")[2]]["properties"]
            assert {"results", "next", "previous"} <= set(page)


@pytest.mark.spec("PL-40")
@pytest.mark.parametrize(
    ("accept", "media_type"), [("*/*", "openapi"), ("application/json", "json"), ("text/html", "")]
)
def test_the_schema_is_open_to_anybody_in_two_forms(client: Client, accept: str, media_type: str) -> None:
    response = client.get("/api/v1/schema", headers={"Accept": accept, "Authorization": "Bearer wrong"})
    assert response.status_code == (200 if media_type else 406)
    assert media_type in response["Content-Type"]


@pytest.mark.spec("PL-40")
def test_the_docs_are_a_page_and_a_script_without_inline_script(client: Client, db: None) -> None:
    page = client.get("/api/v1/docs")
    assert page.status_code == 200
    assert b"<style" not in page.content
    assert b" style=" not in page.content
    assert page.content.count(b"<script") == page.content.count(b"<script src=")
    script = client.get("/api/v1/docs?script=")
    assert script["Content-Type"].startswith("application/javascript")
    assert b"/api/v1/schema" in script.content


@pytest.mark.one_database
@pytest.mark.spec("PL-41", "PL-7")
@pytest.mark.parametrize("operation", operations(), ids=str)
def test_every_operation_without_a_credential_is_401(world: World, operation: Operation) -> None:
    response = ApiClient().send(operation.method.upper(), operation.path(world.ids))
    assert response.status_code == 401
    assert response["WWW-Authenticate"]
