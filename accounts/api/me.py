"""Who calls, and the organisation they call in."""

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.endpoint import Endpoint
from accounts.api.serializers import MeOut, OrganisationOut, OrganisationPatch
from accounts.operations.organisation_limits import change_organisation_limits
from accounts.operations.organisations import rename_organisation
from accounts.queries.organisations import organisation_in_use
from core.api.schema import describe


class Me(Endpoint):
    @describe("Accounts", answer=MeOut, etag=True)
    def get(self, request: Request) -> Response:
        """Who is calling, in which organisation, with which permissions."""
        return self.answer(self.actor, MeOut)


class OrganisationInUse(Endpoint):
    @describe("Accounts", answer=OrganisationOut, etag=True)
    def get(self, request: Request) -> Response:
        """The organisation of the caller."""
        return self.answer(self.actor.organisation, OrganisationOut)

    @describe("Accounts", body=OrganisationPatch, answer=OrganisationOut, etag=True)
    def patch(self, request: Request) -> Response:
        """Change the organisation's name, budget or retention. Needs `organisation:manage`."""
        changes = self.read(OrganisationPatch)
        self.require_match(organisation_in_use(self.actor, lock=True), OrganisationOut)
        if "name" in changes:
            rename_organisation(self.actor, name=changes.pop("name"))
        return self.answer(change_organisation_limits(self.actor, changes=changes), OrganisationOut)
