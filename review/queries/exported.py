"""Graded answers as files hold them, a row each, as one reader may see them (RV-D44)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import translation

from accounts.actor import Actor
from core.paging import Segment, segmented_page
from datasets.models import Dataset
from evals.logic.export_rows import money
from review.models import Decision
from review.queries.review_pages import segments_of
from review.queries.rows import in_review
from scoring.logic.copies import call_as_json
from scoring.logic.findings import Evaluator
from scoring.models import Score
from scoring.queries.readable_scores import ReadableScore, readable_scores
from scoring.queries.scores import UNREAD, ScoreFilter
from scoring.queries.told_reasons import reasons_of

# So many answers with their texts are in memory at once.
BATCH = 200


@dataclass(frozen=True)
class ExportedScores:
    """What is to be exported: the list of the table as it was at `until`. `language` is the reader's."""

    actor: Actor
    dataset: Dataset
    wanted: ScoreFilter
    sort: str
    until: datetime
    language: str

    def rows(self) -> Iterator[dict[str, Any]]:
        """One an answer, in the order of the table; a batch takes a few queries, however many there are."""
        cursor: str | None = ""
        while cursor is not None:
            page = segmented_page(self._segments(), cursor=cursor, size=BATCH)
            with translation.override(self.language):
                rows = self._shown(page.rows)
            yield from rows
            cursor = page.next

    def _segments(self) -> list[Segment[Score]]:
        """The list with its long texts."""
        found = segments_of(self.actor, self.dataset, self.wanted, sort=self.sort)
        return [
            replace(
                one,
                sources=[rows.filter(created_at__lte=self.until).defer(None).defer(*UNREAD) for rows in one.sources],
            )
            for one in found
        ]

    def _shown(self, scores: Sequence[Score]) -> list[dict[str, Any]]:
        decisions = _decisions([score.pk for score in scores if score.decided])
        waiting = in_review(score.pk for score in scores)
        return [
            _row(shown, decisions.get(shown.id), is_waiting=shown.id in waiting)
            for shown in readable_scores(self.actor, scores)
        ]


def _decisions(score_ids: Sequence[UUID]) -> dict[UUID, Decision]:
    """The decision that holds of each decided score."""
    acts = Decision.objects.filter(score__in=score_ids).order_by("score", "number") if score_ids else ()
    return {act.score_id: act for act in acts}


def _row(shown: ReadableScore, decision: Decision | None, *, is_waiting: bool) -> dict[str, Any]:
    found: dict[str, Any] = {
        **_what_was_asked(shown),
        "outcome": shown.score.final_outcome,
        "automatic_outcome": shown.outcome,
        "review": "decided" if shown.score.decided else "waiting" if is_waiting else "",
        "decided_at": _moment(decision.at if decision else None),
        "note": decision.note if decision and shown.is_readable else None,
        "score": shown.number,
        "reasons": reasons_of(shown) if shown.is_readable else None,
        "answer": shown.answer if shown.is_readable else None,
        "tool_calls": [call_as_json(call) for call in shown.calls] if shown.is_readable else None,
        "cost_usd": money(shown.cost),
        "judge_cost_usd": money(shown.judge_cost),
        "latency_ms": None if shown.seconds is None else round(shown.seconds * 1000),
        "judge_model": (shown.pin.model if shown.pin else None) or "",
        "created_at": _moment(shown.created_at),
        "graded_at": _moment(shown.graded_at),
    }
    for one in Evaluator:
        found[f"{one.value}_number"], found[f"{one.value}_verdict"] = None, ""
    for result in (one.result for one in shown.results):
        found[f"{result.evaluator.value}_number"] = result.number
        found[f"{result.evaluator.value}_verdict"] = result.state.value
    return found


def _what_was_asked(shown: ReadableScore) -> dict[str, Any]:
    """The case, and who answered."""
    return {
        "score_id": shown.id_text,
        "case_id": str(shown.case_id),
        "version": shown.version,
        "tags": list(shown.case.content.tags) if shown.case else [],
        "question": shown.case.content.input if shown.case else None,
        "agent": shown.agent.name if shown.agent else "",
        "agent_version": shown.agent_version,
        "model": shown.model,
        "origin": shown.origin,
        "eval_run": str(shown.test_run.id) if shown.test_run else "",
        "answer_set": shown.answer_set.label if shown.answer_set else "",
    }


def _moment(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
