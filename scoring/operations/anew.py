"""Scoring an answer that was graded before once more, with today's settings and case, as a new score (RV-D38)."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.actor import Actor
from accounts.operations.persons import hold_persons
from core.errors import Conflict, NotAllowed, NotFound
from datasets.models import CaseRevision
from scoring.logic.settings import Settings
from scoring.models import Score, ScoreOrigin
from scoring.operations.scores import AnswerToGrade, lock_to_score, open_scores, require_gradable
from scoring.operations.settings import snapshot_of
from scoring.queries.grading_material import answers_of
from scoring.queries.score_rows import sight_of


@transaction.atomic
def score_anew(actor: Actor, *, dataset_id: UUID, score_id: UUID) -> Score:
    """Lay down a new score of the same answer against the newest version of its case; the caller enqueues its grading.

    The older score stays as it is. Raises `NotFound`, `NotAllowed` without `datasets:run` on the dataset and where the
    answer is hidden from the actor, `Invalid` for a case that gives nothing to check (SC-53) or was erased, `Conflict`
    `case_deleted`, `answer_gone` and `person_erased`.
    """
    dataset = lock_to_score(actor, dataset_id)
    old = Score.objects.filter(dataset=dataset, pk=score_id).select_related("agent").first()
    if old is None:
        raise NotFound
    if not sight_of(actor, [old]).may_read(old):
        raise NotAllowed(_("This answer is hidden from you."))
    hold_persons([old.person_id] if old.person_id else [])
    revision = CaseRevision.objects.of_case_at(dataset, dataset.newest_version, old.case_id).first()
    if revision is None:
        raise Conflict("case_deleted", _("The case was deleted, so there is nothing to grade the answer against."))
    answer = answers_of([old.pk]).get(old.pk)
    if answer is None:
        raise Conflict("answer_gone", _("The answer is no longer there as it was given, so it cannot be graded again."))
    snapshot = snapshot_of(dataset)
    require_gradable(revision, Settings.of_json(snapshot.settings))
    given = AnswerToGrade(
        case_id=old.case_id,
        answer=answer,
        run_id=old.run_id,
        agent_id=old.agent_id,
        agent_version_id=old.agent_version_id,
        has_agent=old.has_agent,
        person_id=old.person_id,
        model=old.model,
    )
    # By hand, whatever the older score was part of: it joins neither that test run nor that set of answers.
    origin = ScoreOrigin.STORED if old.origin == ScoreOrigin.STORED else ScoreOrigin.ACTIVITY
    version = dataset.newest_version
    (new_id,) = open_scores(actor, dataset=dataset, version=version, snapshot=snapshot, origin=origin, answers=[given])
    details = {"score": str(new_id), "answer_of": str(old.pk), "case": str(old.case_id), "version": version}
    audit.record(actor, "score.asked", dataset, **details)
    return Score.objects.select_related("dataset", "snapshot").get(pk=new_id)
