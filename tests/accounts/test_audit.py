"""The audit log is append-only, names no persons itself, and clears nothing that it should keep (PL-8, ACC-D45)."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts import audit
from accounts.actions import action_label, name_actions
from accounts.logic.csv_cells import safe_cell
from accounts.models import AuditEntry, Invitation
from accounts.operations.invitations import invite_member
from accounts.operations.upkeep import clear_expired
from accounts.templatetags.accounts_tags import audit_details
from tests.accounts.shared import make_thing
from tests.cast import Cast


@pytest.mark.spec("PL-8")
def test_entries_are_neither_changed_nor_deleted(cast: Cast) -> None:
    entry = audit.record(cast.actor("owner"), "dataset.created", cast.kettle)
    for attempt in (
        entry.save,
        entry.delete,
        AuditEntry.objects.all().delete,
        lambda: AuditEntry.objects.update(action="x"),
    ):
        with pytest.raises(TypeError, match="append-only"):
            attempt()


@pytest.mark.spec("ACC-D45")
def test_entries_stay_when_the_thing_is_gone(cast: Cast) -> None:
    thing = make_thing(cast.owner, "Short lived")
    audit.record(cast.actor("owner"), "dataset.created", thing)
    thing.delete()
    assert AuditEntry.objects.get().object_label == "Short lived"


@pytest.mark.spec("ACC-D36")
def test_rows_that_name_a_person_leave_no_name(cast: Cast) -> None:
    assert audit.record(cast.actor("owner"), "member.removed", cast.builder).object_label == ""
    assert audit.record(cast.actor("owner"), "user.signed_in", cast.builder.user).object_label == ""


def test_a_long_name_is_cut(cast: Cast) -> None:
    thing = make_thing(cast.owner, "n" * 120)
    assert len(audit.record(cast.actor("owner"), "dataset.created", thing).object_label) == 120


def test_actions_are_named_or_spelled_out() -> None:
    assert action_label("user.signed_in") == "Signed in"
    assert action_label("case.first_added") == "Case: first added"
    name_actions({"case.first_added": "First case added"})
    assert action_label("case.first_added") == "First case added"


def test_details_are_written_on_one_line() -> None:
    details = {"fields": ["name", "theme"], "counts": {"dataset": 2}, "nothing": 0, "cases_added": 3}
    assert audit_details(details) == "fields: name, theme; counts: dataset 2; cases added: 3"


@pytest.mark.parametrize(
    ("value", "expected"),
    [("=1+1", "'=1+1"), ("@x", "'@x"), ("-2", "'-2"), ("+2", "'+2"), ("\tx", "'\tx"), ("plain", "plain"), (None, "")],
)
def test_no_cell_starts_a_formula(value: object, expected: str) -> None:
    assert safe_cell(value) == expected


def test_upkeep_clears_what_expired_and_keeps_the_rest(cast: Cast) -> None:
    now = timezone.now()
    for days in (1, 60):
        invite_member(cast.actor("admin"), email=f"a{days}@example.org", role="viewer")
        Invitation.objects.filter(email=f"a{days}@example.org").update(expires_at=now - timedelta(days=days))
        Session.objects.create(session_key=f"k{days}", session_data="", expire_date=now + timedelta(days=days - 30))
    assert clear_expired()["invitations"] == 1
    assert Invitation.objects.get().email == "a1@example.org"
    assert list(Session.objects.values_list("session_key", flat=True)) == ["k60"]
