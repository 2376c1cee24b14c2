"""API keys: issued with no more than the issuer has, shown once, revoked at once (PL-7, ACC-D12)."""

from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import ApiKey, AuditEntry, Visibility
from accounts.operations.api_keys import hash_of_key, issue_api_key, revoke_api_key
from accounts.permissions import GrantLevel
from core.errors import Invalid, NotAllowed, NotFound
from tests.accounts.shared import grant, make_thing
from tests.cast import Cast


@pytest.mark.spec("PL-7", "PL-8")
def test_the_key_is_shown_once_and_stored_as_a_hash_with_a_prefix(cast: Cast) -> None:
    issued = issue_api_key(cast.actor("viewer"), name="laptop")
    assert issued.raw.startswith("cbk_")
    assert len(issued.raw) >= 4 + 43
    assert issued.api_key.key_hash == hash_of_key(issued.raw)
    assert issued.raw.startswith(issued.api_key.prefix)
    assert len(issued.api_key.prefix) == 12
    assert issued.raw not in str(ApiKey.objects.values()) + str(AuditEntry.objects.values())
    assert AuditEntry.objects.get(action="api_key.issued").details == {"permissions": None, "expires": False}


@pytest.mark.spec("PL-7", "ACC-D12")
def test_it_can_be_restricted_to_permissions_the_issuer_has(cast: Cast) -> None:
    issued = issue_api_key(cast.actor("member"), name="k", permissions=["datasets:view", "datasets:view"])
    assert issued.api_key.permissions == ["datasets:view"]


@pytest.mark.spec("PL-7")
@pytest.mark.parametrize("wanted", ["members:manage", "runs:view", "nonsense", "datasets:edit"])
def test_never_more_than_the_issuer(cast: Cast, wanted: str) -> None:
    with pytest.raises(Invalid) as refused:
        issue_api_key(cast.actor("viewer"), name="k", permissions=["datasets:view", wanted])
    assert [problem.field for problem in refused.value.problems] == ["permissions.1"]
    assert not ApiKey.objects.exists()


def test_a_permission_by_a_grant_counts_as_had(cast: Cast) -> None:
    grant(make_thing(cast.colleague, visibility=Visibility.PRIVATE), cast.viewer, GrantLevel.EDIT)
    issued = issue_api_key(cast.actor("viewer"), name="k", permissions=["datasets:edit"])
    assert issued.api_key.permissions == ["datasets:edit"]


def test_an_empty_list_of_permissions_is_refused(cast: Cast) -> None:
    with pytest.raises(Invalid, match=r".") as refused:
        issue_api_key(cast.actor("member"), name="k", permissions=[])
    assert refused.value.problems[0].field == "permissions"


@pytest.mark.parametrize("when", [timezone.now() - timedelta(seconds=1), datetime(2100, 1, 1)])
def test_a_past_time_or_one_without_zone_is_refused(cast: Cast, when: datetime) -> None:
    with pytest.raises(Invalid) as refused:
        issue_api_key(cast.actor("member"), name="k", expires_at=when)
    assert refused.value.problems[0].field == "expires_at"


def test_the_system_has_no_keys(cast: Cast) -> None:
    with pytest.raises(NotAllowed):
        issue_api_key(Actor.system(cast.kettle), name="k")


@pytest.mark.spec("PL-7")
def test_a_key_issues_no_stronger_key(cast: Cast) -> None:
    soon = timezone.now() + timedelta(hours=1)
    weak = issue_api_key(cast.actor("owner"), name="weak", permissions=["datasets:view"], expires_at=soon).api_key
    actor = Actor.of_key(weak)
    child = issue_api_key(actor, name="child").api_key
    assert (child.permissions, child.expires_at) == (["datasets:view"], soon)
    with pytest.raises(Invalid):
        issue_api_key(actor, name="child", permissions=["datasets:edit"])
    with pytest.raises(Invalid):
        issue_api_key(actor, name="child", expires_at=soon + timedelta(seconds=1))


@pytest.mark.spec("PL-7")
def test_revoking_a_key_revokes_what_it_issued(cast: Cast) -> None:
    first = issue_api_key(cast.actor("owner"), name="first").api_key
    child = issue_api_key(Actor.of_key(first), name="child").api_key
    grandchild = issue_api_key(Actor.of_key(child), name="grandchild").api_key
    revoke_api_key(cast.actor("owner"), key_id=first.pk)
    assert not ApiKey.objects.usable().filter(pk__in=[first.pk, child.pk, grandchild.pk]).exists()
    assert AuditEntry.objects.get(action="api_key.revoked").details == {"keys": 3}


def test_revoking_again_changes_nothing(cast: Cast) -> None:
    key = issue_api_key(cast.actor("viewer"), name="k").api_key
    revoked = revoke_api_key(cast.actor("viewer"), key_id=key.pk)
    assert revoke_api_key(cast.actor("viewer"), key_id=key.pk).revoked_at == revoked.revoked_at
    assert AuditEntry.objects.filter(action="api_key.revoked").count() == 1


@pytest.mark.spec("PL-7", "ACC-D9")
def test_who_may_revoke_whose_key(cast: Cast) -> None:
    key = issue_api_key(cast.actor("builder"), name="k").api_key
    for name in ("viewer", "operator", "stranger"):
        with pytest.raises(NotFound):
            revoke_api_key(cast.actor(name), key_id=key.pk)
    with pytest.raises(NotFound):
        revoke_api_key(cast.actor("admin"), key_id=uuid4())
    assert revoke_api_key(cast.actor("admin"), key_id=key.pk).revoked_at


def test_a_restricted_key_sees_only_itself(cast: Cast) -> None:
    other = issue_api_key(cast.actor("owner"), name="other").api_key
    weak = issue_api_key(cast.actor("owner"), name="weak", permissions=["datasets:view"]).api_key
    assert list(ApiKey.objects.visible_to(Actor.of_key(weak))) == [weak]
    with pytest.raises(NotFound):
        revoke_api_key(Actor.of_key(weak), key_id=other.pk)
