"""The endpoints of the documents of a knowledge base."""

from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.permissions import Permission
from agents.api.knowledge import KnowledgeEndpoint
from agents.api.knowledge_shapes import DocumentIn, DocumentOut, NamedQuery, PassageOut
from agents.operations.documents import PreparedDocument, add_document, prepare_document, remove_document
from agents.queries.knowledge import documents_of, find_document, find_knowledge, passages_of
from core.api.pagination import KeysetQuery
from core.api.parsers import UploadParser
from core.api.schema import describe
from core.errors import Invalid
from core.paging import Order

NEWEST_FIRST = [Order("id", descending=True)]
IN_ORDER = [Order("position")]


class DocumentList(KnowledgeEndpoint):
    """The documents of a base, and new ones."""

    parser_classes = [UploadParser]

    @describe("Knowledge", answer=DocumentOut, query=NamedQuery, paged="keyset", operation_id="documents_list")
    def get(self, request: Request, knowledge_id: UUID) -> Response:
        """List the documents of a knowledge base.

        The newest first.
        """
        base = find_knowledge(self.actor, knowledge_id)
        query = self.query(NamedQuery)
        return self.keyset(documents_of(base, search=query.get("q", "")), NEWEST_FIRST, query, DocumentOut)

    @describe(
        "Knowledge",
        body={"multipart/form-data": DocumentIn},
        answer=DocumentOut,
        status=201,
        etag=True,
        conflicts=("same_document", "document_limit"),
    )
    def post(self, request: Request, knowledge_id: UUID) -> Response:
        """Add a document.

        Its content decides what it is; it is cut into passages, which are found at once. The same content twice in one
        base is 409 with the id of the one that is there.
        """
        made = add_document(self.actor, knowledge_base_id=knowledge_id, prepared=self.prepared)
        return self.answer(
            made, DocumentOut, status=201, location=reverse("api_document", args=[knowledge_id, made.pk])
        )

    def prepare(self, request: Request, knowledge_id: UUID) -> PreparedDocument:
        """The file, read and cut before the transaction begins."""
        find_knowledge(self.actor, knowledge_id, Permission.KNOWLEDGE_EDIT)
        strange = [name for name in [*request.data, *request.FILES] if name != "file"]
        if strange or len(request.FILES.getlist("file")) != 1:
            raise Invalid.at(strange[0] if strange else "file", _("Send one file, as the part named file."))
        file = request.FILES["file"]
        return prepare_document(self.actor, knowledge_base_id=knowledge_id, name=file.name or "", data=file.read())


class DocumentDetail(KnowledgeEndpoint):
    """One document."""

    @describe("Knowledge", answer=DocumentOut, etag=True)
    def get(self, request: Request, knowledge_id: UUID, document_id: UUID) -> Response:
        """Read what is known of a document."""
        return self.answer(find_document(find_knowledge(self.actor, knowledge_id), document_id), DocumentOut)

    @describe("Knowledge", status=204)
    def delete(self, request: Request, knowledge_id: UUID, document_id: UUID) -> Response:
        """Remove a document with its passages."""
        remove_document(self.actor, knowledge_base_id=knowledge_id, document_id=document_id)
        return Response(status=204)


class PassageList(KnowledgeEndpoint):
    """The passages of a document."""

    @describe("Knowledge", answer=PassageOut, query=KeysetQuery, paged="keyset", operation_id="passages_list")
    def get(self, request: Request, knowledge_id: UUID, document_id: UUID) -> Response:
        """List the passages of a document in its order, as agents read them."""
        document = find_document(find_knowledge(self.actor, knowledge_id), document_id)
        return self.keyset(passages_of(document), IN_ORDER, self.query(KeysetQuery), PassageOut)
