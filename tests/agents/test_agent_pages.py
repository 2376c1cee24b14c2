"""The pages of agents: list, draft, tools, versions, settings (PL-21, PL-22, PL-24, PL-25)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from agents.models import Agent, AgentSecret, AgentVersion, LanguageModel
from agents.operations.agent_secrets import set_secret
from agents.operations.agent_versions import publish_agent
from agents.operations.agents import archive_agent, create_agent
from tests.agents.test_agent_operations import TOOL, finish, make_model, save
from tests.agents.test_agent_parts import make_knowledge, make_skill
from tests.cast import Cast

HTMX = {"HX-Request": "true"}
MODEL_TABS = ("instructions", "tools", "knowledge", "versions", "settings")


@pytest.fixture
def builder(cast: Cast) -> Actor:
    return cast.actor("builder")


@pytest.fixture
def model(cast: Cast) -> LanguageModel:
    return make_model(cast, "owner", label="Small")


@pytest.fixture
def agent(builder: Actor) -> Agent:
    return create_agent(builder, kind="model", name="Support", description="Answers customers.")


@pytest.fixture
def browser(sign_in: Callable[[str], Client]) -> Client:
    return sign_in("builder")


def page(browser: Client, agent: Agent, query: str = "", **headers: str) -> str:
    response = browser.get(reverse("agent_detail", args=[agent.pk]) + query, headers=headers)
    assert response.status_code == 200
    return response.content.decode()


def sent_draft(agent: Agent, **fields: Any) -> dict[str, Any]:
    given = {"instructions": "Be kind.", "model": "", "temperature": "", "max_steps": "5", "seconds": "60"}
    return given | {"revision": agent.draft_revision} | fields


# --- List and making one


def test_the_list_names_each_agent_with_what_it_asks_and_spent(
    cast: Cast, builder: Actor, agent: Agent, model: LanguageModel, browser: Client
) -> None:
    finish(builder, agent, model)
    archived = create_agent(builder, kind="external", name="Old bot")
    archive_agent(builder, agent_id=archived.pk)
    shown = browser.get(reverse("agent_list")).content.decode()
    assert all(word in shown for word in ("Support", "Small", "Answers customers.", "$0.00"))
    assert "Old bot" not in shown
    assert "Old bot" in browser.get(reverse("agent_list") + "?state=all", headers=HTMX).content.decode()
    assert "No agent is like that" in browser.get(reverse("agent_list") + "?q=nothing").content.decode()


def test_an_empty_list_teaches(browser: Client, sign_in: Callable[[str], Client]) -> None:
    assert "Agents are what you talk to and test" in browser.get(reverse("agent_list")).content.decode()
    assert "Nobody has shared one" in sign_in("viewer").get(reverse("agent_list")).content.decode()


@pytest.mark.spec("PL-25")
def test_many_agents_take_no_more_queries(
    builder: Actor, model: LanguageModel, browser: Client, django_assert_max_num_queries: Any
) -> None:
    for number in range(6):
        agent = create_agent(builder, kind="model", name=f"Agent {number}")
        finish(builder, agent, model)
        publish_agent(builder, agent_id=agent.pk)
    with django_assert_max_num_queries(14):
        browser.get(reverse("agent_list"))


@pytest.mark.spec("PL-21")
@pytest.mark.parametrize("kind", ["model", "endpoint", "external"])
def test_a_new_agent_opens_as_soon_as_it_exists(browser: Client, kind: str) -> None:
    form = browser.get(reverse("agent_new"), headers=HTMX).content.decode()
    assert "Your own service answers" in form
    sent = {"name": "Support", "kind": kind, "visibility": "organisation"}
    made = browser.post(reverse("agent_new"), sent)
    assert made["Location"] == reverse("agent_detail", args=[Agent.objects.get().pk])
    assert "Not published yet" in browser.get(made["Location"]).content.decode()
    refused = browser.post(reverse("agent_new"), sent | {"name": ""}, headers=HTMX)
    assert refused.status_code == 422


# --- The draft


def test_every_part_of_every_kind_shows_and_takes_few_queries(
    cast: Cast, builder: Actor, agent: Agent, model: LanguageModel, browser: Client, django_assert_max_num_queries: Any
) -> None:
    skill, base = make_skill(cast), make_knowledge(cast)
    parts = {"skills": [{"id": str(skill.pk)}], "knowledge": [str(base.pk)]}
    finish(builder, agent, model, tools=[TOOL], **parts)
    publish_agent(builder, agent_id=agent.pk)
    others = [create_agent(builder, kind=kind, name=kind) for kind in ("endpoint", "external")]
    tabs = {agent: MODEL_TABS, others[0]: ("endpoint", "tools"), others[1]: ("external", "tools")}
    for one, names in tabs.items():
        for tab in names:
            with django_assert_max_num_queries(25):
                assert 'aria-current="page"' in page(browser, one, f"?tab={tab}")
    for part in ("details", "secrets", "sharing"):
        assert "settings-part" in page(browser, agent, f"?tab=settings&part={part}")


def test_the_draft_is_saved_part_by_part(agent: Agent, model: LanguageModel, browser: Client) -> None:
    address = reverse("agent_draft", args=[agent.pk])
    saved = browser.post(address + "?tab=instructions", sent_draft(agent, model=model.id_text, temperature="0.3"))
    assert saved.status_code == 302
    agent.refresh_from_db()
    assert agent.draft["instructions"] == "Be kind."
    assert (agent.draft["model"], agent.draft["temperature"], agent.draft["max_steps"]) == (model.id_text, 0.3, 5)
    assert agent.draft_revision == 2


def test_a_temperature_is_dropped_where_the_model_takes_none(cast: Cast, agent: Agent, browser: Client) -> None:
    model = make_model(cast, "owner", takes_temperature=False)
    assert f'data-without="{model.pk}"' in page(browser, agent)
    sent = sent_draft(agent, model=model.id_text, temperature="0.3")
    assert browser.post(reverse("agent_draft", args=[agent.pk]), sent).status_code == 302
    agent.refresh_from_db()
    assert (agent.draft["model"], agent.draft["temperature"]) == (model.id_text, None)


@pytest.mark.parametrize("wrong", [{"max_steps": "0"}, {"temperature": "3"}, {"model": "x"}, {"revision": ""}])
def test_a_refused_draft_keeps_what_was_typed(agent: Agent, browser: Client, wrong: dict[str, str]) -> None:
    refused = browser.post(reverse("agent_draft", args=[agent.pk]), sent_draft(agent, **wrong), headers=HTMX)
    assert refused.status_code == 422
    assert "Be kind." in refused.content.decode()
    assert "agent-draft-form" in refused.content.decode()
    agent.refresh_from_db()
    assert agent.draft_revision == 1


def test_what_somebody_else_saved_is_overwritten_only_when_saved_again(
    builder: Actor, agent: Agent, browser: Client
) -> None:
    sent = sent_draft(agent)
    save(builder, agent, instructions="Theirs.")
    late = browser.post(reverse("agent_draft", args=[agent.pk]), sent)
    assert late.status_code == 409
    assert "Somebody else saved the draft" in late.content.decode()
    assert 'name="revision" value="2"' in late.content.decode()
    agent.refresh_from_db()
    assert agent.draft["instructions"] == "Theirs."
    assert browser.post(reverse("agent_draft", args=[agent.pk]), sent | {"revision": 2}).status_code == 302
    agent.refresh_from_db()
    assert agent.draft["instructions"] == "Be kind."


@pytest.mark.spec("PL-24")
def test_skills_and_knowledge_are_chosen_by_name(cast: Cast, agent: Agent, browser: Client) -> None:
    skill, base = make_skill(cast), make_knowledge(cast)
    make_skill(cast, "stranger", name="Elsewhere")
    shown = page(browser, agent, "?tab=knowledge")
    assert "Tone" in shown
    assert "Elsewhere" not in shown
    sent = {"skills": [str(skill.pk)], "knowledge": [str(base.pk)], "revision": 1}
    assert browser.post(reverse("agent_draft", args=[agent.pk]) + "?tab=knowledge", sent).status_code == 302
    agent.refresh_from_db()
    assert (agent.draft["skills"], agent.draft["knowledge"]) == ([{"id": str(skill.pk)}], [str(base.pk)])


def test_an_endpoint_is_set_up(builder: Actor, browser: Client) -> None:
    agent = create_agent(builder, kind="endpoint", name="Service")
    set_secret(builder, agent_id=agent.pk, name="KEY", value="v")
    address = reverse("agent_draft", args=[agent.pk])
    sent = {"protocol": "json", "url": "https://agent.example.com/ask", "secret": "KEY", "seconds": "30", "revision": 1}
    refused = browser.post(address, sent | {"url": "http://10.0.0.1/"})
    assert refused.status_code == 422
    assert "Only addresses that begin with https://" in refused.content.decode()
    assert browser.post(address, sent).status_code == 302
    agent.refresh_from_db()
    assert (agent.draft["url"], agent.draft["secret"]) == ("https://agent.example.com/ask", "KEY")


def test_an_external_agent_shows_how_to_send_runs(builder: Actor, browser: Client) -> None:
    agent = create_agent(builder, kind="external", name="Bot")
    shown = page(browser, agent)
    assert shown.count(str(agent.pk)) > 3
    assert "/api/v1/runs" in shown
    assert f"casebook.agent.id={agent.pk}" in shown


# --- Tools


def sent_tool(agent: Agent, **fields: Any) -> dict[str, Any]:
    given = {"name": "find_order", "description": "Finds.", "parameters": "", "endpoint": "https://a.example.com/"}
    return given | {"revision": agent.draft_revision} | fields


@pytest.mark.spec("PL-22")
def test_a_tool_is_added_changed_and_removed(agent: Agent, browser: Client) -> None:
    schema = '{"type": "object"}'
    sent = sent_tool(agent, parameters=schema, read_only="on", stub="ok")
    assert browser.post(reverse("agent_tool_new", args=[agent.pk]), sent).status_code == 302
    agent.refresh_from_db()
    tool = {"name": "find_order", "description": "Finds.", "parameters": {"type": "object"}, "read_only": True}
    called = {"endpoint": "https://a.example.com/", "secret": "", "stub": "ok"}
    assert agent.draft["tools"] == [tool | called]
    edit = reverse("agent_tool_edit", args=[agent.pk, "find_order"])
    assert "&quot;type&quot;: &quot;object&quot;" in browser.get(edit).content.decode()
    assert browser.post(edit, sent_tool(agent, name="find")).status_code == 302
    agent.refresh_from_db()
    assert [tool["name"] for tool in agent.draft["tools"]] == ["find"]
    assert browser.get(edit).status_code == 404
    remove = reverse("agent_tool_remove", args=[agent.pk, "find"])
    assert "Remove the tool find?" in browser.get(remove, headers=HTMX).content.decode()
    assert browser.post(remove).status_code == 302
    agent.refresh_from_db()
    assert agent.draft["tools"] == []


@pytest.mark.spec("PL-22")
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"parameters": '{\n  "type": "object",\n}'}, "line 2, column 19"),
        (
            {"parameters": '{\n  "type": "object",\n  "properties": {"a": {"type": "str"}}\n}'},
            "Line 3, properties.a.type",
        ),
        ({"parameters": '{\n  "type": "array"\n}'}, "Line 2, type"),
        ({"parameters": "[]"}, "an object, not a list"),
        ({"name": "find order"}, "1 to 64 letters"),
        ({"name": "search_knowledge"}, "Choose another name"),
        ({"endpoint": "http://a.example.com"}, "begin with https://"),
    ],
)
def test_a_wrong_tool_is_refused_where_it_is_wrong(
    agent: Agent, browser: Client, wrong: dict[str, str], words: str
) -> None:
    refused = browser.post(reverse("agent_tool_new", args=[agent.pk]), sent_tool(agent, **wrong), headers=HTMX)
    assert refused.status_code == 422
    assert words in refused.content.decode()
    agent.refresh_from_db()
    assert agent.draft["tools"] == []


def test_a_tool_of_a_draft_that_changed_meanwhile_is_saved_when_saved_again(
    builder: Actor, agent: Agent, browser: Client
) -> None:
    sent = sent_tool(agent)
    save(builder, agent, instructions="Theirs.")
    address = reverse("agent_tool_new", args=[agent.pk])
    assert browser.post(address, sent).status_code == 409
    assert browser.post(address, sent | {"revision": 2}).status_code == 302
    agent.refresh_from_db()
    assert agent.draft["instructions"] == "Theirs."
    assert len(agent.draft["tools"]) == 1


# --- Versions


@pytest.mark.spec("PL-21")
def test_publishing_says_which_version_it_makes_and_takes_a_note(
    builder: Actor, agent: Agent, model: LanguageModel, browser: Client
) -> None:
    address = reverse("agent_publish", args=[agent.pk])
    save(builder, agent, tools=[TOOL | {"endpoint": ""}])
    lacking = browser.get(address, headers=HTMX).content.decode()
    assert "cannot be published yet" in lacking
    assert "Choose a model." in lacking
    assert "Tool find_order: Address" in lacking
    finish(builder, agent, model)
    assert "Publish version 1" in browser.get(address, headers=HTMX).content.decode()
    assert browser.post(address, {"note": "First.", "revision": 3}).status_code == 302
    assert AgentVersion.objects.get().note == "First."
    versions = page(browser, agent, "?tab=versions")
    assert "First." in versions
    assert "Publish version 2" not in versions
    finish(builder, agent, model, instructions="Be brief.")
    again = browser.get(address, headers=HTMX).content.decode()
    assert "Publish version 2" in again
    assert "Instructions" in again
    assert browser.post(address, {"note": "", "revision": 2}).status_code == 409
    assert AgentVersion.objects.count() == 1


def test_versions_are_read_compared_and_restored(
    builder: Actor, agent: Agent, model: LanguageModel, browser: Client
) -> None:
    for text in ("Be kind and slow.", "Be kind and quick."):
        finish(builder, agent, model, instructions=text, tools=[TOOL])
        publish_agent(builder, agent_id=agent.pk)
    shown = browser.get(reverse("agent_version", args=[agent.pk, 1])).content.decode()
    assert all(word in shown for word in ("Be kind and slow.", "Small", "find_order"))
    assert browser.get(reverse("agent_version", args=[agent.pk, 3])).status_code == 404
    compared = browser.get(reverse("agent_compare", args=[agent.pk]) + "?from=1&to=2").content.decode()
    assert "<del>slow</del>" in compared
    assert "<ins>quick</ins>" in compared
    assert "Both say the same" in browser.get(reverse("agent_compare", args=[agent.pk])).content.decode()
    restore = reverse("agent_version_restore", args=[agent.pk, 1])
    assert "Restore version 1" in browser.get(restore, headers=HTMX).content.decode()
    assert browser.post(restore).status_code == 302
    agent.refresh_from_db()
    assert agent.draft["instructions"] == "Be kind and slow."
    assert "Draft differs" in page(browser, agent)
    discard = reverse("agent_discard", args=[agent.pk])
    assert "version 2 says" in browser.get(discard, headers=HTMX).content.decode()
    assert browser.post(discard).status_code == 302
    assert "Draft differs" not in page(browser, agent)


@pytest.mark.parametrize("query", ["?from=x&to=9", "?from=0", "?to=draft&from=draft", "?from=²"])
def test_a_comparison_of_what_is_not_there_takes_what_is(
    builder: Actor, agent: Agent, browser: Client, query: str
) -> None:
    assert browser.get(reverse("agent_compare", args=[agent.pk]) + query).status_code == 200


# --- Settings


@pytest.mark.spec("PL-25")
def test_details_and_budget_are_set(agent: Agent, browser: Client) -> None:
    details = reverse("agent_details", args=[agent.pk])
    assert browser.post(details, {"name": "Help", "description": ""}).status_code == 302
    assert browser.post(details, {"name": ""}, headers=HTMX).status_code == 422
    budget = reverse("agent_budget", args=[agent.pk])
    assert "$0.00 is spent" in browser.get(budget, headers=HTMX).content.decode()
    assert browser.post(budget, {"monthly_budget": "12.50"}).status_code == 302
    agent.refresh_from_db()
    assert (agent.name, str(agent.monthly_budget)) == ("Help", "12.50")
    assert "$12.50" in page(browser, agent, "?tab=settings")
    assert browser.post(budget, {"monthly_budget": ""}).status_code == 302
    agent.refresh_from_db()
    assert agent.monthly_budget is None


@pytest.mark.spec("PL-22")
def test_secrets_are_set_replaced_and_removed_and_never_shown(agent: Agent, browser: Client) -> None:
    new = reverse("agent_secret_new", args=[agent.pk])
    assert browser.post(new, {"name": "SHOP", "value": "s3cr3t-1"}).status_code == 302
    refused = browser.post(new, {"name": "two words", "value": "s3cr3t-2"}, headers=HTMX)
    assert refused.status_code == 422
    assert "s3cr3t" not in refused.content.decode()
    change = reverse("agent_secret_change", args=[agent.pk, "SHOP"])
    assert browser.post(change, {"value": "s3cr3t-3"}).status_code == 302
    assert AgentSecret.objects.get().value() == "s3cr3t-3"
    shown = page(browser, agent, "?tab=settings&part=secrets")
    assert "SHOP" in shown
    assert "s3cr3t" not in shown
    remove = reverse("agent_secret_remove", args=[agent.pk, "SHOP"])
    assert "Neither the draft" in browser.get(remove, headers=HTMX).content.decode()
    assert browser.post(remove).status_code == 302
    assert browser.get(remove).status_code == 404
    assert not AgentSecret.objects.exists()


def test_an_archived_agent_says_so_and_shows_no_form(builder: Actor, agent: Agent, browser: Client) -> None:
    assert browser.post(reverse("agent_archive", args=[agent.pk])).status_code == 302
    shown = page(browser, agent)
    assert "This agent is archived" in shown
    assert "agent-draft-form" not in shown
    assert browser.post(reverse("agent_draft", args=[agent.pk]), sent_draft(agent)).status_code == 409
    assert browser.get(reverse("agent_tool_new", args=[agent.pk])).status_code == 409
    assert browser.post(reverse("agent_restore", args=[agent.pk])).status_code == 302
    assert "agent-draft-form" in page(browser, agent)


def test_who_may_only_see_it_reads_everything_and_is_offered_no_act(
    cast: Cast, builder: Actor, agent: Agent, model: LanguageModel, sign_in: Callable[[str], Client]
) -> None:
    finish(builder, agent, model, tools=[TOOL])
    publish_agent(builder, agent_id=agent.pk)
    viewer = sign_in("viewer")
    for tab in MODEL_TABS:
        shown = page(viewer, agent, f"?tab={tab}")
        assert "<form" not in shown.partition('id="area"')[2].partition("</main>")[0]
        assert "Publish version" not in shown
    assert "Be kind." in page(viewer, agent)
    assert "Secrets" not in page(viewer, agent, "?tab=settings&part=secrets")


@pytest.mark.spec("PL-25")
def test_a_helper_shows_its_budget_alone(cast: Cast, sign_in: Callable[[str], Client]) -> None:
    helper = Agent.objects.create(
        organisation=cast.kettle, owner=cast.owner, name="Judge", kind="model", helper="judge"
    )
    owner = sign_in("owner")
    assert "A part of Casebook" in page(owner, helper)
    assert "Parts of Casebook" in owner.get(reverse("agent_list")).content.decode()
    assert "Parts of Casebook" not in sign_in("builder").get(reverse("agent_list")).content.decode()
    assert owner.post(reverse("agent_budget", args=[helper.pk]), {"monthly_budget": "3"}).status_code == 302
    assert owner.get(reverse("agent_publish", args=[helper.pk])).status_code == 403
    assert sign_in("builder").get(reverse("agent_budget", args=[helper.pk])).status_code == 403
    helper.refresh_from_db()
    assert str(helper.monthly_budget) == "3.00"
