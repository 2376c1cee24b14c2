"""The endpoints of an agent's draft, its versions and its secrets."""

from uuid import UUID

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.permissions import Permission
from agents.api.agent_shapes import (
    AgentChangesOut,
    AgentChangesQuery,
    AgentVersionOut,
    DraftIn,
    DraftOut,
    DraftRestoreIn,
    PublishIn,
    SecretIn,
    SecretOut,
)
from agents.api.agents import AgentEndpoint
from agents.logic.specs import Spec
from agents.operations.agent_drafts import read_draft, restore_to_draft, save_draft
from agents.operations.agent_secrets import remove_secret, set_secret
from agents.operations.agent_versions import publish_agent
from agents.operations.agents import lock_agent_in_sight
from agents.queries.agent_secrets import secrets_in_order
from agents.queries.agents import find_agent, find_version, versions_of
from agents.queries.compared_versions import changes_between
from core.api.pagination import KeysetQuery
from core.api.schema import describe
from core.paging import Order

NEWEST_FIRST = [Order("number", descending=True)]
BY_NAME = [Order("name")]


class AgentDraft(AgentEndpoint):
    """What an editor works on."""

    @describe("Agents", answer=DraftOut, etag=True)
    def get(self, request: Request, agent_id: UUID) -> Response:
        """Read the draft of an agent."""
        return self.answer(find_agent(self.actor, agent_id), DraftOut)

    @describe("Agents", body=DraftIn, answer=DraftOut, etag=True, conflicts=("agent_archived", "draft_changed"))
    def put(self, request: Request, agent_id: UUID) -> Response:
        """Save the whole draft of an agent.

        It may be unfinished: publishing says what it lacks. What it says must be right.
        """
        spec, revision = self.prepared
        self.require_match(lock_agent_in_sight(self.actor, agent_id), DraftOut)
        return self.answer(save_draft(self.actor, agent_id=agent_id, spec=spec, revision=revision), DraftOut)

    def prepare(self, request: Request, agent_id: UUID) -> tuple[Spec, int | None]:
        """The draft: reading the schemas of its tools takes a process of its own."""
        find_agent(self.actor, agent_id, Permission.AGENTS_EDIT)
        sent = self.read(DraftIn)
        return read_draft(self.actor, agent_id=agent_id, draft=sent["draft"]), sent.get("revision")


class AgentVersions(AgentEndpoint):
    """The published versions, and a new one."""

    @describe("Agents", answer=AgentVersionOut, query=KeysetQuery, paged="keyset", operation_id="agent_versions_list")
    def get(self, request: Request, agent_id: UUID) -> Response:
        """List the versions of an agent, newest first."""
        agent = find_agent(self.actor, agent_id)
        return self.keyset(versions_of(agent), NEWEST_FIRST, self.query(KeysetQuery), AgentVersionOut)

    @describe(
        "Agents",
        body=PublishIn,
        answer=AgentVersionOut,
        status=201,
        etag=True,
        conflicts=("agent_archived", "draft_changed", "nothing_changed"),
    )
    def post(self, request: Request, agent_id: UUID) -> Response:
        """Publish the draft as the next version.

        The version holds the text that its skills have now. A draft that lacks something is 422 with each field.
        """
        find_agent(self.actor, agent_id, Permission.AGENTS_EDIT)
        version = publish_agent(self.actor, agent_id=agent_id, **self.read(PublishIn))
        location = reverse("api_agent_version", args=[agent_id, version.number])
        return self.answer(version, AgentVersionOut, status=201, location=location)


class AgentVersionDetail(AgentEndpoint):
    """One published version."""

    @describe("Agents", answer=AgentVersionOut, etag=True)
    def get(self, request: Request, agent_id: UUID, number: int) -> Response:
        """Read a version of an agent."""
        return self.answer(find_version(find_agent(self.actor, agent_id), number), AgentVersionOut)


class AgentVersionChanges(AgentEndpoint):
    """What a version has in different from another."""

    @describe("Agents", answer=AgentChangesOut, query=AgentChangesQuery)
    def get(self, request: Request, agent_id: UUID, number: int) -> Response:
        """Compare a version of an agent with another one, field by field.

        Says what changed since the version `since`, by default the one before.
        """
        since = self.query(AgentChangesQuery).get("since", number - 1)
        changes = changes_between(find_agent(self.actor, agent_id), since, number)
        return Response(self.json_of({"since": since, "version": number, "changes": changes}, AgentChangesOut))


class AgentVersionRestore(AgentEndpoint):
    """Going back to a version."""

    @describe("Agents", body=DraftRestoreIn, answer=DraftOut, etag=True, conflicts=("agent_archived", "draft_changed"))
    def post(self, request: Request, agent_id: UUID, number: int) -> Response:
        """Make the draft say what a version says.

        The draft before is lost. It is published as any draft is, with the text that its skills have by then.
        """
        self.require_match(lock_agent_in_sight(self.actor, agent_id), DraftOut)
        find_agent(self.actor, agent_id, Permission.AGENTS_EDIT)
        revision = self.read(DraftRestoreIn).get("revision")
        restored = restore_to_draft(self.actor, agent_id=agent_id, number=number, revision=revision)
        return self.answer(restored, DraftOut)


class AgentSecrets(AgentEndpoint):
    """The names of an agent's secrets."""

    @describe("Agents", answer=SecretOut, query=KeysetQuery, paged="keyset", operation_id="agent_secrets_list")
    def get(self, request: Request, agent_id: UUID) -> Response:
        """List the secrets of an agent by name.

        Their values are never given out. Needs `agents:edit` on it.
        """
        agent = find_agent(self.actor, agent_id, Permission.AGENTS_EDIT)
        return self.keyset(secrets_in_order(agent), BY_NAME, self.query(KeysetQuery), SecretOut)


class AgentSecretDetail(AgentEndpoint):
    """One secret of an agent."""

    @describe("Agents", body=SecretIn, answer=SecretOut, status=201, unchanged=200, conflicts=("secret_limit",))
    def put(self, request: Request, agent_id: UUID, secret_name: str) -> Response:
        """Set a secret.

        201 where it is new, 200 where it replaces an earlier value. It is stored encrypted.
        """
        find_agent(self.actor, agent_id, Permission.AGENTS_EDIT)
        value = self.read(SecretIn)["value"]
        secret, is_new = set_secret(self.actor, agent_id=agent_id, name=secret_name, value=value)
        return Response(self.json_of(secret, SecretOut), status=201 if is_new else 200)

    @describe("Agents", status=204)
    def delete(self, request: Request, agent_id: UUID, secret_name: str) -> Response:
        """Remove a secret for good.

        What names it cannot be called any more.
        """
        remove_secret(self.actor, agent_id=agent_id, name=secret_name)
        return Response(status=204)
