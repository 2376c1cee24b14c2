"""A reviewer's note becomes a criterion of the judge, for one case or for every case (RV-62 to 65, RV-D36 to D39)."""

from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.models import AuditEntry
from accounts.operations.sharing import share
from core.errors import Conflict, Invalid, NotAllowed, NotFound
from core.limits import LIMITS
from datasets.models import CaseRevision
from datasets.operations.cases import delete_cases, edit_case
from review.models import MadeCriterion, Scope
from review.operations.criteria import CriterionMade, make_criterion
from review.operations.deciding import decide
from review.queries.criteria import criteria_of, offer_to_make, to_make
from scoring.models import GradingSettings, Score
from scoring.operations.settings import change_scoring
from scoring.queries.mask_marks import mask_mark
from scoring.queries.readable_scores import readable_score
from scoring.queries.settings import settings_of
from tests.cast import Cast
from tests.evals.runs import EvalScene
from tests.scoring.judges import make_judge_model

SECRET = "sk-proj-" + "Ab3dEf7hIj1kLm9nOp5qRs2tUv8wXy4zAb3dEf7hIj1kLm9nOp5q"
ADDRESS = "http://127.0.0.1:9"
WORDS = "Does the answer name the deadline?"


@pytest.fixture
def scene(cast: Cast) -> EvalScene:
    return EvalScene(cast)


@pytest.fixture
def score(scene: EvalScene) -> Score:
    return scene.score(scene.revisions[0].case_id, "fail", graded_at=timezone.now())


def make(scene: EvalScene, score: Score, scope: str = "case", by: str = "builder", **more: Any) -> CriterionMade:
    given = {"criterion": WORDS} | more
    return make_criterion(scene.actor(by), dataset_id=scene.dataset.pk, score_id=score.pk, scope=scope, **given)


def checks(scene: EvalScene) -> list[dict[str, Any]]:
    case_id = scene.revisions[0].case_id
    found: list[dict[str, Any]] = CaseRevision.objects.get(case=case_id, until=None).checks
    return found


def newest(scene: EvalScene) -> int:
    scene.dataset.refresh_from_db()
    return scene.dataset.newest_version


def judge(scene: EvalScene) -> dict[str, Any]:
    found: dict[str, Any] = settings_of(scene.dataset).stored["judge"]
    return found


@pytest.mark.spec("RV-62", "RV-63", "RV-D36", "RV-D38", "RV-D39")
def test_for_one_case_it_becomes_a_check_of_a_new_version(scene: EvalScene, score: Score) -> None:
    before = newest(scene)
    done = make(scene, score, criterion=f"  {WORDS}\r\n")
    assert (done.added, done.version, newest(scene)) == (True, before + 1, before + 1)
    assert checks(scene) == [{"type": "contains", "value": "days"}, {"type": "judge", "criterion": WORDS}]
    assert not GradingSettings.objects.exists()
    made = MadeCriterion.objects.get()
    assert (made.score, made.scope, made.criterion, made.version) == (score, Scope.CASE, WORDS, before + 1)
    assert made.by == scene.cast.members["builder"]
    kept = Score.objects.get(pk=score.pk)
    assert (kept.outcome, kept.version, kept.snapshot) == (score.outcome, score.version, score.snapshot)
    details = {"score": str(score.pk), "scope": "case", "added": True, "version": before + 1, "credentials_hidden": 0}
    assert AuditEntry.objects.get(action="review.criterion_made").details == details


@pytest.mark.spec("RV-62", "RV-64", "RV-65", "RV-D36", "RV-D38", "SC-44")
def test_for_every_case_it_joins_the_rubric_and_turns_the_judge_on(scene: EvalScene, score: Score) -> None:
    before = newest(scene)
    done = make(scene, score, "rubric")
    assert (done.added, done.version, newest(scene)) == (True, None, before)
    (criterion,) = judge(scene)["criteria"]
    assert criterion | {"id": ""} == {
        "id": "", "name": "Does the answer name the deadline", "criterion": WORDS, "required": True,
    }  # fmt: skip
    assert judge(scene)["enabled"]
    assert done.settings.revision == 1
    assert MadeCriterion.objects.get().version is None


@pytest.mark.spec("RV-D37")
def test_the_same_words_are_not_added_twice(scene: EvalScene, score: Score) -> None:
    first = make(scene, score)
    again = make(scene, score, criterion=f"{WORDS.upper()}  ")
    assert (again.added, again.version, again.made) == (False, first.version, first.made)
    assert len(checks(scene)) == 2
    make(scene, score, "rubric")
    change_scoring(scene.actor(), dataset_id=scene.dataset.pk, changes={"judge": {"enabled": False}})
    other = scene.score(scene.revisions[1].case_id, "pass", graded_at=timezone.now())
    repeated = make(scene, other, "rubric", criterion="does the  answer name the deadline?")
    assert not repeated.added
    assert len(judge(scene)["criteria"]) == 1
    assert judge(scene)["enabled"]
    assert repeated.made.score == other


@pytest.mark.spec("RV-D36")
def test_a_model_is_taken_where_the_judge_has_none_and_never_replaced(scene: EvalScene, score: Score) -> None:
    first, second = (str(make_judge_model(scene.cast.owner, ADDRESS, name=name).pk) for name in ("small-1", "small-2"))
    make(scene, score, "rubric", model=first)
    assert judge(scene)["model"] == first
    make(scene, score, "rubric", criterion="Is it polite?", model=second)
    assert judge(scene)["model"] == first


@pytest.mark.spec("RV-D36")
def test_a_model_that_is_none_is_refused_and_nothing_is_kept(scene: EvalScene, score: Score) -> None:
    with pytest.raises(Invalid) as refusal:
        make(scene, score, "rubric", model=str(uuid4()))
    assert [one.field for one in refusal.value.problems] == ["model"]
    assert not MadeCriterion.objects.exists()
    assert judge(scene)["criteria"] == []


@pytest.mark.spec("RV-D36", "RV-D26")
def test_a_case_that_is_gone_takes_no_criterion_but_the_rubric_does(scene: EvalScene, score: Score) -> None:
    delete_cases(scene.actor(), dataset_id=scene.dataset.pk, case_ids=[score.case_id])
    scene.dataset.refresh_from_db()
    assert to_make(scene.actor(), scene.dataset, score).case_revision is None
    with pytest.raises(Conflict) as refusal:
        make(scene, score)
    assert refusal.value.code == "case_deleted"
    assert make(scene, score, "rubric").added


@pytest.mark.spec("RV-D36")
def test_a_case_that_was_changed_since_is_not_changed_unseen(scene: EvalScene, score: Score) -> None:
    newest(scene)
    seen = to_make(scene.actor(), scene.dataset, score).case_revision
    edit_case(scene.actor(), dataset_id=scene.dataset.pk, case_id=score.case_id, changes={"note": "Changed"})
    with pytest.raises(Conflict) as refusal:
        make(scene, score, case_revision=seen)
    assert refusal.value.code == "case_changed"
    assert make(scene, score, case_revision=newest(scene)).added


@pytest.mark.spec("RV-D37")
@pytest.mark.parametrize(
    ("criterion", "scope", "field"),
    [
        ("  \n", "case", "criterion"),
        ("x" * (LIMITS.criterion_characters + 1), "rubric", "criterion"),
        ("a\x00b", "case", "criterion"),
        (WORDS, "everything", "scope"),
    ],
)
def test_what_is_no_criterion_is_refused(
    scene: EvalScene, score: Score, criterion: str, scope: str, field: str
) -> None:
    with pytest.raises(Invalid) as refusal:
        make(scene, score, scope, criterion=criterion)
    assert [one.field for one in refusal.value.problems] == [field]
    assert not MadeCriterion.objects.exists()


@pytest.mark.spec("RV-D37")
def test_limits_of_rubric_and_case_hold(scene: EvalScene, score: Score) -> None:
    criteria = [{"name": f"c{n}", "criterion": f"Is it {n}?"} for n in range(LIMITS.criteria)]
    change_scoring(scene.actor(), dataset_id=scene.dataset.pk, changes={"judge": {"criteria": criteria}})
    full = tuple({"type": "contains", "value": str(n)} for n in range(LIMITS.checks))
    edit_case(scene.actor(), dataset_id=scene.dataset.pk, case_id=score.case_id, changes={"checks": full})
    for scope in Scope.values:
        with pytest.raises(Invalid) as refusal:
            make(scene, score, scope)
        assert [one.field for one in refusal.value.problems] == ["criterion"]
    assert not make(scene, score, "rubric", criterion="is it 3?").added


@pytest.mark.spec("RV-D36", "DS-D62")
def test_credentials_are_hidden_before_anything_is_stored(scene: EvalScene, score: Score) -> None:
    done = make(scene, score, criterion=f"Does it keep {SECRET} to itself?")
    assert done.hidden == 1
    assert SECRET not in done.made.criterion
    assert SECRET not in str(checks(scene))


@pytest.mark.spec("RV-72", "RV-74", "RV-D38", "ACC-D9")
def test_it_takes_edit_and_reading_the_answer(scene: EvalScene, score: Score) -> None:
    share(scene.actor(), scene.dataset, member_id=scene.cast.members["member"].pk, level="edit")
    for who in ("operator", "member"):
        assert not offer_to_make(scene.actor(who), score).is_shown
        with pytest.raises(NotAllowed):
            make(scene, score, by=who)
    with pytest.raises(NotFound):
        make(scene, score, by="stranger")
    assert offer_to_make(scene.actor("builder"), score).is_shown
    elsewhere = EvalScene(scene.cast)
    with pytest.raises(NotFound):
        make(elsewhere, score)


@pytest.mark.spec("RV-D15", "RV-16", "SC-D61")
def test_what_was_seen_must_still_be_readable(scene: EvalScene, score: Score) -> None:
    mark = mask_mark(readable_score(scene.actor(), score))
    assert make(scene, score, mark=mark).added
    Score.objects.filter(pk=score.pk).update(answer_removed_at=timezone.now())
    with pytest.raises(Conflict) as refusal:
        make(scene, score, criterion="Is it polite?", mark=mark)
    assert refusal.value.code == "mask_changed"
    with pytest.raises(Conflict) as refusal:
        make(scene, score, criterion="Is it polite?")
    assert refusal.value.code == "answer_removed"
    assert not offer_to_make(scene.actor(), Score.objects.get(pk=score.pk)).is_shown


@pytest.mark.spec("RV-D39", "RV-75")
def test_the_link_is_shown_to_all_and_its_words_to_readers_of_the_answer(scene: EvalScene, score: Score) -> None:
    make(scene, score)
    make(scene, score, "rubric")
    shown = criteria_of(scene.actor("operator"), score)
    assert [(one.scope, one.criterion, one.by_name) for one in shown] == [
        ("case", WORDS, "Builder"),
        ("rubric", WORDS, "Builder"),
    ]
    masked = criteria_of(scene.actor("viewer"), score)
    assert [(one.scope, one.criterion, one.version) for one in masked] == [
        ("case", "", shown[0].version),
        ("rubric", "", None),
    ]
    MadeCriterion.objects.update(by=None)
    assert criteria_of(scene.actor(), score)[0].by_name == "Erased person"


@pytest.mark.spec("RV-D36", "SC-D11")
def test_the_dialog_begins_with_the_note_and_says_what_would_not_be_graded(scene: EvalScene, score: Score) -> None:
    note = "The answer should name the deadline"
    decide(scene.actor(), dataset_id=scene.dataset.pk, score_id=score.pk, decision="fail", note=note, revision=0)
    begin = to_make(scene.actor(), scene.dataset, score)
    assert (begin.note, begin.question) == (note, WORDS)
    assert (begin.judge_is_off, begin.checks_are_off, begin.lacks_model) == (True, False, True)
    make(scene, score, "rubric", model=str(make_judge_model(scene.cast.owner, ADDRESS).pk))
    change_scoring(scene.actor(), dataset_id=scene.dataset.pk, changes={"checks": {"enabled": False}})
    after = to_make(scene.actor(), scene.dataset, score)
    assert (after.judge_is_off, after.checks_are_off, after.lacks_model) == (False, True, False)
