"""A test run, locked for an act on it until the transaction ends."""

from uuid import UUID

from accounts.actor import Actor
from core.errors import NotFound
from evals.models import EvalRun
from evals.queries.evals import find_eval


def locked_eval(actor: Actor, eval_id: UUID) -> EvalRun:
    """The run as `find_eval` gives it, as it is once nobody else acts on it. Raises `NotFound`."""
    if not EvalRun.objects.select_for_update(no_key=True).filter(pk=find_eval(actor, eval_id).pk).exists():
        raise NotFound
    return find_eval(actor, eval_id)
