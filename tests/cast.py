"""The people of the tests: two organisations, a member for each role, somebody in both, and keys."""

from dataclasses import dataclass, field

from accounts.actor import Actor
from accounts.models import Member, Organisation, User
from accounts.permissions import Role


@dataclass
class Cast:
    """`cast.owner` … `cast.viewer` are members of Kettle & Co; `cast.stranger` owns the other organisation.

    `cast.actor("builder")` is the actor of that member; `cast.both` is a user with a membership in each.
    """

    kettle: Organisation
    other: Organisation
    members: dict[str, Member] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Member:
        try:
            return self.__dict__["members"][name]
        except KeyError:
            raise AttributeError(name) from None

    def actor(self, name: str) -> Actor:
        return Actor.of_member(self.members[name])


def make_member(organisation: Organisation, name: str, role: Role) -> Member:
    user = User.objects.create_user(f"{name}@example.org", "correct horse battery", name=name.title())
    return Member.objects.create(organisation=organisation, user=user, role=role)


def make_cast() -> Cast:
    cast = Cast(Organisation.objects.create(name="Kettle & Co"), Organisation.objects.create(name="Other Ltd"))
    for role in Role:
        cast.members[role.value] = make_member(cast.kettle, role.value, role)
    cast.members["colleague"] = make_member(cast.kettle, "colleague", Role.MEMBER)
    cast.members["stranger"] = make_member(cast.other, "stranger", Role.OWNER)
    cast.members["both"] = make_member(cast.kettle, "both", Role.MEMBER)
    cast.members["both_elsewhere"] = Member.objects.create(
        organisation=cast.other, user=cast.members["both"].user, role=Role.OWNER
    )
    return cast
