"""The endpoints of knowledge bases, and the search in one."""

from uuid import UUID

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.endpoint import Endpoint
from accounts.api.serializers import OwnerIn
from accounts.api.sharing import SharedEndpoint
from agents.api.knowledge_shapes import FoundOut, KnowledgeIn, KnowledgeOut, KnowledgePatch, NamedQuery, SearchQuery
from agents.models import KnowledgeBase
from agents.operations.knowledge import (
    change_knowledge_base,
    create_knowledge_base,
    delete_knowledge_base,
    lock_knowledge_base,
)
from agents.queries.knowledge import find_knowledge, visible_knowledge
from agents.queries.passages import search_knowledge
from core.api.schema import describe
from core.paging import Order

NEWEST_FIRST = [Order("id", descending=True)]


class KnowledgeList(Endpoint):
    """All knowledge bases, and new ones."""

    @describe("Knowledge", answer=KnowledgeOut, query=NamedQuery, paged="keyset", operation_id="knowledge_list")
    def get(self, request: Request) -> Response:
        """List the knowledge bases you can see.

        The newest first.
        """
        query = self.query(NamedQuery)
        rows = visible_knowledge(self.actor, search=query.get("q", ""))
        return self.keyset(rows, NEWEST_FIRST, query, KnowledgeOut)

    @describe("Knowledge", body=KnowledgeIn, answer=KnowledgeOut, status=201, etag=True)
    def post(self, request: Request) -> Response:
        """Create a knowledge base.

        It is empty, and visible to the whole organisation unless `visibility` is `private`.
        """
        made = create_knowledge_base(self.actor, **self.read(KnowledgeIn))
        return self.answer(made, KnowledgeOut, status=201, location=reverse("api_knowledge_base", args=[made.pk]))


class KnowledgeEndpoint(SharedEndpoint):
    """An endpoint whose address holds a knowledge base's id."""

    kind = KnowledgeBase


class KnowledgeDetail(KnowledgeEndpoint):
    """One knowledge base."""

    @describe("Knowledge", answer=KnowledgeOut, etag=True)
    def get(self, request: Request, knowledge_id: UUID) -> Response:
        """Read a knowledge base."""
        return self.answer(find_knowledge(self.actor, knowledge_id), KnowledgeOut)

    @describe("Knowledge", body=KnowledgePatch, answer=KnowledgeOut, etag=True)
    def patch(self, request: Request, knowledge_id: UUID) -> Response:
        """Change name, description or visibility.

        What is left out stays.
        """
        self.require_match(lock_knowledge_base(self.actor, knowledge_base_id=knowledge_id), KnowledgeOut)
        changes = self.read(KnowledgePatch)
        changed = change_knowledge_base(self.actor, knowledge_base_id=knowledge_id, changes=changes)
        return self.answer(changed, KnowledgeOut)

    @describe("Knowledge", status=204)
    def delete(self, request: Request, knowledge_id: UUID) -> Response:
        """Delete a knowledge base with its documents and passages."""
        delete_knowledge_base(self.actor, knowledge_base_id=knowledge_id)
        return Response(status=204)


class KnowledgeSearch(KnowledgeEndpoint):
    """What an agent would find."""

    @describe("Knowledge", answer=FoundOut, query=SearchQuery)
    def get(self, request: Request, knowledge_id: UUID) -> Response:
        """Search passages.

        Those that hold words of the question, the most relevant first; accents and case are ignored, and no sign in
        the question is an operator.
        """
        base = find_knowledge(self.actor, knowledge_id)
        query = self.query(SearchQuery)
        found = search_knowledge([base.pk], query["q"], limit=query["limit"])
        return Response(self.json_of({"results": found}, FoundOut))


class KnowledgeOwner(KnowledgeEndpoint):
    """Whose knowledge base it is."""

    @describe("Sharing", body=OwnerIn, answer=KnowledgeOut)
    def put(self, request: Request, knowledge_id: UUID) -> Response:
        """Hand a knowledge base over to another member.

        By its owner, or by an Owner or Admin of the organisation. Its visibility stays.
        """
        return self.answer(self.hand_over(), KnowledgeOut)
