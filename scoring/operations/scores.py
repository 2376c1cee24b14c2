"""Laying down scores that wait to be graded: one run against one case, or many answers at once (SC-162, SC-D53)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import access, audit
from accounts.actor import Actor
from accounts.operations.persons import hold_persons
from accounts.permissions import Permission
from activity.models import Run, RunStatus
from activity.operations.bulk_rows import insert_rows
from activity.queries.runs import find_run
from core.errors import Conflict, Invalid, NotFound
from core.ids import new_id
from core.json_text import json_text
from datasets.models import CaseRevision, Dataset
from datasets.queries.seen_cases import content_of
from datasets.queries.versions import number_of_version
from scoring.logic.answers import GradedAnswer
from scoring.logic.copies import call_as_json, copy_of
from scoring.logic.outcome import has_something_to_check
from scoring.logic.settings import Settings
from scoring.models import AnswerSet, GradingSnapshot, Score, ScoreOrigin, WaitingAnswer
from scoring.operations.settings import snapshot_of
from scoring.queries.run_answers import graded_answers_of

# What is written of a score when it is laid down: what all of one act share, then what each answer brings.
SHARED = (
    "organisation_id",
    "dataset_id",
    "version",
    "snapshot_id",
    "origin",
    "answer_set_id",
    "asked_by_id",
    "is_pinned",
    "claim",
    "claimed_at",
    "claims",
)
OWN = (
    "case_id",
    "agent_id",
    "agent_version_id",
    "has_agent",
    "run_id",
    "person_id",
    "model",
    "cost",
    "seconds",
    "answer",
    "answer_cut",
    "calls",
)


@dataclass(frozen=True)
class AnswerToGrade:
    """One answer, the case it is graded against, and what is known of who gave it.

    An answer with a run is read from the run again when it is graded; any other waits beside its score. `has_agent`
    says that an agent of the organisation gave it, so that its reader needs access to that agent (ACC-D23).
    """

    case_id: UUID
    answer: GradedAnswer
    run_id: UUID | None = None
    agent_id: UUID | None = None
    agent_version_id: UUID | None = None
    has_agent: bool = True
    person_id: UUID | None = None
    model: str = ""


def lock_to_score(actor: Actor, dataset_id: UUID) -> Dataset:
    """The dataset, locked until the transaction ends, so that no text of it is erased while scores are laid down.

    Raises `NotFound`, `NotAllowed` without `datasets:run` on it (SC-166).
    """
    rows = Dataset.objects.select_for_update(no_key=True, of=("self",))
    return access.fetch(rows, actor, Permission.DATASETS_RUN, pk=dataset_id)


def open_scores(
    actor: Actor,
    *,
    dataset: Dataset,
    version: int,
    snapshot: GradingSnapshot,
    origin: ScoreOrigin,
    answers: Sequence[AnswerToGrade],
    answer_set: AnswerSet | None = None,
    is_pinned: bool = False,
    claim: UUID | None = None,
) -> list[UUID]:
    """Lay down a waiting score for each answer, in few statements; their ids in the order of the answers, for the
    caller to have them graded.

    Call it inside the transaction of an act that locked the dataset (`lock_to_score`), knows that the cases are of
    this version, hold text and give the settings something to check, and records it. Settings and version are fixed
    here, whatever changes until the answers are graded (SC-45, SC-54). `claim` is that of a worker which grades them
    itself at once.
    """
    shared = (
        dataset.organisation_id,
        dataset.pk,
        version,
        snapshot.pk,
        origin.value,
        answer_set.pk if answer_set else None,
        actor.member_id,
        is_pinned,
        claim,
        timezone.now() if claim else None,
        1 if claim else 0,
    )
    ids = [new_id() for _answer in answers]
    insert_rows(
        Score, ("id", *SHARED, *OWN), ((key, *shared, *_row(given)) for key, given in zip(ids, answers, strict=True))
    )
    waiting = [
        (key, given.answer.text, json_text([call_as_json(call) for call in given.answer.calls]))
        for key, given in zip(ids, answers, strict=True)
        if given.run_id is None
    ]
    if waiting:
        insert_rows(WaitingAnswer, ("score_id", "text", "calls"), waiting)
    return ids


def _row(given: AnswerToGrade) -> tuple[Any, ...]:
    copy = copy_of(given.answer)
    return (
        given.case_id,
        given.agent_id,
        given.agent_version_id,
        given.has_agent,
        given.run_id,
        given.person_id,
        given.model,
        given.answer.cost,
        given.answer.seconds,
        copy.text,
        copy.was_cut,
        json_text(copy.calls),
    )


@transaction.atomic
def score_run(actor: Actor, *, dataset_id: UUID, run_id: UUID, case_id: UUID, version: int | None = None) -> Score:
    """Lay down a score of the run's answer against the case; the caller enqueues its grading (SC-162, SC-D53).

    Always against the newest version unless another is given. Raises `NotFound` for a dataset, version, case or run
    that the actor may not know, `NotAllowed` without `datasets:run` on the dataset, `Invalid` for a run without a
    transcript (SC-163), an erased case or one that gives nothing to check (SC-53), `Conflict` `answer_unfinished` and
    `person_erased`.
    """
    dataset = lock_to_score(actor, dataset_id)
    run = _held_run(actor, run_id)
    number = number_of_version(dataset, version)
    revision = CaseRevision.objects.of_case_at(dataset, number, case_id).first()
    if revision is None:
        raise NotFound
    answer = _answer_of(run)
    snapshot = snapshot_of(dataset)
    require_gradable(revision, Settings.of_json(snapshot.settings))
    given = AnswerToGrade(
        case_id=case_id,
        answer=answer,
        run_id=run.pk,
        agent_id=run.agent_id,
        agent_version_id=run.agent_version_id,
        person_id=run.person_id,
        model=run.model,
    )
    (score_id,) = open_scores(
        actor, dataset=dataset, version=number, snapshot=snapshot, origin=ScoreOrigin.ACTIVITY, answers=[given]
    )
    score = Score.objects.select_related("dataset", "snapshot").get(pk=score_id)
    details = {"score": str(score.pk), "run": str(run.pk), "case": str(case_id), "version": number}
    audit.record(actor, "score.asked", dataset, **details)
    return score


def _held_run(actor: Actor, run_id: UUID) -> Run:
    """The run, kept until the transaction ends, and its person from being erased. Raises as `score_run` says."""
    run = find_run(actor, run_id)
    held = Run.objects.select_for_update(no_key=True, of=("self",)).filter(pk=run.pk).first()
    if held is None:
        raise NotFound
    if held.status == RunStatus.RUNNING:
        raise Conflict("answer_unfinished", _("The agent is still writing this answer. Score it when it is done."))
    hold_persons([held.person_id] if held.person_id else [])
    return held


def _answer_of(run: Run) -> GradedAnswer:
    answer = graded_answers_of([run]).get(run.pk)
    if answer is None:
        raise Invalid.at("run_id", _("This run has no transcript, so there is no answer to grade."))
    return answer


def require_gradable(revision: CaseRevision, settings: Settings) -> None:
    """Raise `Invalid` for a case whose text was erased, or that gives these settings nothing to check (SC-53)."""
    if revision.anonymised_at is not None:
        raise Invalid.at("case_id", _("The text of this case was erased, so nothing can be graded against it."))
    if not has_something_to_check(settings, content_of(revision)):
        message = _("None of the evaluators that are on has anything to check in this case.")
        raise Invalid.at("case_id", message)
