"""What every request passes: its id, the client's address behind proxies, the headers for browsers (PL-9, PL-52)."""

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from pytest_django import Settings

from core.middleware import ClientAddressMiddleware
from tests.cast import Cast


def address_seen(request: HttpRequest) -> str:
    seen: list[str] = []

    def view(request: HttpRequest) -> HttpResponse:
        seen.append(request.META["REMOTE_ADDR"])
        return HttpResponse()

    ClientAddressMiddleware(view)(request)
    return seen[0]


@pytest.mark.parametrize(
    ("proxies", "forwarded", "seen"),
    [
        (0, "203.0.113.5", "127.0.0.1"),
        (1, "203.0.113.5", "203.0.113.5"),
        (1, "6.6.6.6, 203.0.113.5", "203.0.113.5"),
        (2, "6.6.6.6, 203.0.113.5, 10.0.0.1", "203.0.113.5"),
        (2, "203.0.113.5", "127.0.0.1"),
        (1, "2001:db8::5", "2001:db8::5"),
        (1, "unknown", "127.0.0.1"),
        (1, "fe80::1%" + "x" * 60, "127.0.0.1"),
        (1, "", "127.0.0.1"),
    ],
)
def test_the_address_is_the_one_that_the_outermost_trusted_proxy_saw(
    settings: Settings, proxies: int, forwarded: str, seen: str
) -> None:
    settings.TRUSTED_PROXIES = proxies
    assert address_seen(RequestFactory().get("/", headers={"X-Forwarded-For": forwarded})) == seen


@pytest.mark.spec("PL-52")
@pytest.mark.parametrize("sent", ["short", "x" * 65, "line\nbreak-1234", '{"json": true}', ""])
def test_a_request_id_that_is_not_well_formed_is_replaced(client: Client, sent: str) -> None:
    given = client.get("/healthz", headers={"X-Request-Id": sent})["X-Request-Id"]
    assert given != sent
    assert len(given) == 32


@pytest.mark.spec("PL-9", "ACC-D21")
@pytest.mark.parametrize("page", ["/datasets/", "/members/", "/audit/", "/me/", "/organisation/", "/account/sessions/"])
def test_no_shared_cache_keeps_a_page_of_somebody_who_is_signed_in(cast: Cast, client: Client, page: str) -> None:
    client.force_login(cast.owner.user)
    response = client.get(page)
    assert response.status_code == 200
    assert {"no-store", "private"} & set(response["Cache-Control"].replace(" ", "").split(","))


@pytest.mark.django_db
@pytest.mark.spec("PL-9")
def test_a_page_carries_the_headers_that_keep_browsers_safe(client: Client, cast: Cast) -> None:
    response = client.get("/nowhere/")
    assert response.status_code == 404
    policy = response["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "DENY"
    assert response["Referrer-Policy"] == "same-origin"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"
