"""What is shown of one case of a test run: its attempts, and the answer of one of them with what was found."""

from typing import Any
from uuid import UUID

from evals.models import EvalRun
from evals.queries.item_rows import seen_case
from evals.queries.seen_item import find_item
from evals.queries.shown_items import sight_of_run
from evals.views.run_addresses import send_address
from scoring.queries.reason_words import in_words
from scoring.views.score_context import score_context


def item_context(request: Any, run: EvalRun, item_id: UUID) -> dict[str, Any]:
    """The case as the reader may see it. Raises `NotFound`.

    An attempt with a score is shown by the score's own parts, so that the same is hidden here as there (RV-74).
    """
    number = request.GET.get("attempt", "")
    found = find_item(run, item_id, int(number) if number.isdecimal() and len(number) < 4 else None)
    context = {"run": run, "dataset": run.dataset, "found": found, "item": found.item, "shown_attempt": found.shown}
    context["send_url"] = send_address(request.actor, run)
    if found.shown is not None and found.shown.score_id is not None:
        return context | score_context(request, run.dataset, found.shown.score_id)
    reads = sight_of_run(request.actor, run).reads
    return context | {
        "case": seen_case(request.actor, run, found.item.revision_id),
        "reads": reads,
        "why": in_words(found.shown.why) if found.shown and reads else "",
    }
