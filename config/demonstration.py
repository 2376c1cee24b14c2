"""The demonstration organisation: Kettle & Co, one login for each role, and data to try every page (PL-50)."""

from dataclasses import dataclass

from django.conf import settings
from django.db import transaction

from accounts import audit
from accounts.actor import Actor
from accounts.models import Member, Organisation, User
from accounts.operations.invitations import accept_invitation, invite_member
from accounts.operations.setup import set_up
from accounts.operations.users import new_user
from accounts.permissions import Role
from activity.operations.demonstration import load_runs
from agents.operations.demonstration import load_agents
from datasets.operations.demonstration import load_demonstration
from evals.operations.demonstration import load_test_runs
from review.operations.demonstration import load_decisions
from scoring.operations.demonstration import load_scores

NAME = "Kettle & Co"
PASSWORD = "teapot-on-the-shelf-7"  # noqa: S105  (printed at each start; the logins are for trying out on one machine)
PEOPLE = {
    Role.OWNER: "Olga Kettle",
    Role.ADMIN: "Adam Spout",
    Role.BUILDER: "Beatriz Steam",
    Role.OPERATOR: "Oskar Lid",
    Role.MEMBER: "Maja Cup",
    Role.VIEWER: "Vera Saucer",
}


class Refused(Exception):
    """The demonstration does not belong into this database; the message says why."""


@dataclass(frozen=True)
class Login:
    """One way in, as it is printed."""

    role: Role
    email: str


def email_of(role: Role) -> str:
    return f"{role.value}@kettle.example"


def demonstrate(*, force: bool = False) -> list[Login]:
    """Make what is missing of the demonstration, all or nothing, and give its logins. A second time changes nothing.

    Raises `Refused` outside development and where people keep their own organisations, unless forced: the password is
    known to everybody.
    """
    with transaction.atomic():
        owner = Member.objects.filter(user__email=email_of(Role.OWNER), organisation__name=NAME).first()
        if owner is None:
            _check_place(force=force)
            owner = _founded()
        for role in PEOPLE:
            _join(owner, role)
        actor = Actor.of_member(owner)
        load_runs(actor, agents=load_agents(actor))
        load_demonstration(actor)
        load_scores(actor)
        load_test_runs(actor)
        load_decisions(actor)
    return [Login(role, email_of(role)) for role in PEOPLE]


def _check_place(*, force: bool) -> None:
    if force:
        return
    if not settings.DEBUG:
        raise Refused("The demonstration's password is public, so it is made in development only (DEBUG=true).")
    if User.objects.exists():
        raise Refused("This database has organisations of its own, so no demonstration was added to it.")


def _founded() -> Member:
    owner = {"email": email_of(Role.OWNER), "name": PEOPLE[Role.OWNER], "password": PASSWORD}
    if not User.objects.exists():
        return set_up(**owner, organisation_name=NAME)
    organisation = Organisation.objects.create(name=NAME)
    member = Member.objects.create(organisation=organisation, user=new_user(**owner), role=Role.OWNER)
    audit.record(Actor.of_member(member), "organisation.set_up", organisation)
    return member


def _join(owner: Member, role: Role) -> None:
    """Invite and accept, as people do; whoever has a login already, or had one and was erased, is left alone."""
    if User.objects.filter(email=email_of(role)).exists():
        return
    issued = invite_member(Actor.of_member(owner), email=email_of(role), role=role)
    accept_invitation(token=issued.token, name=PEOPLE[role], password=PASSWORD)
