"""The first start: the first user, the first organisation, its Owner (PL-1)."""

from django.contrib.contenttypes.models import ContentType
from django.db import transaction

from accounts import audit
from accounts.actor import Actor
from accounts.models import Member, Organisation, User
from accounts.operations.naming import clean_name
from accounts.operations.users import new_user
from accounts.permissions import Role
from core.errors import NotFound


@transaction.atomic
def set_up(*, email: str, name: str, password: str, organisation_name: str, address: str = "") -> Member:
    """Make the first user, their organisation and its Owner. Only while no user exists: else `NotFound`.

    Raises `Invalid` naming `email`, `name`, `password` or `organisation_name`.
    """
    # One row that every installed database has serves as the lock: of two set-ups at once the second waits here, and
    # then finds a user. (SQLite holds its write lock from the beginning of the transaction.)
    ContentType.objects.select_for_update().get(app_label="accounts", model="user")
    if User.objects.exists():
        raise NotFound
    organisation = Organisation.objects.create(name=clean_name(organisation_name, field="organisation_name"))
    user = new_user(email=email, name=name, password=password)
    member = Member.objects.create(organisation=organisation, user=user, role=Role.OWNER)
    audit.record(Actor.of_member(member, address=address), "organisation.set_up", organisation)
    return member
