"""What the table of graded answers shows: a page of rows, its filters, and which rows are waited for."""

from collections.abc import Sequence
from typing import Any

from activity.forms.run_list import id_of
from core.errors import Invalid
from core.limits import LIMITS
from core.paging import Page
from datasets.models import Dataset
from datasets.queries.cases import tags_of
from datasets.queries.running import offer_to_run
from datasets.queries.steps import steps_of
from review.forms.review_table import ReviewState
from review.queries.review_pages import review_page
from review.queries.rows import review_rows
from scoring.models import Score, ScoreOrigin, ScoreOutcome
from scoring.places import newest_runs
from scoring.queries.answer_sets import newest_sets
from scoring.queries.scored_again import unscored_of_run, without_model_for_good
from scoring.queries.scores import ScoreFilter, agents_of_scores, scores_of
from scoring.views.addresses import review_address


def review_context(request: Any, dataset: Dataset, state: ReviewState) -> dict[str, Any]:
    """For `review/table.html`; the panel is loaded with the page where its address names a score."""
    page = _page(request, dataset, state)
    rows = review_rows(request.actor, page.rows)
    is_bare = not rows and state.filter.is_empty and not state.cursor
    context = {
        "dataset": dataset,
        "state": state,
        "rows": rows,
        "is_bare": is_bare,
        **_again(request, dataset, page.rows),
        **_again_of_run(request, dataset, state),
        "waiting": [row.id_text for row in rows if row.is_waiting],
        "base": review_address(dataset.pk, state.list_query),
        "before_href": _beside(dataset, state, "before", page.previous),
        "after_href": _beside(dataset, state, "after", page.next),
        "opens_panel": state.score_id and request.headers.get("HX-Target") != "review",
    }
    if is_bare:
        return context | {"steps": {step.name: step for step in steps_of(request.actor, dataset)}}
    return context | _filters(request, dataset, state)


def _again(request: Any, dataset: Dataset, scores: Sequence[Score]) -> dict[str, Any]:
    """Whether Score again is offered, and the scores on which it could never reach a verdict."""
    running = offer_to_run(request.actor, dataset)
    return {
        "may_score_again": running.is_shown and not running.reason,
        "never_again": without_model_for_good(scores),
    }


def _again_of_run(request: Any, dataset: Dataset, state: ReviewState) -> dict[str, Any]:
    """Of the test run that the list is filtered by: how many of its answers can be graded again at once (EV-46)."""
    run_id = state.eval_run_id
    unscored = len(unscored_of_run(request.actor, dataset, run_id)) if run_id else 0
    return {"unscored_of_run": unscored, "again_at_once": min(unscored, LIMITS.scores_again_at_once)}


def _filters(request: Any, dataset: Dataset, state: ReviewState) -> dict[str, Any]:
    """What the filters above the table offer."""
    return {
        "agents": agents_of_scores(request.actor, dataset),
        "tags": tags_of(dataset, dataset.newest_version),
        "answer_sets": newest_sets(dataset, besides=state.filter.answer_set_ids),
        "test_runs": newest_runs(request.actor, dataset, state.filter.eval_run_ids),
        "outcomes": ScoreOutcome.choices,
        "origins": ScoreOrigin.choices,
    }


def waiting_context(request: Any, dataset: Dataset, ids: Sequence[str]) -> dict[str, Any]:
    """The rows that a table waits for, and which of them still wait."""
    keys = [key for key in map(id_of, ids[:200]) if key]
    found = scores_of(request.actor, dataset, ScoreFilter()).filter(pk__in=keys)
    rows = review_rows(request.actor, list(found))
    return {"dataset": dataset, "rows": rows, "waiting": [row.id_text for row in rows if row.is_waiting]}


def _beside(dataset: Dataset, state: ReviewState, name: str, cursor: str | None) -> str:
    """The page beside this one, as an address of the dataset's page; empty where there is none."""
    here: dict[str, str | None] = {"after": None, "before": None, "cursor": None}
    return review_address(dataset.pk, state.list_query, **(here | {name: cursor})) if cursor else ""


def _page(request: Any, dataset: Dataset, state: ReviewState) -> Page[Score]:
    """A cursor of another list, or one that somebody changed, shows the newest."""
    try:
        return review_page(request.actor, dataset, state.filter, sort=state.sort, cursor=state.cursor)
    except Invalid:
        return review_page(request.actor, dataset, state.filter, sort=state.sort)
