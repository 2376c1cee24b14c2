"""Score again: what is accepted, left and refused, and what comes of it (SC-134 to SC-145, SC-D53 to SC-D60)."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import ApiKey, AuditEntry
from activity.models import Run
from agents.models import Agent, AgentVersion, Helper, LanguageModel
from agents.operations.helper_agents import helper_agent
from agents.operations.spending import record_cost
from core.errors import Conflict, Invalid, NotAllowed, NotFound
from datasets.logic.drafts import CaseDraft
from datasets.operations.datasets import create_dataset
from scoring.logic.pins import Pin
from scoring.models import Score, ScoreAttempt, ScoreOutcome
from scoring.operations.rescoring import ScoredAgain, score_again
from tests.agents.provider_server import FakeProvider, error, fake_provider
from tests.cast import Cast
from tests.scoring.judges import entry, good_reply, make_judge, make_judge_model, reply, verdicts
from tests.scoring.scored import ANSWER, CHECK, Scene, grade, states_of, verdicts_of

FAILING = [error(400, "No.")]


@pytest.fixture
def scene(cast: Cast, settings: Any) -> Scene:
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)
    return Scene(cast)


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with fake_provider(*FAILING) as server:
        yield server


@pytest.fixture
def model(scene: Scene, provider: FakeProvider) -> LanguageModel:
    found: LanguageModel = make_judge_model(scene.cast.owner, provider.address)
    scene.judge_by(found)
    return found


@pytest.fixture
def judge(scene: Scene, model: LanguageModel) -> Agent:
    """A judge agent that grades the dataset."""
    found = make_judge(scene.cast.owner, model)
    scene.judge_by(None, agent=str(found.pk))
    return found


@pytest.fixture
def unscored(scene: Scene, model: LanguageModel) -> Score:
    """Its judge failed."""
    score = scene.graded()
    assert score.outcome == "unscored"
    return score


def again(scene: Scene, *scores: Score, who: str = "builder", **given: Any) -> ScoredAgain:
    named: dict[str, Any] = {"dataset_id": scene.dataset.pk, "score_ids": [score.pk for score in scores]} | given
    return score_again(scene.actor(who), **named)


def refused(scene: Scene, *scores: Score, code: str, concerned: list[Score] | None = None) -> None:
    """Refused with this code and the ids concerned, and nothing changes (SC-144)."""
    before = list(Score.objects.order_by("pk").values())
    with pytest.raises(Conflict) as conflict:
        again(scene, *scores)
    assert conflict.value.code == code
    assert conflict.value.data["score_ids"] == [str(score.pk) for score in concerned or scores]
    assert list(Score.objects.order_by("pk").values()) == before
    assert not ScoreAttempt.objects.exists()


# --- What is accepted


@pytest.mark.spec("SC-134", "SC-135", "SC-137", "SC-138", "SC-139", "SC-D59")
def test_an_unscored_answer_is_graded_again_and_the_earlier_try_kept(
    scene: Scene, provider: FakeProvider, unscored: Score
) -> None:
    Score.objects.update(decided=ScoreOutcome.FAIL, is_pinned=True)
    assert again(scene, unscored, who="owner") == ScoredAgain((unscored.pk,), ())
    waiting = Score.objects.get(pk=unscored.pk)
    assert (waiting.state, waiting.outcome, waiting.why, waiting.asked_by) == ("waiting", "", None, scene.cast.owner)
    provider.answers = [good_reply()]
    done = grade(waiting)
    assert (done.outcome, done.judge_trouble, done.why) == ("pass", "", None)
    assert (done.decided, done.is_pinned, done.run_id) == ("fail", True, unscored.run_id)
    assert done.judge_run_id != unscored.judge_run_id
    attempt = ScoreAttempt.objects.get(score=unscored)
    assert (attempt.number, attempt.asked_by, attempt.graded_at) == (1, scene.cast.builder, unscored.graded_at)
    assert (attempt.pin, attempt.why, attempt.results) == (unscored.pin, unscored.why, unscored.results)
    assert attempt.judge_run_id == unscored.judge_run_id
    assert Run.objects.exclude(kind="helper").count() == 1, "the agent is not run again"
    assert AuditEntry.objects.get(action="score.asked_again").details == {"scores": [str(unscored.pk)]}


@pytest.mark.spec("SC-D59")
def test_a_judge_that_fails_again_leaves_it_unscored_with_the_new_reason(
    scene: Scene, provider: FakeProvider, unscored: Score
) -> None:
    provider.answers = [reply("not JSON")]
    again(scene, unscored)
    grade(unscored)
    assert (unscored.outcome, unscored.unreadable_reply) == ("unscored", "not JSON")
    again(scene, unscored)
    provider.answers = [good_reply()]
    grade(unscored)
    assert [(attempt.number, attempt.unreadable_reply) for attempt in unscored.attempts.order_by("number")] == [
        (1, ""),
        (2, "not JSON"),
    ]
    assert (unscored.outcome, unscored.unreadable_reply) == ("pass", "")


@pytest.mark.spec("SC-140")
def test_a_score_with_every_verdict_stays_as_it_is(scene: Scene, provider: FakeProvider, unscored: Score) -> None:
    provider.answers = [reply(verdicts(entry("c-1", 1), entry("c-2", 5)))]
    failed = scene.graded()
    before = Score.objects.filter(pk=failed.pk).values().get()
    assert again(scene, failed, unscored) == ScoredAgain((unscored.pk,), (failed.pk,))
    assert Score.objects.filter(pk=failed.pk).values().get() == before
    assert again(scene, failed) == ScoredAgain((), (failed.pk,))
    assert AuditEntry.objects.filter(action="score.asked_again").count() == 1


@pytest.mark.spec("SC-135", "SC-D58")
def test_the_settings_of_the_first_time_hold_and_verdicts_of_rules_stay(
    scene: Scene, provider: FakeProvider, model: LanguageModel, unscored: Score
) -> None:
    scene.set(checks={"defaults": [{"type": "contains", "value": "please"}]})
    Score.objects.filter(pk=unscored.pk).update(results=_with_checks_number(unscored, 0.5))
    again(scene, unscored)
    provider.answers = [good_reply()]
    done = grade(Score.objects.get(pk=unscored.pk))
    assert verdicts_of(done) == {"check-1": "pass", "c-1": "pass", "c-2": "pass"}
    assert done.results[0]["findings"][0]["why"] == {"text": "kept", "values": {}}


def _with_checks_number(score: Score, number: float) -> Any:
    """The results with a mark on the check's finding, which a new grading would not make."""
    results = [dict(result) for result in score.results]
    finding = dict(results[0]["findings"][0], why={"text": "kept", "values": {}})
    results[0] = dict(results[0], number=number, findings=[finding])
    return results


@pytest.mark.spec("SC-D58")
def test_a_rule_without_a_verdict_is_graded_again_and_the_judge_not_paid_again(
    scene: Scene, provider: FakeProvider, model: LanguageModel
) -> None:
    provider.answers = [good_reply()]
    score = scene.graded()
    results = [dict(result) for result in score.results]
    finding = dict(results[0]["findings"][0], verdict="error")
    results[0] = dict(results[0], state="no_verdict", number=None, findings=[finding])
    Score.objects.update(results=results, outcome="unscored")
    again(scene, score)
    score = grade(Score.objects.get(pk=score.pk))
    assert (score.outcome, states_of(score)) == (
        "pass",
        {"checks": "pass", "tool_calls": "not_applicable", "judge": "pass"},
    )
    assert score.pin is not None
    assert len(provider.asked) == 1


@pytest.mark.spec("SC-145")
def test_an_answer_scored_on_its_own_is_graded_by_the_version_published_now(
    scene: Scene, provider: FakeProvider, judge: Agent
) -> None:
    score = scene.graded()
    assert score.pin["judge_version"] == 1
    publish_again(judge)
    provider.answers = [good_reply()]
    again(scene, score)
    done = grade(Score.objects.get(pk=score.pk))
    assert (done.outcome, done.pin["judge_version"]) == ("pass", 2)


def publish_again(judge: Agent) -> None:
    first = AgentVersion.objects.get(agent=judge, number=1)
    AgentVersion.objects.create(agent=judge, number=2, spec=first.spec)
    Agent.objects.filter(pk=judge.pk).update(newest_version=2)


@pytest.mark.spec("SC-D57")
def test_the_copy_is_graded_again_where_the_run_is_gone_and_the_copy_is_whole(
    scene: Scene, provider: FakeProvider, unscored: Score
) -> None:
    Run.objects.filter(pk__in=[unscored.run_id]).delete()
    again(scene, unscored)
    provider.answers = [good_reply()]
    assert grade(Score.objects.get(pk=unscored.pk)).outcome == "pass"


# --- Refusals


@pytest.mark.spec("SC-166", "SC-167", "SC-D54")
@pytest.mark.parametrize(
    ("who", "error"),
    [("stranger", NotFound), ("viewer", NotAllowed), ("member", NotAllowed)],
)
def test_scoring_again_takes_running_the_dataset_and_reading_runs(
    scene: Scene, unscored: Score, who: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        again(scene, unscored, who=who)


@pytest.mark.spec("SC-136", "SC-D55")
def test_none_or_more_than_ten_are_refused(scene: Scene, unscored: Score) -> None:
    for ids in ([], [unscored.pk] * 11):
        with pytest.raises(Invalid) as invalid:
            again(scene, score_ids=ids)
        assert [problem.field for problem in invalid.value.problems] == ["score_ids"]


@pytest.mark.spec("SC-D55")
def test_a_repeated_or_unknown_id_is_refused_at_its_place(scene: Scene, unscored: Score, cast: Cast) -> None:
    elsewhere = Scene(cast, name="Other").graded()
    ids = [unscored.pk, uuid4(), unscored.pk, None, elsewhere.pk]
    with pytest.raises(Invalid) as invalid:
        again(scene, score_ids=ids)
    fields = [problem.field for problem in invalid.value.problems]
    assert fields == ["score_ids.1", "score_ids.2", "score_ids.3", "score_ids.4"]
    messages = {problem.message for problem in invalid.value.problems if problem.field != "score_ids.2"}
    assert len(messages) == 1, "one of another dataset looks like one of none"
    assert Score.objects.get(pk=unscored.pk).state == "done"


@pytest.mark.spec("SC-D55")
def test_a_score_that_waits_is_busy(scene: Scene, unscored: Score) -> None:
    waiting = scene.score()
    refused(scene, unscored, waiting, code="busy", concerned=[waiting])


@pytest.mark.spec("SC-D57", "SC-D55")
def test_an_answer_that_is_gone_is_refused(scene: Scene, unscored: Score) -> None:
    cut = scene.graded("x" * 9_000 + ANSWER)
    Run.objects.filter(pk__in=[cut.run_id]).delete()
    erased = scene.graded(f"{ANSWER} erased")
    Score.objects.filter(pk=erased.pk).update(answer_removed_at=timezone.now())
    refused(scene, cut, erased, unscored, code="answer_gone", concerned=[cut, erased])


@pytest.mark.spec("SC-D56", "SC-D55")
def test_a_judge_that_was_off_the_first_time_is_refused(scene: Scene, unscored: Score) -> None:
    scene.set(judge={"enabled": False})
    case_id = scene.add(CaseDraft(input="q", checks=({"type": "judge", "criterion": "Is it short?"},)))
    off = scene.graded(case_id=case_id)
    assert off.outcome == "unscored"
    refused(scene, off, unscored, code="judge_off", concerned=[off])


@pytest.mark.spec("SC-135", "SC-D56", "SC-D55")
def test_one_that_was_graded_without_a_model_is_refused_whatever_is_chosen_since(
    scene: Scene, model: LanguageModel
) -> None:
    scene.judge_by(None)
    score = scene.graded()
    scene.judge_by(model)
    refused(scene, score, code="judge_model_missing")
    with pytest.raises(Conflict, match="name no model: score the answer anew"):
        again(scene, score)


@pytest.mark.spec("SC-141", "SC-130", "SC-144")
def test_each_cause_that_is_still_there_is_refused_by_its_code(
    scene: Scene, provider: FakeProvider, judge: Agent, model: LanguageModel
) -> None:
    score = scene.graded()
    agents, versions = Agent.objects.filter(pk=judge.pk), AgentVersion.objects.filter(agent=judge)
    agents.update(state="archived")
    refused(scene, score, code="judge_archived")
    agents.update(state="active")
    record_cost(agent_id=judge.pk, usd=Decimal(5), at=timezone.now())
    agents.update(monthly_budget=Decimal(1))
    refused(scene, score, code="judge_budget")
    agents.update(monthly_budget=None)
    spec = versions.get().spec
    versions.update(spec={**spec, "model": str(uuid4())})
    refused(scene, score, code="judge_model_missing")
    versions.update(spec=spec)
    connection = model.connection
    connection.provider = "openai"
    connection.set_key("")
    connection.save()
    refused(scene, score, code="judge_key_missing")
    connection.provider = "compatible"
    connection.save()
    versions.all().delete()
    agents.update(newest_version=0)
    refused(scene, score, code="judge_unpublished")
    agents.delete()
    refused(scene, score, code="judge_missing")


@pytest.mark.spec("SC-141", "SC-D54")
def test_who_may_not_run_the_judge_is_refused(scene: Scene, judge: Agent) -> None:
    """A key that may do everything but run agents."""
    score = scene.graded()
    key = ApiKey(member=scene.cast.builder, permissions=["datasets:view", "datasets:run", "runs:view"])
    with pytest.raises(Conflict) as conflict:
        score_again(Actor.of_key(key), dataset_id=scene.dataset.pk, score_ids=[score.pk])
    assert (conflict.value.code, conflict.value.data) == ("judge_forbidden", {"score_ids": [str(score.pk)]})


@pytest.mark.spec("SC-142")
def test_a_part_of_a_test_run_is_refused_once_its_judge_was_published_again(
    scene: Scene, provider: FakeProvider, judge: Agent
) -> None:
    score, alone = scene.graded(), scene.graded()
    Score.objects.filter(pk=score.pk).update(is_pinned=True)
    publish_again(judge)
    refused(scene, score, alone, code="judge_republished", concerned=[score])


@pytest.mark.spec("SC-143")
def test_a_part_of_a_test_run_is_refused_once_the_judges_task_has_changed(scene: Scene, unscored: Score) -> None:
    pin = Pin.of_json({**unscored.pin, "task_version": 0})
    assert pin is not None
    Score.objects.update(is_pinned=True, pin=pin.as_json())
    refused(scene, Score.objects.get(pk=unscored.pk), code="judge_prompt_changed")


def test_a_part_of_a_test_run_whose_judge_had_no_version_is_graded_by_the_first(
    scene: Scene, provider: FakeProvider, judge: Agent
) -> None:
    spec = AgentVersion.objects.get(agent=judge).spec
    AgentVersion.objects.filter(agent=judge).delete()
    Agent.objects.filter(pk=judge.pk).update(newest_version=0)
    score = scene.graded()
    Score.objects.filter(pk=score.pk).update(is_pinned=True)
    AgentVersion.objects.create(agent=judge, number=1, spec=spec)
    Agent.objects.filter(pk=judge.pk).update(newest_version=1)
    provider.answers = [good_reply()]
    again(scene, score)
    assert grade(Score.objects.get(pk=score.pk)).outcome == "pass"


@pytest.mark.spec("SC-57")
def test_no_cause_of_another_dataset_counts(scene: Scene, provider: FakeProvider, unscored: Score) -> None:
    """The built-in judge's budget is the organisation's: used up, every dataset's scores are refused."""
    helper = helper_agent(scene.cast.kettle, Helper.JUDGE)
    record_cost(agent_id=helper.pk, usd=Decimal(5), at=timezone.now())
    Agent.objects.filter(pk=helper.pk).update(monthly_budget=Decimal(1))
    refused(scene, unscored, code="judge_budget")
    Agent.objects.filter(pk=helper.pk).update(monthly_budget=Decimal(100))
    create_dataset(scene.actor("builder"), name="Another")
    assert again(scene, unscored).accepted == (unscored.pk,)


def test_a_failed_answer_whose_other_evaluator_has_no_verdict_is_graded_again(
    scene: Scene, provider: FakeProvider, model: LanguageModel
) -> None:
    score = scene.graded("Never.")
    assert (score.outcome, states_of(score)["judge"]) == ("fail", "no_verdict")
    provider.answers = [good_reply()]
    assert again(scene, score).accepted == (score.pk,)
    score = grade(Score.objects.get(pk=score.pk))
    assert (score.outcome, states_of(score)["judge"]) == ("fail", "pass")


def test_what_nothing_decides_has_nothing_to_be_graded_again(scene: Scene) -> None:
    scene.set(checks={"must_pass": False, "defaults": [CHECK]})
    score = scene.graded()
    assert score.outcome == "unscored"
    assert again(scene, score) == ScoredAgain((), (score.pk,))
