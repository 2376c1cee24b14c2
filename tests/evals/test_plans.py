"""What a plan holds, and every refusal of a start in its order (EV-20 to EV-32, EV-D3 to EV-D8)."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.access import put_grant
from accounts.actor import Actor
from accounts.models import ApiKey
from accounts.permissions import GrantLevel
from agents.models import Agent, Helper
from agents.operations.helper_agents import helper_agent
from agents.operations.spending import record_cost
from core.errors import Conflict, DomainError, Invalid, NotAllowed, NotFound
from datasets.models import CaseRevision
from datasets.operations.datasets import create_dataset
from evals.logic.left_out import LeftOutCause
from evals.models import EvalRun
from evals.queries.plans import choices_of, plan_of
from tests.cast import Cast
from tests.evals.starts import CHECKS, StartScene, publish
from tests.scoring.judges import make_judge, make_judge_model

JUDGE_CHECK = {"type": "judge", "criterion": "Is it polite?"}


@pytest.fixture
def scene(cast: Cast) -> StartScene:
    return StartScene(cast)


def anonymise(revision: CaseRevision) -> None:
    CaseRevision.objects.filter(pk=revision.pk).update(anonymised_at=timezone.now())


def refused(scene: StartScene, error: type[DomainError], who: str = "builder", **choices: Any) -> Any:
    with pytest.raises(error) as caught:
        scene.plan(who, **choices)
    assert type(caught.value) is error
    return caught.value


def fields(error: Invalid) -> list[str]:
    return [problem.field for problem in error.problems]


def key_of(scene: StartScene, who: str, *permissions: str) -> Actor:
    member = scene.cast.members[who]
    key = ApiKey.objects.create(member=member, prefix="k", key_hash=uuid4().hex, permissions=list(permissions))
    return Actor.of_key(key)


# --- Who may (EV-D4, 1 to 4)


@pytest.mark.spec("EV-32", "EV-D4")
@pytest.mark.parametrize("who", ["stranger", "member"])
def test_a_dataset_that_may_not_be_known_is_not_found_before_anything_else(scene: StartScene, who: str) -> None:
    scene.dataset.visibility = "private"
    scene.dataset.save()
    refused(scene, NotFound, who, agent=str(uuid4()), repeats=99)


@pytest.mark.spec("EV-24", "EV-27", "EV-D4")
@pytest.mark.parametrize("who", ["colleague", "viewer"])
def test_who_cannot_read_runs_starts_none_whatever_else_is_wrong(scene: StartScene, who: str) -> None:
    scene.dataset.visibility = "organisation"
    scene.dataset.save()
    assert "Builder" in str(refused(scene, NotAllowed, who, agent=str(uuid4()), repeats=99))


@pytest.mark.spec("EV-28", "EV-29")
def test_a_use_grant_from_before_lets_nobody_start(scene: StartScene) -> None:
    scene.dataset.visibility = "private"
    scene.dataset.save()
    put_grant(scene.dataset, user=scene.cast.colleague.user, level=GrantLevel.USE)
    refused(scene, NotFound, "colleague")


@pytest.mark.spec("EV-26")
@pytest.mark.parametrize("who", ["owner", "admin", "builder", "operator"])
def test_four_roles_may_start(scene: StartScene, who: str) -> None:
    assert len(scene.plan(who).cases) == 2


@pytest.mark.spec("EV-25", "EV-D65", "EV-D4")
def test_a_key_without_datasets_run_is_refused_before_the_agent_is_looked_for(scene: StartScene) -> None:
    actor = key_of(scene, "builder", "datasets:view", "runs:view", "agents:view", "agents:run")
    with pytest.raises(NotAllowed):
        scene.plan(actor=actor, agent=str(uuid4()))


@pytest.mark.spec("EV-D4", "EV-D65")
def test_an_agent_is_not_found_without_sight_and_refused_without_agents_run(scene: StartScene) -> None:
    refused(scene, NotFound, agent=str(uuid4()), repeats=99)
    blind = key_of(scene, "builder", "runs:view", "datasets:run")
    with pytest.raises(NotFound):
        scene.plan(actor=blind, repeats=99)
    seeing = key_of(scene, "builder", "runs:view", "datasets:run", "agents:view")
    with pytest.raises(NotAllowed):
        scene.plan(actor=seeing, repeats=99)
    assert scene.plan(actor=key_of(scene, "builder", "runs:view", "datasets:run", "agents:run")).cases


@pytest.mark.spec("EV-D4")
def test_a_helper_is_no_agent_to_run(scene: StartScene) -> None:
    refused(scene, NotFound, "owner", agent=str(helper_agent(scene.cast.kettle, Helper.JUDGE).pk))


@pytest.mark.spec("EV-D4", "EV-D3")
def test_a_body_is_read_only_for_who_may_start_with_its_agent(scene: StartScene) -> None:
    def read(who: str, **body: Any) -> Any:
        return choices_of(scene.actor(who), dataset_id=scene.dataset.pk, raw=body)

    with pytest.raises(NotFound):
        read("stranger", agent=1, repeats=99)
    with pytest.raises(NotFound):
        read("builder", agent=str(uuid4()), repeats=99)
    with pytest.raises(Invalid) as wrong:
        read("builder", agent=str(scene.agent.pk), repeats=99)
    assert fields(wrong.value) == ["repeats"]
    with pytest.raises(Invalid) as nothing:
        choices_of(scene.actor("builder"), dataset_id=scene.dataset.pk, raw=["agent"])
    assert fields(nothing.value) == [""]
    assert read("builder", agent=str(scene.agent.pk), repeats=2) == scene.choices(repeats=2)


# --- What is wrong with the choices (EV-D4, 5)


@pytest.mark.spec("EV-D5", "EV-D4")
def test_all_that_is_unknown_is_named_at_once_before_any_state(scene: StartScene) -> None:
    Agent.objects.filter(pk=scene.agent.pk).update(state="archived")
    run = str(uuid4())
    error = refused(
        scene, Invalid, agent_version=7, dataset_version=9, not_passed_in=run, baseline=run, repeats=6,
        max_cost_usd=Decimal(0),
    )  # fmt: skip
    assert sorted(fields(error)) == [
        "agent_version", "baseline", "dataset_version", "max_cost_usd", "not_passed_in", "repeats",
    ]  # fmt: skip


@pytest.mark.spec("EV-D5")
def test_unknown_tags_and_cases_are_named_by_place(scene: StartScene) -> None:
    scene.add("Tagged", tags=("Returns",))
    known = str(scene.revisions[0].case_id)
    error = refused(scene, Invalid, tags=("returns", "nowhere"), case_ids=(known, str(uuid4())))
    assert fields(error) == ["tags.1", "case_ids.1"]
    assert "nowhere" in error.problems[0].message


@pytest.mark.spec("EV-D5")
def test_a_case_that_came_later_is_none_of_an_older_version(scene: StartScene) -> None:
    later = scene.add("Later")
    assert fields(refused(scene, Invalid, dataset_version=2, case_ids=(str(later.case_id),))) == ["case_ids.0"]


@pytest.mark.spec("EV-D5")
def test_a_baseline_of_another_dataset_is_as_unknown_as_none(scene: StartScene) -> None:
    other = create_dataset(scene.actor("builder"), name="Another")
    run = scene.start()
    EvalRun.objects.filter(pk=run.pk).update(dataset=other)
    here, nowhere = (refused(scene, Invalid, baseline=key) for key in (str(run.pk), str(uuid4())))
    assert [problem.as_dict() for problem in here.problems] == [problem.as_dict() for problem in nowhere.problems]


@pytest.mark.spec("EV-D5")
def test_a_dataset_without_cases_has_nothing_to_run(cast: Cast) -> None:
    assert fields(refused(StartScene(cast, cases=0), Invalid)) == ["dataset_version"]


@pytest.mark.spec("EV-20", "EV-D6", "EV-D5")
def test_no_case_left_counts_those_left_out_by_cause(scene: StartScene) -> None:
    scene.set(checks={"enabled": False}, tool_calls={"enabled": True})
    scene.add("Third")
    anonymise(scene.revisions[0])
    message = refused(scene, Invalid).problems[0].message
    assert message == (
        "No case is left to run. 1 is left out because it was anonymised after erasure. "
        "2 are left out because the grading settings have nothing to check in them."
    )


@pytest.mark.spec("EV-D5")
def test_tags_and_ids_that_no_case_has_together_leave_none(scene: StartScene) -> None:
    scene.add("Tagged", tags=("returns",))
    error = refused(scene, Invalid, tags=("returns",), case_ids=(str(scene.revisions[0].case_id),))
    assert error.problems[0].message == "No case is left to run."


@pytest.mark.spec("EV-D8")
def test_more_attempts_than_a_run_may_have_are_refused(scene: StartScene, settings: Any) -> None:
    settings.EVAL_MAX_ATTEMPTS = 3
    assert "3" in refused(scene, Invalid, repeats=2).problems[0].message
    settings.EVAL_MAX_ATTEMPTS = 4
    assert scene.plan(repeats=2).attempts == 4


# --- What the state forbids (EV-D4, 6)


def archived(scene: StartScene) -> None:
    Agent.objects.filter(pk=scene.agent.pk).update(state="archived")


def unpublished(scene: StartScene) -> None:
    scene.agent.versions.all().delete()
    Agent.objects.filter(pk=scene.agent.pk).update(newest_version=0)


def external(scene: StartScene) -> None:
    Agent.objects.filter(pk=scene.agent.pk).update(kind="external")


def model_removed(scene: StartScene) -> None:
    scene.model.delete()


def nothing_decides(scene: StartScene) -> None:
    scene.set(checks={"enabled": False, "must_pass": True, "defaults": []}, tool_calls={"enabled": False})


def advice_alone(scene: StartScene) -> None:
    scene.set(checks={"enabled": True, "must_pass": False, "defaults": []}, tool_calls={"enabled": False})


def judge_without_model(scene: StartScene) -> None:
    scene.judge_by(None)


def judge_gone(scene: StartScene) -> None:
    scene.judge_by(None, agent=str(uuid4()))


def agent_over_budget(scene: StartScene) -> None:
    Agent.objects.filter(pk=scene.agent.pk).update(monthly_budget=Decimal(1))
    record_cost(agent_id=scene.agent.pk, usd=Decimal(1), at=timezone.now())


def organisation_over_budget(scene: StartScene) -> None:
    scene.cast.kettle.monthly_budget = Decimal(1)
    scene.cast.kettle.save()
    record_cost(agent_id=scene.agent.pk, usd=Decimal(1), at=timezone.now())


@pytest.mark.spec("EV-D5", "EV-D15")
@pytest.mark.parametrize(
    ("forbid", "code"),
    [
        (archived, "agent_archived"),
        (unpublished, "agent_unpublished"),
        (external, "agent_external"),
        (model_removed, "agent_cannot_answer"),
        (nothing_decides, "nothing_decides"),
        (advice_alone, "nothing_decides"),
        (judge_without_model, "judge_model_missing"),
        (judge_gone, "judge_missing"),
        (agent_over_budget, "over_budget"),
        (organisation_over_budget, "over_budget"),
    ],
)
def test_a_state_that_forbids_it_is_a_conflict_with_its_code(
    scene: StartScene, forbid: Callable[[StartScene], None], code: str
) -> None:
    forbid(scene)
    assert refused(scene, Conflict).code == code


@pytest.mark.spec("EV-D5")
def test_a_judge_agent_is_not_asked_to_answer(scene: StartScene) -> None:
    judge = make_judge(scene.cast.owner, scene.model)
    assert refused(scene, Conflict, agent=str(judge.pk)).code == "agent_judge"


@pytest.mark.spec("EV-D5", "EV-D4")
def test_states_are_asked_in_their_order(scene: StartScene) -> None:
    for forbid in (agent_over_budget, judge_without_model, archived):
        forbid(scene)
    assert refused(scene, Conflict).code == "agent_archived"
    Agent.objects.filter(pk=scene.agent.pk).update(state="active")
    assert refused(scene, Conflict).code == "judge_model_missing"
    assert refused(scene, Conflict, allow_unscored=True).code == "over_budget"


@pytest.mark.spec("EV-D5")
def test_a_judge_that_cannot_grade_is_no_matter_where_unscored_answers_are_allowed(scene: StartScene) -> None:
    judge_without_model(scene)
    plan = scene.plan(allow_unscored=True)
    assert plan.pin is not None
    assert plan.pin.model is None


@pytest.mark.spec("EV-D5")
def test_a_judge_that_no_case_needs_is_not_asked_for(scene: StartScene) -> None:
    scene.set(judge={"enabled": True, "criteria": [], "model": None})
    assert scene.plan().judge is None
    scene.add("With a criterion", checks=(JUDGE_CHECK,))
    assert refused(scene, Conflict).code == "judge_model_missing"


@pytest.mark.spec("EV-D40")
def test_a_run_that_has_not_ended_is_no_baseline_yet(scene: StartScene) -> None:
    assert refused(scene, Conflict, baseline=str(scene.start().pk)).code == "baseline_unfinished"


# --- What is planned


@pytest.mark.spec("EV-10", "EV-D5")
def test_versions_are_the_newest_or_those_named(scene: StartScene) -> None:
    publish(scene.agent, 2, scene.model)
    newest, older = scene.plan(), scene.plan(dataset_version=1, agent_version=1)
    assert (newest.version, newest.agent_version.number, len(newest.cases)) == (2, 2, 2)
    assert (older.version, older.agent_version.number, len(older.cases)) == (1, 1, 1)


@pytest.mark.spec("EV-20", "EV-D6")
def test_cases_left_out_are_listed_with_their_cause(scene: StartScene) -> None:
    scene.set(tool_calls={"enabled": False})
    calls = ({"tool": "refund", "args": {}},)
    unchecked = scene.add("Only a call", checks=(), expected_tool_calls=calls)
    anonymise(scene.revisions[0])
    plan = scene.plan()
    assert [case.revision_id for case in plan.cases] == [scene.revisions[1].pk]
    assert [(one.case_id, one.cause) for one in plan.left_out] == [
        (scene.revisions[0].case_id, LeftOutCause.ANONYMISED),
        (unchecked.case_id, LeftOutCause.NOTHING_TO_CHECK),
    ]


@pytest.mark.spec("EV-D1")
def test_cases_are_chosen_by_tags_ids_and_an_earlier_run_together(scene: StartScene) -> None:
    tagged = [scene.add(f"Tagged {number}", tags=("Returns", "other")) for number in range(2)]
    assert [case.case_id for case in scene.plan(tags=("RETURNS",)).cases] == [one.case_id for one in tagged]
    one = str(tagged[1].case_id)
    assert [str(case.case_id) for case in scene.plan(tags=("returns",), case_ids=(one,)).cases] == [one]


@pytest.mark.spec("EV-D1")
def test_those_that_did_not_pass_are_the_failed_and_the_unscored(scene: StartScene) -> None:
    from_run = scene.ended("pass", "fail")
    scene.add("Not asked then")
    (case,) = scene.plan(not_passed_in=str(from_run.pk)).cases
    assert case.revision_id == scene.revisions[1].pk


@pytest.mark.spec("EV-D8")
def test_a_plan_takes_as_many_statements_for_many_cases_as_for_few(
    scene: StartScene, django_assert_max_num_queries: Callable[[int], CaptureQueriesContext]
) -> None:
    scene.judge_by(make_judge_model(scene.cast.owner, "http://127.0.0.1:9"))
    for number in range(10):
        scene.add(f"More {number}", checks=(*CHECKS, JUDGE_CHECK))
    with django_assert_max_num_queries(20):
        plan_of(scene.actor("builder"), dataset_id=scene.dataset.pk, choices=replace(scene.choices(), repeats=5))


# --- The automatic baseline


@pytest.mark.spec("EV-D40")
def test_without_an_earlier_run_there_is_no_baseline(scene: StartScene) -> None:
    assert (scene.plan().baseline, scene.plan().confirms) == (None, False)


@pytest.mark.spec("EV-D40")
def test_the_automatic_baseline_is_pinned_then_of_the_same_judge_then_the_latest(scene: StartScene) -> None:
    pinned = scene.ended("pass", pin_hash="other", is_baseline=True)
    same = scene.ended("pass", pin_hash="")
    latest = scene.ended("pass", pin_hash="other")
    scene.ended("pass", state="stopped")
    for expected in (pinned, same, latest, None):
        assert scene.plan().baseline == expected
        EvalRun.objects.filter(pk__in=[expected.pk] if expected else []).update(archived_at=timezone.now())


@pytest.mark.spec("EV-D40", "EV-D50")
def test_a_baseline_is_the_one_named_or_none_where_none_is_wanted(scene: StartScene) -> None:
    first, _latest = scene.ended("pass"), scene.ended("pass")
    assert scene.plan(baseline=str(first.pk)).baseline == first
    assert scene.plan(baseline=None).baseline is None
    assert not scene.plan(confirm_changes=False).confirms


@pytest.mark.spec("EV-D40")
def test_runs_of_another_agent_are_no_automatic_baseline(scene: StartScene) -> None:
    run = scene.ended("pass")
    EvalRun.objects.filter(pk=run.pk).update(agent=make_judge(scene.cast.owner, scene.model))
    assert scene.plan().baseline is None
