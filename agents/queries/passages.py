"""Searching passages: what an agent's tool and the page of a knowledge base ask (PL-24)."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from agents.models import Passage
from agents.queries.passage_index import PASSAGE_INDEX
from core.full_text import Piece, marked
from core.limits import LIMITS


@dataclass(frozen=True)
class FoundPassage:
    """A passage with where it stands. `heading` is empty and `page` None where there is none."""

    id: int
    knowledge_base_id: UUID
    document_id: UUID
    document: str
    position: int
    heading: str
    page: int | None
    text: str
    relevance: float

    def marked(self, question: str) -> list[Piece]:
        """The text with the words of the question marked."""
        return marked(self.text, question)


def search_knowledge(
    knowledge_base_ids: Sequence[UUID], question: str, *, limit: int = LIMITS.passages_found
) -> list[FoundPassage]:
    """The passages of these bases that hold words of the question, the most relevant first.

    Asks nobody's access: an agent reads what its version names, and a page has asked before. A base that is gone
    brings nothing. The question is data: none of it is read as an operator.
    """
    hits = PASSAGE_INDEX.search(question, within=knowledge_base_ids, limit=limit)
    rows = Passage.objects.select_related("document").defer("words").in_bulk([hit.id for hit in hits])
    return [_found(rows[hit.id], hit.relevance) for hit in hits if hit.id in rows]


def _found(passage: Passage, relevance: float) -> FoundPassage:
    return FoundPassage(
        id=passage.pk,
        knowledge_base_id=passage.knowledge_base_id,
        document_id=passage.document_id,
        document=passage.document.name,
        position=passage.position,
        heading=passage.heading,
        page=passage.page,
        text=passage.text,
        relevance=relevance,
    )
