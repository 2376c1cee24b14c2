"""Rows of a test run as one reader may know them: the question of a case, and why it failed or has no verdict."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from accounts.actor import Actor
from datasets.models import CaseRevision
from datasets.queries.seen_cases import SeenCase, seen_rows
from evals.logic.classes import CaseChange
from evals.logic.item_list import ListedItem, telling_attempt
from evals.logic.run_results import ItemResult, StoredAttempt
from evals.models import Attempt, EvalRun
from evals.queries.results import results_of, stored_attempts
from scoring.logic.findings import EvaluatorResult, Outcome, Reason, State, Verdict
from scoring.models import Score
from scoring.queries.readable_scores import ReadableFinding
from scoring.queries.reason_words import in_words

MOST_REASONS = 2
ENDED = ("done", "error", "cancelled")


@dataclass(frozen=True)
class ItemRow:
    """One case of a page of the list. `failed` is what it failed by, and `why` says why it has no verdict; both empty
    for who may not read answers."""

    item: ItemResult
    change: CaseChange | None
    case: SeenCase | None
    shown: StoredAttempt | None
    failed: Sequence[ReadableFinding] = ()
    why: str = ""


@dataclass(frozen=True)
class FinishedRow:
    """One attempt that has ended, of a run at work."""

    item_id: UUID
    attempt: StoredAttempt
    case: SeenCase | None
    why: str = ""


def item_rows(actor: Actor, run: EvalRun, page: Sequence[ListedItem], *, reads: bool) -> list[ItemRow]:
    """The rows of a page, its cases read with their attempts; five queries at the most.

    `reads` says whether the actor may read answers.
    """
    whole = results_of(run, [one.item.case_id for one in page]).by_case
    found = [(whole[one.item.case_id], one.change) for one in page if one.item.case_id in whole]
    cases = _cases(actor, run, (item.revision_id for item, _change in found))
    shown = [telling_attempt(item) for item, _change in found]
    failed = _failed([one for one in shown if one]) if reads else {}
    return [
        ItemRow(
            item, change, cases.get(item.revision_id), attempt,
            failed.get(attempt.score_id, ()) if attempt else (), why_of(attempt) if attempt and reads else "",
        )
        for (item, change), attempt in zip(found, shown, strict=True)
    ]  # fmt: skip


def finished_rows(actor: Actor, run: EvalRun, most: int, *, reads: bool) -> list[FinishedRow]:
    """The attempts that ended last, the newest first (EV-D18); three queries at the most."""
    ended = Attempt.objects.filter(run=run, state__in=ENDED, done_at__isnull=False).order_by("-done_at", "-id")
    items = dict(ended.values_list("id", "item__revision_id")[:most])
    by_item = stored_attempts(Attempt.objects.filter(pk__in=items)) if items else {}
    found = {attempt.id: (item_id, attempt) for item_id, attempts in by_item.items() for attempt in attempts}
    cases = _cases(actor, run, items.values())
    rows = []
    for attempt_id, revision_id in items.items():
        item_id, attempt = found[attempt_id]
        rows.append(FinishedRow(item_id, attempt, cases.get(revision_id), why_of(attempt) if reads else ""))
    return rows


def why_of(attempt: StoredAttempt) -> str:
    """Why there is no verdict, in words; with its error where the answer did not come (EV-D19)."""
    because = attempt.unscored_because
    told = [because, attempt.why if attempt.why != because else None]
    return ": ".join(in_words(one) for one in told if one)


def seen_case(actor: Actor, run: EvalRun, revision_id: int) -> SeenCase | None:
    """The case as it was asked and as the actor may see it."""
    return _cases(actor, run, [revision_id]).get(revision_id)


def _cases(actor: Actor, run: EvalRun, revisions: Iterable[int]) -> dict[int, SeenCase]:
    rows = list(CaseRevision.objects.filter(pk__in=list(revisions)).select_related("case"))
    seen = seen_rows(actor, rows, version=run.version)
    return {row.pk: one for row, one in zip(rows, seen, strict=True)}


def _failed(attempts: Sequence[StoredAttempt]) -> dict[UUID | None, list[ReadableFinding]]:
    """What made each of these attempts fail, by their scores; one query."""
    wanted = [one.score_id for one in attempts if one.final_outcome == Outcome.FAIL and one.score_id]
    stored: Any = Score.objects.filter(pk__in=wanted).values_list("pk", "results") if wanted else []
    found: dict[UUID | None, list[ReadableFinding]] = {}
    for score_id, results in stored:
        failed = [one for one in map(EvaluatorResult.of_json, results) if one.state is State.FAIL and one.must_pass]
        findings = [
            finding
            for result in failed
            for finding in result.findings
            if finding.required and finding.verdict is Verdict.FAIL
        ]
        found[score_id] = [ReadableFinding(finding) for finding in findings[:MOST_REASONS]]
    return found


def reason_in_words(stored: Any) -> str:
    """A stored reason, in words; empty for none."""
    return in_words(Reason.of_json(stored))
