"""What the table of graded answers shows: a page of rows, its filters, and which rows are waited for."""

from collections.abc import Sequence
from typing import Any

from accounts import access
from accounts.permissions import Permission
from activity.forms.run_list import id_of
from core.errors import Invalid
from core.limits import LIMITS
from core.paging import Page
from datasets.models import Dataset
from datasets.queries.running import offer_to_who_may_run
from datasets.queries.steps import steps_of
from review.forms.review_table import ReviewState
from review.queries.agreement_line import agreement_line
from review.queries.review_pages import review_page
from review.queries.rows import review_rows
from review.views.filter_menus import menus_of
from scoring.models import Score
from scoring.queries.scored_again import unscored_of_run
from scoring.queries.scores import ScoreFilter, scores_of
from scoring.views.addresses import review_address


def review_context(request: Any, dataset: Dataset, state: ReviewState) -> dict[str, Any]:
    """For `review/table.html`; the panel is loaded with the page where its address names a score."""
    page = _page(request, dataset, state)
    rows = review_rows(request.actor, page.rows)
    is_bare = not rows and state.filter.is_empty and not state.cursor
    if is_bare:
        steps = {step.name: step for step in steps_of(request.actor, dataset)}
        return {"dataset": dataset, "state": state, "is_bare": True, "steps": steps}
    return {
        "dataset": dataset,
        "state": state,
        "rows": rows,
        "menus": menus_of(request.actor, dataset, state, whole=False),
        "agreement": agreement_line(request.actor, dataset, state.filter),
        **_acts(request, dataset),
        **_again_of_run(request, dataset, state),
        **_ways(dataset, state, page),
        "waiting": [row.id_text for row in rows if row.is_waiting],
        "opens_panel": state.score_id and request.headers.get("HX-Target") not in ("review", "review-list"),
    }


def _ways(dataset: Dataset, state: ReviewState, page: Page[Score]) -> dict[str, Any]:
    """The addresses of this page and of those beside it."""
    return {
        "base": review_address(dataset.pk, state.list_query),
        "before_href": _beside(dataset, state, "before", page.previous),
        "after_href": _beside(dataset, state, "after", page.next),
        "has_more": bool(page.previous or page.next),
    }


def _acts(request: Any, dataset: Dataset) -> dict[str, bool]:
    """What may be done with chosen rows (RV-D43)."""
    has = access.which(request.actor, dataset, Permission.DATASETS_EDIT, Permission.DATASETS_RUN)
    running = offer_to_who_may_run(request.actor, may_run=Permission.DATASETS_RUN in has)
    may_send, may_again = Permission.DATASETS_EDIT in has, running.is_shown and not running.reason
    return {"may_send": may_send, "may_score_again": may_again, "may_choose": may_send or may_again}


def _again_of_run(request: Any, dataset: Dataset, state: ReviewState) -> dict[str, Any]:
    """Of the test run that the list is filtered by: how many of its answers can be graded again at once (EV-46)."""
    run_id = state.eval_run_id
    unscored = len(unscored_of_run(request.actor, dataset, run_id)) if run_id else 0
    return {"unscored_of_run": unscored, "again_at_once": min(unscored, LIMITS.scores_again_at_once)}


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
    """A cursor of another list, or one that somebody changed, shows the first page."""
    try:
        return review_page(request.actor, dataset, state.filter, sort=state.sort, cursor=state.cursor)
    except Invalid:
        return review_page(request.actor, dataset, state.filter, sort=state.sort)
