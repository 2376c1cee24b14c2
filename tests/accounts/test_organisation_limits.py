"""An organisation's budget and retention: who changes them, what is refused, and what is asked before deleting."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import AuditEntry
from accounts.operations.organisation_limits import change_organisation_limits
from activity.models import Conversation
from core.errors import Invalid, NotAllowed
from tests.activity.rows import make_agent, make_run
from tests.api.clients import client_of
from tests.cast import Cast

SignIn = Callable[[str], Client]


def old_conversations(cast: Cast, count: int) -> None:
    for _ in range(count):
        make_run(make_agent(cast))
    Conversation.objects.update(last_at=timezone.now() - timedelta(days=40))


@pytest.mark.spec("PL-25", "PL-34")
def test_budget_and_retention_are_set_and_audited_with_their_numbers(cast: Cast) -> None:
    changes = {"monthly_budget": Decimal("12.50"), "retention_days": 30}
    organisation = change_organisation_limits(cast.actor("admin"), changes=changes)
    assert (organisation.monthly_budget, organisation.retention_days) == (Decimal("12.50"), 30)
    change_organisation_limits(cast.actor("admin"), changes=changes)
    entry = AuditEntry.objects.get()
    assert entry.details == {
        "fields": ["monthly_budget", "retention_days"],
        "monthly_budget": {"before": None, "after": "12.50"},
        "retention_days": {"before": None, "after": 30},
    }
    assert change_organisation_limits(cast.actor("owner"), changes={"retention_days": None}).retention_days is None


@pytest.mark.parametrize("role", ["builder", "operator", "member", "viewer"])
def test_others_do_not_set_them(cast: Cast, role: str) -> None:
    with pytest.raises(NotAllowed):
        change_organisation_limits(cast.actor(role), changes={})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("monthly_budget", Decimal(-1)),
        ("monthly_budget", Decimal("0.001")),
        ("monthly_budget", Decimal("NaN")),
        ("retention_days", 0),
        ("retention_days", 3651),
    ],
    ids=str,
)
def test_numbers_out_of_bounds_are_refused(cast: Cast, field: str, value: Any) -> None:
    with pytest.raises(Invalid) as error:
        change_organisation_limits(cast.actor("owner"), changes={field: value})
    assert [problem.field for problem in error.value.problems] == [field]


def test_the_page_shows_what_holds_and_saves(cast: Cast, sign_in: SignIn) -> None:
    browser = sign_in("owner")
    page = browser.get("/organisation/limits/").content.decode()
    assert "deleted for good" in page
    response = browser.post("/organisation/limits/", {"monthly_budget": "20", "retention_days": ""})
    assert (response.status_code, response["Location"]) == (302, "/organisation/limits/")
    cast.kettle.refresh_from_db()
    assert (cast.kettle.monthly_budget, cast.kettle.retention_days) == (20, None)
    assert 'value="20.00"' in browser.get("/organisation/limits/").content.decode()


@pytest.mark.spec("PL-34")
def test_before_conversations_would_go_their_number_is_said_and_asked_about(cast: Cast, sign_in: SignIn) -> None:
    old_conversations(cast, 3)
    browser, sent = sign_in("owner"), {"monthly_budget": "", "retention_days": "30"}
    asked = browser.post("/organisation/limits/", sent)
    assert asked.status_code == 422
    assert "3 conversations are older than that" in asked.content.decode()
    cast.kettle.refresh_from_db()
    assert cast.kettle.retention_days is None
    assert browser.post("/organisation/limits/", sent | {"confirmed": "on"}).status_code == 302
    cast.kettle.refresh_from_db()
    assert cast.kettle.retention_days == 30
    assert "3 conversations are older" in browser.get("/organisation/limits/").content.decode()


def test_keeping_longer_or_where_nothing_goes_asks_nothing(cast: Cast, sign_in: SignIn) -> None:
    old_conversations(cast, 1)
    browser = sign_in("owner")
    for days in ("50", "60", ""):
        sent = {"monthly_budget": "", "retention_days": days}
        assert browser.post("/organisation/limits/", sent).status_code == 302


def test_the_page_of_the_organisation_leads_there(sign_in: SignIn) -> None:
    assert "/organisation/limits/" in sign_in("owner").get("/organisation/").content.decode()


@pytest.mark.spec("PL-40", "PL-41")
def test_the_api_changes_each_alone_and_refuses_what_is_none(cast: Cast) -> None:
    api = client_of(cast.owner)
    changed = api.patch("/organisation", {"retention_days": 30}).json()
    assert (changed["name"], changed["retention_days"], changed["monthly_budget"]) == ("Kettle & Co", 30, None)
    changed = api.patch("/organisation", {"name": "Kettle", "monthly_budget": "5.50"}).json()
    assert (changed["name"], changed["retention_days"], changed["monthly_budget"]) == ("Kettle", 30, "5.50")
    for sent in ({"retention_days": 0}, {"retention_days": "30"}, {"monthly_budget": 5}, {"name": None}):
        assert api.patch("/organisation", sent).status_code == 422
    assert client_of(cast.builder).patch("/organisation", {}).status_code == 403
    assert api.get("/organisation").json() == changed
