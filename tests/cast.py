"""The people of the tests: two organisations, a member for each role, somebody in both, and keys."""

from dataclasses import dataclass, field

from django.contrib.auth.hashers import make_password

from accounts.actor import Actor
from accounts.models import Member, Organisation, User
from accounts.permissions import Role

PASSWORD = "correct horse battery"
PASSWORD_HASH = make_password(PASSWORD, hasher="md5")


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
    user = User.objects.create_user(f"{name}@example.org", PASSWORD, name=name.title())
    return Member.objects.create(organisation=organisation, user=user, role=role)


def make_cast() -> Cast:
    """In few statements, because nearly every test wants one."""
    kettle, other = Organisation.objects.bulk_create([Organisation(name="Kettle & Co"), Organisation(name="Other Ltd")])
    named = {role.value: (kettle, role) for role in Role}
    named |= {"colleague": (kettle, Role.MEMBER), "stranger": (other, Role.OWNER), "both": (kettle, Role.MEMBER)}
    users = User.objects.bulk_create(
        User(email=f"{name}@example.org", name=name.title(), password=PASSWORD_HASH) for name in named
    )
    members = [
        Member(organisation=organisation, user=user, role=role)
        for user, (organisation, role) in zip(users, named.values(), strict=True)
    ]
    members.append(Member(organisation=other, user=users[-1], role=Role.OWNER))
    Member.objects.bulk_create(members)
    return Cast(kettle, other, dict(zip([*named, "both_elsewhere"], members, strict=True)))
