"""What the templates of runs need: the list, its panel, one run, the notices above."""

from typing import Any

from django.http import QueryDict
from django.urls import NoReverseMatch, reverse

from accounts import access
from accounts.permissions import Permission
from activity.forms.run_list import RANGES, RunListState, list_query
from activity.models import Run, RunKind, RunRating, RunStatus
from activity.places import controls_for, notices_for, run_acts_for
from activity.queries.run_messages import around
from activity.queries.runs import NEWEST_FIRST, agents_of_runs, find_run, has_runs, listed, runs
from core.errors import Invalid, NotFound
from core.paging import Page, keyset_page

# What the empty list shows of the API.
SAMPLE_RUN = """curl {address}/api/v1/runs \\
  -H "Authorization: Bearer $CASEBOOK_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{{"agent": "<agent id>", "messages": [
        {{"role": "user", "content": "Where is order 48213?"}},
        {{"role": "assistant", "content": "It was sent on Monday."}}]}}'"""


def list_context(request: Any, state: RunListState) -> dict[str, Any]:
    """The page of runs, and what the filters offer."""
    page = _page(request, state)
    return {
        "state": state,
        "page": page,
        "agents": agents_of_runs(request.actor),
        "kinds": RunKind.choices,
        "statuses": RunStatus.choices,
        "ratings": RunRating.choices,
        "ranges": list(RANGES.items()),
        "has_runs": bool(page.rows) or has_runs(request.actor),
        "sample_run": SAMPLE_RUN.format(address=request.build_absolute_uri("/").rstrip("/")),
    }


def _page(request: Any, state: RunListState) -> Page[Run]:
    """A cursor of another list, or one that somebody changed, shows the newest."""
    found = listed(runs(request.actor, state.filter))
    try:
        return keyset_page(found, NEWEST_FIRST, cursor=state.cursor)
    except Invalid:
        return keyset_page(found, NEWEST_FIRST)


def panel_context(request: Any, state: RunListState) -> dict[str, Any]:
    """The run in the side panel; one that is not there is said so."""
    if state.run_id is None:
        return {}
    close = reverse("run_list") + (f"?{state.list_query}" if state.list_query else "")
    frame = {"panel_row": state.run_id, "close_href": close}
    try:
        return frame | run_context(request, find_run(request.actor, state.run_id))
    except NotFound:
        return frame


def run_context(request: Any, run: Run) -> dict[str, Any]:
    """One run with its conversation, and what the reader may do."""
    told = around(run)
    return {
        "run": run,
        "told": told,
        "controls": controls_for(request.actor),
        "run_acts": run_acts_for(request.actor, run, told.own),
        "handed_on": _handed_on(request.GET),
        "run_query": list_query(request.GET),
        "agent_href": _agent_address(request, run),
        "conversation_href": _address("conversation", run.conversation_id),
        "may_delete": access.may(request.actor, Permission.ORGANISATION_MANAGE) and run.status != RunStatus.RUNNING,
    }


def notices(request: Any) -> dict[str, Any]:
    """What stands above: the addresses of fragments that later apps own."""
    asked = notices_for(request.actor, request.GET)
    query = list_query(request.GET)
    return {"notices": [f"{reverse(notice.url_name)}?{query}" for notice in asked]}


def _handed_on(query: QueryDict) -> str:
    """The page's own query for the fragments of controls, and that a run asks."""
    kept = query.copy()
    for name in ("run", "after", "before"):
        kept.pop(name, None)
    kept["from"] = "run"
    return kept.urlencode()


def _agent_address(request: Any, run: Run) -> str:
    """The version that answered, or the agent; empty where the reader may not open it."""
    if run.agent is None or run.agent.is_helper or not access.may(request.actor, Permission.AGENTS_VIEW, run.agent):
        return ""
    number = run.agent_version.number if run.agent_version else None
    version = _address("agent_version", run.agent_id, number) if number else ""
    return version or _address("agent_detail", run.agent_id)


def _address(name: str, *parts: Any) -> str:
    """The address of a page of another part of Casebook; empty where there is none."""
    try:
        return reverse(name, args=parts) if all(parts) else ""
    except NoReverseMatch:
        return ""
