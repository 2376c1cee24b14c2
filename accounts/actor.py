"""The actor: who asks, in which organisation, with what role; made once a request and handed to every operation."""

from dataclasses import dataclass
from typing import Self
from uuid import UUID

from accounts.models import ApiKey, Member, Organisation
from accounts.permissions import VIEW_OF, Permission, Role


@dataclass(frozen=True)
class Actor:
    """A member in one organisation, an API key acting as its issuer, or the system (a job nobody asked for).

    `address` is the client's address for the audit log, empty in jobs.
    """

    organisation: Organisation
    member: Member | None = None
    key: ApiKey | None = None
    address: str = ""

    @classmethod
    def of_member(cls, member: Member, *, address: str = "") -> Self:
        return cls(organisation=member.organisation, member=member, address=address)

    @classmethod
    def of_key(cls, key: ApiKey, *, address: str = "") -> Self:
        """A key acts as its issuer, with the issuer's present role (PL-7)."""
        return cls(organisation=key.member.organisation, member=key.member, key=key, address=address)

    @classmethod
    def system(cls, organisation: Organisation) -> Self:
        return cls(organisation=organisation)

    @property
    def organisation_id(self) -> UUID:
        return self.organisation.pk

    @property
    def member_id(self) -> UUID | None:
        return self.member.pk if self.member else None

    @property
    def user_id(self) -> UUID | None:
        return self.member.user_id if self.member else None

    @property
    def role(self) -> Role | None:
        """The member's role; None for the system, which may do everything inside its organisation."""
        return Role(self.member.role) if self.member else None

    def key_allows(self, permission: Permission) -> bool:
        """False only where the actor is a key restricted to permissions of which none gives this one.

        Who may act on a thing may see it: `datasets:run` of a key gives `datasets:view` too, so that the three scopes
        of EV-D65 are enough to start a test run.
        """
        if self.key is None or self.key.permissions is None:
            return True
        return any(
            name == permission or VIEW_OF.get(name.partition(":")[0]) is permission for name in self.key.permissions
        )
