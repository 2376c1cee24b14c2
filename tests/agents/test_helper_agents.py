"""The helpers: one row each in every organisation, old and new, which nobody makes (GEN-57, GEN-D19, SC-D1)."""

import pytest

from accounts.models import Organisation
from agents.logic.helper_agents import HELPERS
from agents.models import Agent, Helper
from agents.operations.helper_agents import ensure_helpers, ensure_helpers_everywhere, helper_agent
from core.errors import NotFound
from tests.cast import Cast


def test_each_helper_is_defined_in_code() -> None:
    assert set(HELPERS) == set(Helper.values)


@pytest.mark.spec("GEN-57", "SC-D1")
def test_a_helper_is_made_where_it_is_missing_and_once(cast: Cast) -> None:
    made = helper_agent(cast.kettle, Helper.JUDGE)
    assert (made.name, made.owner, made.visibility, made.newest_version) == ("Judge", cast.owner, "organisation", 0)
    assert helper_agent(cast.kettle, Helper.JUDGE) == made
    assert list(Agent.objects.all()) == [made]


@pytest.mark.spec("GEN-57", "GEN-D19")
def test_every_organisation_gets_what_it_lacks(cast: Cast) -> None:
    helper_agent(cast.kettle, Helper.IMPROVER)
    ensure_helpers_everywhere()
    ensure_helpers_everywhere()
    for organisation in (cast.kettle, cast.other):
        found = Agent.objects.filter(organisation=organisation).values_list("helper", flat=True)
        assert sorted(found) == sorted(Helper.values)
    assert not Agent.objects.tested().exists()


def test_where_nothing_is_missing_it_is_one_query(cast: Cast, django_assert_num_queries: object) -> None:
    ensure_helpers(cast.kettle)
    with django_assert_num_queries(1):  # type: ignore[operator]
        ensure_helpers(cast.kettle)


def test_an_organisation_that_nobody_owns_has_none_yet(db: None) -> None:
    empty = Organisation.objects.create(name="Empty")
    ensure_helpers(empty)
    assert not Agent.objects.exists()
    with pytest.raises(NotFound):
        helper_agent(empty, Helper.JUDGE)
