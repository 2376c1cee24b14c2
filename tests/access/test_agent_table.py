"""URL × role × relation over every address under an agent, and the sameness of "not there" and "not yours" (BC-46)."""

from collections.abc import Callable
from typing import Any, Literal
from uuid import uuid4

import pytest
from django.test import Client

from accounts import access
from accounts.models import Visibility
from accounts.permissions import GrantLevel
from agents.models import Agent
from agents.operations.agent_drafts import read_draft, save_draft
from agents.operations.agent_secrets import set_secret
from agents.operations.agent_versions import publish_agent
from agents.operations.agents import create_agent
from agents.operations.language_models import connect_with_model
from tests.access.agent_routes import AGENTS, AgentTarget, Need
from tests.access.expectations import RELATIONS, ROLES, sees
from tests.access.test_dataset_table import drained, seen, undone
from tests.cast import Cast

CONNECTION = {"name": "Own", "provider": "compatible", "base_url": "https://models.example.org/v1"}
# `agents:edit`, written out a second time (PL-4): a Member edits not even what is theirs, unless it was granted.
EDITS = {
    "owner": set(RELATIONS),
    "admin": set(RELATIONS),
    "builder": {"own", "own_private", "shared", "granted_edit"},
    "operator": {"granted_edit"},
    "member": {"granted_edit"},
    "viewer": {"granted_edit"},
}


def status(role: str, relation: str, need: Need) -> Literal["ok", 403, 404]:
    if not sees(role, relation):
        return 404
    if need == "hand_over":
        return "ok" if role in ("owner", "admin") or relation in ("own", "own_private") else 403
    return "ok" if need == "view" or relation in EDITS[role] else 403


def make_target(cast: Cast, role: str, relation: str) -> AgentTarget:
    if relation == "missing":
        return AgentTarget(uuid4(), uuid4())
    agent = make_published(cast, "stranger" if relation == "elsewhere" else "owner")
    if relation != "elsewhere":
        agent.owner = cast.members[role if relation.startswith("own") else "colleague"]
    if relation not in ("own", "shared", "elsewhere"):
        agent.visibility = Visibility.PRIVATE
    agent.save()
    if relation.startswith("granted_"):
        access.put_grant(agent, user=cast.members[role].user, level=GrantLevel(relation.removeprefix("granted_")))
    other = cast.members["both_elsewhere" if relation == "elsewhere" else "both"]
    access.put_grant(agent, user=other.user, level=GrantLevel.READ)
    return AgentTarget(agent.pk, other.pk)


def make_published(cast: Cast, owner: str) -> Agent:
    """With a tool, a secret, a version, and a draft that has gone past it without being published."""
    actor: Any = cast.actor(owner)
    model = connect_with_model(actor, connection=CONNECTION, model={"name": f"m-{uuid4()}"})
    agent = create_agent(actor, kind="model", name="Support")
    tool = {"name": "find_order", "description": "Finds.", "endpoint": "https://shop.example.com/"}
    draft = {"instructions": "Be kind.", "model": str(model.pk), "tools": [tool]}
    spec = read_draft(actor, agent_id=agent.pk, draft=draft)
    save_draft(actor, agent_id=agent.pk, spec=spec)
    set_secret(actor, agent_id=agent.pk, name="SHOP", value="v")
    publish_agent(actor, agent_id=agent.pk)
    Agent.objects.filter(pk=agent.pk).update(draft=draft | {"instructions": "Be quick.", "tools": [tool]})
    agent.refresh_from_db()
    return agent


@pytest.mark.spec("PL-4", "PL-5", "PL-6", "BC-46", "BC-47")
@pytest.mark.parametrize("role", ROLES)
def test_each_role_gets_what_the_table_says(role: str, cast: Cast, sign_in: Callable[[str], Client]) -> None:
    client, wrong = sign_in(role), []
    for relation in RELATIONS:
        target = make_target(cast, role, relation)
        for route in AGENTS:
            with undone():
                answered = drained(route.ask(client, target)).status_code
            expected = status(role, relation, route.need)
            if not (answered < 400 if expected == "ok" else answered == expected):
                wrong.append(f"{relation}, {route}: {answered} instead of {expected}")
    assert wrong == []


@pytest.mark.spec("ACC-D9", "ACC-D11", "BC-46")
def test_what_is_not_there_and_what_is_not_yours_answer_with_the_same_bytes_and_headers(
    cast: Cast, sign_in: Callable[[str], Client]
) -> None:
    client = sign_in("member")
    missing, private, elsewhere = (make_target(cast, "member", kind) for kind in ("missing", "private", "elsewhere"))
    for route in AGENTS:
        expected = seen(route.ask(client, missing))
        assert expected[0] == 404, route
        assert seen(route.ask(client, private)) == expected, route
        assert seen(route.ask(client, elsewhere)) == expected, route


@pytest.mark.spec("ACC-D11")
def test_a_member_of_both_organisations_finds_only_what_the_one_in_use_holds(
    cast: Cast, sign_in: Callable[[str], Client]
) -> None:
    target = make_target(cast, "stranger", "elsewhere")
    here, elsewhere = sign_in("both"), sign_in("both_elsewhere")
    for route in AGENTS:
        with undone():
            assert drained(route.ask(here, target)).status_code == 404, route
        with undone():
            assert drained(route.ask(elsewhere, target)).status_code < 400, route


@pytest.mark.spec("ACC-D9")
def test_a_browser_without_a_login_learns_nothing(cast: Cast) -> None:
    shared, missing = (make_target(cast, "member", kind) for kind in ("shared", "missing"))
    for route in AGENTS:
        expected = seen(route.ask(Client(), missing), strip_next=True)
        assert expected[0] in (302, 401), route
        assert seen(route.ask(Client(), shared), strip_next=True) == expected, route
