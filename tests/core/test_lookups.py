"""Many ids as one value: the same rows as with a mark for each, on both databases."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Member
from core.ids import new_id
from tests.cast import Cast


@pytest.mark.django_db
def test_ids_are_found_over_the_key_and_over_a_foreign_key(cast: Cast) -> None:
    owner, viewer = cast.members["owner"], cast.members["viewer"]
    ids = [owner.pk, viewer.pk, new_id()]
    assert set(Member.objects.filter(pk__among=ids)) == {owner, viewer}
    members = Member.objects.filter(organisation__pk__among=[cast.other.pk, new_id()])
    assert set(members) == set(Member.objects.filter(organisation=cast.other))
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert Member.objects.exclude(pk__among=iter(ids)).filter(pk__among={owner.pk}).count() == 0
    assert "JOIN" not in str(members.query)
    assert len(asked) == 1


@pytest.mark.django_db
def test_without_ids_nothing_is_asked() -> None:
    with CaptureQueriesContext(connection) as asked:
        assert list(Member.objects.filter(pk__among=[])) == []
    assert len(asked) == 0
