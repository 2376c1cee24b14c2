"""Who may open a conversation: the one rule, by role, visibility and key (PL-30, ACC-22, ACC-D18)."""

import pytest
from django.test.utils import CaptureQueriesContext

from accounts.access import put_grant
from accounts.actor import Actor
from accounts.models import ApiKey, Visibility
from accounts.permissions import GrantLevel, Role
from activity.queries.conversations import (
    find_conversation,
    is_own,
    is_private_of_another,
    may_open,
    own_conversations,
    readable_conversations,
)
from core.errors import NotFound
from tests.activity.talks import make_agent, make_conversation
from tests.cast import Cast

READS_RUNS = {"owner", "admin", "builder", "operator"}
EVERYBODY = [role.value for role in Role] + ["colleague"]


@pytest.mark.spec("PL-30", "ACC-22")
@pytest.mark.parametrize("name", EVERYBODY)
def test_a_private_conversation_is_read_by_its_owner_and_with_runs_view(cast: Cast, name: str) -> None:
    conversation = make_conversation(cast.member)
    assert may_open(cast.actor(name), conversation) is (name == "member" or name in READS_RUNS)


@pytest.mark.parametrize("name", EVERYBODY)
def test_a_shared_conversation_is_read_by_all_who_see_its_agent(cast: Cast, name: str) -> None:
    conversation = make_conversation(cast.member, make_agent(cast.owner), visibility=Visibility.ORGANISATION)
    assert may_open(cast.actor(name), conversation)


@pytest.mark.parametrize(("name", "reads"), [("viewer", False), ("colleague", False), ("operator", True)])
def test_a_shared_conversation_with_a_private_agent_stays_with_those_who_see_the_agent(
    cast: Cast, name: str, reads: bool
) -> None:
    agent = make_agent(cast.owner, visibility=Visibility.PRIVATE)
    conversation = make_conversation(cast.member, agent, visibility=Visibility.ORGANISATION)
    assert may_open(cast.actor(name), conversation) is reads


def test_a_grant_on_the_agent_opens_what_was_shared(cast: Cast) -> None:
    agent = make_agent(cast.owner, visibility=Visibility.PRIVATE)
    conversation = make_conversation(cast.member, agent, visibility=Visibility.ORGANISATION)
    put_grant(agent, user=cast.viewer.user, level=GrantLevel.READ)
    assert may_open(cast.actor("viewer"), conversation)


def test_a_shared_conversation_whose_agent_is_gone_is_read_by_its_owner_and_with_runs_view(cast: Cast) -> None:
    conversation = make_conversation(cast.member, visibility=Visibility.ORGANISATION)
    conversation.agent = None
    conversation.save()
    assert [name for name in EVERYBODY if may_open(cast.actor(name), conversation)] == [
        *[role.value for role in Role if role.value in READS_RUNS],
        "member",
    ]


def test_one_without_an_owner_is_read_with_runs_view_alone(cast: Cast) -> None:
    conversation = make_conversation(cast.member)
    conversation.owner = None
    conversation.save()
    assert {name for name in EVERYBODY if may_open(cast.actor(name), conversation)} == READS_RUNS


def test_another_organisation_reads_nothing(cast: Cast) -> None:
    conversation = make_conversation(cast.member, visibility=Visibility.ORGANISATION)
    for name in ("stranger", "both_elsewhere"):
        with pytest.raises(NotFound):
            find_conversation(cast.actor(name), conversation.pk)


@pytest.mark.parametrize(
    ("permissions", "reads"), [(None, True), (["agents:run"], True), (["datasets:edit", "agents:view"], False)]
)
def test_a_restricted_key_reads_its_issuers_conversations_where_it_may_talk(
    cast: Cast, permissions: list[str] | None, reads: bool
) -> None:
    conversation = make_conversation(cast.member)
    actor = Actor.of_key(ApiKey(member=cast.member, permissions=permissions))
    assert may_open(actor, conversation) is reads
    assert is_own(actor, conversation) is reads


def test_the_rule_is_one_query(cast: Cast, django_assert_num_queries: type[CaptureQueriesContext]) -> None:
    make_conversation(cast.member, visibility=Visibility.ORGANISATION)
    with django_assert_num_queries(1):
        assert len(readable_conversations(cast.actor("viewer"))) == 1


@pytest.mark.spec("ACC-D26")
def test_private_of_another_is_what_is_neither_ones_own_nor_shared(cast: Cast) -> None:
    private = make_conversation(cast.member)
    shared = make_conversation(cast.member, private.agent, visibility=Visibility.ORGANISATION)
    assert is_private_of_another(cast.actor("owner"), private)
    assert not is_private_of_another(cast.actor("member"), private)
    assert not is_private_of_another(cast.actor("owner"), shared)


@pytest.mark.spec("BC-53")
def test_ones_own_are_found_by_title_whatever_accents_and_case(cast: Cast) -> None:
    found = make_conversation(cast.member, title="Żółta łódź")
    make_conversation(cast.member, found.agent, title="A kettle")
    make_conversation(cast.owner, found.agent, title="Żółta łódź")
    assert list(own_conversations(cast.actor("member"), search="zolta")) == [found]


def test_a_title_given_later_is_found_too(cast: Cast) -> None:
    conversation = make_conversation(cast.member)
    conversation.title = "Ärger"
    conversation.save(update_fields=["title"])
    assert own_conversations(cast.actor("member"), search="arger").exists()
