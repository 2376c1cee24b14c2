"""Adding an agent's answer to a dataset as a case (DS-159 to DS-178, ACC-38, ACC-D27)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.actor import Actor
from accounts.models import Member, Person
from accounts.permissions import Permission
from activity.models import Conversation, Run
from core.errors import Conflict, Invalid, NotFound
from core.limits import LIMITS
from datasets.logic.credentials import hide
from datasets.logic.drafts import CaseDraft
from datasets.models import CaseRevision, Dataset, LastDataset, Source, VersionKind
from datasets.operations.authorship import Authors
from datasets.operations.datasets import create_dataset
from datasets.operations.drafts import draft_from
from datasets.operations.versions import Change, Links, lock_for_change, make_version
from datasets.queries.answers import (
    COUNTER,
    KEPT_AS,
    REFERENCE,
    CopiedAnswer,
    case_of_answer,
    find_copied_answer,
    owner_of_private,
)
from datasets.queries.cases import twins_of
from datasets.queries.datasets import find_dataset


@dataclass(frozen=True)
class AddedAnswer:
    """The new case and its version; what was copied besides words, and what was left behind.

    `copied_private_conversation_of` is whose private conversation it was, where it was another person's. `twins` counts
    the other cases that ask the same (DS-D34), `turns_left_out` the earlier turns that did not fit (DS-D61).
    """

    dataset: Dataset
    revision: CaseRevision
    version: int
    hidden: int
    twins: int
    turns_left_out: int
    copied_private_conversation_of: Member | Person | None


@transaction.atomic
def add_case_from_answer(
    actor: Actor, *, dataset_id: UUID, message_id: UUID, keep_as: str, with_history: bool = False
) -> AddedAnswer:
    """Add the whole answer that the message belongs to as one case, as one version (DS-53, DS-166).

    `keep_as` is "reference_answer" or "counter_example". The earlier turns come along only `with_history` (DS-160).
    Raises `NotFound` for a dataset or a message that the actor may not know, `NotAllowed` where the dataset may only be
    read, `Invalid` with nothing to compare or a text that is too long, `Conflict` `already_added` with the case,
    `answer_unfinished`, `person_erased`, and at a limit.
    """
    find_dataset(actor, dataset_id, Permission.DATASETS_EDIT)
    if keep_as not in KEPT_AS:
        raise Invalid.at("keep_as", _("Choose one of: %(known)s.") % {"known": ", ".join(KEPT_AS)})
    dataset = lock_for_change(actor, dataset_id)
    copied, run_id = _held(actor, message_id)
    _require_addable(dataset, copied)
    draft = _draft(copied, keep_as, with_history)
    change = Change(
        VersionKind.ADDED,
        added=[draft],
        source=Source.CONVERSATION,
        authors=[_authors(copied, draft)],
        links=[Links(run_id, copied.conversation.pk, copied.message.pk)],
    )
    twins = len(twins_of(dataset, draft.input))
    version, revisions = make_version(actor, dataset, change=change)
    owner = owner_of_private(actor, copied.conversation)
    _record(actor, dataset, revisions[0], version.number, draft.hidden, owner)
    _remember(actor, dataset)
    left_out = copied.turns_left_out if with_history else 0
    return AddedAnswer(dataset, revisions[0], version.number, draft.hidden, twins, left_out, owner)


@transaction.atomic
def add_answer_to_new_dataset(
    actor: Actor, *, name: str, message_id: UUID, keep_as: str, with_history: bool = False
) -> AddedAnswer:
    """Make a dataset that the organisation sees, and add the answer to it; both or neither (DS-155).

    Raises what `create_dataset` and `add_case_from_answer` raise.
    """
    dataset = create_dataset(actor, name=name)
    return add_case_from_answer(
        actor, dataset_id=dataset.pk, message_id=message_id, keep_as=keep_as, with_history=with_history
    )


def _held(actor: Actor, message_id: UUID) -> tuple[CopiedAnswer, UUID | None]:
    """The answer and its run, kept with its conversation until the transaction ends: whoever deletes them then clears
    the links of the case that is made here."""
    copied = find_copied_answer(actor, message_id)
    conversations = Conversation.objects.select_for_update(no_key=True, of=("self",))
    if not conversations.filter(pk=copied.conversation.pk).exists():
        raise NotFound
    if copied.message.run_id is None:
        return copied, None
    runs = Run.objects.select_for_update(no_key=True, of=("self",)).filter(pk=copied.message.run_id)
    return copied, runs.values_list("pk", flat=True).first()


def _require_addable(dataset: Dataset, copied: CopiedAnswer) -> None:
    there = case_of_answer(dataset, copied)
    if there is not None:
        raise Conflict("already_added", _("This answer is a case of the dataset already."), {"case": str(there)})
    if copied.is_unfinished:
        raise Conflict("answer_unfinished", _("The agent is still writing this answer. Add it when it is done."))


def _draft(copied: CopiedAnswer, keep_as: str, with_history: bool) -> CaseDraft:
    """The case, valid and with its credentials hidden (DS-179); cut to size is only the note."""
    raw: dict[str, Any] = {"input": copied.answer.question.text if copied.answer.question else None}
    raw[keep_as] = copied.text or None
    if keep_as == REFERENCE:
        raw["expected_tool_calls"] = [{"tool": name, "args": {}} for name in copied.calls]
    if keep_as == COUNTER and not copied.text and copied.calls:
        raise Invalid.at(COUNTER, _("The answer has no text, so it cannot be kept as a counter-example."))
    if with_history:
        raw["history"] = [{"role": turn.role, "content": turn.text} for turn in copied.turns]
    # Hidden before it is cut: half a key would not be recognised as one.
    comment = copied.answer.newest_comment
    note = hide(comment.comment) if comment else None
    raw["note"] = note.text[: LIMITS.note_characters] if note else None
    draft = draft_from(raw)
    return replace(draft, hidden=draft.hidden + note.total) if note else draft


def _authors(copied: CopiedAnswer, draft: CaseDraft) -> Authors:
    """Who asked, who wrote the earlier turns that came along, whose comment became the note (ACC-55)."""
    turns = {place: turn.said[0].author_id for place, turn in enumerate(copied.turns) if turn.role == "user"}
    turns = turns if draft.history else {}
    question = copied.answer.question.author_id if copied.answer.question else None
    comment = copied.answer.newest_comment
    of_note = comment.person_id if comment and draft.note else None
    people = _people([question, of_note, *turns.values()])
    written = {place: people[author] for place, author in turns.items() if author in people}
    return Authors(people.get(question), written, people.get(of_note))


def _people(keys: list[UUID | None]) -> Mapping[UUID | None, Person]:
    return dict(Person.objects.in_bulk({key for key in keys if key is not None}))


def _record(
    actor: Actor, dataset: Dataset, revision: CaseRevision, version: int, hidden: int, owner: Member | Person | None
) -> None:
    details: dict[str, Any] = {
        "case": str(revision.case_id),
        "source": Source.CONVERSATION.value,
        "credentials_hidden": hidden,
    }
    if owner is not None:
        details["copied_private_conversation_of"] = str(owner.pk)
    audit.record(actor, "case.added", dataset, version=version, **details)


def _remember(actor: Actor, dataset: Dataset) -> None:
    if actor.member is not None:
        LastDataset.objects.update_or_create(member=actor.member, defaults={"dataset": dataset})
