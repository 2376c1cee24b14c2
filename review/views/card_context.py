"""What the card of one graded answer shows: evidence, grading, decision, and what happened to it (RV-12 to RV-26)."""

from typing import Any
from uuid import UUID

from core.limits import LIMITS
from datasets.models import Dataset
from review.forms.review_table import ReviewState
from review.operations.onlookers import look_at
from review.queries.decisions import ShownDecision, offer_to_decide
from review.queries.histories import review_of
from review.queries.next_waiting import another_waits
from review.queries.rows import review_rows
from scoring.views.addresses import review_address
from scoring.views.score_context import score_context


def card_context(
    request: Any, dataset: Dataset, score_id: UUID, *, in_panel: bool, note: str | None = None, trouble: str = ""
) -> dict[str, Any]:
    """For `review/panel.html` and `review/score.html`. Raises `NotFound`.

    `note` is one that is not saved, to stand in the editor in place of the decision's own; `trouble` is why it is not.
    """
    state = ReviewState.of(request.GET)
    context = score_context(request, dataset, score_id)
    shown = context["shown"]
    score, is_readable = shown.score, shown.is_readable
    history = review_of(request.actor, score, is_readable=is_readable)
    return context | {
        "history": history,
        "decision": history.decision,
        "stay": history.stay,
        "offer": offer_to_decide(request.actor, score, is_readable=is_readable),
        "another_waits": another_waits(dataset, score_id),
        **_editor(history.decision, note),
        "trouble": trouble,
        "in_panel": in_panel,
        "list_query": state.list_query,
        "close_href": review_address(dataset.pk, state.list_query),
        "panel_row": score_id,
    }


def _editor(decision: ShownDecision | None, note: str | None) -> dict[str, Any]:
    """The note in the editor: the decision's own, or one that is not saved."""
    stored = decision.note if decision else ""
    return {
        "note": stored if note is None else note,
        "is_unsaved": note is not None,
        "note_limit": LIMITS.review_note_characters,
    }


def opened_context(request: Any, dataset: Dataset, score_id: UUID, *, in_panel: bool) -> dict[str, Any]:
    """The same for somebody who opens the card: who else has it open (RV-D35)."""
    context = card_context(request, dataset, score_id, in_panel=in_panel)
    return context | {"onlookers": look_at(request.actor, dataset_id=dataset.pk, score_id=score_id)}


def changed_context(request: Any, dataset: Dataset, score_id: UUID, **given: Any) -> dict[str, Any]:
    """The same after an act: with the row of the table, which changes with it."""
    context = card_context(request, dataset, score_id, **given)
    (row,) = review_rows(request.actor, [context["shown"].score])
    return context | {"row": row}
