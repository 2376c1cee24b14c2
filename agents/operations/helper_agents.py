"""Making the rows of the helpers where they are missing: one of each an organisation (GEN-57, GEN-D19, SC-D1)."""

from django.db import transaction

from accounts.models import Member, Organisation, Visibility
from agents.logic.helper_agents import HELPERS
from agents.models import Agent, AgentKind, AgentVersion, Helper
from core.errors import NotFound


def helper_agent(organisation: Organisation, helper: Helper) -> Agent:
    """The organisation's row of this helper, made where it is missing.

    Whoever needs one asks here, so that no organisation, old or new, can be without. Raises `NotFound` in an
    organisation that nobody owns.
    """
    found = Agent.objects.filter(organisation=organisation, helper=helper).first()
    return found or _made(organisation, helper)


@transaction.atomic
def helper_version(organisation: Organisation, helper: Helper, *, number: int, instructions: str) -> AgentVersion:
    """The helper as this release defines it: registered as a version the first time that it works so (SC-D2).

    `number` is the one that the code gives its fixed text, `instructions`. Raises `NotFound` as `helper_agent`.
    """
    agent = helper_agent(organisation, helper)
    given = {"spec": {"instructions": instructions}}
    version, is_new = AgentVersion.objects.select_related("agent").get_or_create(
        agent=agent, number=number, defaults=given
    )
    if is_new:
        Agent.objects.filter(pk=agent.pk, newest_version__lt=number).update(newest_version=number)
    return version


def ensure_helpers(organisation: Organisation) -> None:
    """Make the rows that are missing; one query where none is. Does nothing in an organisation that nobody owns."""
    present = set(Agent.objects.filter(organisation=organisation).exclude(helper="").values_list("helper", flat=True))
    for helper in Helper:
        if helper.value not in present and _owner(organisation) is not None:
            _made(organisation, helper)


def ensure_helpers_everywhere() -> None:
    """The same for every organisation: part of each update, so that old ones get what a release adds."""
    for organisation in Organisation.objects.order_by("pk").iterator():
        ensure_helpers(organisation)


@transaction.atomic
def _made(organisation: Organisation, helper: Helper) -> Agent:
    """Two at once get the same one: the table lets an organisation have each once."""
    owner = _owner(organisation)
    if owner is None:
        raise NotFound
    about = HELPERS[helper.value]
    given = {
        "owner": owner,
        "name": about.name,
        "description": about.purpose,
        "kind": AgentKind.MODEL,
        "visibility": Visibility.ORGANISATION,
    }
    agent, _is_new = Agent.objects.get_or_create(organisation=organisation, helper=helper, defaults=given)
    return agent


def _owner(organisation: Organisation) -> Member | None:
    """A row has an owner, who hands it over like the rest when leaving; it lets them do nothing with it."""
    return Member.objects.owners().filter(organisation=organisation).order_by("joined_at", "pk").first()
