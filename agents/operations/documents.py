"""Adding documents to a knowledge base and removing them (PL-24)."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.actor import Actor
from accounts.operations.naming import is_text
from accounts.permissions import Permission
from agents.logic.cutting import CutPassage, cut
from agents.logic.documents import ReadDocument, UnreadableDocument, read_document
from agents.models import Document, KnowledgeBase, Passage
from agents.operations.knowledge import lock_knowledge_base
from agents.queries.knowledge import find_document, find_knowledge
from core.errors import Conflict, Invalid, TooLarge
from core.folding import fold
from core.full_text import indexed_words
from core.limits import LIMITS
from core.refusals import refusal

ROWS_A_STATEMENT = 500
SECONDS_A_REQUEST = 60.0  # for reading the files of one form, within what a web process waits


@dataclass(frozen=True)
class Outcome:
    """What became of one file: its document, or why there is none."""

    name: str
    document: Document | None = None
    refusal: str = ""


@dataclass(frozen=True)
class PreparedDocument:
    """A file that was read and cut, ready to be stored."""

    name: str
    read: ReadDocument
    passages: tuple[CutPassage, ...]


def prepare_document(actor: Actor, *, knowledge_base_id: UUID, name: str, data: bytes) -> PreparedDocument:
    """Read and cut a file. Outside of any transaction, since a PDF may take LIMITS.pdf_seconds.

    Raises `NotFound`, `NotAllowed`, `TooLarge`, and `Invalid` naming `file` that says why the file cannot be read.
    """
    find_knowledge(actor, knowledge_base_id, Permission.KNOWLEDGE_EDIT)
    if len(data) > LIMITS.document_bytes:
        raise TooLarge(_("A document has at most %(limit)s bytes.") % {"limit": f"{LIMITS.document_bytes:,}"})
    try:
        read = read_document(name, data)
    except UnreadableDocument as error:
        raise refusal([error.problem]) from None
    return PreparedDocument(_clean_name(name), read, tuple(cut(read.sections)))


@transaction.atomic
def add_document(actor: Actor, *, knowledge_base_id: UUID, prepared: PreparedDocument) -> Document:
    """Store a document with its passages, which are found at once.

    Raises `NotFound`, `NotAllowed` without `knowledge:edit` on the base, and `Conflict`: `same_document` where the
    base has the same content already, `document_limit` where it is full.
    """
    base = lock_knowledge_base(actor, knowledge_base_id=knowledge_base_id)
    _refuse_if_there(base, prepared)
    if base.document_count >= LIMITS.documents:
        words = _("A knowledge base holds at most %(most)s documents.") % {"most": f"{LIMITS.documents:,}"}
        raise Conflict("document_limit", words)
    document = _store(actor, base, prepared)
    _count(base, 1, document.passage_count)
    audit.record(actor, "document.added", document, base=str(base.pk), passages=document.passage_count)
    return document


def add_documents(actor: Actor, *, knowledge_base_id: UUID, files: Sequence[tuple[str, bytes]]) -> list[Outcome]:
    """Add each of several files by itself: one that is refused keeps no other from being added.

    Raises `NotFound`, `NotAllowed` without `knowledge:edit` on the base, `Invalid` naming `files` where there are none
    or too many.
    """
    find_knowledge(actor, knowledge_base_id, Permission.KNOWLEDGE_EDIT)
    if not 0 < len(files) <= LIMITS.documents_a_request:
        words = _("Choose 1 to %(most)d files.") % {"most": LIMITS.documents_a_request}
        raise Invalid.at("files", words)
    until = time.monotonic() + SECONDS_A_REQUEST
    return [_tried(actor, knowledge_base_id, name, data, until) for name, data in files]


def _tried(actor: Actor, knowledge_base_id: UUID, name: str, data: bytes, until: float) -> Outcome:
    if time.monotonic() > until:
        return Outcome(name, refusal=_("Not read: the files before it took too long. Add it by itself."))
    try:
        prepared = prepare_document(actor, knowledge_base_id=knowledge_base_id, name=name, data=data)
        return Outcome(name, add_document(actor, knowledge_base_id=knowledge_base_id, prepared=prepared))
    except Invalid as error:
        return Outcome(name, refusal=" ".join(problem.message for problem in error.problems))
    except (Conflict, TooLarge) as error:
        return Outcome(name, refusal=str(error))


@transaction.atomic
def remove_document(actor: Actor, *, knowledge_base_id: UUID, document_id: UUID) -> None:
    """Remove a document with its passages. Raises `NotFound`, `NotAllowed` without `knowledge:edit` on the base."""
    base = lock_knowledge_base(actor, knowledge_base_id=knowledge_base_id)
    document = find_document(base, document_id)
    audit.record(actor, "document.removed", document, base=str(base.pk), passages=document.passage_count)
    _count(base, -1, -document.passage_count)
    document.delete()


def _refuse_if_there(base: KnowledgeBase, prepared: PreparedDocument) -> None:
    same = Document.objects.filter(knowledge_base=base, sha256=prepared.read.sha256).first()
    if same is not None:
        words = _("The same content is there already, as “%(name)s”.") % {"name": same.name}
        raise Conflict("same_document", words, {"document": str(same.pk)})


def _store(actor: Actor, base: KnowledgeBase, prepared: PreparedDocument) -> Document:
    read, passages = prepared.read, prepared.passages
    document = Document.objects.create(
        knowledge_base=base,
        name=prepared.name,
        name_folded=fold(prepared.name)[: LIMITS.document_name_characters * 4],
        kind=read.kind,
        bytes=read.bytes,
        characters=read.characters,
        pages=read.pages,
        passage_count=len(passages),
        sha256=read.sha256,
        added_by=actor.member,
    )
    rows = (
        Passage(
            document=document,
            knowledge_base=base,
            position=position,
            heading=passage.heading,
            page=passage.page,
            text=passage.text,
            words=indexed_words(f"{passage.heading} {passage.text}"),
        )
        for position, passage in enumerate(passages, start=1)
    )
    Passage.objects.bulk_create(rows, batch_size=ROWS_A_STATEMENT)
    return document


def _count(base: KnowledgeBase, documents: int, passages: int) -> None:
    base.document_count += documents
    base.passage_count += passages
    base.changed_at = timezone.now()
    base.save(update_fields=["document_count", "passage_count", "changed_at"])


def _clean_name(name: str) -> str:
    """The last part of what the browser or the client calls the file, on one line. Raises `Invalid`."""
    cleaned = " ".join(PurePath(name.replace("\\", "/")).name.split())
    if not cleaned or not is_text(cleaned):
        raise Invalid.at("name", _("Give the file a name."))
    if len(cleaned) <= LIMITS.document_name_characters:
        return cleaned
    ending = PurePath(cleaned).suffix[:20]
    return cleaned[: LIMITS.document_name_characters - len(ending)] + ending
