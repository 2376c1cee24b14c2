"""What one score shows, in the side panel, on its page and after it was asked for (RV-17 to RV-26)."""

from typing import Any

from datasets.models import Dataset
from datasets.queries.running import offer_to_run
from scoring.queries.graded_cases import case_now, scale_of, was_judged
from scoring.queries.mask_marks import mask_mark
from scoring.queries.readable_scores import readable_score
from scoring.queries.scored_again import lacks_model_for_good
from scoring.queries.scores import find_score


def score_context(request: Any, dataset: Dataset, score_id: Any) -> dict[str, Any]:
    """The score as the reader may see it. Raises `NotFound`."""
    found = find_score(dataset, score_id)
    shown = readable_score(request.actor, found)
    running = offer_to_run(request.actor, dataset)
    return {
        "dataset": dataset,
        "shown": shown,
        "case": shown.case,
        "case_now": case_now(dataset, shown.case) if shown.case else "",
        "scale": scale_of(found) if shown.is_readable else None,
        "may_score_again": running.is_shown and not running.reason,
        "lacks_model": lacks_model_for_good(found),
        "is_judged": was_judged(found),
        "mask_mark": mask_mark(shown),
    }
