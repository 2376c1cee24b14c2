"""What every endpoint has: shapes of refusals, ETags, pages, bounds of bodies, media types, query strings (PL-41)."""

from typing import Any
from urllib.parse import quote

import pytest
from django.db import DataError, IntegrityError, OperationalError

from accounts.api import me, members
from accounts.models import ApiKey, Organisation
from core.limits import LIMITS
from tests.api.clients import PREFIX, client_of
from tests.cast import Cast


def fields_of(response: Any) -> list[str]:
    assert response.status_code == 422, response.content
    body = response.json()
    assert set(body) == {"detail", "errors"}
    assert all(set(problem) <= {"field", "message", "row"} for problem in body["errors"])
    return [problem["field"] for problem in body["errors"]]


# --- Bodies


@pytest.mark.spec("PL-41", "DS-D2")
@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, ["email", "role"]),
        ({"email": 5, "role": "viewer"}, ["email"]),
        ({"email": ["a@example.org"], "role": "viewer"}, ["email"]),
        ({"email": None, "role": None}, ["email", "role"]),
        ({"email": "not an address", "role": "viewer"}, ["email"]),
        ({"email": "a@example.org", "role": "king"}, ["role"]),
        ({"email": "a@example.org", "role": 1}, ["role"]),
        ({"email": "a@example.org", "role": "viewer", "admin": True}, ["admin"]),
        ({"email": "a@example.org", "rolle": "viewer"}, ["rolle", "role"]),
        ({"email": "a" * 300 + "@example.org", "role": "viewer"}, ["email"]),
        ([], [""]),
        ("text", [""]),
        (5, [""]),
    ],
    ids=str,
)
def test_each_thing_wrong_with_a_body_is_named(cast: Cast, body: Any, fields: list[str]) -> None:
    assert fields_of(client_of(cast.owner).post("/invitations", body)) == fields


@pytest.mark.spec("DS-D2")
def test_a_place_inside_a_list_is_a_dotted_path(cast: Cast) -> None:
    body = {"name": "x", "permissions": ["datasets:view", "all", 5], "expires_at": "tomorrow"}
    assert fields_of(client_of(cast.owner).post("/api-keys", body)) == ["permissions.1", "permissions.2", "expires_at"]


@pytest.mark.spec("PL-41")
@pytest.mark.parametrize(
    ("expires_at", "fine"),
    [
        ("2100-01-01T00:00:00Z", True),
        ("2100-01-01T00:00:00+02:00", True),
        (None, True),
        ("2100-01-01T00:00:00", False),
        ("2100-01-01", False),
        ("1999-01-01T00:00:00Z", False),
        ("0001-01-01T00:00:00+10:00", False),
        ("9999-12-31T23:59:59-10:00", False),
        (4102444800, False),
    ],
)
def test_a_time_has_its_zone_and_is_not_guessed(cast: Cast, expires_at: Any, fine: bool) -> None:
    response = client_of(cast.owner).post("/api-keys", {"name": "x", "expires_at": expires_at})
    if fine:
        assert response.status_code == 201
    else:
        assert fields_of(response) == ["expires_at"]


@pytest.mark.spec("PL-41")
def test_a_body_that_is_no_json_is_422_with_its_place(cast: Cast) -> None:
    response = client_of(cast.owner).send("POST", "/api-keys", raw=b'{"name":\n "a\nb"}')
    assert fields_of(response) == [""]
    assert response.json()["errors"][0]["message"] == "line 2, column 4: line ends inside a string; write \\n"


@pytest.mark.spec("PL-41")
def test_an_empty_body_is_an_empty_object(cast: Cast) -> None:
    assert fields_of(client_of(cast.owner).send("POST", "/api-keys", raw=b"")) == ["name"]


@pytest.mark.spec("PL-41")
def test_a_body_that_starts_with_a_byte_order_mark_is_read(cast: Cast) -> None:
    assert client_of(cast.owner).send("POST", "/api-keys", raw=b'\xef\xbb\xbf{"name":"x"}').status_code == 201


@pytest.mark.spec("PL-41")
def test_a_body_over_the_limit_is_413_and_at_the_limit_is_read(cast: Cast) -> None:
    start, end = b'{"name":"x","pad":"', b'"}'
    full = start + b"x" * (LIMITS.json_body_bytes - len(start) - len(end)) + end
    api = client_of(cast.owner)
    assert fields_of(api.send("POST", "/api-keys", raw=full)) == ["pad"]
    refused = api.send("POST", "/api-keys", raw=full + b" ")
    assert refused.status_code == 413
    assert f"{LIMITS.json_body_bytes:,}" in refused.json()["detail"]


@pytest.mark.spec("PL-41")
@pytest.mark.parametrize("media_type", ["text/plain", "application/xml", "multipart/form-data; boundary=x", "", "json"])
def test_another_media_type_is_415(cast: Cast, media_type: str) -> None:
    response = client_of(cast.owner).send("POST", "/api-keys", raw=b'{"name":"x"}', content_type=media_type)
    assert response.status_code == 415
    assert set(response.json()) == {"detail"}


@pytest.mark.spec("PL-41")
def test_a_body_in_pieces_without_a_length_is_411(cast: Cast) -> None:
    api = client_of(cast.owner)
    response = api.client.generic(
        "POST",
        PREFIX + "/api-keys",
        headers={"Authorization": f"Bearer {api.key}", "Transfer-Encoding": "chunked"},
    )
    assert response.status_code == 411


@pytest.mark.spec("PL-41")
def test_another_method_is_405_and_another_type_of_answer_406(cast: Cast) -> None:
    api = client_of(cast.owner)
    refused = api.send("PUT", "/me", {})
    assert (refused.status_code, refused["Allow"]) == (405, "GET, HEAD, OPTIONS")
    assert api.get("/me", Accept="application/xml").status_code == 406


# --- Query strings

HOSTILE_QUERIES = [
    "cursor=%00",
    "cursor=x",
    "cursor=",
    "cursor=a&cursor=b",
    "page_size=0",
    "page_size=201",
    "page_size=x",
    "page_size=1e1",
    "page_size=" + "9" * 5000,
    "page_size=%F0%9F%98%80",
    "unknown=1",
    "unknown",
    "%00=%00",
    "%FF=1",
    "a[b]=1",
]


@pytest.mark.spec("PL-41")
@pytest.mark.parametrize("query", HOSTILE_QUERIES, ids=lambda query: query[:20])
def test_a_wrong_query_is_422_on_every_list(cast: Cast, query: str) -> None:
    api = client_of(cast.owner)
    for path in ("/members", "/invitations", "/api-keys", "/audit", "/me", "/organisation"):
        assert fields_of(api.get(f"{path}?{query}"))


@pytest.mark.spec("PL-41")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("action", "\0"),
        ("action", "x" * 61),
        ("member", "x"),
        ("member", "\0"),
        ("object", "a\0b"),
        ("since", "yesterday"),
        ("since", "0001-01-01T00:00:00+14:00"),
        ("until", "2026-01-01T00:00:00"),
        ("until", "9" * 400),
    ],
)
def test_a_wrong_filter_is_422_naming_it(cast: Cast, name: str, value: str) -> None:
    assert fields_of(client_of(cast.owner).get(f"/audit?{name}={quote(value)}")) == [name]


# --- Pages


@pytest.mark.spec("PL-42")
def test_a_list_says_how_to_get_the_next_page_and_comes_back(cast: Cast) -> None:
    api = client_of(cast.owner)
    whole = api.get("/members").json()
    assert (whole["next"], whole["previous"]) == (None, None)
    found, path, pages = [], "/members?page_size=3", []
    while path:
        response = api.get(path)
        pages.append(response.json())
        found += pages[-1]["results"]
        path = (pages[-1]["next"] or "").partition(PREFIX)[2]
    assert found == whole["results"]
    assert len(pages) == 3
    back = api.get(pages[1]["previous"].partition(PREFIX)[2]).json()
    assert back["results"] == pages[0]["results"]
    assert back["previous"] is None
    assert 'rel="prev"' in response["Link"]


@pytest.mark.spec("PL-42")
def test_lists_ask_the_database_as_often_whatever_they_hold(cast: Cast, django_assert_max_num_queries: Any) -> None:
    api = client_of(cast.owner)
    for number in range(30):
        ApiKey.objects.create(member=cast.owner, name="x", key_hash=str(number))
    for path in ("/members", "/invitations", "/api-keys", "/audit"):
        api.get(path)
        with django_assert_max_num_queries(12):
            assert api.get(path).status_code == 200


# --- ETags


@pytest.mark.spec("PL-41")
def test_what_a_reader_has_already_is_304(cast: Cast) -> None:
    api = client_of(cast.owner)
    etag = api.get("/organisation")["ETag"]
    for sent in (etag, f'"other", {etag}', f"W/{etag}", "*"):
        same = api.get("/organisation", If_None_Match=sent)
        assert (same.status_code, same.content, same["ETag"]) == (304, b"", etag)
    assert api.get("/organisation", If_None_Match='"other"').status_code == 200


@pytest.mark.spec("PL-41")
def test_a_write_with_an_old_etag_is_412_and_changes_nothing(cast: Cast) -> None:
    api = client_of(cast.owner)
    old = api.get("/organisation")["ETag"]
    changed = api.patch("/organisation", {"name": "Second"}, If_Match=old)
    assert changed.status_code == 200
    assert changed["ETag"] == api.get("/organisation")["ETag"] != old
    for sent in (old, '"x"', "x", f"W/{changed['ETag']}", ""):
        refused = api.patch("/organisation", {"name": "Third"}, If_Match=sent)
        assert (refused.status_code, set(refused.json())) == (412, {"detail"})
    assert Organisation.objects.get(pk=cast.kettle.pk).name == "Second"
    assert api.patch("/organisation", {"name": "Third"}, If_Match="*").status_code == 200


@pytest.mark.spec("PL-41", "ACC-D9")
def test_a_member_is_changed_and_removed_only_as_they_were_read(cast: Cast) -> None:
    api = client_of(cast.owner)
    path = f"/members/{cast.viewer.pk}"
    old = api.get(path)["ETag"]
    assert api.patch(path, {"role": "member"}).status_code == 200
    assert api.delete(path, If_Match=old).status_code == 412
    assert api.delete(path, If_Match=api.get(path)["ETag"]).status_code == 204
    assert api.delete(path, If_Match=old).status_code == 404


@pytest.mark.spec("ACC-D21")
def test_no_answer_is_kept_on_the_way(cast: Cast) -> None:
    response = client_of(cast.owner).get("/me")
    assert response["Cache-Control"] == "no-store"
    assert "Authorization" in response["Vary"]


# --- What only the database noticed


@pytest.mark.spec("PL-41")
@pytest.mark.parametrize(
    ("error", "status"),
    [(DataError(), 422), (OverflowError(), 422), (IntegrityError(), 409), (OperationalError(), 503)],
    ids=lambda value: type(value).__name__,
)
def test_what_only_the_database_noticed_is_a_refusal_and_undone(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int
) -> None:
    def rename_then_fail(actor: Any, *, name: str) -> None:
        Organisation.objects.filter(pk=actor.organisation_id).update(name=name)
        raise error

    monkeypatch.setattr(me, "rename_organisation", rename_then_fail)
    response = client_of(cast.owner).patch("/organisation", {"name": "Half"}, Idempotency_Key="k")
    assert response.status_code == status
    assert "detail" in response.json()
    assert Organisation.objects.get(pk=cast.kettle.pk).name == "Kettle & Co"


def test_a_fault_of_ours_is_a_500_and_not_hidden(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(actor: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(members, "members_of", fail)
    api = client_of(cast.owner)
    api.client.raise_request_exception = False
    response = api.get("/members")
    assert response.status_code == 500
    assert set(response.json()) == {"detail"}
