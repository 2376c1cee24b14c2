"""Grading what waits: judges side by side, at least once and never paid twice, for the person who asked (SC-D54)."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.models import Member
from activity.models import Run, RunKind
from agents.models import LanguageModel
from core.limits import LIMITS
from datasets.logic.drafts import CaseDraft
from datasets.operations.cases import delete_cases
from scoring import jobs
from scoring.logic.answers import GradedAnswer, MadeCall
from scoring.models import Score, ScoreOrigin, WaitingAnswer
from scoring.operations import grading, ruling
from scoring.operations.claims import claim_scores, lost_scores, show_life
from scoring.operations.grading import grade_scores
from scoring.operations.scores import AnswerToGrade, open_scores
from scoring.operations.settings import snapshot_of
from scoring.queries.grading_material import TakenScore
from tests.agents.provider_server import Answer, FakeProvider, error, fake_provider
from tests.cast import Cast
from tests.datasets.test_concurrency import at_once
from tests.scoring.judges import entry, good_reply, make_judge, make_judge_model, reply, verdicts
from tests.scoring.judges import grading as grading_by
from tests.scoring.scored import ANSWER, CHECK, Scene, grade, states_of, verdicts_of

KEY = "sk-proj-Ab3dEf6hIj9kLmNoPqRsTuVwXyZ0123456789abcd"


class Killed(BaseException):
    """What a worker dies of; nothing catches it."""


PAID: dict[str, Any] = {"usage": {"prompt_tokens": 1_000_000, "completion_tokens": 0, "total_tokens": 1_000_000}}


@pytest.fixture
def scene(cast: Cast, settings: Any) -> Scene:
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)
    return Scene(cast)


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with fake_provider(good_reply()) as server:
        yield server


@pytest.fixture
def model(scene: Scene, provider: FakeProvider) -> LanguageModel:
    found: LanguageModel = make_judge_model(scene.cast.owner, provider.address)
    scene.judge_by(found)
    return found


def stored_answers(scene: Scene, *texts: str, **more: Any) -> list[Score]:
    """Answers that no run holds, laid down to be graded."""
    given = [AnswerToGrade(scene.case_id, GradedAnswer(text, **more), has_agent=False) for text in texts]
    ids = open_scores(
        scene.actor("builder"),
        dataset=scene.dataset,
        version=1,
        snapshot=snapshot_of(scene.dataset),
        origin=ScoreOrigin.STORED,
        answers=given,
    )
    found = Score.objects.in_bulk(ids)
    return [found[score_id] for score_id in ids]


def ids_of(scores: list[Score]) -> list[Any]:
    return [score.pk for score in scores]


# --- What a judged score stores


@pytest.mark.spec("SC-6", "SC-9", "SC-146", "SC-147", "SC-10")
def test_a_judged_score_keeps_verdicts_pin_run_and_cost(
    scene: Scene, provider: FakeProvider, model: LanguageModel
) -> None:
    provider.answers = [reply(verdicts(entry("c-1", 5), entry("c-2", 3)), **PAID)]
    score = scene.graded()
    assert verdicts_of(score) == {"check-1": "pass", "c-1": "pass", "c-2": "fail"}
    assert (score.outcome, score.judge_trouble) == ("fail", "")
    assert score.number == pytest.approx((1 + (1 + 0.5) / 2) / 2)
    assert (score.pin["model"], score.pin["judge_kind"], len(score.pin_hash)) == ("judge-1", "built_in", 64)
    assert score.judge_cost == Decimal(2)
    run = Run.objects.get(kind=RunKind.HELPER)
    assert run.pk == score.judge_run_id
    assert run.started_by == scene.cast.builder
    assert len(provider.asked) == 1


@pytest.mark.spec("SC-149", "ACC-67", "ACC-68")
def test_what_a_judge_wrote_is_stored_without_credentials(
    scene: Scene, provider: FakeProvider, model: LanguageModel
) -> None:
    answer = f"{ANSWER} My key is {KEY}."
    said = entry("c-1", 5, f"My key is {KEY}.", reason=f"It shows {KEY}.", rule=f"No {KEY}.")
    provider.answers = [reply(verdicts(said, entry("c-2", 5)))]
    score = scene.graded(answer)
    assert KEY not in str(score.results)
    assert KEY not in score.answer
    assert "It shows" in str(score.results)
    provider.answers = [reply(f"no JSON, but {KEY}")]
    unread = scene.graded(answer)
    assert "no JSON" in unread.unreadable_reply
    assert KEY not in unread.unreadable_reply


@pytest.mark.spec("SC-13", "SC-129", "SC-131", "SC-132", "SC-147")
def test_a_judge_that_failed_leaves_rules_graded_and_the_score_pinned(
    scene: Scene, provider: FakeProvider, model: LanguageModel
) -> None:
    provider.answers = [error(400, "No.")]
    score = scene.graded()
    assert (score.outcome, states_of(score)["checks"], states_of(score)["judge"]) == ("unscored", "pass", "no_verdict")
    assert (score.judge_trouble, score.pin["model"]) == ("error", "judge-1")
    scene.judge_by(None)
    skipped = scene.graded()
    assert (skipped.outcome, skipped.judge_trouble, skipped.judge_run) == ("unscored", "skipped", None)
    assert skipped.pin is not None
    assert "no model" in skipped.why["text"]


@pytest.mark.spec("SC-D15")
def test_an_empty_answer_without_calls_calls_no_judge(
    scene: Scene, provider: FakeProvider, model: LanguageModel
) -> None:
    (score,) = stored_answers(scene, "  ")
    assert verdicts_of(grade(score)) == {"check-1": "fail", "c-1": "fail", "c-2": "fail"}
    (called,) = stored_answers(scene, "", calls=(MadeCall("refund", {}),))
    grade(called)
    assert len(provider.asked) == 1


@pytest.mark.spec("SC-D11")
def test_a_judge_check_joins_the_one_run_and_counts_for_checks(
    scene: Scene, provider: FakeProvider, model: LanguageModel
) -> None:
    case_id = scene.add(CaseDraft(input="q", checks=({"type": "judge", "criterion": "Is it short?"},)))
    provider.script = grading_by(lambda _material, key: 1 if key == "check-1" else 5)
    score = scene.graded(case_id=case_id)
    assert states_of(score) == {"checks": "fail", "tool_calls": "not_applicable", "judge": "pass"}
    assert len(provider.asked) == 1


# --- For whom


@pytest.mark.spec("SC-D54", "SC-132")
def test_the_judge_is_not_asked_for_who_has_lost_the_dataset_or_left(
    scene: Scene, provider: FakeProvider, model: LanguageModel
) -> None:
    for change in ({"role": "viewer"}, {"left_at": timezone.now()}):
        score = scene.score(who="operator")
        members = Member.objects.filter(pk=scene.cast.operator.pk)
        members.update(**change)
        score = grade(score)
        assert (score.outcome, score.judge_trouble, states_of(score)["checks"]) == ("unscored", "skipped", "pass")
        assert score.pin["model"] == "judge-1"
        members.update(role="operator", left_at=None)
    assert provider.asked == []


@pytest.mark.spec("SC-D54", "SC-130")
def test_a_judge_agent_is_asked_only_for_who_may_run_it_at_that_moment(
    scene: Scene, provider: FakeProvider, model: LanguageModel
) -> None:
    judge = make_judge(scene.cast.owner, model)
    scene.judge_by(None, agent=str(judge.pk))
    assert scene.graded(who="operator").judge_trouble == ""
    score = scene.score(who="operator")
    Member.objects.filter(pk=scene.cast.operator.pk).update(role="viewer")
    score = grade(score)
    assert {f["cause"] for r in score.results for f in r["findings"] if f.get("cause")} == {"judge_forbidden"}
    assert score.asked_by_id == scene.cast.operator.pk


def test_who_asked_and_is_no_longer_known_has_no_judge(
    scene: Scene, provider: FakeProvider, model: LanguageModel
) -> None:
    score = scene.score()
    Score.objects.update(asked_by=None)
    assert grade(score).judge_trouble == "skipped"
    assert provider.asked == []


# --- Many at once


@pytest.mark.spec("SC-80")
def test_many_are_judged_side_by_side_and_rules_decide_the_others_at_once(
    scene: Scene, provider: FakeProvider, model: LanguageModel
) -> None:
    provider.script = lambda asked: Answer(good_reply().body, slow=0.05)
    scores = stored_answers(scene, *[f"{ANSWER} {number}" for number in range(30)])
    assert grade_scores(ids_of(scores)) == []
    assert set(Score.objects.values_list("outcome", flat=True)) == {"pass"}
    assert 1 < provider.most_at_once <= LIMITS.judge_calls_at_once
    assert (len(provider.asked), WaitingAnswer.objects.count()) == (30, 0)


def test_storing_a_batch_that_needs_no_judge_takes_few_statements(
    scene: Scene, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    scores = stored_answers(scene, *[f"{ANSWER} {number}" for number in range(grading.TAKEN_AT_ONCE)])
    with django_assert_max_num_queries(25):
        grade_scores(ids_of(scores))
    assert Score.objects.filter(outcome="pass").count() == grading.TAKEN_AT_ONCE


@pytest.mark.spec("SC-146")
def test_what_is_stored_is_what_grading_found(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of findings that answers share."""
    honest, found = grading.store_graded, dict[Any, Any]()

    def listening(finished: Any, *, claim: Any) -> int:
        found.update({one.score_id: one.graded for one in finished})
        return honest(finished, claim=claim)

    monkeypatch.setattr(grading, "store_graded", listening)
    long = {"type": "length", "unit": "words", "max": 12}
    scene.set(checks={"defaults": [CHECK, long, {"type": "not_contains", "value": '"]}'}]})
    grade_scores(ids_of(stored_answers(scene, ANSWER, f'{ANSWER} "]}}', ANSWER, "Never, whatever you say or do.")))
    rows = Score.objects.all()
    assert {row.outcome for row in rows} == {"pass", "fail"}
    assert {row.pk: row.results for row in rows} == {
        key: [result.as_json() for result in graded.results] for key, graded in found.items()
    }


def test_one_faulty_answer_costs_its_own_result(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    good, bad, another = stored_answers(scene, ANSWER, "boom", f"{ANSWER}!")
    honest = ruling.grade_checks_of_many

    def faulty(runner: Any, items: Any) -> Any:
        if any(answer.text == "boom" for answer, _checks in items):
            raise RuntimeError("a fault of ours")
        return honest(runner, items)

    monkeypatch.setattr(ruling, "grade_checks_of_many", faulty)
    grade_scores(ids_of([good, bad, another]))
    outcomes = dict(Score.objects.values_list("pk", "outcome"))
    assert (outcomes[good.pk], outcomes[bad.pk], outcomes[another.pk]) == ("pass", "unscored", "pass")
    bad.refresh_from_db()
    assert verdicts_of(bad) == {"check-1": "error"}


def test_a_judge_that_our_code_stumbles_over_costs_one_score(
    scene: Scene, provider: FakeProvider, model: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = grading.judge_answer

    async def faulty(*given: Any, **named: Any) -> Any:
        if named["answer"].text == "boom":
            raise RuntimeError("a fault of ours")
        return await honest(*given, **named)

    monkeypatch.setattr(grading, "judge_answer", faulty)
    good, bad = stored_answers(scene, ANSWER, "boom")
    grade_scores(ids_of([good, bad]))
    outcomes = dict(Score.objects.values_list("pk", "outcome"))
    assert (outcomes[good.pk], outcomes[bad.pk]) == ("pass", "fail"), "its check failed, whatever the judge"
    bad.refresh_from_db()
    assert states_of(bad)["judge"] == "no_verdict"


def test_what_a_job_has_no_time_for_is_left_as_it_was(
    scene: Scene, provider: FakeProvider, model: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grading, "BEGINS_FOR_SECONDS", 0.2)
    provider.script = lambda asked: Answer(good_reply().body, slow=0.3)
    scores = stored_answers(scene, *[f"{ANSWER} {number}" for number in range(40)])
    left = grade_scores(ids_of(scores))
    done = Score.objects.filter(state="done").count()
    assert (len(left), done) == (40 - LIMITS.judge_calls_at_once, LIMITS.judge_calls_at_once)
    assert not Score.objects.filter(state="waiting").exclude(claim=None, claims=0).exists()


# --- At least once, never twice


def test_a_second_delivery_pays_no_judge_again(scene: Scene, provider: FakeProvider, model: LanguageModel) -> None:
    score = scene.graded()
    jobs.grade_score_job(str(score.pk))
    grade_scores([score.pk, uuid4()])
    assert len(provider.asked) == 1


def test_a_killed_worker_costs_no_result_that_was_stored(
    scene: Scene, provider: FakeProvider, model: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It dies after three of ten; another one takes the rest over once its signs of life have ended."""
    stored = grading.store_graded
    count = 0

    def dying(finished: Any, *, claim: Any) -> int:
        nonlocal count
        count += bool(finished)
        if count > 3:
            raise Killed
        return stored(finished, claim=claim)

    scores = stored_answers(scene, *[f"{ANSWER} {number}" for number in range(10)])
    monkeypatch.setattr(grading, "store_graded", dying)
    with pytest.raises(Killed):
        grade_scores(ids_of(scores))
    monkeypatch.undo()
    assert Score.objects.filter(state="done").count() == 3
    assert grade_scores(ids_of(scores)) == []
    assert Score.objects.filter(state="done").count() == 3, "the other worker may still be at it"
    paid = len(provider.asked)
    past = timezone.now() - timedelta(seconds=LIMITS.grading_claim_seconds + 1)
    Score.objects.filter(state="waiting").update(claimed_at=past, created_at=past)
    jobs.grade_lost_scores_job()
    assert Score.objects.filter(outcome="pass").count() == 10
    assert len(provider.asked) == paid + 7


def test_a_score_that_workers_die_of_is_given_up(scene: Scene) -> None:
    score = scene.score()
    Score.objects.update(claims=LIMITS.grading_claims)
    score = grade(score)
    assert (score.outcome, score.claims) == ("unscored", 0)
    assert "given up" in score.why["text"]


def test_a_lost_job_is_found_again_and_a_fresh_one_left_to_its_worker(scene: Scene) -> None:
    score = scene.score()
    assert lost_scores(10) == []
    Score.objects.update(created_at=timezone.now() - timedelta(minutes=5))
    assert lost_scores(10) == [score.pk]
    claim = uuid4()
    assert claim_scores([score.pk], claim=claim) == [score.pk]
    assert claim_scores([score.pk], claim=uuid4()) == []
    assert lost_scores(10) == []
    Score.objects.update(claimed_at=timezone.now() - timedelta(hours=1))
    show_life(claim)
    assert lost_scores(10) == []
    Score.objects.update(claimed_at=timezone.now() - timedelta(hours=1))
    assert lost_scores(10) == [score.pk]


def test_who_lost_its_claim_stores_nothing(
    scene: Scene, provider: FakeProvider, model: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    score = scene.score()
    taken_over = uuid4()
    honest = grading.acting_for

    def taking_over(given: TakenScore) -> Any:
        Score.objects.filter(pk=given.id).update(claim=taken_over)
        return honest(given)

    monkeypatch.setattr(grading, "acting_for", taking_over)
    grade_scores([score.pk])
    score.refresh_from_db()
    assert (score.state, score.claim) == ("waiting", taken_over)


@pytest.mark.django_db(transaction=True)
def test_two_deliveries_at_once_grade_each_answer_once(
    scene: Scene, provider: FakeProvider, model: LanguageModel
) -> None:
    provider.script = lambda asked: Answer(good_reply().body, slow=0.02)
    scores = stored_answers(scene, *[f"{ANSWER} {number}" for number in range(30)])
    ids = ids_of(scores)
    assert at_once([lambda: grade_scores(ids), lambda: grade_scores(ids[::-1]), lambda: grade_scores(ids)]) == [[]] * 3
    assert Score.objects.filter(state="done", outcome="pass").count() == 30
    assert len(provider.asked) == 30
    assert Run.objects.filter(kind=RunKind.HELPER).count() == 30


# --- Erased meanwhile


@pytest.mark.spec("ACC-D35")
def test_an_answer_to_a_case_that_is_erased_meanwhile_is_stored_without_words(
    scene: Scene, provider: FakeProvider, model: LanguageModel
) -> None:
    score = scene.score()
    delete_cases(scene.actor("builder"), dataset_id=scene.dataset.pk, case_ids=[scene.case_id], remove_text=True)
    score = grade(Score.objects.get(pk=score.pk))
    assert (score.outcome, score.answer, provider.asked) == ("unscored", "", [])
    assert "erased" in score.why["text"]


@pytest.mark.spec("ACC-D35", "SC-D61")
def test_what_the_judge_said_while_the_answer_was_erased_is_stored_without_words(
    scene: Scene, provider: FakeProvider, model: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    score = scene.score()
    honest = grading.store_graded

    def late(finished: Any, *, claim: Any) -> int:
        Score.objects.filter(pk=score.pk).update(answer="", answer_removed_at=timezone.now())
        return honest(finished, claim=claim)

    monkeypatch.setattr(grading, "store_graded", late)
    score = grade(score)
    assert (score.outcome, verdicts_of(score)["c-1"]) == ("pass", "pass")
    assert "thirty" not in str(score.results)
    assert "30 days" not in str(score.results)


def test_a_rule_without_a_judge_is_graded_while_the_provider_hangs(
    scene: Scene, provider: FakeProvider, model: LanguageModel
) -> None:
    """Only scores that need a judge wait for one."""
    judged = scene.score()
    scene.set(checks={"defaults": [CHECK]})
    ruled = scene.score()
    provider.script = lambda asked: Answer(good_reply().body, slow=0.1)
    assert grade_scores([judged.pk, ruled.pk]) == []
    assert set(Score.objects.values_list("outcome", flat=True)) == {"pass"}
    assert len(provider.asked) == 1
