"""Hostile requests against the whole API: refused in the right shape, never a 500, nothing changed (BC-10, BC-46)."""

import json
from typing import Any
from uuid import uuid4

import pytest

from accounts.models import AuditEntry
from core.api.views import schema
from tests.api.clients import client_of, stable
from tests.api.conftest import World
from tests.api.world import Operation, operations

BODIES: dict[str, bytes] = {
    "not a number": b'{"cost":NaN}',
    "infinity": b'{"cost":1e999}',
    "minus infinity": b'{"cost":-Infinity}',
    "5000 digits": b'{"n":' + b"1" * 5000 + b"}",
    "beyond 64 bits": b'{"n":9223372036854775808}',
    "deep lists": b"[" * 5000 + b"]" * 5000,
    "very deep lists": b"[" * 100_000,
    "deep objects": b'{"a":' * 5000 + b"1" + b"}" * 5000,
    "a key twice": b'{"name":"a","name":"b"}',
    "nul": b'{"name":"a\\u0000b","input":"a\\u0000b","email":"\\u0000"}',
    "raw nul": b'{"name":"a\x00b"}',
    "half a pair": b'{"name":"\\ud800","input":"\\udfff"}',
    "half a pair as key": b'{"\\ud800":1}',
    "not utf-8": b'{"name":"\xff\xfe"}',
    "utf-16": '{"name":"x"}'.encode("utf-16"),
    "cut off": b'{"name":"x',
    "a line break in a string": b'{"name":"a\nb"}',
    "trailing comma": b'{"name":"x",}',
    "two values": b"{}{}",
    "only spaces": b"   ",
    "a list": b"[]",
    "a list of objects": b'[{"name":"x"}]',
    "null": b"null",
    "true": b"true",
    "a number": b"0",
    "a text": b'"text"',
    "unknown keys": b'{"__proto__":{},"constructor":1,"\xc3\xa9":2,"":3}',
    "html": b"<html></html>",
    "python": b"{'name': None}",
    "binary": bytes(range(256)),
}
WRONG_VALUES: list[Any] = [
    None,
    True,
    0,
    -1,
    2**62,
    1.5,
    1e308,
    "",
    " ",
    "\u202e\ufeff",
    "x" * 60_000,
    [],
    [[]],
    {},
    {"a": 1},
]
QUERIES = [
    "%00",
    "%00=%00",
    "cursor=%00",
    "version=%00",
    "version=" + "9" * 400,
    "page=1e9",
    "page=-1",
    "q=%00",
    "q=%ED%A0%80",
    "format=%00",
    "tag=%00&tag=%00",
    "=",
    "&&&",
    "page_size=99999999999999999999",
]
METHODS_WITH_BODY = ("post", "put", "patch")
# Whoever takes OTLP ignores the fields of later versions; a request that holds nothing else brings nothing.
TAKEN = {("/otlp/v1/traces", "unknown keys")}


@pytest.mark.one_database  # the parser refuses each, and what it let through would be taken here
@pytest.mark.spec("PL-41")
@pytest.mark.parametrize("operation", operations(*METHODS_WITH_BODY), ids=str)
def test_no_hostile_body_is_taken_or_makes_a_fault(world: World, operation: Operation) -> None:
    api, ids = world.api, world.ids
    before = AuditEntry.objects.count()
    api.client.raise_request_exception = False
    for name, body in BODIES.items():
        response = api.send(
            operation.method.upper(), operation.path(ids), raw=body, Idempotency_Key=f"k-{name}".replace(" ", "")
        )
        if (operation.address, name) in TAKEN:
            assert response.status_code == 200, (name, response.content)
            continue
        assert 400 <= response.status_code < 500, (name, response.status_code, response.content)
        assert isinstance(response.json()["detail"], str), name
        if response.status_code == 422:
            assert all({"field", "message"} <= set(problem) for problem in response.json()["errors"]), name
            assert response.json()["errors"], name
    assert AuditEntry.objects.count() == before


@pytest.mark.spec("PL-41")
@pytest.mark.parametrize("operation", operations(*METHODS_WITH_BODY), ids=str)
def test_no_wrong_value_of_a_known_key_makes_a_fault(world: World, operation: Operation) -> None:
    content = operation.described.get("requestBody", {}).get("content", {}).get("application/json")
    if content is None:
        pytest.skip("takes no JSON")
    api, ids = world.api, world.ids
    api.client.raise_request_exception = False
    for key in known_keys(content["schema"]):
        for value in WRONG_VALUES:
            body = json.dumps({key: value}).encode()
            response = api.send(operation.method.upper(), operation.path(ids), raw=body)
            assert response.status_code < 500, (key, value, response.content)


@pytest.mark.spec("PL-41")
@pytest.mark.parametrize("operation", operations("get", "delete"), ids=str)
def test_no_query_string_makes_a_fault(world: World, operation: Operation) -> None:
    api, ids = world.api, world.ids
    api.client.raise_request_exception = False
    for query in QUERIES:
        response = api.send(operation.method.upper(), f"{operation.path(ids)}?{query}")
        assert response.status_code < 500, (query, response.content)
        if response.status_code >= 400:
            assert isinstance(response.json()["detail"], str)


# A helper is named by what it is for; every organisation has its own of each.
WITH_IDS = [one for one in operations() if "{" in one.address and "{helper}" not in one.address]


@pytest.mark.spec("ACC-D9", "ACC-D10", "ACC-D11")
@pytest.mark.parametrize("operation", WITH_IDS, ids=str)
def test_on_every_route_the_ids_of_others_unknown_ids_and_malformed_ones_are_the_same_404(
    world: World, operation: Operation
) -> None:
    ids = world.ids
    stranger = client_of(world.cast.stranger)
    stranger.client.raise_request_exception = False
    sample = sample_body(operation)
    before = AuditEntry.objects.count()
    parameters = [name for name in ids if "{" + name + "}" in operation.address and name != "number"]
    tried = [ids, ids | {name: str(uuid4()) for name in parameters}, ids | dict.fromkeys(parameters, "x")]
    answers = [stable(stranger.send(operation.method.upper(), operation.path(one), sample)) for one in tried]
    assert answers[0][0] == 404, answers[0]
    assert answers[1:] == answers[:1] * 2
    assert AuditEntry.objects.count() == before


def sample_body(operation: Operation) -> Any:
    """A body that would be taken, as far as a walk over the schema can know."""
    return {"patch": {"role": "viewer"} if "member" in operation.address else {}}.get(operation.method)


def known_keys(described: dict[str, Any]) -> set[str]:
    """The keys of a body's description, of each of its forms; one that nobody knows where it names none."""
    if "$ref" in described:
        return known_keys(schema()["components"]["schemas"][described["$ref"].rpartition("/")[2]])
    forms = [form.get("items", form) for form in described.get("oneOf", [])]
    named = set(described.get("properties", {})).union(*map(known_keys, forms))
    return named or {"unknown"}
