"""The endpoints of agents: their list, one of them, whether it is in use, whose it is."""

from uuid import UUID

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.endpoint import Endpoint
from accounts.api.serializers import OwnerIn
from accounts.api.sharing import SharedEndpoint
from agents.api.agent_shapes import AgentIn, AgentOut, AgentPatch, AgentQuery, NothingIn
from agents.models import Agent
from agents.operations.agents import (
    archive_agent,
    change_agent_details,
    create_agent,
    lock_agent_in_sight,
    restore_agent,
)
from agents.queries.agents import find_agent, visible_agents
from core.api.schema import describe
from core.paging import Order

NEWEST_FIRST = [Order("id", descending=True)]


class AgentEndpoint(SharedEndpoint):
    """An endpoint whose address holds an agent's id: who has lost sight of it is told nothing again (BC-47)."""

    kind = Agent


class AgentList(Endpoint):
    """All agents, and new ones."""

    @describe("Agents", answer=AgentOut, query=AgentQuery, paged="keyset", operation_id="agents_list")
    def get(self, request: Request) -> Response:
        """List the agents you can see.

        The newest first; the helpers, which are parts of Casebook, are left out.
        """
        query = self.query(AgentQuery)
        wanted = {"search": query.get("q", ""), "kind": query.get("kind", ""), "state": query.get("state", "")}
        return self.keyset(visible_agents(self.actor, **wanted), NEWEST_FIRST, query, AgentOut)

    @describe("Agents", body=AgentIn, answer=AgentOut, status=201, etag=True)
    def post(self, request: Request) -> Response:
        """Create an agent.

        It is visible to the whole organisation unless `visibility` is `private`. Its draft is empty, and it has no
        version until one is published.
        """
        agent = create_agent(self.actor, **self.read(AgentIn))
        return self.answer(agent, AgentOut, status=201, location=reverse("api_agent", args=[agent.pk]))


class AgentDetail(AgentEndpoint):
    """One agent."""

    @describe("Agents", answer=AgentOut, etag=True)
    def get(self, request: Request, agent_id: UUID) -> Response:
        """Read an agent."""
        return self.answer(find_agent(self.actor, agent_id), AgentOut)

    @describe("Agents", body=AgentPatch, answer=AgentOut, etag=True)
    def patch(self, request: Request, agent_id: UUID) -> Response:
        """Change name, description, visibility or monthly budget.

        What is left out stays. Makes no version. Of a helper only the budget can be changed, by who manages the
        organisation.
        """
        self.require_match(lock_agent_in_sight(self.actor, agent_id), AgentOut)
        changed = change_agent_details(self.actor, agent_id=agent_id, changes=self.read(AgentPatch))
        return self.answer(changed, AgentOut)


class AgentArchive(AgentEndpoint):
    """Out of use."""

    @describe("Agents", body=NothingIn, answer=AgentOut)
    def post(self, request: Request, agent_id: UUID) -> Response:
        """Archive an agent.

        It answers no more and keeps its versions and runs.
        """
        find_agent(self.actor, agent_id)
        self.read(NothingIn)
        return self.answer(archive_agent(self.actor, agent_id=agent_id), AgentOut)


class AgentRestore(AgentEndpoint):
    """Into use again."""

    @describe("Agents", body=NothingIn, answer=AgentOut)
    def post(self, request: Request, agent_id: UUID) -> Response:
        """Take an archived agent into use again."""
        find_agent(self.actor, agent_id)
        self.read(NothingIn)
        return self.answer(restore_agent(self.actor, agent_id=agent_id), AgentOut)


class AgentOwner(AgentEndpoint):
    """Whose agent it is."""

    @describe("Sharing", body=OwnerIn, answer=AgentOut)
    def put(self, request: Request, agent_id: UUID) -> Response:
        """Hand an agent over to another member.

        By its owner, or by an Owner or Admin of the organisation. Its visibility stays.
        """
        return self.answer(self.hand_over(), AgentOut)
