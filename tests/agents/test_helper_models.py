"""The model of a helper, and what whoever removes a model is told about agents (PL-20, GEN-D19)."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from agents.models import Agent, Helper, LanguageModel
from agents.operations.agent_versions import publish_agent
from agents.operations.agents import archive_agent, create_agent
from agents.operations.helper_agents import helper_agent
from agents.operations.helper_models import set_helper_model
from agents.queries.agents import model_of_helper
from agents.queries.model_users import agents_asking
from core.errors import Invalid, NotAllowed, NotFound
from tests.agents.test_agent_operations import finish, make_model
from tests.cast import Cast

HTMX = {"HX-Request": "true"}


@pytest.fixture
def improver(cast: Cast) -> Agent:
    return helper_agent(cast.kettle, Helper.IMPROVER)


@pytest.fixture
def model(cast: Cast) -> LanguageModel:
    return make_model(cast, "owner", label="Small")


@pytest.mark.spec("GEN-D19")
def test_a_helper_gets_a_model_and_loses_it_with_the_model(cast: Cast, improver: Agent, model: LanguageModel) -> None:
    assert model_of_helper(improver) is None
    improver = set_helper_model(cast.actor("admin"), agent_id=improver.pk, model_id=model.pk)
    assert model_of_helper(improver) == model
    model.delete()
    assert model_of_helper(improver) is None
    assert set_helper_model(cast.actor("admin"), agent_id=improver.pk, model_id=None).draft == {}


@pytest.mark.spec("SC-57")
def test_the_judges_model_is_chosen_by_the_settings_of_a_dataset_alone(
    cast: Cast, model: LanguageModel, sign_in: Callable[[str], Client]
) -> None:
    judge = helper_agent(cast.kettle, Helper.JUDGE)
    with pytest.raises(Invalid):
        set_helper_model(cast.actor("owner"), agent_id=judge.pk, model_id=model.pk)
    shown = sign_in("owner").get(reverse("agent_detail", args=[judge.pk])).content.decode()
    assert "The grading settings of each dataset choose it" in shown
    assert reverse("agent_helper_model", args=[judge.pk]) not in shown
    refused = sign_in("owner").post(reverse("agent_helper_model", args=[judge.pk]), {"model": model.id_text})
    assert refused.status_code == 422


@pytest.mark.parametrize(("role", "error"), [("builder", NotAllowed), ("viewer", NotAllowed), ("stranger", NotFound)])
def test_who_does_not_manage_the_organisation_chooses_none(
    cast: Cast, improver: Agent, model: LanguageModel, role: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        set_helper_model(cast.actor(role), agent_id=improver.pk, model_id=model.pk)


@pytest.mark.spec("BC-46")
def test_a_model_of_another_organisation_is_none(cast: Cast, improver: Agent) -> None:
    for id_ in (make_model(cast, "stranger").pk, uuid4()):
        with pytest.raises(Invalid):
            set_helper_model(cast.actor("owner"), agent_id=improver.pk, model_id=id_)
    agent = create_agent(cast.actor("owner"), kind="model", name="Support")
    with pytest.raises(NotAllowed):
        set_helper_model(cast.actor("owner"), agent_id=agent.pk, model_id=None)


def test_the_model_of_a_helper_is_chosen_in_the_console(
    cast: Cast, improver: Agent, model: LanguageModel, sign_in: Callable[[str], Client]
) -> None:
    owner, address = sign_in("owner"), reverse("agent_helper_model", args=[improver.pk])
    assert "Small" in owner.get(address, headers=HTMX).content.decode()
    assert owner.post(address, {"model": str(uuid4())}, headers=HTMX).status_code == 422
    assert owner.post(address, {"model": model.id_text}).status_code == 302
    assert "Small" in owner.get(reverse("agent_detail", args=[improver.pk])).content.decode()
    assert sign_in("builder").get(address).status_code == 403
    assert sign_in("stranger").get(address).status_code == 404
    support = create_agent(cast.actor("owner"), kind="model", name="Support")
    assert owner.get(reverse("agent_helper_model", args=[support.pk])).status_code == 404


@pytest.mark.spec("PL-20", "PL-21")
def test_removing_a_model_says_in_numbers_which_agents_ask_it(
    cast: Cast, improver: Agent, model: LanguageModel, sign_in: Callable[[str], Client]
) -> None:
    builder, owner = cast.actor("builder"), cast.actor("owner")
    assert not agents_asking(owner, [model.id_text]).is_used

    def made(name: str, asked: LanguageModel = model) -> Agent:
        agent = create_agent(builder, kind="model", name=name, visibility="private")
        finish(builder, agent, asked)
        return agent

    published, archived = made("Published"), made("Archived")
    made("Drafted")
    made("Elsewhere", make_model(cast, "owner"))
    for agent in (published, archived):
        publish_agent(builder, agent_id=agent.pk)
    archive_agent(builder, agent_id=archived.pk)
    set_helper_model(owner, agent_id=improver.pk, model_id=model.pk)
    found = agents_asking(owner, [model.id_text])
    assert (found.answering, found.drafting) == (("Improver", "Published"), ("Drafted",))
    admin = sign_in("admin")
    for address in (
        reverse("model_remove", args=[model.pk]),
        reverse("connection_remove", args=[model.connection_id]),
    ):
        shown = admin.get(address, headers=HTMX).content.decode()
        assert "2 agents in use answer with it and will fail: Improver, Published." in shown
        assert "1 draft names it" in shown
    assert admin.post(reverse("model_remove", args=[model.pk])).status_code == 302
    assert not LanguageModel.objects.filter(pk=model.pk).exists()
