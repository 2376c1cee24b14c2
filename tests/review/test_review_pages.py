"""Results → Review answers: the table, one graded answer beside it, masking, scoring again (SC-43, RV-2 to RV-26)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from datasets.logic.drafts import CaseDraft
from datasets.logic.texts import HIDDEN_TEXT
from datasets.operations.answers import add_case_from_answer
from datasets.operations.cases import delete_cases, edit_case
from scoring.logic.causes import Cause
from scoring.logic.findings import Evaluator, EvaluatorResult, Finding, Origin, Quote, Reason, State, Verdict
from scoring.logic.pins import BUILT_IN, Pin, pin_hash
from scoring.models import Score, ScoreAttempt
from tests.cast import Cast
from tests.datasets.answers import ANSWER as ANSWER_GIVEN
from tests.datasets.answers import QUESTION, make_answer
from tests.datasets.pages import PANEL, PART, text
from tests.scoring.judges import RUBRIC
from tests.scoring.scored import CASE, Scene

SignIn = Callable[[str], Client]
PIN = Pin(BUILT_IN, "judge", 1, "openai", "judge-1", "a" * 64, 1, "b" * 64, 0)
CRITERION = Finding(
    "c-1",
    Origin.CRITERION,
    Verdict.FAIL,
    name="Names the deadline",
    about={"criterion": "Does the answer name the deadline?"},
    grade=2,
    reason="It never gives a period.",
    rule="Without a period at most 2.",
    quotes=(Quote("You can return it", True), Quote("within a fortnight", False)),
)
POLITE = Finding("c-2", Origin.CRITERION, Verdict.PASS, name="Is polite", grade=5, is_unverified=True)
JUDGED = EvaluatorResult(Evaluator.JUDGE, True, State.FAIL, 0.625, None, (POLITE, CRITERION))
CHECKED = EvaluatorResult(
    Evaluator.CHECKS,
    True,
    State.PASS,
    1.0,
    None,
    (Finding("check-1", Origin.CASE_CHECK, Verdict.PASS, name="contains", about={"type": "contains", "value": "30"}),),
)


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return Scene(cast)


def judged(scene: Scene, pin: Pin = PIN, **fields: Any) -> Score:
    """A score as a judge's grading stores it: its criteria failed, its check passed."""
    score = scene.score(**{name: fields.pop(name) for name in ("answer", "case_id") if name in fields})
    given: dict[str, Any] = {
        "state": "done",
        "outcome": "fail",
        "number": 0.81,
        "results": [CHECKED.as_json(), JUDGED.as_json()],
        "pin": pin.as_json(),
        "pin_hash": pin_hash(pin),
        "graded_at": timezone.now(),
    }
    return changed(score, **(given | fields))


def unscored(scene: Scene, cause: Cause = Cause.KEY_MISSING) -> Score:
    """A score whose judge could not grade; the judge's settings are there to be asked again."""
    finding = Finding("c-1", Origin.CRITERION, cause.verdict, name="Names the deadline", why=cause.reason, cause=cause)
    result = EvaluatorResult(Evaluator.JUDGE, True, State.NO_VERDICT, None, cause.reason, (finding,))
    why = cause.reason.as_json()
    return judged(scene, outcome="unscored", number=None, results=[result.as_json()], why=why)


def changed(score: Score, **fields: Any) -> Score:
    for name, value in fields.items():
        setattr(score, name, value)
    score.save()
    return score


def table(client: Client, scene: Scene, **query: Any) -> str:
    return text(client.get(reverse("review_answers", args=[scene.dataset.pk]), query, headers=PART))


def panel(client: Client, score: Score) -> str:
    return text(client.get(reverse("score", args=[score.dataset_id, score.pk]), headers=PANEL))


def rows(page: str) -> int:
    return page.count("<tr data-row ")


@pytest.mark.spec("SC-43", "RV-1", "RV-2", "RV-3", "RV-4", "RV-D1")
def test_every_graded_answer_stands_in_one_table(scene: Scene, sign_in: SignIn) -> None:
    scene.graded()
    scene.graded("No returns.")
    scene.score()
    client = sign_in("builder")
    assert "/review/?tab=results" in text(client.get(f"/datasets/{scene.dataset.pk}/?tab=results&view=review"))
    page = text(client.get(f"/datasets/{scene.dataset.pk}/?tab=results&part=review"))
    assert f'hx-get="/datasets/{scene.dataset.pk}/review/?tab=results&amp;part=review"' in page
    shown = table(client, scene)
    assert rows(shown) == 3
    for words in (CASE.input, "Support", "Passed", "Failed", "Being graded", "small-1", "just now", "Activity"):
        assert words in shown
    for head in ("Question", "Agent", "Outcome", "Model", "Date", "Origin"):
        assert f'<th scope="col">{head}</th>' in shown


@pytest.mark.spec("RV-5", "RV-D7")
def test_it_is_filtered_by_outcome_agent_and_tag(scene: Scene, sign_in: SignIn) -> None:
    client = sign_in("builder")
    scene.graded()
    other = scene.add(replace(CASE, input="How heavy is it?", tags=("weight",)))
    scene.graded("No returns.", case_id=other)
    assert rows(table(client, scene, outcome="fail")) == rows(table(client, scene, tag="weight")) == 1
    assert rows(table(client, scene, agent=scene.agent.pk)) == 2
    assert rows(table(client, scene, agent=scene.agent.pk, outcome="fail", tag="returns")) == 0
    assert "No graded answer fits the filters." in table(client, scene, tag="none")
    assert rows(table(client, scene, outcome="nonsense", agent="x", after="made up")) in (0, 2)


@pytest.mark.spec("RV-D6")
def test_the_address_of_the_page_carries_the_filter_and_the_open_answer(scene: Scene, sign_in: SignIn) -> None:
    score = scene.graded()
    client = sign_in("builder")
    there = reverse("review_answers", args=[scene.dataset.pk])
    response = client.get(there, {"outcome": "pass"}, headers={**PART, "HX-Target": "review-list"})
    assert response["HX-Push-Url"] == f"/datasets/{scene.dataset.pk}/?outcome=pass&tab=results&view=review"
    page = table(client, scene, score=score.pk, outcome="pass")
    assert f'hx-get="{reverse("score", args=[scene.dataset.pk, score.pk])}?outcome=pass" hx-trigger="load"' in page


def test_it_is_read_a_page_at_a_time(scene: Scene, sign_in: SignIn) -> None:
    first = scene.graded()
    Score.objects.bulk_create(copy_of(first) for _number in range(54))
    client = sign_in("builder")
    page = table(client, scene)
    assert rows(page) == 50
    after = page.split("after=")[1].split('"')[0].split("&")[0]
    assert rows(table(client, scene, after=after.replace("%3A", ":"))) == 5


def copy_of(score: Score) -> Score:
    names = [field.attname for field in Score._meta.concrete_fields if field.name != "id"]
    return Score(**{name: getattr(score, name) for name in names})


@pytest.mark.spec("SC-15")
def test_an_unscored_one_says_its_cause_in_words(scene: Scene, sign_in: SignIn) -> None:
    score = unscored(scene)
    client = sign_in("builder")
    assert "The judge&#x27;s model has no key" in table(client, scene)
    assert "The judge&#x27;s model has no key" in panel(client, score)


@pytest.mark.spec("RV-12", "RV-17", "RV-18", "RV-21", "RV-22", "RV-26")
def test_the_panel_shows_question_reference_and_answer_as_it_was_graded(scene: Scene, sign_in: SignIn) -> None:
    case_id = scene.add(CaseDraft(input="How **long**?", reference_answer="Within *30 days*.", checks=CASE.checks))
    page = panel(
        sign_in("builder"), scene.graded("You have **30 days** ![x](https://example.org/x.png)", case_id=case_id)
    )
    for words in ("How <strong>long</strong>?", "Within <em>30 days</em>.", "<strong>30 days</strong>", "Support"):
        assert words in page
    assert "<img" not in page
    assert f"?version=2&amp;case={case_id}" in page
    assert "data-card-watch" in page


@pytest.mark.spec("RV-19", "RV-20", "SC-90", "SC-D33")
def test_the_panel_shows_expected_calls_and_those_that_were_made(scene: Scene, sign_in: SignIn) -> None:
    calls: Any = ({"tool": "refund", "args": {"order": 12}},)
    case_id = scene.add(CaseDraft(input="Refund it.", expected_tool_calls=calls))
    score = judged(scene, case_id=case_id, calls=[{"tool": "cancel", "arguments": {"order": 1}, "outcome": "blocked"}])
    page = panel(sign_in("builder"), score)
    for words in ("refund", "&quot;order&quot;: 12", "cancel", "Blocked", "In any order."):
        assert words in page


@pytest.mark.spec("RV-24", "RV-D11", "SC-105", "SC-106", "SC-108", "SC-111")
def test_what_each_evaluator_found_stands_there_the_failed_first(scene: Scene, sign_in: SignIn) -> None:
    page = panel(sign_in("builder"), judged(scene))
    assert page.index("Your criteria") < page.index("<h3>Checks</h3>")
    assert page.index("Names the deadline") < page.index("Is polite")
    for words in (
        "2 of 5",
        "Does the answer name the deadline?",
        "It never gives a period.",
        "Without a period at most 2.",
        '<blockquote class="score-quote">You can return it</blockquote>',
        "Not in the answer word for word: <q>within a fortnight</q>",
        "Not verified",
    ):
        assert words in page
    assert page.index("It never gives a period.") < page.index("within a fortnight")


@pytest.mark.spec("RV-24", "SC-105")
def test_a_criterion_is_shown_in_its_own_words_once(scene: Scene, sign_in: SignIn) -> None:
    scene.judge_by(None)
    checks = ({"type": "judge", "criterion": "Is it short?"},)
    page = panel(sign_in("builder"), scene.graded(case_id=scene.add(CaseDraft(input="q", checks=checks))))
    assert '<p class="muted small">Does the answer name the deadline?</p>' in page
    assert '<span class="score-finding-name">Is it short?</span>' in page
    assert '<p class="muted small">Is it short?</p>' not in page
    for raw in ("{'criterion'", "{&#x27;criterion&#x27;", "{&#39;criterion&#39;"):
        assert raw not in page


@pytest.mark.spec("RV-23", "RV-D14")
def test_a_judge_on_the_model_that_answered_is_warned_of(scene: Scene, sign_in: SignIn) -> None:
    warning = "The judge graded on the model that answered. A judge may favour answers like its own."
    assert warning not in panel(sign_in("builder"), judged(scene))
    assert warning in panel(sign_in("builder"), judged(scene, replace(PIN, model="small-1")))


@pytest.mark.spec("SC-96", "SC-D5")
def test_grades_of_another_configuration_are_not_shown_as_comparable(scene: Scene, sign_in: SignIn) -> None:
    older = judged(scene, replace(PIN, model="judge-0"), created_at=timezone.now() - timedelta(hours=1))
    newer = judged(scene)
    client = sign_in("builder")
    assert table(client, scene).count("Graded differently") == 1
    assert "It differs from this dataset's newest grading in: Model." in panel(client, older)
    assert "Graded differently" not in panel(client, newer)


@pytest.mark.spec("RV-D13", "SC-148", "SC-D61")
def test_a_copy_that_was_cut_or_erased_says_so(scene: Scene, sign_in: SignIn) -> None:
    client = sign_in("builder")
    cut = judged(scene, answer_cut=True)
    assert "The answer is longer; a score keeps its beginning." in panel(client, cut)
    assert reverse("run", args=[cut.run_id]) in panel(client, cut)
    erased = changed(cut, answer="", answer_removed_at=timezone.now())
    assert "The answer, and every word about it, was erased:" in panel(client, erased)


@pytest.mark.spec("RV-D12")
def test_a_case_that_was_changed_or_deleted_since_is_said_so(scene: Scene, sign_in: SignIn) -> None:
    score, client = scene.graded(), sign_in("builder")
    edit_case(scene.actor("builder"), dataset_id=scene.dataset.pk, case_id=scene.case_id, changes={"input": "Changed?"})
    page = panel(client, score)
    assert "The case was changed since." in page
    assert CASE.input in page
    assert "Changed?" not in page
    delete_cases(scene.actor("builder"), dataset_id=scene.dataset.pk, case_ids=[scene.case_id])
    assert "The case was deleted since." in panel(client, score)


@pytest.mark.spec("SC-152", "ACC-64")
def test_a_score_outlives_its_run(scene: Scene, sign_in: SignIn) -> None:
    score = scene.graded()
    assert score.run is not None
    score.run.delete()
    score.refresh_from_db()
    page = panel(sign_in("builder"), score)
    assert "Passed" in page
    assert "/activity/" not in page.split('id="score-body"')[1]


@pytest.mark.spec("SC-D59")
def test_earlier_attempts_are_listed(scene: Scene, sign_in: SignIn) -> None:
    score = judged(scene)
    kept: Any = {"why": Cause.FAILED.reason.as_json(), "pin": PIN.as_json()}
    ScoreAttempt.objects.create(score=score, number=1, graded_at=timezone.now(), **kept)
    page = panel(sign_in("builder"), score)
    assert "Earlier attempts" in page
    assert "The judge&#x27;s run failed." in page


@pytest.mark.spec("SC-168", "RV-74", "RV-75", "RV-77", "ACC-33", "ACC-34", "ACC-35")
@pytest.mark.parametrize("who", ["viewer", "member"])
def test_who_may_not_read_runs_sees_outcome_and_status_and_why_the_rest_is_absent(
    scene: Scene, sign_in: SignIn, who: str
) -> None:
    score = judged(scene)
    client = sign_in(who)
    page = panel(client, score) + table(client, scene)
    for words in ("Failed", CASE.input, "Your criteria", "are shown only to those who may read runs"):
        assert words in page
    for hidden in (
        score.answer,
        "It never gives a period.",
        "fortnight",
        "at most 2",
        "Names the deadline",
        "/activity/",
    ):
        assert hidden not in page


@pytest.mark.spec("ACC-25", "ACC-D20", "RV-76", "RV-77")
def test_case_text_from_a_conversation_stays_hidden_from_who_may_not_read_it(scene: Scene, sign_in: SignIn) -> None:
    told = make_answer(scene.cast, owner=scene.cast.owner)
    added = add_case_from_answer(
        scene.actor("owner"), dataset_id=scene.dataset.pk, message_id=told.message.pk, keep_as="reference_answer"
    )
    scene.set(checks={"defaults": [{"type": "contains", "value": "damson"}]})
    score = scene.graded("A damson.", case_id=added.revision.case_id)
    page = panel(sign_in("viewer"), score) + table(sign_in("viewer"), scene)
    assert page.count(HIDDEN_TEXT) >= 3
    assert QUESTION not in page
    assert ANSWER_GIVEN not in page
    assert QUESTION in panel(sign_in("operator"), score)


@pytest.mark.spec("ACC-D23", "RV-74")
def test_what_a_deleted_agent_answered_is_read_by_owners_and_admins_alone(scene: Scene, sign_in: SignIn) -> None:
    score = judged(scene)
    scene.agent.delete()
    assert "of delivery." not in panel(sign_in("builder"), score)
    page = panel(sign_in("admin"), score)
    assert "of delivery." in page
    assert "Deleted agent" in page


@pytest.mark.spec("RV-16", "ACC-36", "ACC-D25")
def test_the_panel_learns_that_what_may_be_read_has_changed(scene: Scene, sign_in: SignIn) -> None:
    score, client = judged(scene), sign_in("builder")
    mark = panel(client, score).split("mark=")[1].split('"')[0]
    mask = reverse("score_mask", args=[scene.dataset.pk, score.pk])
    assert client.get(mask, {"mark": mark}).status_code == 204
    changed(score, answer_removed_at=timezone.now())
    assert client.get(mask, {"mark": mark}).status_code == 205
    changed(score, answer_removed_at=None)
    scene.cast.builder.role = "viewer"
    scene.cast.builder.save()
    assert client.get(mask, {"mark": mark}).status_code == 205


@pytest.mark.spec("SC-16", "SC-134", "SC-141", "RV-8")
def test_score_again_is_offered_on_an_unscored_answer_and_says_why_it_is_refused(scene: Scene, sign_in: SignIn) -> None:
    scene.set(judge={"enabled": True, "criteria": RUBRIC, "model": str(uuid4())})
    score, passed, client = unscored(scene), scene.score(), sign_in("builder")
    changed(passed, state="done", outcome="pass")
    assert "Score again" in panel(client, score)
    assert "Score again" not in panel(client, passed)
    again = reverse("scores_again", args=[scene.dataset.pk])
    response = client.post(again, {"chosen": str(score.pk), "one": "1"}, headers=PART)
    assert "Stopped: The judge has no model" in response["HX-Trigger"]
    score.refresh_from_db()
    assert score.outcome == "unscored"
    assert "Score again" not in panel(sign_in("viewer"), score)


@pytest.mark.spec("SC-16", "SC-D56")
def test_score_again_is_not_offered_where_the_kept_settings_name_no_model(scene: Scene, sign_in: SignIn) -> None:
    scene.judge_by(None)
    score, client = scene.graded(), sign_in("builder")
    page = panel(client, score)
    assert "The settings it was graded with name no model: score the answer anew." in page
    assert "Score again" not in page
    again = client.post(reverse("scores_again", args=[scene.dataset.pk]), {"chosen": str(score.pk)}, headers=PART)
    assert "1 was graded with settings that name no model: score it anew." in again["HX-Trigger"]
    assert "newest judged answer" not in page, "no judge has graded it"
    assert "newest judged answer" in panel(client, judged(scene, Pin(**score.pin)))


@pytest.mark.spec("SC-134", "SC-136", "SC-D60", "RV-11")
def test_several_are_scored_again_in_batches_until_the_first_refusal(
    scene: Scene, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = unscored(scene)
    checks = EvaluatorResult(Evaluator.CHECKS, True, State.NO_VERDICT, None, Reason("No verdict was reached"))
    changed(first, results=[checks.as_json()], pin=None, pin_hash="")
    others = [copy_of(first) for _number in range(23)]
    Score.objects.bulk_create(others)
    gone = others[14]
    Score.objects.filter(pk=gone.pk).update(run=None, answer_cut=True)
    chosen = [str(score.pk) for score in (first, *others)]
    response = sign_in("builder").post(
        reverse("scores_again", args=[scene.dataset.pk]), {"chosen": chosen}, headers=PART
    )
    assert "10 answers are graded again." in response["HX-Trigger"]
    assert "Stopped: An answer is no longer there" in response["HX-Trigger"]
    assert Score.objects.filter(state="waiting").count() == 10


def test_what_waits_is_asked_for_until_it_is_graded(scene: Scene, sign_in: SignIn) -> None:
    waiting, done = scene.score(), scene.graded()
    client = sign_in("builder")
    there = reverse("scores_waiting", args=[scene.dataset.pk])
    assert f"{there}?score={waiting.pk}" in table(client, scene)
    page = text(client.get(there, {"score": [str(waiting.pk), str(done.pk), "nonsense"]}, headers=PART))
    assert f'id="outcome-{done.pk}" class="review-outcome" hx-swap-oob="true"' in page
    assert f"?score={waiting.pk}" in page
    body = text(client.get(reverse("score", args=[scene.dataset.pk, waiting.pk]), headers=PART))
    assert body.startswith("<article") or "<article" in body[:40]
    assert 'hx-trigger="every 2s"' in body


@pytest.mark.spec("SC-43")
def test_before_there_is_an_answer_the_part_teaches_what_belongs_there(scene: Scene, sign_in: SignIn) -> None:
    assert "No answers to review yet" in table(sign_in("builder"), scene)


@pytest.mark.parametrize(
    ("query", "most"), [({}, 12), ({"sort": "waiting_first"}, 13), ({"outcome": ["fail", "pass"]}, 13)]
)
def test_the_table_takes_few_queries(scene: Scene, sign_in: SignIn, query: dict[str, Any], most: int) -> None:
    first = judged(scene, judge_cost=Decimal("0.01"))
    Score.objects.bulk_create(copy_of(first) for _number in range(59))
    client = sign_in("builder")
    table(client, scene)
    with CaptureQueriesContext(connection) as queries:
        assert rows(table(client, scene, **query)) == 50
    assert len(queries) <= most, [query["sql"][:160] for query in queries]
