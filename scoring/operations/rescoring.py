"""**Score again**: the same answers, graded once more with the settings of the first time (SC-134 to SC-145)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import access, audit
from accounts.actor import Actor
from accounts.permissions import Permission
from core.errors import Conflict, Invalid, Problem
from core.limits import LIMITS
from datasets.models import Dataset
from scoring.logic.causes import GRADED_WITHOUT_MODEL, Cause
from scoring.logic.findings import EvaluatorResult, Reason, State
from scoring.logic.pins import Pin
from scoring.logic.rules import needs_judge
from scoring.logic.settings import Settings
from scoring.logic.settings_changes import completed
from scoring.models import Score, ScoreAttempt, ScoreState
from scoring.operations.scores import lock_to_score
from scoring.queries.grading_material import answers_of
from scoring.queries.judges import Judge, NoJudge, judge_of
from scoring.queries.reason_words import in_words

# Scores of a whole test run that are read at once.
BATCH = 500
# What an attempt keeps of the score as it was.
KEPT = ("why", "results", "pin", "unreadable_reply", "judge_run_id", "judge_cost", "asked_by_id", "graded_at")


@dataclass(frozen=True)
class ScoredAgain:
    """The ids that are graded again, and those that stay as they are because every verdict is there (SC-140)."""

    accepted: tuple[UUID, ...]
    unchanged: tuple[UUID, ...]


@transaction.atomic
def score_again(actor: Actor, *, dataset_id: UUID, score_ids: Sequence[UUID | None]) -> ScoredAgain:
    """Lay the scores down once more; the caller enqueues the grading of those that were accepted.

    An id of None is one that no score has. All is asked before anything changes, and one refusal refuses all (SC-144).
    Raises `NotFound`, `NotAllowed` without `datasets:run` on the dataset and `runs:view` (SC-D54), `Invalid` naming
    `score_ids` or one of them (SC-D55), `Conflict` with a code of SC-D55 and the ids concerned.
    """
    dataset = lock_to_score(actor, dataset_id)
    access.require(actor, Permission.RUNS_VIEW)
    again = [_Again(score) for score in _locked(dataset, score_ids)]
    wanted = [one for one in again if one.lacks_a_verdict or one.score.state == ScoreState.WAITING]
    _refuse_busy(wanted)
    _refuse_without_answer(wanted)
    _refuse_without_judge(actor, dataset, [one for one in wanted if one.needs_judge])
    scores = [one.score for one in wanted]
    _keep_attempts(scores)
    _lay_down_again(actor, scores)
    accepted = tuple(score.pk for score in scores)
    unchanged = tuple(one.score.pk for one in again if one not in wanted)
    if accepted:
        audit.record(actor, "score.asked_again", dataset, scores=[str(score_id) for score_id in accepted])
    return ScoredAgain(accepted, unchanged)


@dataclass(frozen=True)
class _Again:
    """A score that is asked for again; told apart by its id."""

    score: Score

    @property
    def results(self) -> list[EvaluatorResult]:
        return [EvaluatorResult.of_json(result) for result in self.score.results]

    @property
    def lacks_a_verdict(self) -> bool:
        """Whether any evaluator reached none, also one that does not decide."""
        return any(result.state is State.NO_VERDICT for result in self.results)

    @property
    def needs_judge(self) -> bool:
        return needs_judge(self.results)

    @property
    def settings(self) -> Settings:
        return Settings.of_json(completed(self.score.snapshot.settings))


def _locked(dataset: Dataset, score_ids: Sequence[UUID | None]) -> list[Score]:
    """The scores in the order asked for, locked. Raises `Invalid`, for an id of another dataset as for one of none."""
    if not score_ids:
        raise Invalid.at("score_ids", _("Name at least one score."))
    if len(score_ids) > LIMITS.scores_again_a_request:
        message = _("At most %(limit)d scores at once; this has %(count)d.")
        raise Invalid.at("score_ids", message % {"limit": LIMITS.scores_again_a_request, "count": len(score_ids)})
    rows = Score.objects.select_for_update(no_key=True, of=("self",)).filter(dataset=dataset, pk__in=_known(score_ids))
    found = {score.pk: score for score in rows.select_related("snapshot").order_by("pk")}
    problems, scores, seen = [], [], set[UUID]()
    for place, score_id in enumerate(score_ids):
        score = found.get(score_id) if score_id else None
        if score is None:
            problems.append(Problem(f"score_ids.{place}", _("This dataset has no such score.")))
        elif score.pk in seen:
            problems.append(Problem(f"score_ids.{place}", _("This score is named twice.")))
        else:
            seen.add(score.pk)
            scores.append(score)
    if problems:
        raise Invalid(problems)
    return scores


def _known(score_ids: Iterable[UUID | None]) -> list[UUID]:
    return [score_id for score_id in score_ids if score_id is not None]


def _refuse_busy(wanted: Sequence[_Again]) -> None:
    busy = [one.score for one in wanted if one.score.state == ScoreState.WAITING]
    if busy:
        raise _conflict("busy", _("An answer is being graded already. Wait until it is done."), busy)


def _refuse_without_answer(wanted: Sequence[_Again]) -> None:
    """The answer as it was: the run's transcript, or a copy that was not cut (SC-D57)."""
    there = answers_of([one.score.pk for one in wanted])
    gone = [one.score for one in wanted if one.score.pk not in there]
    if gone:
        message = _("An answer is no longer there as it was graded: its run is gone and only a part of it was kept.")
        raise _conflict("answer_gone", message, gone)


def _refuse_without_judge(actor: Actor, dataset: Dataset, wanted: Sequence[_Again]) -> None:
    """Refuse while the cause is still there, with the settings of the first grading (SC-141, SC-D56)."""
    off = [one.score for one in wanted if not one.settings.asks_judge]
    if off:
        message = _("The judge was off when this was graded, and it is graded again in the same way. Score it anew.")
        raise _conflict("judge_off", message, off)
    nameless = [one.score for one in wanted if one.settings.lacks_model]
    if nameless:
        raise _conflict(Cause.MODEL_MISSING.value, f"{in_words(Reason(GRADED_WITHOUT_MODEL))}.", nameless)
    judges = {one.score.snapshot_id: judge_of(actor, dataset, one.settings) for one in wanted}
    for judge in judges.values():
        if isinstance(judge, NoJudge):
            same = [one.score for one in wanted if _cause(judges[one.score.snapshot_id]) == judge.cause]
            raise _conflict(judge.cause.value, f"{in_words(judge.cause.reason)}.", same)
    _refuse_pinned([(one, judges[one.score.snapshot_id]) for one in wanted if one.score.is_pinned])


def _refuse_pinned(pinned: Sequence[tuple[_Again, Judge | NoJudge]]) -> None:
    """A part of a test run is graded by the very judge that its pin names, or not at all (SC-142, SC-143).

    One that failed because no version was published yet names none, and is graded by the first.
    """
    reworded, published = [], []
    for one, judge in pinned:
        then = Pin.of_json(one.score.pin)
        now = judge.identity.pin(one.settings, temperature=judge.identity.temperature)
        if then and then.task_version != now.task_version:
            reworded.append(one.score)
        if then and then.judge_version is not None and then.judge_version != now.judge_version:
            published.append(one.score)
    if reworded:
        message = _("The judge's task has changed since this test run, whose grades would no longer be comparable.")
        raise _conflict("judge_prompt_changed", message, reworded)
    if published:
        message = _("The judge was published again since this test run, whose grades would no longer be comparable.")
        raise _conflict("judge_republished", message, published)


def _cause(judge: Judge | NoJudge) -> Any:
    return judge.cause if isinstance(judge, NoJudge) else None


def _conflict(code: str, message: str, scores: Iterable[Score]) -> Conflict:
    return Conflict(code, message, {"score_ids": [str(score.pk) for score in scores]})


def _keep_attempts(scores: Sequence[Score]) -> None:
    """What each score said until now, as history (SC-D59)."""
    rows = ScoreAttempt.objects.filter(score__in=scores).values_list("score").annotate(last=Max("number"))
    last: dict[UUID, int] = dict(rows)
    ScoreAttempt.objects.bulk_create(
        ScoreAttempt(
            score=score,
            number=last.get(score.pk, 0) + 1,
            replaced_at=timezone.now(),
            **{name: getattr(score, name) for name in KEPT},
        )
        for score in scores
    )


def _lay_down_again(actor: Actor, scores: Sequence[Score]) -> None:
    """Waiting, with its settings, its run, its place in a test run and the results whose verdicts stay (SC-D58)."""
    Score.objects.filter(pk__in=[score.pk for score in scores]).update(
        state=ScoreState.WAITING,
        outcome="",
        number=None,
        why=None,
        judge_trouble="",
        asked_by=actor.member,
        claim=None,
        claimed_at=None,
        claims=0,
    )


def grade_without_verdict_again(actor: Actor, *, dataset: Dataset, score_ids: Sequence[UUID]) -> list[UUID]:
    """Lay those of these scores down once more that lack a verdict and whose answer is still there; their ids.

    For an act that asked access and compared the judges, inside its transaction, which has them graded (EV-D28).
    """
    found: list[UUID] = []
    for start in range(0, len(score_ids), BATCH):
        rows = Score.objects.select_for_update(no_key=True).filter(dataset=dataset, pk__in=score_ids[start:][:BATCH])
        scores = [score for score in rows.order_by("pk") if _Again(score).lacks_a_verdict]
        there = answers_of([score.pk for score in scores])
        again = [score for score in scores if score.pk in there]
        _keep_attempts(again)
        _lay_down_again(actor, again)
        found += [score.pk for score in again]
    return found
