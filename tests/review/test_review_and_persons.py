"""Decisions and people: an erasure takes names and words, and leaves what was decided (RV-61, ACC-66, ACC-D36)."""

import json
from typing import Any

import pytest

from accounts.models import Person
from accounts.operations.persons import ensure_person_of_member
from accounts.operations.privacy import carry_out, erase_person, export_person, read_export
from datasets.operations.cases import delete_cases
from review.models import Decision, MadeCriterion, Stay
from review.operations.deciding import decide
from review.operations.removals import erase_names_of
from review.operations.sending import send_to_review
from review.queries.decisions import decision_of
from scoring.models import Score
from tests.cast import Cast
from tests.scoring.scored import Scene, make_customer

NOTE = "Anna asked for thirty days."


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return Scene(cast)


def decided(scene: Scene, person: Person | None = None, who: str = "builder") -> Score:
    """An answer that somebody sent and decided, with a criterion made of the note."""
    score, actor = scene.graded(person=person), scene.actor(who)
    send_to_review(actor, dataset_id=scene.dataset.pk, score_ids=[score.pk])
    decide(actor, dataset_id=scene.dataset.pk, score_id=score.pk, decision="fail", note=NOTE, revision=0)
    MadeCriterion.objects.create(score=score, scope="rubric", criterion=NOTE, by=actor.member)
    return score


def erase(cast: Cast, person: Person) -> dict[str, Any]:
    done = carry_out(erase_person(cast.actor("owner"), person_id=person.pk).pk)
    assert done is not None
    return dict(done.report["review"])


def kept_words(score: Score) -> set[str]:
    notes = Decision.objects.filter(score=score).values_list("note", flat=True)
    return {*notes, *MadeCriterion.objects.filter(score=score).values_list("criterion", flat=True)}


@pytest.mark.spec("RV-61", "ACC-66", "ACC-D36")
def test_the_name_of_an_erased_decider_goes_and_the_decision_stays(scene: Scene, cast: Cast) -> None:
    score = decided(scene, who="admin")
    report = erase(cast, ensure_person_of_member(cast.admin))
    assert report == {"names_on_review": 1, "names_on_decisions": 1, "names_on_made_criteria": 1}
    for model in (Stay, Decision, MadeCriterion):
        assert list(model._default_manager.values_list("by", flat=True)) == [None], model
    score.refresh_from_db()
    shown = decision_of(scene.actor("owner"), score)
    assert shown is not None
    assert (score.final_outcome, shown.ruling, shown.by_name) == ("fail", "fail", "Erased person")
    assert kept_words(score) == {NOTE}, "it was somebody else's answer"


@pytest.mark.spec("SC-151", "ACC-63", "ACC-D36")
def test_notes_and_criteria_about_the_answers_of_an_erased_person_go(scene: Scene, cast: Cast) -> None:
    customer = make_customer(cast)
    theirs, other = decided(scene, customer), decided(scene)
    assert erase(cast, customer)["names_on_decisions"] == 0
    assert (kept_words(theirs), kept_words(other)) == ({""}, {NOTE})
    theirs.refresh_from_db()
    assert (theirs.answer, theirs.decided) == ("", "fail")


@pytest.mark.spec("ACC-48", "ACC-D28")
def test_they_go_with_the_text_of_the_case_too(scene: Scene) -> None:
    score = decided(scene)
    given: Any = {"dataset_id": scene.dataset.pk, "case_ids": [scene.case_id]}
    delete_cases(scene.actor("builder"), **given, remove_text=True)
    assert kept_words(score) == {""}
    assert Score.objects.get(pk=score.pk).decided == "fail"


def test_an_end_user_has_no_name_there(cast: Cast) -> None:
    counts = {"names_on_review": 0, "names_on_decisions": 0, "names_on_made_criteria": 0}
    assert erase_names_of(make_customer(cast)) == counts


@pytest.mark.spec("ACC-62", "ACC-D43")
def test_what_a_person_decided_is_in_their_export(scene: Scene, cast: Cast) -> None:
    score = decided(scene, who="admin")
    decided(scene)
    person = ensure_person_of_member(cast.admin)
    asked = export_person(cast.actor("owner"), person_id=person.pk)
    carry_out(asked.pk)
    found = json.loads(read_export(cast.actor("owner"), request_id=asked.pk))["review"]
    about = {"score": str(score.pk), "dataset": "Returns"}
    assert [{name: value for name, value in one.items() if not name.endswith("_at")} for one in found["decisions"]] == [
        about | {"decision": "fail", "note": NOTE}
    ]
    assert found["sent_to_review"] == [about | {"sent_at": Stay.objects.get(score=score).entered_at.isoformat()}]
    assert [one["criterion"] for one in found["criteria"]] == [NOTE]
