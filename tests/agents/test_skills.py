"""Skills: creating, changing side by side, deleting; which agents use them; their pages and endpoints (PL-24)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import AuditEntry
from agents.models import Agent, Skill
from agents.operations.skills import change_skill, create_skill, delete_skill
from agents.queries.skills import agents_using_skill, other_drafts_using_skill, skills_to_choose, visible_skills
from core.errors import Conflict, Invalid, NotAllowed, NotFound
from core.limits import LIMITS
from tests.api.clients import client_of
from tests.cast import Cast
from tests.datasets.pages import PART, text

SignIn = Callable[[str], Client]


@pytest.fixture
def skill(cast: Cast) -> Skill:
    return create_skill(cast.actor("builder"), name="Tone of voice", text="Be **brief**.")


def agent_with(cast: Cast, skill: Skill, owner: str = "builder", visibility: str = "organisation") -> Agent:
    member = cast.members[owner]
    draft = {"instructions": "", "skills": [{"id": str(skill.pk)}]}
    return Agent.objects.create(
        organisation=member.organisation,
        owner=member,
        name=f"Agent of {owner}",
        kind="model",
        draft=draft,
        visibility=visibility,
    )


# --- Operations


@pytest.mark.spec("PL-24", "PL-5")
def test_a_skill_is_made_by_who_may_edit_skills(cast: Cast, skill: Skill) -> None:
    assert (skill.owner, skill.visibility, skill.revision) == (cast.builder, "organisation", 1)
    assert AuditEntry.objects.filter(action="skill.created", object_id=str(skill.pk)).exists()
    for name in ("operator", "viewer"):
        with pytest.raises(NotAllowed):
            create_skill(cast.actor(name), name="No", text="No")


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"name": " "}, ["name"]),
        ({"text": " \n"}, ["text"]),
        ({"text": "a\x00"}, ["text"]),
        ({"text": "a" * (LIMITS.instructions_characters + 1)}, ["text"]),
        ({"description": "a" * (LIMITS.description_characters + 1)}, ["description"]),
        ({"visibility": "world"}, ["visibility"]),
        ({"name": "", "text": ""}, ["name", "text"]),
    ],
)
def test_what_cannot_be_stored_is_refused_by_field(
    cast: Cast, skill: Skill, changes: dict[str, str], fields: list[str]
) -> None:
    with pytest.raises(Invalid) as caught:
        change_skill(cast.actor("builder"), skill_id=skill.pk, changes=changes)
    assert [problem.field for problem in caught.value.problems] == fields


@pytest.mark.spec("PL-24")
def test_a_change_counts_the_revision_and_one_from_before_it_is_a_conflict(cast: Cast, skill: Skill) -> None:
    owner = cast.actor("builder")
    assert change_skill(owner, skill_id=skill.pk, changes={"text": "New"}, base_revision=1).revision == 2
    with pytest.raises(Conflict) as caught:
        change_skill(owner, skill_id=skill.pk, changes={"text": "Other"}, base_revision=1)
    assert (caught.value.code, caught.value.data) == ("skill_changed", {"revision": 2})
    assert change_skill(owner, skill_id=skill.pk, changes={"text": "New"}, base_revision=2).revision == 2
    assert change_skill(owner, skill_id=skill.pk, changes={"visibility": "private"}).visibility == "private"
    entries = AuditEntry.objects.filter(object_id=str(skill.pk)).order_by("pk")
    assert [entry.action for entry in entries] == ["skill.created", "skill.changed", "skill.visibility_changed"]
    assert "New" not in str([entry.details for entry in entries])


@pytest.mark.spec("PL-24")
def test_who_may_not_edit_it_neither_changes_nor_deletes_it(cast: Cast, skill: Skill) -> None:
    for name, error in (("viewer", NotAllowed), ("stranger", NotFound)):
        with pytest.raises(error):
            change_skill(cast.actor(name), skill_id=skill.pk, changes={"text": "x"})
        with pytest.raises(error):
            delete_skill(cast.actor(name), skill_id=skill.pk)


@pytest.mark.spec("PL-24")
def test_the_agents_that_use_it_are_those_whose_draft_names_it_and_only_a_number_of_hidden_ones(
    cast: Cast, skill: Skill
) -> None:
    used = agent_with(cast, skill)
    agent_with(cast, skill, owner="colleague", visibility="private")
    other = create_skill(cast.actor("builder"), name="Other", text="x")
    Agent.objects.create(
        organisation=cast.kettle, owner=cast.builder, name="Reads about it", kind="model",
        draft={"instructions": "", "skills": [{"id": str(other.pk)}], "knowledge": [str(skill.pk)]},
    )  # fmt: skip
    assert agents_using_skill(cast.actor("viewer"), skill) == [used]
    assert other_drafts_using_skill(cast.actor("viewer"), skill) == 1
    assert other_drafts_using_skill(cast.actor("owner"), skill) == 0


@pytest.mark.spec("BC-53")
def test_skills_are_found_by_name_and_offered_by_name(cast: Cast, skill: Skill) -> None:
    create_skill(cast.actor("colleague"), name="Żółty ton", text="x", visibility="private")
    assert [one.name for one in visible_skills(cast.actor("owner"), search="ZOLTY")] == ["Żółty ton"]
    assert list(visible_skills(cast.actor("viewer"), search="zolty")) == []
    assert [one.name for one in skills_to_choose(cast.actor("owner"))] == ["Tone of voice", "Żółty ton"]


# --- Pages


@pytest.mark.spec("PL-24")
def test_the_list_shows_each_with_the_agents_that_use_it(
    cast: Cast, skill: Skill, sign_in: SignIn, django_assert_max_num_queries: Any
) -> None:
    agent_with(cast, skill)
    for number in range(30):
        create_skill(cast.actor("builder"), name=f"Skill {number}", text="x")
    browser = sign_in("viewer")
    with django_assert_max_num_queries(15):
        shown = text(browser.get("/skills/"))
    assert "Agent of builder" in shown
    assert "31 skills" in shown
    assert "New skill" not in shown
    part = browser.get("/skills/?q=tone", headers=PART)
    assert text(part).strip().startswith('<div id="skills">')
    assert "1 skill" in text(part)
    assert "No skill has" in text(browser.get("/skills/?q=nothing"))


def test_an_empty_list_teaches(cast: Cast, sign_in: SignIn) -> None:
    assert "Write instructions once" in text(sign_in("member").get("/skills/"))
    assert "Nobody has shared one with you yet." in text(sign_in("viewer").get("/skills/"))


@pytest.mark.spec("PL-24")
def test_a_skill_is_written_read_and_changed(cast: Cast, sign_in: SignIn) -> None:
    browser = sign_in("member")
    assert browser.post("/skills/new/", {"name": "", "text": ""}).status_code == 422
    made = browser.post("/skills/new/", {"name": "Tone", "text": "Be\r\n**brief**", "visibility": "organisation"})
    skill = Skill.objects.get()
    assert made["Location"] == f"/skills/{skill.pk}/"
    assert skill.text == "Be\n**brief**"
    shown = text(sign_in("viewer").get(f"/skills/{skill.pk}/"))
    assert "<strong>brief</strong>" in shown
    assert 'id="skill-form"' not in shown
    saved = browser.post(f"/skills/{skill.pk}/", {"name": "Tone", "text": "New text", "revision": "1"})
    assert saved["Location"] == f"/skills/{skill.pk}/"
    stale = browser.post(f"/skills/{skill.pk}/", {"name": "Tone", "text": "Mine", "revision": "1"})
    assert stale.status_code == 409
    assert "Somebody saved this skill while you were writing" in text(stale)
    assert 'name="revision" value="2"' in text(stale)
    skill.refresh_from_db()
    assert skill.text == "New text"
    browser.post(f"/skills/{skill.pk}/", {"name": "Tone", "text": "Mine", "revision": "2"})
    skill.refresh_from_db()
    assert skill.text == "Mine"


@pytest.mark.spec("PL-24")
def test_deleting_says_which_drafts_lose_it(cast: Cast, skill: Skill, sign_in: SignIn) -> None:
    browser = sign_in("builder")
    assert "No agent uses it." in text(browser.get(f"/skills/{skill.pk}/delete/", headers=PART))
    agent_with(cast, skill, owner="member")
    asked = text(browser.get(f"/skills/{skill.pk}/delete/", headers=PART))
    assert "The draft of 1 agent uses it and loses it:" in asked
    assert "Published versions keep their copy" in asked
    assert browser.post(f"/skills/{skill.pk}/delete/")["Location"] == "/skills/"
    assert not Skill.objects.exists()


@pytest.mark.spec("PL-5")
def test_a_skill_is_shared_by_the_pages_of_every_kind(cast: Cast, skill: Skill, sign_in: SignIn) -> None:
    browser = sign_in("builder")
    page = f"/skills/{skill.pk}/"
    assert "Share the skill" in text(browser.get(f"{page}sharing/new/", headers=PART))
    shared = browser.post(f"{page}sharing/new/", {"member": str(cast.member.pk), "level": "edit"})
    assert shared["Location"] == f"{page}?tab=sharing"
    removed = browser.post(f"{page}sharing/{cast.member.pk}/remove/", follow=True)
    assert "The skill is no longer shared with Member." in text(removed)
    browser.post(f"{page}visibility/", {"visibility": "private"})
    assert sign_in("member").get(page).status_code == 404


# --- API


@pytest.mark.spec("PL-40", "PL-41", "PL-42")
def test_skills_through_the_api(cast: Cast) -> None:
    api = client_of(cast.member)
    made = api.post("/skills", {"name": "Tone", "text": "Be brief.", "visibility": "private"})
    assert made.status_code == 201
    here = made["Location"].removeprefix("/api/v1")
    shown = api.get(here).json()
    assert (shown["revision"], shown["owner"]["name"], shown["visibility"]) == (1, "Member", "private")
    assert api.patch(here, {"text": "New", "base_revision": 1}).json()["revision"] == 2
    stale = api.patch(here, {"text": "Other", "base_revision": 1})
    assert (stale.status_code, stale.json()["code"]) == (409, "skill_changed")
    refused = api.patch(here, {"text": "", "colour": "red"})
    assert {error["field"] for error in refused.json()["errors"]} == {"text", "colour"}
    assert api.get("/skills?q=TONE").json()["results"][0]["id"] == shown["id"]
    assert client_of(cast.viewer).get(here).status_code == 404
    assert api.post(f"{here}/grants", {"member": str(cast.viewer.pk), "level": "read"}).status_code == 201
    assert client_of(cast.viewer).get(here).status_code == 200
    assert api.send("PUT", f"{here}/owner", {"member": str(cast.builder.pk)}).json()["owner"]["name"] == "Builder"
    assert client_of(cast.builder).delete(here).status_code == 204
