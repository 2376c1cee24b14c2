"""Addresses of one test run's page."""

from uuid import UUID

from django.http import QueryDict
from django.urls import reverse

from accounts.actor import Actor
from evals.forms.run_page import RunPageState
from evals.models import EvalRun
from evals.places import review_url_name
from evals.queries.eval_acts import may_send

LIST = {"tab": "results", "view": "runs"}


def eval_address(eval_id: UUID, query: str = "", **parameters: object) -> str:
    """The page of the run; `query` is the list's own part of an address, `parameters` replace what it says."""
    kept = QueryDict(query, mutable=True)
    for name, value in parameters.items():
        if value in (None, ""):
            kept.pop(name, None)
        else:
            kept[name] = str(value)
    text = kept.urlencode()
    return reverse("eval", args=[eval_id]) + (f"?{text}" if text else "")


def filter_address(eval_id: UUID, state: RunPageState, **changed: str) -> str:
    """The list with these filters in place of its own, from its first page."""
    now = state.filter
    told = {"result": now.result, "change": now.change, "tag": now.tag} if now else {}
    wanted = {name: value for name, value in (told | changed).items() if value}
    return eval_address(eval_id, "", **(wanted or {"show": "all"}))


def send_address(actor: Actor, run: EvalRun) -> str:
    """Where chosen answers of the run are sent to review; empty for who may not."""
    return reverse(review_url_name(), args=[run.dataset_id]) if may_send(actor, run) else ""
