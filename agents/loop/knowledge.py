"""Passages of knowledge bases as a model reads them (PL-24)."""

from collections.abc import Sequence
from uuid import UUID

from agents.queries.passages import FoundPassage, search_knowledge

NOTHING = "Nothing was found. Try other words."


def passages_for(knowledge_base_ids: Sequence[UUID], query: str) -> str:
    """What was found, the most relevant first, each under the place where it stands."""
    found = search_knowledge(knowledge_base_ids, query)
    return "\n\n".join(_said(number, passage) for number, passage in enumerate(found, start=1)) or NOTHING


def _said(number: int, passage: FoundPassage) -> str:
    page = f"page {passage.page}" if passage.page is not None else ""
    place = ", ".join(part for part in (passage.document, passage.heading, page) if part)
    return f"[{number}] {place}\n{passage.text}"
