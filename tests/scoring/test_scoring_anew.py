"""An answer that was graded before gets a second score, by the settings and the case of now (RV-D38)."""

import pytest
from django.utils import timezone

from accounts.models import AuditEntry
from activity.models import Run
from core.errors import Conflict, Invalid, NotAllowed, NotFound
from core.limits import LIMITS
from datasets.operations.cases import delete_cases, edit_case
from scoring.models import Score, WaitingAnswer
from scoring.operations.anew import score_anew
from scoring.operations.settings import change_scoring
from tests.cast import Cast
from tests.scoring.scored import Scene, grade
from tests.scoring.stored import make_set


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return Scene(cast)


def anew(scene: Scene, score: Score, who: str = "builder") -> Score:
    return score_anew(scene.actor(who), dataset_id=scene.dataset.pk, score_id=score.pk)


@pytest.mark.spec("RV-D38", "SC-46")
def test_the_second_score_has_its_own_settings_and_version_and_the_first_stays(scene: Scene) -> None:
    first = scene.graded()
    edit_case(
        scene.actor("builder"),
        dataset_id=scene.dataset.pk,
        case_id=scene.case_id,
        changes={"checks": ({"type": "contains", "value": "receipt"},)},
    )
    second = grade(anew(scene, first))
    assert (first.outcome, second.outcome) == ("pass", "fail")
    assert (second.version, second.run_id, second.agent_id) == (first.version + 1, first.run_id, first.agent_id)
    assert Score.objects.get(pk=first.pk).outcome == "pass"
    asked = AuditEntry.objects.filter(action="score.asked").latest("at")
    assert asked.details["answer_of"] == str(first.pk)


@pytest.mark.spec("RV-D38", "SC-D57")
def test_an_answer_whose_run_is_gone_is_taken_from_the_copy_unless_that_was_cut(scene: Scene) -> None:
    whole, cut = scene.graded(), scene.graded("30 days " + "x" * LIMITS.score_answer_characters)
    Run.objects.all().delete()
    second = grade(anew(scene, Score.objects.get(pk=whole.pk)))
    assert (second.outcome, second.run_id, second.answer) == ("pass", None, whole.answer)
    assert not WaitingAnswer.objects.exists()
    with pytest.raises(Conflict) as refusal:
        anew(scene, Score.objects.get(pk=cut.pk))
    assert refusal.value.code == "answer_gone"


def test_a_stored_answer_is_scored_outside_of_its_set(scene: Scene) -> None:
    kept = make_set(scene.actor("builder"), scene.dataset, {scene.case_id: "Within 30 days."})
    first = grade(Score.objects.get(answer_set=kept))
    second = grade(anew(scene, first))
    assert (second.origin, second.answer_set, second.has_agent, second.outcome) == ("stored", None, False, "pass")


@pytest.mark.spec("RV-D38", "SC-D54", "RV-74")
def test_it_takes_run_on_the_dataset_and_reading_the_answer(scene: Scene) -> None:
    first = scene.graded()
    for who in ("viewer", "member"):
        with pytest.raises(NotAllowed):
            anew(scene, first, who)
    with pytest.raises(NotFound):
        anew(scene, first, "stranger")
    assert anew(scene, first, "operator").asked_by == scene.cast.members["operator"]


@pytest.mark.spec("SC-53", "SC-D57")
def test_what_cannot_be_graded_is_refused_and_stores_nothing(scene: Scene) -> None:
    first, erased = scene.graded(), scene.graded()
    Score.objects.filter(pk=erased.pk).update(answer_removed_at=timezone.now())
    with pytest.raises(Conflict) as refusal:
        anew(scene, erased)
    assert refusal.value.code == "answer_gone"
    off = {"checks": {"enabled": False}}
    change_scoring(scene.actor("builder"), dataset_id=scene.dataset.pk, changes=off)
    with pytest.raises(Invalid):
        anew(scene, first)
    delete_cases(scene.actor("builder"), dataset_id=scene.dataset.pk, case_ids=[scene.case_id])
    with pytest.raises(Conflict) as refusal:
        anew(scene, first)
    assert refusal.value.code == "case_deleted"
    assert Score.objects.count() == 2
