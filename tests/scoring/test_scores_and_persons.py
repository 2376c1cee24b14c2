"""Scores and people: erasing, exporting, removing a case's text, deleting a dataset; nobody else sees the words."""

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client

from accounts.models import AuditEntry, Person, PersonRequest, User
from accounts.operations.persons import ensure_person_of_member
from accounts.operations.privacy import carry_out, erase_person, export_person, read_export
from accounts.privacy import in_words
from agents.models import LanguageModel
from datasets.logic.drafts import CaseDraft
from datasets.models import Authorship, CaseRevision, Dataset, WordsIn
from datasets.operations.cases import delete_cases
from datasets.operations.datasets import delete_dataset
from datasets.queries.deletion import what_deletion_takes
from scoring.models import AnswerSet, GradingSettings, GradingSnapshot, Score, ScoreAttempt, WaitingAnswer
from scoring.operations import removals
from tests.agents.provider_server import FakeProvider, fake_provider
from tests.cast import Cast
from tests.scoring.judges import entry, make_judge_model, reply, verdicts
from tests.scoring.scored import CHECK, Scene, make_customer, verdicts_of

CANARY = "periwinkle"


@pytest.fixture
def scene(cast: Cast, settings: Any) -> Scene:
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)
    return Scene(cast)


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    said = entry("c-1", 5, f"the {CANARY} answer", reason=f"It names {CANARY} at length.", rule=f"Rule of {CANARY}.")
    with fake_provider(reply(verdicts(said, entry("c-2", 1, CANARY)))) as server:
        yield server


@pytest.fixture
def model(scene: Scene, provider: FakeProvider) -> LanguageModel:
    found: LanguageModel = make_judge_model(scene.cast.owner, provider.address)
    scene.judge_by(found)
    return found


@pytest.fixture
def customer(cast: Cast) -> Person:
    return make_customer(cast)


def judged(scene: Scene, person: Person | None, **given: Any) -> Score:
    """A graded score with an earlier attempt, whose words hold the canary."""
    call = {"id": "c1", "name": "lookup", "arguments": {"word": CANARY}}
    steps = [{"role": "assistant", "text": f"the {CANARY} answer", "tool_calls": [call]}]
    score = scene.graded(steps=steps, person=person, **given)
    words: dict[str, Any] = {"why": {"text": "%(x)s", "values": {"x": CANARY}}, "unreadable_reply": CANARY}
    Score.objects.filter(pk=score.pk).update(**words)
    ScoreAttempt.objects.create(
        score=score, number=1, results=score.results, pin=score.pin, asked_by=score.asked_by, **words
    )
    return score


def stored_words(score: Score) -> str:
    """Everything that the tables keep of the score, as text."""
    kept: list[Any] = [Score.objects.filter(pk=score.pk).values().get()]
    kept += list(ScoreAttempt.objects.filter(score=score).values())
    kept += list(WaitingAnswer.objects.filter(score=score).values())
    return json.dumps(kept, default=str)


def erase(cast: Cast, person: Person) -> dict[str, Any]:
    asked = erase_person(cast.actor("owner"), person_id=person.pk)
    done = carry_out(asked.pk)
    assert done is not None
    return dict(done.report["scoring"])


# --- Erasing a person


@pytest.mark.spec("SC-151", "SC-D61", "ACC-63", "ACC-D36")
def test_an_erasure_clears_answer_reasons_quotes_and_replies_and_keeps_outcome_and_numbers(
    scene: Scene, cast: Cast, model: LanguageModel, customer: Person
) -> None:
    theirs, other = judged(scene, customer), judged(scene, None)
    assert CANARY in stored_words(theirs)
    report = erase(cast, customer)
    assert report == {"answers_cleared": 1, "names_on_scores": 0}
    assert CANARY not in stored_words(theirs)
    kept = Score.objects.get(pk=theirs.pk)
    assert (kept.answer, kept.calls, kept.person_id, kept.unreadable_reply) == ("", [], None, "")
    assert kept.answer_removed_at is not None
    assert (kept.outcome, kept.number) == (theirs.outcome, theirs.number)
    assert verdicts_of(kept) == verdicts_of(theirs)
    assert kept.pin == theirs.pin
    assert CANARY in stored_words(other)
    shown = scene.seen(kept, "owner")
    assert (shown.outcome, shown.answer, shown.answer_removed_at) == (theirs.outcome, "", kept.answer_removed_at)


@pytest.mark.spec("SC-153", "ACC-65", "ACC-66", "ACC-D36")
def test_the_name_of_an_erased_member_goes_from_what_they_asked_for(scene: Scene, cast: Cast) -> None:
    score = scene.graded(who="admin")
    ScoreAttempt.objects.create(score=score, number=1, asked_by=cast.admin)
    AnswerSet.objects.create(dataset=scene.dataset, version=1, label="a", asked_by=cast.admin)
    scene.set()
    GradingSettings.objects.update(changed_by=cast.admin)
    person = ensure_person_of_member(cast.admin)
    assert erase(cast, person)["names_on_scores"] == 4
    for model, field in removals.NAMES:
        assert list(model.objects.values_list(field, flat=True)) == [None], model
    score.refresh_from_db()
    assert (score.outcome, score.answer != "") == ("pass", True), "it was somebody else's run"


def test_an_erasure_that_was_cut_off_goes_on(
    scene: Scene, cast: Cast, customer: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(removals, "BATCH", 2)
    scores = [scene.graded(person=customer) for _ in range(5)]
    clear, calls = removals._clear_answers_to, []

    def cut_off(person: Person) -> int:
        calls.append(person)
        if len(calls) == 2:
            raise RuntimeError("killed")
        return clear(person)

    monkeypatch.setattr(removals, "_clear_answers_to", cut_off)
    with pytest.raises(RuntimeError):
        removals.erase_words_of(customer)
    assert Score.objects.filter(answer="").count() == 2
    assert removals.erase_words_of(customer)["answers_cleared"] == 3
    assert removals.erase_words_of(customer)["answers_cleared"] == 0
    assert Score.objects.filter(answer="", person=None).count() == len(scores)


def test_a_report_says_in_words_what_was_cleared() -> None:
    words = [text for text, _count in in_words({"scoring": {"answers_cleared": 2, "names_on_scores": 1}})]
    assert words == [
        "Graded answers cleared, with what was said about them",
        "Scores and grading settings without the name of who asked",
    ]


# --- Exporting


@pytest.mark.spec("SC-150", "ACC-62", "ACC-D43")
def test_the_copies_of_what_a_person_was_answered_are_in_their_export(
    scene: Scene, cast: Cast, customer: Person
) -> None:
    score = judged(scene, customer)
    judged(scene, None)
    asked = export_person(cast.actor("owner"), person_id=customer.pk)
    carry_out(asked.pk)
    found = json.loads(read_export(cast.actor("owner"), request_id=asked.pk))["scoring"]
    assert found == [
        {
            "dataset": "Returns",
            "case": str(scene.case_id),
            "run": str(score.run_id),
            "agent": "Support",
            "answer": score.answer,
            "answer_is_shortened": False,
            "tool_calls": [{"tool": "lookup", "arguments": {"word": CANARY}, "outcome": ""}],
            "outcome": score.outcome,
            "asked_at": score.created_at.isoformat(),
        }
    ]
    assert PersonRequest.objects.count() == 1


# --- Removing a case's text


@pytest.mark.spec("ACC-48", "ACC-D28", "ACC-44")
def test_removing_a_cases_text_clears_what_scores_say_about_it(scene: Scene, model: LanguageModel) -> None:
    other_case = scene.add(CaseDraft(input="Another?", checks=(CHECK,)))
    about, other = judged(scene, None), judged(scene, None, case_id=other_case)
    waiting = scene.score(f"A {CANARY} that waits.")
    case_ids = [scene.case_id]
    delete_cases(scene.actor("builder"), dataset_id=scene.dataset.pk, case_ids=case_ids, remove_text=True)
    assert CANARY not in stored_words(about)
    assert CANARY not in stored_words(waiting)
    assert CANARY in stored_words(other)
    assert Score.objects.get(pk=about.pk).outcome == about.outcome


def test_deleting_a_case_with_its_text_kept_leaves_its_scores(scene: Scene, model: LanguageModel) -> None:
    score = judged(scene, None)
    delete_cases(scene.actor("builder"), dataset_id=scene.dataset.pk, case_ids=[scene.case_id])
    assert CANARY in stored_words(score)


@pytest.mark.spec("ACC-45", "ACC-48")
def test_erasing_who_asked_a_cases_question_clears_the_scores_of_the_case(
    scene: Scene, cast: Cast, model: LanguageModel, customer: Person
) -> None:
    """Though the runs that were scored against it were somebody else's."""
    score = judged(scene, None)
    revision = CaseRevision.objects.get(case_id=scene.case_id)
    Authorship.objects.create(revision=revision, person=customer, field=WordsIn.QUESTION)
    erase(cast, customer)
    assert CANARY not in stored_words(score)
    assert Score.objects.get(pk=score.pk).answer_removed_at is not None


# --- Deleting a dataset


@pytest.mark.spec("DS-D17")
def test_the_scores_of_a_dataset_go_with_it_and_are_counted_before(scene: Scene, cast: Cast) -> None:
    judged(scene, None)
    scene.score()
    elsewhere = Scene(cast, name="Other agent")
    kept = elsewhere.graded()
    taken = {str(each.label): each.count for each in what_deletion_takes(scene.dataset)}
    assert taken["Scores of answers"] == 2
    delete_dataset(scene.actor("builder"), dataset_id=scene.dataset.pk)
    assert list(Score.objects.values_list("pk", flat=True)) == [kept.pk]
    assert not ScoreAttempt.objects.exists()
    assert GradingSnapshot.objects.count() == 1
    assert Dataset.objects.count() == 1


# --- Who never sees the words


@pytest.mark.spec("SC-D62", "ACC-D14", "PL-8")
def test_no_word_of_an_answer_or_a_reason_reaches_operators_logs_or_the_audit(
    scene: Scene, provider: FakeProvider, model: LanguageModel, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    score = judged(scene, None)
    WaitingAnswer.objects.create(score=score, text=CANARY)
    provider.answers = [reply(f"{CANARY}, no JSON")]
    assert scene.graded(f"the {CANARY}").outcome != "pass"
    operator = User.objects.create_superuser("root@example.org", "correct horse battery")
    client = Client()
    client.force_login(operator)
    pages = [f"/admin/scoring/score/{score.pk}/change/", "/admin/scoring/score/", "/admin/scoring/scoreattempt/"]
    pages.append(f"/admin/scoring/scoreattempt/{ScoreAttempt.objects.get().pk}/change/")
    pages += [f"/admin/activity/run/{score.judge_run_id}/change/"]
    for page in pages:
        shown = client.get(page)
        assert shown.status_code == 200, page
        assert CANARY not in shown.content.decode(), page
    assert CANARY not in caplog.text
    assert CANARY not in json.dumps(list(AuditEntry.objects.values()), default=str)


@pytest.mark.spec("SC-D62")
@pytest.mark.parametrize("table", ["score", "scoreattempt", "gradingsettings", "answerset"])
def test_operators_change_nothing_of_scoring(scene: Scene, table: str) -> None:
    client = Client()
    client.force_login(User.objects.create_superuser("root@example.org", "correct horse battery"))
    assert client.get(f"/admin/scoring/{table}/").status_code == 200
    assert client.get(f"/admin/scoring/{table}/add/").status_code == 403


def test_nothing_waits_for_a_score_that_is_done(
    scene: Scene, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    scene.graded()
    with django_assert_max_num_queries(3):
        removals.remove_words_about_cases(scene.dataset, [], scene.dataset.created_at)
    assert not WaitingAnswer.objects.exists()
