"""Which model a helper asks where nothing nearer to its work says another (GEN-D19)."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import access, audit
from accounts.actor import Actor
from accounts.permissions import Permission
from agents.models import Agent, Helper
from agents.operations.agents import lock_agent_in_sight
from agents.queries.draft_parts import model_of
from core.errors import Invalid, NotAllowed


@transaction.atomic
def set_helper_model(actor: Actor, *, agent_id: UUID, model_id: UUID | None) -> Agent:
    """Let the helper ask this model, or none; what it is told stays built in.

    The judge has none of its own: only the grading settings of a dataset choose its model (SC-57). Raises `NotFound`,
    `NotAllowed` without `organisation:manage` or where the agent is no helper, `Invalid` at `model`.
    """
    agent = lock_agent_in_sight(actor, agent_id)
    access.require(actor, Permission.ORGANISATION_MANAGE)
    if not agent.is_helper:
        raise NotAllowed(_("The model of an agent is a part of its draft."))
    if model_id and agent.helper == Helper.JUDGE:
        raise Invalid.at("model", _("The grading settings of each dataset choose the judge's model."))
    model = model_of(actor.organisation_id, str(model_id)) if model_id else None
    if model_id and model is None:
        raise Invalid.at("model", _("There is no model of this id."))
    chosen = {"model": model.id_text} if model else {}
    if chosen != agent.draft:
        agent.draft = chosen
        agent.save(update_fields=["draft"])
        audit.record(actor, "agent.changed", agent, fields=["model"])
    return agent
