"""Agents of kind judge: made, drafted, published, compared and archived like any, never talked to or tested (SC-D1)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actor import Actor
from activity.operations.isolated_runs import run_isolated
from activity.queries.talking import agents_to_talk_to
from agents.logic.specs import JudgeSpec, spec_of, stored
from agents.logic.specs_reading import missing, read_spec
from agents.models import Agent, AgentVersion, LanguageModel
from agents.operations.agent_versions import publish_agent
from agents.operations.agents import archive_agent, create_agent
from agents.queries.agents import agents_to_run, version_to_run, visible_agents
from agents.queries.answering import CannotAnswer, answerer_of
from agents.queries.compared_versions import compare_versions
from core.errors import Conflict, Invalid, NotAllowed, NotFound
from tests.agents.test_agent_operations import make_model, save
from tests.cast import Cast

ID = "0199d1a2-3b4c-7def-8123-456789abcdef"
JUDGE_TABS = ("judging", "versions", "settings")


@pytest.fixture
def builder(cast: Cast) -> Actor:
    return cast.actor("builder")


@pytest.fixture
def model(cast: Cast) -> LanguageModel:
    return make_model(cast, "owner", label="Small", takes_temperature=False)


@pytest.fixture
def judge(builder: Actor) -> Agent:
    return create_agent(builder, kind="judge", name="Strict judge")


def published(builder: Actor, judge: Agent, model: LanguageModel, instructions: str = "Be strict.") -> AgentVersion:
    save(builder, judge, instructions=instructions, model=str(model.pk))
    return publish_agent(builder, agent_id=judge.pk)


def sent(judge: Agent, **fields: Any) -> dict[str, Any]:
    given = {"instructions": "Be strict.", "model": "", "temperature": "", "revision": judge.draft_revision}
    return given | fields


# --- What a draft says


@pytest.mark.spec("SC-D1", "SC-97")
def test_a_draft_comes_back_as_it_was_written_and_begins_at_temperature_nought() -> None:
    around: Any = None
    raw = {"instructions": "Be strict.", "model": ID, "temperature": 0.5}
    spec, problems = read_spec("judge", raw, around)
    assert (problems, stored(spec), spec_of("judge", raw)) == ([], raw, spec)
    assert read_spec("judge", {"temperature": None}, around) == (JudgeSpec(temperature=0), [])


@pytest.mark.spec("SC-D1")
@pytest.mark.parametrize("part", ["tools", "skills", "knowledge", "max_steps"])
def test_a_judge_has_no_tools_skills_or_knowledge(part: str) -> None:
    around: Any = None
    assert [problem.field for problem in read_spec("judge", {part: []}, around)[1]] == [part]


def test_a_judge_needs_a_model_and_no_instructions() -> None:
    assert [problem.field for problem in missing(JudgeSpec())] == ["model"]
    assert missing(JudgeSpec(model=ID)) == []


# --- Like any agent


@pytest.mark.spec("SC-166")
@pytest.mark.parametrize("role", ["member", "viewer", "operator"])
def test_without_agents_edit_nobody_makes_one(cast: Cast, role: str) -> None:
    with pytest.raises(NotAllowed):
        create_agent(cast.actor(role), kind="judge", name="Mine")


@pytest.mark.spec("SC-D1", "SC-98")
def test_it_is_published_compared_and_archived(builder: Actor, judge: Agent, model: LanguageModel) -> None:
    published(builder, judge, model)
    second = published(builder, judge, model, "Be mild.")
    assert (second.number, second.spec) == (2, {"instructions": "Be mild.", "model": str(model.pk), "temperature": 0})
    judge.refresh_from_db()
    (change,) = compare_versions(judge, "1", "2").changes
    assert (change.before, change.after) == ("Be strict.", "Be mild.")
    archive_agent(builder, agent_id=judge.pk)
    judge.refresh_from_db()
    assert not judge.is_active


def test_publishing_refuses_a_model_that_was_removed(builder: Actor, judge: Agent, model: LanguageModel) -> None:
    save(builder, judge, model=str(model.pk))
    model.delete()
    with pytest.raises(Invalid) as error:
        publish_agent(builder, agent_id=judge.pk)
    assert [problem.field for problem in error.value.problems] == ["model"]


def test_a_model_of_elsewhere_is_refused(builder: Actor, judge: Agent) -> None:
    with pytest.raises(Invalid):
        save(builder, judge, model=ID)


@pytest.mark.spec("SC-D1")
def test_nobody_talks_to_it_tests_it_or_asks_it(builder: Actor, judge: Agent, model: LanguageModel) -> None:
    version = published(builder, judge, model)
    judge.refresh_from_db()
    assert not agents_to_talk_to(builder).exists()
    assert not agents_to_run(builder).exists()
    assert list(visible_agents(builder)) == [judge]
    with pytest.raises(Conflict) as refused:
        version_to_run(judge)
    assert refused.value.code == "agent_judge"
    with pytest.raises(NotFound):
        run_isolated(builder, agent_id=judge.pk, turns=[{"role": "user", "content": "Hello"}])
    with pytest.raises(CannotAnswer):
        answerer_of(version)


# --- Its page


@pytest.mark.spec("SC-D1")
def test_its_page_says_what_it_is_for_and_takes_a_draft(
    sign_in: Callable[[str], Client], judge: Agent, model: LanguageModel
) -> None:
    browser = sign_in("builder")
    there = reverse("agent_detail", args=[judge.pk])
    assert "grades answers by the criteria" in browser.get(there).content.decode()
    answer = browser.post(reverse("agent_draft", args=[judge.pk]) + "?tab=judging", sent(judge, model=str(model.pk)))
    judge.refresh_from_db()
    assert (answer.status_code, judge.draft["temperature"]) == (302, 0)
    assert judge.draft["instructions"] == "Be strict."
    refused = browser.post(reverse("agent_draft", args=[judge.pk]), sent(judge, temperature="9"))
    assert refused.status_code == 422


def test_each_part_and_a_version_show(
    sign_in: Callable[[str], Client], builder: Actor, judge: Agent, model: LanguageModel
) -> None:
    published(builder, judge, model)
    archive_agent(builder, agent_id=judge.pk)
    for role in ("builder", "viewer"):
        browser = sign_in(role)
        for tab in JUDGE_TABS:
            assert browser.get(reverse("agent_detail", args=[judge.pk]), {"tab": tab}).status_code == 200
        shown = browser.get(reverse("agent_version", args=[judge.pk, 1])).content.decode()
        assert all(words in shown for words in ("Be strict.", "Small", "takes none"))
        listed = browser.get(reverse("agent_list"), {"kind": "judge", "state": "all"}).content.decode()
        assert "Strict judge" in listed


def test_a_judge_has_no_page_for_a_tool(sign_in: Callable[[str], Client], judge: Agent) -> None:
    assert sign_in("builder").get(reverse("agent_tool_new", args=[judge.pk])).status_code == 404
