"""What a reader may see of a case: the one function that every page, export and API answer goes through (ACC-D20)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from accounts.actor import Actor
from datasets.logic.drafts import CaseDraft
from datasets.logic.erased_texts import is_erased
from datasets.logic.hidden_texts import with_hidden_text
from datasets.models import CaseRevision
from datasets.queries.readable_words import Reading, reading_of


@dataclass(frozen=True)
class Origin:
    """Where a case was taken from, as far as the reader can open it: a run takes `runs:view` (DS-50, DS-D3)."""

    run: UUID | None = None
    conversation: UUID | None = None
    message: UUID | None = None


@dataclass(frozen=True)
class SeenCase:
    """One case as one reader sees it in one version.

    `revision` is the version since which this content holds; it names the content an edit began from (DS-D11). Where
    `text_hidden`, `content` has markers in place of the words, and `turn_count` still counts the earlier turns
    (ACC-D15). `from_conversation` says that the words were copied, also for those who may read them; `partly_erased`
    that some of them were replaced, but not the whole text (ACC-D33).
    """

    id: UUID
    version: int
    revision: int
    position: int
    source: str
    origin: Origin
    content: CaseDraft
    turn_count: int
    from_conversation: bool
    text_hidden: bool
    anonymised_at: datetime | None
    text_removed_at: datetime | None
    partly_erased: bool
    created_at: datetime
    updated_at: datetime

    @property
    def id_text(self) -> str:
        return str(self.id)

    @property
    def removal_key(self) -> str:
        """When text of the revision was last replaced in place, for a form to send back (ACC-D37)."""
        return removal_key(self.text_removed_at)

    @property
    def revision_key(self) -> str:
        """The case with the revision on screen, as a deletion sends it."""
        return f"{self.id}:{self.revision}"

    @property
    def mask_mark(self) -> str:
        """What changes when this reader may read more or less of the case, or its text was replaced (ACC-D25)."""
        told = f"{self.text_hidden} {self.anonymised_at} {self.text_removed_at}"
        return sha256(told.encode()).hexdigest()[:12]


def removal_key(text_removed_at: datetime | None) -> str:
    """The moment, or `-` for none, as a form sends it back."""
    return text_removed_at.isoformat() if text_removed_at else "-"


def seen_by(actor: Actor, revision: CaseRevision, *, version: int) -> SeenCase:
    """The revision as the actor may see it (ACC-25 to ACC-29). Expects `case` to be loaded with it."""
    return seen_as(reading_of(actor, [revision.case]), revision, version=version)


def seen_rows(actor: Actor, revisions: Iterable[CaseRevision], *, version: int) -> list[SeenCase]:
    """Several as the actor may see them; what the actor may read is asked once for all. Expects `case` with each."""
    rows = list(revisions)
    reading = reading_of(actor, (row.case for row in rows))
    return [seen_as(reading, row, version=version) for row in rows]


def seen_as(reading: Reading, revision: CaseRevision, *, version: int) -> SeenCase:
    """The revision by what its reader may read; asks no database."""
    content = content_of(revision)
    readable = reading.may_read(revision)
    return SeenCase(
        id=revision.case_id,
        version=version,
        revision=revision.since,
        position=revision.position,
        source=revision.source,
        origin=_origin(reading, revision),
        content=content if readable else with_hidden_text(content),
        turn_count=len(content.history),
        from_conversation=revision.conversation_text,
        text_hidden=not readable,
        anonymised_at=revision.anonymised_at,
        text_removed_at=revision.text_removed_at,
        partly_erased=revision.anonymised_at is None and revision.text_removed_at is not None and is_erased(content),
        created_at=revision.case.created_at,
        updated_at=revision.created_at,
    )


def _origin(reading: Reading, revision: CaseRevision) -> Origin:
    case = revision.case
    if not reading.may_open(case):
        return Origin()
    run = case.run_id if reading.everything else None
    return Origin(run=run, conversation=case.conversation_id, message=case.message_id)


def content_of(revision: CaseRevision) -> CaseDraft:
    """The stored nine fields, for operations; faces ask `seen_by`."""
    return CaseDraft(
        input=revision.input,
        history=tuple(revision.history),
        reference_answer=revision.reference_answer,
        counter_example=revision.counter_example,
        expected_tool_calls=tuple(revision.expected_tool_calls),
        order_mode=revision.order_mode,
        checks=tuple(revision.checks),
        tags=tuple(revision.tags),
        note=revision.note,
    )
