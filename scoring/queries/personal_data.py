"""What scores hold of a person: the copies of what agents answered them (SC-150, ACC-62)."""

from typing import Any

from accounts.models import Person
from scoring.models import Score

BATCH = 200


def answers_to(person: Person) -> list[dict[str, Any]]:
    """The copies of the answers of the person's runs, each with its dataset and how it was graded."""
    rows = Score.objects.filter(person=person).select_related("dataset", "agent").order_by("created_at", "pk")
    rows = rows.only(
        "dataset__name", "agent__name", "case_id", "answer", "answer_cut", "calls", "outcome", "created_at", "run_id"
    )
    return [_entry(score) for score in rows.iterator(chunk_size=BATCH)]


def _entry(score: Score) -> dict[str, Any]:
    return {
        "dataset": score.dataset.name,
        "case": str(score.case_id),
        "run": str(score.run_id) if score.run_id else None,
        "agent": score.agent.name if score.agent else None,
        "answer": score.answer,
        "answer_is_shortened": score.answer_cut,
        "tool_calls": score.calls,
        "outcome": score.outcome or None,
        "asked_at": score.created_at.isoformat(),
    }
