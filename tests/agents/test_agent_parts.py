"""Skills and knowledge bases of an agent: who may give which, and what a version keeps of them (PL-24, BC-46)."""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import pytest

from accounts import access
from accounts.permissions import GrantLevel
from agents.models import Agent, KnowledgeBase, LanguageModel, Skill
from agents.operations.agent_versions import publish_agent
from agents.operations.agents import create_agent
from core.errors import Invalid
from tests.agents.test_agent_operations import fields_of, make_model, save
from tests.cast import Cast


@pytest.fixture
def model(cast: Cast) -> LanguageModel:
    return make_model(cast, "owner")


@pytest.fixture
def agent(cast: Cast) -> Agent:
    return create_agent(cast.actor("builder"), kind="model", name="Support")


def make_skill(cast: Cast, owner: str = "owner", **fields: Any) -> Skill:
    member = cast.members[owner]
    given = {"name": "Tone", "text": "Be short."} | fields
    return Skill.objects.create(organisation=member.organisation, owner=member, **given)


def make_knowledge(cast: Cast, owner: str = "owner", **fields: Any) -> KnowledgeBase:
    member = cast.members[owner]
    return KnowledgeBase.objects.create(
        organisation=member.organisation, owner=member, **({"name": "Returns"} | fields)
    )


def draft(model: LanguageModel, skills: Sequence[Any] = (), knowledge: Sequence[Any] = ()) -> dict[str, Any]:
    return {
        "instructions": "Be kind.",
        "model": str(model.pk),
        "skills": [{"id": str(skill.pk)} for skill in skills],
        "knowledge": [str(base.pk) for base in knowledge],
    }


@pytest.mark.spec("PL-21", "PL-24")
def test_a_version_keeps_the_text_of_its_skills_and_the_draft_their_ids(
    cast: Cast, agent: Agent, model: LanguageModel
) -> None:
    builder, skill, base = cast.actor("builder"), make_skill(cast), make_knowledge(cast)
    saved = save(builder, agent, **draft(model, [skill], [base]))
    assert saved.draft["skills"] == [{"id": str(skill.pk)}]
    first = publish_agent(builder, agent_id=agent.pk)
    assert first.spec["skills"] == [{"id": str(skill.pk), "name": "Tone", "text": "Be short."}]
    assert first.spec["knowledge"] == [str(base.pk)]
    Skill.objects.filter(pk=skill.pk).update(text="Be long.")
    # The draft says the same, and the version that it makes now does not.
    assert publish_agent(builder, agent_id=agent.pk).spec["skills"][0]["text"] == "Be long."
    first.refresh_from_db()
    assert first.spec["skills"][0]["text"] == "Be short."


@pytest.mark.spec("BC-46", "BC-47")
def test_nobody_attaches_what_they_may_not_see(cast: Cast, agent: Agent, model: LanguageModel) -> None:
    """Publishing copies a skill's text to everybody who sees the agent, and its search reads out the knowledge."""
    editor = cast.actor("colleague")
    agent.owner = cast.colleague
    agent.save()
    grant_editing(cast, agent)
    hidden = [make_skill(cast, visibility="private"), make_skill(cast, "stranger")]
    bases = [make_knowledge(cast, visibility="private"), make_knowledge(cast, "stranger")]
    with pytest.raises(Invalid) as error:
        save(editor, agent, **draft(model, hidden, bases))
    assert fields_of(error) == ["skills.0.id", "skills.1.id", "knowledge.0", "knowledge.1"]
    missing = draft(model) | {"skills": [{"id": str(uuid4())}], "knowledge": [str(uuid4())]}
    with pytest.raises(Invalid) as same:
        save(editor, agent, **missing)
    assert {problem.message for problem in same.value.problems} == {problem.message for problem in error.value.problems}


def grant_editing(cast: Cast, agent: Agent) -> None:
    access.put_grant(agent, user=cast.colleague.user, level=GrantLevel.EDIT)


def test_what_another_editor_attached_stays(cast: Cast, agent: Agent, model: LanguageModel) -> None:
    skill, base = make_skill(cast, visibility="private"), make_knowledge(cast, visibility="private")
    save(cast.actor("owner"), agent, **draft(model, [skill], [base]))
    grant_editing(cast, agent)
    changed = draft(model, [skill], [base]) | {"instructions": "Be brief."}
    assert save(cast.actor("colleague"), agent, **changed).draft["skills"] == [{"id": str(skill.pk)}]


def test_what_was_deleted_keeps_the_draft_from_being_published(cast: Cast, agent: Agent, model: LanguageModel) -> None:
    skill, base = make_skill(cast), make_knowledge(cast)
    save(cast.actor("builder"), agent, **draft(model, [skill], [base]))
    skill.delete()
    base.delete()
    with pytest.raises(Invalid) as error:
        publish_agent(cast.actor("builder"), agent_id=agent.pk)
    assert fields_of(error) == ["skills.0", "knowledge.0"]
