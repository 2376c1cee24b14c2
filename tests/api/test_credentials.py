"""Who calls: keys and sessions, what each refusal looks like, and how many requests there may be (PL-7, PL-41)."""

import logging
from datetime import UTC, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from accounts.api.throttling import ActorRateThrottle, require_rate
from accounts.models import ApiKey
from accounts.permissions import Role
from core.limits import LIMITS
from tests.api.clients import ApiClient, client_of, expired_key, key_of, revoked_key
from tests.cast import Cast


@pytest.mark.spec("PL-7")
def test_a_key_acts_as_its_issuer_with_the_present_role(cast: Cast) -> None:
    api = client_of(cast.builder)
    me = api.get("/me").json()
    assert me["member"]["email"] == "builder@example.org"
    assert me["organisation"] == {"id": str(cast.kettle.pk), "name": "Kettle & Co"}
    assert {"permission": "datasets:edit", "scope": "shared"} in me["permissions"]
    cast.builder.role = Role.VIEWER
    cast.builder.save()
    me = api.get("/me").json()
    assert me["member"]["role"] == "viewer"
    assert {entry["permission"] for entry in me["permissions"]} == {
        "datasets:view",
        "agents:view",
        "knowledge:view",
        "skills:view",
    }


@pytest.mark.spec("PL-7", "ACC-D12")
def test_a_restricted_key_has_no_more_than_its_permissions(cast: Cast) -> None:
    me = client_of(cast.owner, ["datasets:view"]).get("/me").json()
    assert me["key"]["permissions"] == ["datasets:view"]
    assert me["permissions"] == [{"permission": "datasets:view", "scope": "all"}]


@pytest.mark.spec("PL-7", "PL-41")
@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer ", "Bearer unknown", "Basic dXNlcjpwYXNz", "bearer a b", "Bearer é", "Token x", "Bearer \0"],
)
def test_a_malformed_or_unknown_credential_is_401_with_a_challenge(cast: Cast, header: str) -> None:
    response = ApiClient().get("/me", Authorization=header)
    assert response.status_code == 401
    assert response["WWW-Authenticate"].startswith("Bearer")
    assert response.json() == {"detail": "The API key is not valid."}


@pytest.mark.spec("PL-7")
def test_no_revoked_expired_or_former_members_key_is_taken(cast: Cast) -> None:
    left, inactive = key_of(cast.member), key_of(cast.viewer)
    cast.member.left_at = timezone.now()
    cast.member.save()
    cast.viewer.user.is_active = False
    cast.viewer.user.save()
    for key in (revoked_key(cast.owner), expired_key(cast.owner), left, inactive):
        assert ApiClient(key).get("/me").status_code == 401


@pytest.mark.spec("PL-7")
def test_without_a_credential_the_answer_is_401(cast: Cast) -> None:
    response = ApiClient().get("/me")
    assert (response.status_code, response["WWW-Authenticate"]) == (401, 'Bearer realm="Casebook"')


@pytest.mark.spec("PL-7")
def test_a_key_wins_over_a_session_also_where_it_is_wrong(cast: Cast, sign_in: Any) -> None:
    browser = sign_in("viewer")
    assert ApiClient(key_of(cast.owner), client=browser).get("/me").json()["member"]["role"] == "owner"
    assert ApiClient("wrong", client=browser).get("/me").status_code == 401


@pytest.mark.spec("PL-9")
def test_a_session_reads_freely_and_writes_with_the_token_against_cross_site_requests(cast: Cast) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.get("/account/login/")
    browser.force_login(cast.owner.user)
    api = ApiClient(client=browser)
    assert api.get("/me").json()["key"] is None
    refused = api.patch("/organisation", {"name": "New"})
    assert refused.status_code == 403
    assert "X-CSRFToken" in refused.json()["detail"]
    token = browser.cookies["csrftoken"].value
    assert api.patch("/organisation", {"name": "New"}, X_CSRFToken=token).status_code == 200
    foreign = api.patch("/organisation", {"name": "New"}, X_CSRFToken=token, Origin="https://elsewhere.example")
    assert foreign.status_code == 403


@pytest.mark.spec("PL-9")
def test_a_token_in_a_form_is_no_token_and_the_form_is_not_read(cast: Cast) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.get("/account/login/")
    browser.force_login(cast.owner.user)
    form = {"csrfmiddlewaretoken": browser.cookies["csrftoken"].value, "name": "x"}
    assert browser.post("/api/v1/api-keys", form).status_code == 403


@pytest.mark.spec("PL-2", "ACC-D11")
def test_a_key_is_of_one_organisation_also_where_its_issuer_is_in_two(cast: Cast) -> None:
    here, there = client_of(cast.both), client_of(cast.both_elsewhere)
    assert here.get("/me").json()["organisation"]["name"] == "Kettle & Co"
    assert there.get("/me").json()["organisation"]["name"] == "Other Ltd"
    assert here.get(f"/members/{cast.stranger.pk}").status_code == 404
    assert there.get(f"/members/{cast.stranger.pk}").status_code == 200


@pytest.mark.spec("PL-7")
def test_the_last_use_is_noted_and_not_with_every_request(cast: Cast, django_assert_num_queries: Any) -> None:
    api = client_of(cast.owner)
    api.get("/me")
    key = ApiKey.objects.get()
    assert key.last_used_at is not None
    first = key.last_used_at
    api.get("/me")
    assert ApiKey.objects.get().last_used_at == first
    ApiKey.objects.update(last_used_at=timezone.now() - timedelta(minutes=2))
    api.get("/me")
    assert ApiKey.objects.get().last_used_at > first


@pytest.mark.spec("PL-7", "PL-52")
def test_no_log_line_holds_a_key(cast: Cast, caplog: pytest.LogCaptureFixture) -> None:
    raw = key_of(cast.owner)
    with caplog.at_level(logging.DEBUG), caplog.at_level(logging.DEBUG, logger="casebook"):
        ApiClient(raw).post("/api-keys", {"name": "second"})
        ApiClient(raw + "x").get("/me")
        ApiClient(raw).get("/nowhere")
    assert caplog.records
    assert "cbk_" not in "\n".join(record.getMessage() + str(vars(record)) for record in caplog.records)


@pytest.mark.spec("PL-41")
def test_beyond_the_rate_the_answer_is_429_with_retry_after(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ActorRateThrottle, "get_rate", lambda self: "3/hour")
    mine, other = client_of(cast.owner), client_of(cast.owner)
    assert [mine.get("/me").status_code for _ in range(4)] == [200, 200, 200, 429]
    refused = mine.get("/me")
    assert 1 <= int(refused["Retry-After"]) <= 3601
    assert set(refused.json()) == {"detail"}
    assert other.get("/me").status_code == 200


@pytest.mark.django_db
@pytest.mark.spec("PL-41", "PL-50")
def test_a_count_lives_as_long_as_its_window_also_in_the_databases_cache() -> None:
    """Counting up in the database's cache keeps an entry for the cache's own time and not for the entry's."""
    for _use in range(2):
        require_rate("long", number=10, seconds=86_400)
    with connection.cursor() as cursor:
        cursor.execute("SELECT expires FROM cache WHERE cache_key LIKE %s", ["%rate:long:%"])
        expires = parse_datetime(str(cursor.fetchone()[0]))
    assert expires is not None
    assert expires.replace(tzinfo=UTC) - timezone.now() > timedelta(hours=1)


@pytest.mark.spec("PL-41")
def test_an_address_that_tries_many_keys_gets_429_and_good_keys_go_on(cast: Cast) -> None:
    wrong = ApiClient("wrong")
    answers = [wrong.get("/me").status_code for _ in range(LIMITS.wrong_keys_a_minute + 5)]
    assert answers[: LIMITS.wrong_keys_a_minute // 2] == [401] * (LIMITS.wrong_keys_a_minute // 2)
    assert answers[-1] == 429
    assert "Retry-After" in wrong.get("/me").headers
    assert client_of(cast.owner).get("/me").status_code == 200


@pytest.mark.spec("ACC-D12", "EV-D65")
def test_a_key_that_may_act_on_things_may_see_them_and_no_others(cast: Cast) -> None:
    me = client_of(cast.owner, ["runs:view", "datasets:run", "agents:run"]).get("/me").json()
    assert [entry["permission"] for entry in me["permissions"]] == [
        "datasets:view", "datasets:run", "agents:view", "agents:run", "runs:view",
    ]  # fmt: skip
