"""Finding agents: one by its id, those a member sees, those that can be run (PL-21)."""

from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts import access
from accounts.access import SharedQuerySet
from accounts.actor import Actor
from accounts.permissions import Permission
from agents.models import Agent, AgentKind, AgentVersion, Helper, LanguageModel
from core.errors import Conflict, NotFound
from core.folding import fold
from core.limits import LIMITS

RUNNABLE = (AgentKind.MODEL, AgentKind.ENDPOINT)


def find_agent(actor: Actor, agent_id: UUID, permission: Permission = Permission.AGENTS_VIEW) -> Agent:
    """The agent with its owner, a helper too. Raises `NotFound` where it may not be known, else `NotAllowed`."""
    return access.fetch(_rows(), actor, permission, pk=agent_id)


def visible_agents(actor: Actor, *, search: str = "", kind: str = "", state: str = "") -> QuerySet[Agent]:
    """What people made and the actor can see, helpers left out; `search` in the name, accents and case ignored."""
    rows = _rows().allowed(actor, Permission.AGENTS_VIEW).filter(helper="")
    wanted = fold(search[: LIMITS.search_characters])
    rows = rows.filter(name_folded__contains=wanted) if wanted else rows
    rows = rows.filter(kind=kind) if kind else rows
    return rows.filter(state=state) if state else rows


def helpers_of(actor: Actor) -> QuerySet[Agent]:
    """The organisation's helpers, for who sets their budgets and models; none for anybody else."""
    rows = Agent.objects.filter(organisation_id=actor.organisation_id).exclude(helper="").order_by("name", "pk")
    return rows if access.may(actor, Permission.ORGANISATION_MANAGE) else rows.none()


def find_helper(actor: Actor, helper: Helper) -> Agent:
    """The organisation's row of this helper. Raises `NotFound` for who does not manage it, or where there is none."""
    found = helpers_of(actor).filter(helper=helper).first()
    if found is None:
        raise NotFound
    return found


def model_of_helper(helper: Agent) -> LanguageModel | None:
    """The model that was chosen for a helper, or None where none was or it was removed (GEN-D19)."""
    wanted = helper.draft.get("model")
    rows = LanguageModel.objects.filter(connection__organisation_id=helper.organisation_id)
    return rows.select_related("connection").filter(pk=wanted).first() if wanted else None


def agents_to_run(actor: Actor) -> QuerySet[Agent]:
    """Active agents with a version that Casebook can ask and the actor may run, by name."""
    rows = _rows().allowed(actor, Permission.AGENTS_RUN).filter(helper="", kind__in=RUNNABLE, newest_version__gte=1)
    # Whoever may run what they cannot see must not learn of it here.
    seen = Agent.objects.allowed(actor, Permission.AGENTS_VIEW).order_by().values("pk")
    return rows.filter(state="active", pk__in=seen).order_by("name_folded", "pk")


def version_to_run(agent: Agent, number: int | None = None) -> AgentVersion:
    """The version of that number, or the newest one.

    Raises `Conflict` `agent_archived`, `agent_external`, `agent_judge` or `agent_unpublished`, `NotFound` for an
    unknown number.
    """
    refuse_archived(agent)
    if agent.kind == AgentKind.JUDGE:
        raise Conflict("agent_judge", _("This agent is a judge: it grades answers and is not asked to answer itself."))
    if agent.kind not in RUNNABLE:
        raise Conflict("agent_external", _("Casebook does not call this agent: its runs arrive through the API."))
    if not agent.newest_version:
        raise Conflict("agent_unpublished", _("This agent has no published version yet."))
    return find_version(agent, agent.newest_version if number is None else number)


def refuse_archived(agent: Agent) -> None:
    """Raise `Conflict` `agent_archived` where the agent is no longer in use."""
    if not agent.is_active:
        raise Conflict("agent_archived", _("This agent is archived. Restore it first."))


def versions_of(agent: Agent) -> QuerySet[AgentVersion]:
    """The published versions with their authors, newest first."""
    return AgentVersion.objects.filter(agent=agent).select_related("author__user").order_by("-number")


def find_version(agent: Agent, number: int) -> AgentVersion:
    """One published version. Raises `NotFound`."""
    found = versions_of(agent).filter(number=number).first()
    if found is None:
        raise NotFound
    return found


def newest_version_of(agent: Agent) -> AgentVersion | None:
    """The newest published version, or None before the first."""
    return versions_of(agent).first() if agent.newest_version else None


def _rows() -> SharedQuerySet[Agent]:
    return Agent.objects.select_related("owner__user")
