"""Members and invitations of the organisation in use."""

from uuid import UUID

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import access
from accounts.api.endpoint import Endpoint
from accounts.api.serializers import InvitationIn, InvitationOut, IssuedInvitationOut, MemberPatch, MembershipOut
from accounts.models import Member
from accounts.operations.invitations import invite_member, revoke_invitation
from accounts.operations.members import active_member, change_role, lock_members, remove_member
from accounts.permissions import Permission
from accounts.queries.invitations import open_invitations
from accounts.queries.members import members_of
from core.api.pagination import KeysetQuery
from core.api.schema import describe
from core.paging import Order

OLDEST_FIRST = [Order("joined_at"), Order("id")]
NEWEST_FIRST = [Order("created_at", descending=True), Order("id", descending=True)]


class MemberList(Endpoint):
    @describe("Members", answer=MembershipOut, query=KeysetQuery, paged="keyset")
    def get(self, request: Request) -> Response:
        """The members of the organisation, who came first first."""
        return self.keyset(members_of(self.actor), OLDEST_FIRST, self.query(KeysetQuery), MembershipOut)


class MemberDetail(Endpoint):
    @describe("Members", answer=MembershipOut, etag=True)
    def get(self, request: Request, member_id: UUID) -> Response:
        """One member."""
        return self.answer(active_member(self.actor, member_id), MembershipOut)

    @describe(
        "Members",
        body=MemberPatch,
        answer=MembershipOut,
        etag=True,
        conflicts=("last_owner",),
    )
    def patch(self, request: Request, member_id: UUID) -> Response:
        """Give a member another role.

        Needs `members:manage`. Only Owners name Owners and change Owners, and the last Owner stays one.
        """
        member = self._locked(member_id)
        changes = self.read(MemberPatch)
        self.require_match(member, MembershipOut)
        return self.answer(change_role(self.actor, member_id=member_id, **changes), MembershipOut)

    @describe("Members", status=204, etag=True, conflicts=("last_owner", "no_owner"))
    def delete(self, request: Request, member_id: UUID) -> Response:
        """End a membership.

        Needs `members:manage`. What the member owned goes to an Owner; their grants, keys and open invitations end.
        """
        self.require_match(self._locked(member_id), MembershipOut)
        remove_member(self.actor, member_id=member_id)
        return Response(status=204)

    def _locked(self, member_id: UUID) -> Member:
        """404 before everything else, under the lock that every change of members takes."""
        lock_members(self.actor)
        return active_member(self.actor, member_id)


class InvitationList(Endpoint):
    @describe("Members", answer=InvitationOut, query=KeysetQuery, paged="keyset")
    def get(self, request: Request) -> Response:
        """Invitations that still let somebody in, newest first. Needs `members:manage`."""
        access.require(self.actor, Permission.MEMBERS_MANAGE)
        rows = open_invitations(self.actor).select_related("invited_by__user")
        return self.keyset(rows, NEWEST_FIRST, self.query(KeysetQuery), InvitationOut)

    @describe("Members", body=InvitationIn, answer=IssuedInvitationOut, status=201)
    def post(self, request: Request) -> Response:
        """Invite somebody by e-mail address.

        Needs `members:manage`. The answer holds the link, which cannot be read again; it works once, for seven days.
        """
        issued = invite_member(self.actor, **self.read(InvitationIn))
        where = reverse("api_invitation", args=[issued.invitation.pk])
        return self.answer(issued, IssuedInvitationOut, status=201, location=where)


class InvitationDetail(Endpoint):
    @describe("Members", status=204, conflicts=("invitation_accepted",))
    def delete(self, request: Request, invitation_id: UUID) -> Response:
        """Stop an invitation's link from working. Needs `members:manage`."""
        revoke_invitation(self.actor, invitation_id=invitation_id)
        return Response(status=204)
