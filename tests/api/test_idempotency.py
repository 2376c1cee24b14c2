"""`Idempotency-Key`: however often and however many at once, one effect and one answer (PL-42, BC-16)."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from accounts.jobs import forget_old_requests_job
from accounts.models import ApiKey, AuditEntry, IdempotentRequest, Invitation, Organisation
from core.limits import LIMITS
from tests.api.clients import ApiClient, client_of, key_of
from tests.cast import Cast, make_cast

NEW = {"email": "new@example.org", "role": "viewer"}


@pytest.mark.spec("PL-42")
def test_a_repeated_request_gets_the_first_answer_again_and_acts_once(cast: Cast) -> None:
    api = client_of(cast.owner)
    first = api.post("/invitations", NEW, Idempotency_Key="k1")
    again = api.post("/invitations", NEW, Idempotency_Key="k1")
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.content == first.content
    expected = dict(first.headers) | {"Idempotent-Replayed": "true"}
    assert {name: value for name, value in again.headers.items() if name != "X-Request-Id"} == {
        name: value for name, value in expected.items() if name != "X-Request-Id"
    }
    assert Invitation.objects.count() == 1


@pytest.mark.spec("PL-42")
def test_without_a_key_each_request_acts(cast: Cast) -> None:
    api = client_of(cast.owner)
    for _ in range(2):
        assert api.post("/invitations", NEW).status_code == 201
    assert Invitation.objects.count() == 2


@pytest.mark.spec("PL-42")
def test_an_answer_without_a_body_is_given_again_too(cast: Cast) -> None:
    api = client_of(cast.owner)
    answers = [api.delete(f"/members/{cast.viewer.pk}", Idempotency_Key="k") for _ in range(2)]
    assert [(one.status_code, one.content) for one in answers] == [(204, b"")] * 2
    assert answers[1]["Idempotent-Replayed"] == "true"


@pytest.mark.spec("PL-42")
def test_the_same_key_with_another_request_is_refused_and_does_nothing(cast: Cast) -> None:
    api = client_of(cast.owner)
    api.post("/invitations", NEW, Idempotency_Key="k1")
    others: list[Callable[[], Any]] = [
        lambda: api.post("/invitations", NEW | {"role": "admin"}, Idempotency_Key="k1"),
        lambda: api.post("/api-keys", NEW, Idempotency_Key="k1"),
        lambda: api.patch("/organisation", {"name": "x"}, Idempotency_Key="k1"),
        lambda: client_of(cast.owner).post("/invitations", NEW, Idempotency_Key="k1"),
    ]
    for other in others:
        refused = other()
        assert refused.status_code == 422
        assert [problem["field"] for problem in refused.json()["errors"]] == ["Idempotency-Key"]
    assert Invitation.objects.count() == 1
    assert Organisation.objects.get(pk=cast.kettle.pk).name == "Kettle & Co"


@pytest.mark.spec("PL-42")
def test_the_same_key_of_another_member_is_another_key(cast: Cast) -> None:
    for member in (cast.owner, cast.admin, cast.stranger):
        assert client_of(member).post("/api-keys", {"name": "mine"}, Idempotency_Key="k1").status_code == 201
    assert ApiKey.objects.filter(name="mine").count() == 3


@pytest.mark.spec("PL-42")
def test_a_refusal_is_not_remembered_and_the_key_stays_free(cast: Cast) -> None:
    api = client_of(cast.owner)
    assert api.post("/invitations", NEW | {"role": "king"}, Idempotency_Key="k1").status_code == 422
    assert not IdempotentRequest.objects.exists()
    assert api.post("/invitations", NEW, Idempotency_Key="k1").status_code == 201


@pytest.mark.spec("PL-42")
@pytest.mark.parametrize("key", ["", " ", "é", "a b", "x" * (LIMITS.idempotency_key_characters + 1)])
def test_a_malformed_key_is_refused_by_name(cast: Cast, key: str) -> None:
    refused = client_of(cast.owner).post("/invitations", NEW, Idempotency_Key=key)
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["field"] == "Idempotency-Key"
    assert not Invitation.objects.exists()


@pytest.mark.spec("PL-7", "PL-42")
def test_what_is_kept_is_not_readable_in_the_database(cast: Cast) -> None:
    api = client_of(cast.owner)
    first = api.post("/api-keys", {"name": "secret"}, Idempotency_Key="k1")
    raw = first.json()["key"]
    assert raw not in "".join(str(vars(row)) for row in IdempotentRequest.objects.all())
    assert api.post("/api-keys", {"name": "secret"}, Idempotency_Key="k1").json()["key"] == raw


@pytest.mark.spec("PL-42")
def test_after_its_hours_a_key_is_free_again_and_the_daily_job_forgets(cast: Cast) -> None:
    api = client_of(cast.owner)
    old = timezone.now() - timedelta(hours=LIMITS.idempotency_hours, seconds=1)
    api.post("/invitations", NEW, Idempotency_Key="k1")
    IdempotentRequest.objects.update(created_at=old)
    assert "Idempotent-Replayed" not in api.post("/invitations", NEW, Idempotency_Key="k1").headers
    api.post("/invitations", NEW, Idempotency_Key="k2")
    IdempotentRequest.objects.filter(key="k1").update(created_at=old)
    forget_old_requests_job()
    assert [row.key for row in IdempotentRequest.objects.all()] == ["k2"]


@pytest.mark.spec("PL-42", "PL-41")
@pytest.mark.django_db(transaction=True)
def test_twenty_at_once_with_one_key_have_one_effect_and_one_answer() -> None:
    cast = make_cast()
    key = key_of(cast.owner)
    entries = AuditEntry.objects.count()
    start = Barrier(20)

    def send(_number: int) -> tuple[int, bytes, bool]:
        start.wait()
        try:
            answer = ApiClient(key).post("/invitations", NEW, Idempotency_Key="same")
            return answer.status_code, answer.content, "Idempotent-Replayed" in answer.headers
        finally:
            connection.close()

    with ThreadPoolExecutor(20) as threads:
        answers = list(threads.map(send, range(20)))
    assert {status for status, _body, _again in answers} == {201}
    assert len({body for _status, body, _again in answers}) == 1
    assert sorted(again for _status, _body, again in answers) == [False] + [True] * 19
    assert Invitation.objects.count() == 1
    assert AuditEntry.objects.count() == entries + 1


@pytest.mark.spec("PL-41")
@pytest.mark.django_db(transaction=True)
def test_twenty_different_writes_at_once_all_happen() -> None:
    cast = make_cast()
    key = key_of(cast.owner)
    start = Barrier(20)

    def send(number: int) -> int:
        start.wait()
        try:
            return ApiClient(key).post("/api-keys", {"name": f"key {number}"}, Idempotency_Key=str(number)).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(20) as threads:
        assert list(threads.map(send, range(20))) == [201] * 20
    assert ApiKey.objects.filter(name__startswith="key ").count() == 20
