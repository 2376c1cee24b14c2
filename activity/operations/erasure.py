"""Erasing a person's words from conversations and runs (ACC-D36): cases keep their own memory of whose words they hold.

A conversation in which only that person spoke goes whole. In one with several, their messages and the agent's answers
to them are replaced; what the others said and were answered stays.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Person
from accounts.operations.idempotent_requests import forget_answer_texts
from activity.logic.words import words_and_answers
from activity.models import Conversation, Feedback, Message, MessageRole, Run, TraceSpan
from activity.queries.personal_data import conversations_of, is_word_of
from core.folding import fold
from core.texts import ERASED_TEXT

BATCH = 100


def erase_words_of(person: Person) -> dict[str, int]:
    """Remove what the person said, was answered and thought of answers; counts by what was reached.

    Each batch is a transaction of its own and ends what it did, so it can be cut off and repeated.
    """
    counts = {"spans_deleted": _delete_spans(person)}
    counts["conversations_deleted"] = _in_batches(person, _delete_own)
    counts["messages_replaced"] = _in_batches(person, _replace_in_shared)
    counts["runs_without_words"] = _in_batches(person, _empty_runs)
    counts["comments_emptied"] = _in_batches(person, _empty_feedback)
    forget_answer_texts(person.organisation_id)
    return counts


def _in_batches(person: Person, act: Any) -> int:
    """The sum of what `act(person)` counts until it finds nothing, which it says by None."""
    total = 0
    while (done := act(person)) is not None:
        total += done
    return total


def _others_spoke(person: Person) -> Exists:
    said = Message.objects.filter(conversation=OuterRef("pk"), author__isnull=False)
    return Exists(said.exclude(author=person))


@transaction.atomic
def _delete_own(person: Person) -> int | None:
    alone = conversations_of(person).filter(~_others_spoke(person))
    ids = list(alone.order_by("pk").values_list("pk", flat=True)[:BATCH])
    if not ids:
        return None
    _lock(ids)
    Conversation.objects.filter(pk__in=ids).delete()
    return len(ids)


@transaction.atomic
def _replace_in_shared(person: Person) -> int | None:
    ids = list(conversations_of(person).order_by("pk").values_list("pk", flat=True)[:BATCH])
    if not ids:
        return None
    return sum(_replace(person, conversation) for conversation in _lock(ids))


def _replace(person: Person, conversation: Conversation) -> int:
    messages = list(Message.objects.filter(conversation=conversation).order_by("position"))
    is_theirs = is_word_of(person, conversation)
    first = next((message for message in messages if message.role == MessageRole.USER), None)
    changed = []
    for said, answers in words_and_answers(messages, is_theirs):
        for message in (*said, *answers):
            changed.append(without_words(message))
        for message in said:
            message.author = None
    Message.objects.bulk_update(changed, ["text", "tool_calls", "author"], batch_size=BATCH)
    if first is not None and first in changed and conversation.title:
        conversation.title = ERASED_TEXT
    if conversation.person_id == person.pk:
        conversation.person = None
    if conversation.owner_id is not None and conversation.owner_id == person.member_id:
        conversation.owner = None
    conversation.save(update_fields=["title", "person", "owner"])
    return len(changed)


def without_words(message: Message) -> Message:
    """The message without words; which tools were called stays."""
    message.text = ERASED_TEXT if message.text else ""
    message.tool_calls = [{**call, "arguments": {}} for call in message.tool_calls]
    return message


@transaction.atomic
def _empty_runs(person: Person) -> int | None:
    """Runs of the person that are left: those of shared conversations, and those without one."""
    rows = Run.objects.select_for_update(no_key=True, of=("self",)).filter(person=person).order_by("pk")
    runs = list(rows[:BATCH])
    if not runs:
        return None
    for run in runs:
        run.person = None
        run.question = ERASED_TEXT if run.question else ""
        run.question_folded = fold(run.question)
        run.error = ERASED_TEXT if run.error else ""
    Run.objects.bulk_update(runs, ["person", "question", "question_folded", "error"], batch_size=BATCH)
    return len(runs)


@transaction.atomic
def _empty_feedback(person: Person) -> int | None:
    """Ratings stay as nobody's; the words go."""
    keys = list(Feedback.objects.filter(person=person).order_by("pk").values_list("pk", flat=True)[:BATCH])
    if not keys:
        return None
    with_words = Feedback.objects.filter(pk__in=keys).exclude(comment="").count()
    Feedback.objects.filter(pk__in=keys).update(person=None, comment="")
    return with_words


def _delete_spans(person: Person) -> int:
    """Spans that wait hold their words too."""
    rows = TraceSpan.objects.filter(organisation=person.organisation_id)
    theirs = Q(run__person=person)
    if person.external_id:
        theirs |= Q(person_external_id=person.external_id)
    deleted, _by_model = rows.filter(theirs).delete()
    return deleted


def _lock(ids: Sequence[UUID]) -> QuerySet[Conversation]:
    """In the order of their ids, as everybody does."""
    return Conversation.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=ids).order_by("pk")
