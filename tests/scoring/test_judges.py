"""Who grades: the built-in judge and judge agents, and the first seven causes why none can (SC-130, SC-D1)."""

from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from agents.models import Agent, AgentVersion, Connection, Helper, LanguageModel
from agents.operations.helper_agents import helper_agent
from agents.operations.spending import record_cost
from datasets.models import Dataset
from datasets.operations.datasets import create_dataset
from scoring.logic.causes import Cause
from scoring.logic.hashes import instructions_hash
from scoring.logic.prompt import JUDGE_TASK_VERSION
from scoring.queries.judges import Judge, NoJudge, judge_of
from tests.cast import Cast
from tests.scoring.judges import KEY, judging_settings, make_judge, make_judge_model

ADDRESS = "https://models.example.org/v1"


@pytest.fixture
def dataset(cast: Cast) -> Dataset:
    return create_dataset(cast.actor("builder"), name="Returns")


@pytest.fixture
def model(cast: Cast) -> LanguageModel:
    found: LanguageModel = make_judge_model(cast.owner, ADDRESS)
    return found


def found(cast: Cast, dataset: Dataset, settings: Any, who: str = "owner") -> Judge:
    judge = judge_of(cast.actor(who), dataset, settings)
    assert isinstance(judge, Judge), judge
    return judge


def cause(cast: Cast, dataset: Dataset, settings: Any, who: str = "owner") -> Cause:
    nobody = judge_of(cast.actor(who), dataset, settings)
    assert isinstance(nobody, NoJudge)
    return nobody.cause


# --- The two kinds


@pytest.mark.spec("SC-93", "SC-94", "SC-97", "SC-D1", "SC-D4")
def test_the_built_in_judge_asks_the_model_of_the_settings(cast: Cast, dataset: Dataset, model: LanguageModel) -> None:
    helper = helper_agent(cast.kettle, Helper.JUDGE)
    settings = judging_settings(model, instructions=" Be fair. ")
    judge = found(cast, dataset, settings, "member")
    assert (judge.asked.name, judge.asked.temperature, judge.agent_id) == ("judge-1", 0, helper.pk)
    pin = judge.pin(settings)
    assert (pin.judge_kind, pin.judge_id, pin.judge_version) == ("built_in", str(helper.pk), JUDGE_TASK_VERSION)
    assert (pin.provider, pin.model, pin.temperature) == ("compatible", "judge-1", 0)
    assert pin.instructions_hash == instructions_hash("Be fair.")


@pytest.mark.spec("SC-D1", "SC-145")
def test_a_judge_agent_brings_its_newest_version_and_the_dataset_adds_to_it(
    cast: Cast, dataset: Dataset, model: LanguageModel
) -> None:
    agent = make_judge(cast.builder, model)
    newer: Any = {"instructions": "Be mild.", "model": str(model.pk), "temperature": 0.5}
    AgentVersion.objects.create(agent=agent, number=2, spec=newer)
    Agent.objects.filter(pk=agent.pk).update(newest_version=2)
    settings = judging_settings(None, agent=str(agent.pk), instructions="Prices are in euros.")
    judge = found(cast, dataset, settings)
    assert judge.identity.instructions == "Be mild.\n\nPrices are in euros."
    pin = judge.pin(settings)
    assert (pin.judge_kind, pin.judge_id, pin.judge_version, pin.temperature) == ("agent", str(agent.pk), 2, 0.5)
    assert pin.instructions_hash == instructions_hash("Be mild.\n\nPrices are in euros.")


@pytest.mark.spec("SC-98")
def test_a_model_that_takes_no_temperature_is_asked_without_one(
    cast: Cast, dataset: Dataset, model: LanguageModel
) -> None:
    LanguageModel.objects.update(takes_temperature=False)
    agent = make_judge(cast.owner, model)
    for settings in (judging_settings(model), judging_settings(None, agent=str(agent.pk))):
        judge = found(cast, dataset, settings)
        assert (judge.asked.temperature, judge.pin(settings).temperature) == (None, None)


@pytest.mark.spec("SC-57")
def test_neither_a_cheaper_model_nor_the_helpers_own_stands_in_for_the_choice_that_was_not_made(
    cast: Cast, dataset: Dataset, model: LanguageModel
) -> None:
    helper = helper_agent(cast.kettle, Helper.JUDGE)
    Agent.objects.filter(pk=helper.pk).update(draft={"model": str(model.pk)})
    assert cause(cast, dataset, judging_settings(None)) == Cause.MODEL_MISSING


def test_no_text_of_a_judge_shows_the_key(cast: Cast, dataset: Dataset, model: LanguageModel) -> None:
    judge = found(cast, dataset, judging_settings(model))
    assert judge.asked.target.key == KEY
    assert KEY not in repr(judge)


# --- The causes


@pytest.mark.spec("SC-130", "SC-D22")
def test_the_built_in_judge_lacks_a_model_that_is_gone(cast: Cast, dataset: Dataset, model: LanguageModel) -> None:
    settings = judging_settings(model)
    model.delete()
    assert cause(cast, dataset, settings) == Cause.MODEL_MISSING


@pytest.mark.spec("SC-130")
@pytest.mark.parametrize("provider", ["openai", "azure"])
def test_a_model_without_a_key_is_not_asked(cast: Cast, dataset: Dataset, provider: str) -> None:
    model = make_judge_model(cast.owner, ADDRESS, key="", provider=provider)
    assert cause(cast, dataset, judging_settings(model)) == Cause.KEY_MISSING


def test_an_endpoint_of_ones_own_may_want_no_key(cast: Cast, dataset: Dataset) -> None:
    model = make_judge_model(cast.owner, ADDRESS, key="")
    assert found(cast, dataset, judging_settings(model)).asked.target.key == ""


@pytest.mark.spec("SC-130")
def test_a_key_that_cannot_be_read_is_none(cast: Cast, dataset: Dataset, model: LanguageModel) -> None:
    Connection.objects.update(encrypted_key="garbage")
    assert cause(cast, dataset, judging_settings(model)) == Cause.KEY_MISSING


@pytest.mark.spec("SC-130", "SC-D1")
def test_a_judge_agent_that_is_gone_or_none_is_missing(cast: Cast, dataset: Dataset, model: LanguageModel) -> None:
    agent = make_judge(cast.owner, model)
    settings = judging_settings(None, agent=str(agent.pk))
    agent.delete()
    assert cause(cast, dataset, settings) == Cause.MISSING
    elsewhere = make_judge(cast.both_elsewhere, make_judge_model(cast.both_elsewhere, ADDRESS))
    assert cause(cast, dataset, judging_settings(None, agent=str(elsewhere.pk))) == Cause.MISSING
    helper = helper_agent(cast.kettle, Helper.JUDGE)
    assert cause(cast, dataset, judging_settings(model, agent=str(helper.pk))) == Cause.MISSING


@pytest.mark.spec("SC-130", "SC-D1")
def test_a_judge_agent_is_published_and_not_archived(cast: Cast, dataset: Dataset, model: LanguageModel) -> None:
    draft_only = make_judge(cast.owner, None)
    assert cause(cast, dataset, judging_settings(model, agent=str(draft_only.pk))) == Cause.UNPUBLISHED
    archived = make_judge(cast.owner, model, state="archived")
    assert cause(cast, dataset, judging_settings(model, agent=str(archived.pk))) == Cause.ARCHIVED


@pytest.mark.spec("SC-130")
def test_a_judge_agent_whose_model_is_gone_does_not_take_the_settings_model(
    cast: Cast, dataset: Dataset, model: LanguageModel
) -> None:
    agent = make_judge(cast.owner, model)
    other = make_judge_model(cast.owner, ADDRESS)
    model.delete()
    assert cause(cast, dataset, judging_settings(other, agent=str(agent.pk))) == Cause.MODEL_MISSING


@pytest.mark.spec("SC-130", "SC-D1")
def test_a_judge_agent_needs_agents_run_and_the_built_in_one_nothing(
    cast: Cast, dataset: Dataset, model: LanguageModel
) -> None:
    agent = make_judge(cast.owner, model, visibility="private")
    settings = judging_settings(model, agent=str(agent.pk))
    assert cause(cast, dataset, settings, "member") == Cause.FORBIDDEN
    Agent.objects.filter(pk=agent.pk).update(visibility="organisation")
    assert found(cast, dataset, settings, "member").identity.id == str(agent.pk)
    assert cause(cast, dataset, settings, "viewer") == Cause.FORBIDDEN
    for who in ("member", "viewer"):
        assert found(cast, dataset, judging_settings(model), who).identity.kind == "built_in"


@pytest.mark.spec("SC-130", "PL-25")
@pytest.mark.parametrize("whose", ["judge", "organisation"])
def test_a_budget_that_is_used_up_stops_either_kind(
    cast: Cast, dataset: Dataset, model: LanguageModel, whose: str
) -> None:
    agents = [helper_agent(cast.kettle, Helper.JUDGE), make_judge(cast.owner, model)]
    for agent in agents:
        record_cost(agent_id=agent.pk, usd=Decimal("0.5"), at=timezone.now())
    if whose == "judge":
        Agent.objects.update(monthly_budget=Decimal("0.5"))
    else:
        cast.kettle.monthly_budget = Decimal("0.5")
        cast.kettle.save()
    for agent_id in (None, str(agents[1].pk)):
        assert cause(cast, dataset, judging_settings(model, agent=agent_id)) == Cause.BUDGET


@pytest.mark.spec("SC-130")
def test_what_is_wrong_with_a_judge_is_told_in_the_order_of_the_causes(cast: Cast, dataset: Dataset) -> None:
    keyless = make_judge_model(cast.owner, ADDRESS, key="", provider="openai")
    agent = make_judge(cast.owner, keyless, state="archived", visibility="private")
    settings = judging_settings(None, agent=str(agent.pk))
    assert cause(cast, dataset, settings, "member") == Cause.ARCHIVED
    Agent.objects.filter(pk=agent.pk).update(state="active")
    assert cause(cast, dataset, settings, "member") == Cause.KEY_MISSING
    Connection.objects.update(provider="compatible")
    assert cause(cast, dataset, settings, "member") == Cause.FORBIDDEN


@pytest.mark.spec("SC-147")
def test_who_cannot_grade_is_pinned_as_far_as_it_is_known(cast: Cast, dataset: Dataset, model: LanguageModel) -> None:
    agent = make_judge(cast.owner, model, state="archived")
    settings = judging_settings(None, agent=str(agent.pk))
    nobody = judge_of(cast.actor("owner"), dataset, settings)
    pin = nobody.pin(settings)
    assert (pin.judge_id, pin.judge_version, pin.model) == (str(agent.pk), 1, "judge-1")
    agent_id = str(agent.pk)
    agent.delete()
    pin = judge_of(cast.actor("owner"), dataset, settings).pin(settings)
    assert (pin.judge_kind, pin.judge_id, pin.judge_version, pin.model) == ("agent", agent_id, None, None)
