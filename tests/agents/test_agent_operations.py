"""Creating, changing, publishing and archiving agents (PL-21, PL-22, PL-25)."""

from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest

from accounts.actor import Actor
from accounts.models import AuditEntry
from agents.logic.specs import ModelSpec, stored
from agents.models import Agent, AgentSecret, AgentVersion, LanguageModel
from agents.operations.agent_drafts import read_draft, restore_to_draft, save_draft
from agents.operations.agent_secrets import remove_secret, set_secret
from agents.operations.agent_versions import publish_agent
from agents.operations.agents import archive_agent, change_agent_details, create_agent, restore_agent
from agents.operations.language_models import connect_with_model
from agents.queries.agent_secrets import secret_rows
from agents.queries.agents import agents_to_run, find_agent, version_to_run, visible_agents
from core.errors import Conflict, Invalid, NotAllowed, NotFound
from core.limits import LIMITS
from tests.cast import Cast

TOOL = {
    "name": "find_order",
    "description": "Finds an order.",
    "parameters": {"type": "object", "properties": {"id": {"type": "string"}}},
    "read_only": True,
    "endpoint": "https://shop.example.com/orders",
    "secret": "",
    "stub": None,
}


@pytest.fixture
def builder(cast: Cast) -> Actor:
    return cast.actor("builder")


@pytest.fixture
def model(cast: Cast) -> LanguageModel:
    return make_model(cast, "owner")


@pytest.fixture
def agent(builder: Actor) -> Agent:
    return create_agent(builder, kind="model", name="Support")


def make_model(cast: Cast, owner: str, **fields: Any) -> LanguageModel:
    connection = {"name": "Own", "provider": "compatible", "base_url": "https://models.example.org/v1"}
    return connect_with_model(cast.actor(owner), connection=connection, model={"name": "small-1"} | fields)


def save(actor: Actor, agent: Agent, revision: int | None = None, **draft: Any) -> Agent:
    spec = read_draft(actor, agent_id=agent.pk, draft=draft)
    return save_draft(actor, agent_id=agent.pk, spec=spec, revision=revision)


def finish(actor: Actor, agent: Agent, model: LanguageModel, **more: Any) -> Agent:
    return save(actor, agent, **({"instructions": "Be kind.", "model": str(model.pk)} | more))


def fields_of(error: pytest.ExceptionInfo[Invalid]) -> list[str]:
    return [problem.field for problem in error.value.problems]


def actions(agent: Agent) -> list[tuple[str, dict[str, Any]]]:
    entries = AuditEntry.objects.filter(object_id=str(agent.pk)).order_by("pk")
    return [(entry.action, entry.details) for entry in entries]


# --- Creating and details


@pytest.mark.spec("PL-21", "PL-8")
@pytest.mark.parametrize("kind", ["model", "endpoint", "external"])
def test_a_new_agent_belongs_to_who_made_it_and_has_no_version(cast: Cast, builder: Actor, kind: str) -> None:
    made = create_agent(builder, kind=kind, name="  Support ", description="Answers.", visibility="private")
    found = find_agent(builder, made.pk)
    assert (found.name, found.owner, found.kind, found.visibility) == ("Support", cast.builder, kind, "private")
    assert (found.state, found.newest_version, found.draft_revision) == ("active", 0, 1)
    assert actions(made) == [("agent.created", {"kind": kind, "visibility": "private"})]


@pytest.mark.spec("PL-4")
@pytest.mark.parametrize("role", ["operator", "member", "viewer"])
def test_who_may_not_edit_agents_makes_none(cast: Cast, role: str) -> None:
    with pytest.raises(NotAllowed):
        create_agent(cast.actor(role), kind="model", name="Support")
    assert not Agent.objects.exists()


def test_every_wrong_value_of_a_new_agent_is_named(builder: Actor) -> None:
    with pytest.raises(Invalid) as error:
        create_agent(builder, kind="robot", name=" ", description="\x00", visibility="world")
    assert sorted(fields_of(error)) == ["description", "kind", "name", "visibility"]


@pytest.mark.spec("PL-25", "PL-8")
def test_details_and_budget_are_changed_and_the_rest_stays(builder: Actor, agent: Agent) -> None:
    changes = {"name": "Help", "description": "Text", "monthly_budget": Decimal("12.50")}
    changed = change_agent_details(builder, agent_id=agent.pk, changes=changes)
    assert (changed.name, changed.description, changed.monthly_budget) == ("Help", "Text", Decimal("12.50"))
    again = change_agent_details(builder, agent_id=agent.pk, changes={"monthly_budget": None, "visibility": "private"})
    assert (again.name, again.monthly_budget, again.visibility) == ("Help", None, "private")
    assert actions(agent)[1:] == [
        ("agent.changed", {"fields": ["description", "monthly_budget", "name"]}),
        ("agent.visibility_changed", {"before": "organisation", "after": "private"}),
        ("agent.changed", {"fields": ["monthly_budget"]}),
    ]


def test_a_change_that_changes_nothing_leaves_no_trace(builder: Actor, agent: Agent) -> None:
    change_agent_details(builder, agent_id=agent.pk, changes={"name": "Support"})
    assert len(actions(agent)) == 1


@pytest.mark.parametrize("budget", ["-1", "0.001", "NaN", "Infinity", "1e12"])
def test_a_budget_is_an_amount(builder: Actor, agent: Agent, budget: str) -> None:
    with pytest.raises(Invalid) as error:
        change_agent_details(builder, agent_id=agent.pk, changes={"monthly_budget": Decimal(budget)})
    assert fields_of(error) == ["monthly_budget"]


@pytest.mark.spec("PL-21")
def test_an_archived_agent_is_read_only_until_it_is_restored(
    builder: Actor, agent: Agent, model: LanguageModel
) -> None:
    finish(builder, agent, model)
    archive_agent(builder, agent_id=agent.pk)
    archive_agent(builder, agent_id=agent.pk)
    acts: list[Any] = [
        lambda: save(builder, agent),
        lambda: publish_agent(builder, agent_id=agent.pk),
        lambda: restore_to_draft(builder, agent_id=agent.pk),
        lambda: version_to_run(find_agent(builder, agent.pk)),
    ]
    for act in acts:
        with pytest.raises(Conflict) as error:
            act()
        assert error.value.code == "agent_archived"
    restore_agent(builder, agent_id=agent.pk)
    assert publish_agent(builder, agent_id=agent.pk).number == 1
    named = [action for action, _details in actions(agent)]
    assert named == ["agent.created", "agent.draft_saved", "agent.archived", "agent.restored", "agent.published"]


# --- The draft


@pytest.mark.spec("PL-22", "PL-8")
def test_a_draft_is_kept_whole_and_counted_up(builder: Actor, agent: Agent, model: LanguageModel) -> None:
    saved = finish(builder, agent, model, tools=[TOOL], temperature=0.5)
    assert saved.draft_revision == 2
    assert saved.draft["tools"] == [TOOL]
    assert save(builder, saved, **saved.draft).draft_revision == 2
    assert actions(agent)[1:] == [("agent.draft_saved", {"fields": ["instructions", "model", "temperature", "tools"]})]


def test_a_draft_that_somebody_else_saved_is_not_overwritten(builder: Actor, agent: Agent) -> None:
    save(builder, agent, 1, instructions="Be kind.")
    with pytest.raises(Conflict) as error:
        save(builder, agent, 1, instructions="Be brief.")
    assert (error.value.code, error.value.data) == ("draft_changed", {"revision": 2})
    agent.refresh_from_db()
    assert agent.draft["instructions"] == "Be kind."


def test_a_wrong_draft_is_refused_with_every_path(builder: Actor, agent: Agent) -> None:
    with pytest.raises(Invalid) as error:
        save(builder, agent, max_steps=0, tools=[TOOL, TOOL | {"parameters": {"type": "objekt"}}])
    assert fields_of(error) == ["max_steps", "tools.1.parameters.type", "tools.1.name"]


@pytest.mark.spec("BC-46")
def test_a_model_of_another_organisation_is_none(cast: Cast, builder: Actor, agent: Agent) -> None:
    for id_ in (make_model(cast, "stranger").pk, uuid4()):
        with pytest.raises(Invalid) as error:
            save(builder, agent, model=str(id_))
        assert fields_of(error) == ["model"]


def test_a_temperature_needs_a_model_that_takes_one(cast: Cast, builder: Actor, agent: Agent) -> None:
    model = make_model(cast, "owner", takes_temperature=False)
    with pytest.raises(Invalid) as error:
        finish(builder, agent, model, temperature=0.5)
    assert fields_of(error) == ["temperature"]


def test_a_draft_goes_back_to_a_version_or_to_nothing(builder: Actor, agent: Agent, model: LanguageModel) -> None:
    save(builder, agent, instructions="First thoughts.")
    assert restore_to_draft(builder, agent_id=agent.pk).draft["instructions"] == ""
    finish(builder, agent, model)
    publish_agent(builder, agent_id=agent.pk)
    finish(builder, agent, model, instructions="Be brief.")
    publish_agent(builder, agent_id=agent.pk)
    finish(builder, agent, model, instructions="Be rude.")
    assert restore_to_draft(builder, agent_id=agent.pk).draft["instructions"] == "Be brief."
    assert restore_to_draft(builder, agent_id=agent.pk, number=1).draft["instructions"] == "Be kind."
    with pytest.raises(NotFound):
        restore_to_draft(builder, agent_id=agent.pk, number=3)
    with pytest.raises(Conflict):
        restore_to_draft(builder, agent_id=agent.pk, revision=1)


# --- Versions


@pytest.mark.spec("PL-21", "PL-8")
def test_publishing_makes_a_version_that_never_changes(
    cast: Cast, builder: Actor, agent: Agent, model: LanguageModel
) -> None:
    finish(builder, agent, model, tools=[TOOL])
    version = publish_agent(builder, agent_id=agent.pk, note=" First. ", revision=2)
    assert (version.number, version.note, version.author) == (1, "First.", cast.builder)
    finish(builder, agent, model, instructions="Be brief.")
    assert AgentVersion.objects.get().spec["instructions"] == "Be kind."
    assert publish_agent(builder, agent_id=agent.pk).number == 2
    published = [details for action, details in actions(agent) if action == "agent.published"]
    assert published == [
        {"version": 1, "tools": 1, "skills": 0, "knowledge": 0},
        {"version": 2, "tools": 0, "skills": 0, "knowledge": 0},
    ]


def test_publishing_names_everything_that_is_missing(builder: Actor, agent: Agent) -> None:
    save(builder, agent, tools=[TOOL | {"description": "", "endpoint": "", "secret": "SHOP"}])
    with pytest.raises(Invalid) as error:
        publish_agent(builder, agent_id=agent.pk)
    assert fields_of(error) == [
        "model",
        "instructions",
        "tools.0.description",
        "tools.0.endpoint",
        "tools.0.secret",
    ]
    assert not AgentVersion.objects.exists()


def test_a_removed_model_keeps_a_draft_from_being_published(builder: Actor, agent: Agent, model: LanguageModel) -> None:
    draft = finish(builder, agent, model).draft
    model.delete()
    assert save(builder, agent, **draft | {"instructions": "Be brief."}).draft["model"] == draft["model"]
    with pytest.raises(Invalid) as error:
        publish_agent(builder, agent_id=agent.pk)
    assert fields_of(error) == ["model"]


def test_publishing_the_same_again_and_another_draft_are_conflicts(
    builder: Actor, agent: Agent, model: LanguageModel
) -> None:
    finish(builder, agent, model)
    publish_agent(builder, agent_id=agent.pk)
    with pytest.raises(Conflict) as error:
        publish_agent(builder, agent_id=agent.pk)
    assert error.value.code == "nothing_changed"
    with pytest.raises(Conflict) as error:
        publish_agent(builder, agent_id=agent.pk, revision=1)
    assert error.value.code == "draft_changed"


def test_a_note_has_a_bound(builder: Actor, agent: Agent, model: LanguageModel) -> None:
    finish(builder, agent, model)
    with pytest.raises(Invalid) as error:
        publish_agent(builder, agent_id=agent.pk, note="x" * (LIMITS.note_characters + 1))
    assert fields_of(error) == ["note"]


# --- Secrets


@pytest.mark.spec("PL-22", "PL-8")
def test_a_secret_is_kept_encrypted_and_stands_nowhere_else(builder: Actor, agent: Agent) -> None:
    secret, is_new = set_secret(builder, agent_id=agent.pk, name="SHOP", value=" s3cr3t-value ")
    assert (secret.value(), is_new) == ("s3cr3t-value", True)
    assert "s3cr3t" not in AgentSecret.objects.get().encrypted_value
    assert set_secret(builder, agent_id=agent.pk, name="SHOP", value="other")[1] is False
    assert AgentSecret.objects.get().value() == "other"
    assert actions(agent)[1:] == [("agent.secret_set", {"secret": "SHOP"})] * 2
    assert "s3cr3t" not in str(list(AuditEntry.objects.values()))


def test_secrets_say_what_uses_them(builder: Actor, agent: Agent, model: LanguageModel) -> None:
    for name in ("A", "B", "C"):
        set_secret(builder, agent_id=agent.pk, name=name, value="v")
    finish(builder, agent, model, tools=[TOOL | {"secret": "A"}])
    publish_agent(builder, agent_id=agent.pk)
    finish(builder, agent, model, tools=[TOOL | {"secret": "B"}])
    rows = secret_rows(find_agent(builder, agent.pk))
    assert [(row.name, row.in_draft, row.in_newest) for row in rows] == [
        ("A", False, True),
        ("B", True, False),
        ("C", False, False),
    ]


@pytest.mark.parametrize(
    ("name", "value", "fields"),
    [("two words", "v", ["name"]), ("", "", ["name", "value"]), ("A", "é", ["value"]), ("A", "a\nb", ["value"])],
)
def test_a_secret_is_checked(builder: Actor, agent: Agent, name: str, value: str, fields: list[str]) -> None:
    with pytest.raises(Invalid) as error:
        set_secret(builder, agent_id=agent.pk, name=name, value=value)
    assert fields_of(error) == fields


def test_an_agent_has_so_many_secrets_and_no_more(builder: Actor, agent: Agent) -> None:
    for number in range(LIMITS.agent_secrets):
        set_secret(builder, agent_id=agent.pk, name=f"S{number}", value="v")
    with pytest.raises(Conflict):
        set_secret(builder, agent_id=agent.pk, name="MORE", value="v")
    set_secret(builder, agent_id=agent.pk, name="S0", value="w")


def test_a_secret_is_removed_once(builder: Actor, agent: Agent) -> None:
    set_secret(builder, agent_id=agent.pk, name="SHOP", value="v")
    remove_secret(builder, agent_id=agent.pk, name="SHOP")
    with pytest.raises(NotFound):
        remove_secret(builder, agent_id=agent.pk, name="SHOP")
    assert actions(agent)[-1] == ("agent.secret_removed", {"secret": "SHOP"})


# --- Who may


def every_act(actor: Actor, agent: Agent) -> list[Any]:
    given = {"agent_id": agent.pk}
    return [
        lambda: change_agent_details(actor, changes={"name": "Mine"}, **given),
        lambda: change_agent_details(actor, changes={"monthly_budget": Decimal(1)}, **given),
        lambda: read_draft(actor, draft={}, **given),
        lambda: save_draft(actor, spec=read_draft(Actor.of_member(agent.owner), draft={}, **given), **given),
        lambda: restore_to_draft(actor, **given),
        lambda: publish_agent(actor, **given),
        lambda: archive_agent(actor, **given),
        lambda: restore_agent(actor, **given),
        lambda: set_secret(actor, name="A", value="v", **given),
        lambda: remove_secret(actor, name="A", **given),
    ]


@pytest.mark.spec("PL-4", "PL-6", "BC-46", "BC-47")
@pytest.mark.parametrize(
    ("role", "error"),
    [("operator", NotAllowed), ("member", NotAllowed), ("viewer", NotAllowed), ("stranger", NotFound)],
)
def test_who_may_not_edit_it_changes_nothing(cast: Cast, agent: Agent, role: str, error: type[Exception]) -> None:
    for act in every_act(cast.actor(role), agent):
        with pytest.raises(error):
            act()
    before = stored_state(agent)
    agent.refresh_from_db()
    assert stored_state(agent) == before


def stored_state(agent: Agent) -> Any:
    return agent.name, agent.monthly_budget, agent.draft, agent.draft_revision, agent.newest_version, agent.state


@pytest.mark.spec("BC-47")
def test_a_private_agent_is_not_there_for_who_may_not_see_it(cast: Cast, builder: Actor) -> None:
    private = create_agent(builder, kind="model", name="Secret plan", visibility="private")
    for act in every_act(cast.actor("member"), private):
        with pytest.raises(NotFound):
            act()
    assert not visible_agents(cast.actor("member")).exists()
    assert visible_agents(cast.actor("operator")).get() == private


@pytest.mark.spec("PL-25")
def test_of_a_helper_only_the_budget_is_changed_by_who_manages_the_organisation(cast: Cast) -> None:
    helper = Agent.objects.create(
        organisation=cast.kettle,
        owner=cast.owner,
        name="Judge",
        kind="model",
        helper="judge",
        draft=stored(ModelSpec()),
    )
    rename, budget, read, _save, *others = every_act(cast.actor("owner"), helper)
    for act in (rename, read, *others):
        with pytest.raises(NotAllowed, match="part of Casebook"):
            act()
    assert budget().monthly_budget == Decimal(1)
    with pytest.raises(NotAllowed):
        change_agent_details(cast.actor("builder"), agent_id=helper.pk, changes={"monthly_budget": Decimal(9)})
    assert not visible_agents(cast.actor("owner")).exists()
    assert not agents_to_run(cast.actor("owner")).exists()


# --- Running


@pytest.mark.spec("PL-21")
def test_agents_to_run_are_active_published_called_and_seen(cast: Cast, builder: Actor, model: LanguageModel) -> None:
    def made(name: str, **fields: Any) -> Agent:
        return create_agent(builder, **({"kind": "model", "name": name} | fields))

    private, archived = made("Private", visibility="private"), made("Archived")
    ready, external = made("Ready"), made("External", kind="external")
    made("Unpublished")
    for agent in (private, archived, ready):
        finish(builder, agent, model)
        publish_agent(builder, agent_id=agent.pk)
    publish_agent(builder, agent_id=external.pk)
    archive_agent(builder, agent_id=archived.pk)

    def names(role: str) -> list[str]:
        return [agent.name for agent in agents_to_run(cast.actor(role))]

    assert names("builder") == names("operator") == ["Private", "Ready"]
    assert names("member") == ["Ready"]
    assert names("viewer") == names("stranger") == []


def test_the_version_to_run_is_the_newest_or_the_one_asked_for(
    builder: Actor, agent: Agent, model: LanguageModel
) -> None:
    with pytest.raises(Conflict) as error:
        version_to_run(agent)
    assert error.value.code == "agent_unpublished"
    for text in ("One.", "Two."):
        finish(builder, agent, model, instructions=text)
        publish_agent(builder, agent_id=agent.pk)
    found = find_agent(builder, agent.pk)
    assert (version_to_run(found).number, version_to_run(found, 1).number) == (2, 1)
    with pytest.raises(NotFound):
        version_to_run(found, 3)
    external = create_agent(builder, kind="external", name="Bot")
    with pytest.raises(Conflict) as error:
        version_to_run(external)
    assert error.value.code == "agent_external"


def test_agents_are_found_by_name_kind_and_state(builder: Actor) -> None:
    create_agent(builder, kind="model", name="Żółta łódź")
    external = create_agent(builder, kind="external", name="Bot")
    archive_agent(builder, agent_id=external.pk)

    def names(**given: str) -> list[str]:
        return [agent.name for agent in visible_agents(builder, **given)]

    assert names(search="zolta") == ["Żółta łódź"]
    assert names(kind="external") == names(state="archived") == ["Bot"]
    assert names(kind="external", state="active") == []
