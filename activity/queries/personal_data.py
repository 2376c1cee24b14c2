"""What conversations hold of a person: for their data export, and for an erasure (ACC-D36, ACC-D43)."""

from collections.abc import Callable
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Person
from activity.logic.words import words_and_answers
from activity.models import Conversation, Feedback, Message, MessageRole, Run


def conversations_of(person: Person) -> QuerySet[Conversation]:
    """Those in which the person spoke, or that are theirs."""
    said = Message.objects.filter(conversation=OuterRef("pk"), author=person)
    theirs = Q(person=person) | Q(Exists(said))
    if person.member_id is not None:
        theirs |= Q(owner=person.member_id)
    return Conversation.objects.filter(theirs, organisation=person.organisation_id)


def is_word_of(person: Person, conversation: Conversation) -> Callable[[Message], bool]:
    """Whether a message holds this person's words: one without an author is of whose conversation it is."""
    owns = person.pk == conversation.person_id or (
        person.member_id is not None and person.member_id == conversation.owner_id
    )

    def answer(message: Message) -> bool:
        return message.author_id == person.pk or (owns and message.author_id is None)

    return answer


def words_of(person: Person) -> dict[str, Any]:
    """The person's conversations with what they said and what the agent answered, and their ratings.

    Words of others in the same conversations are left out, and so are titles that others' words made.
    """
    conversations = conversations_of(person).select_related("agent").order_by("started_at", "pk")
    found = [_conversation(person, each) for each in conversations.iterator(chunk_size=100)]
    alone = Run.objects.filter(person=person, conversation=None).order_by("started_at", "pk")
    rated = Feedback.objects.filter(person=person).order_by("created_at", "pk")
    return {
        "conversations": found,
        "questions_without_a_conversation": [
            {"asked_at": run.started_at.isoformat(), "question": run.question} for run in alone
        ],
        "ratings": [
            {
                "message": str(row.message_id),
                "rating": row.rating,
                "comment": row.comment,
                "rated_at": row.changed_at.isoformat(),
            }
            for row in rated
        ],
    }


def _conversation(person: Person, conversation: Conversation) -> dict[str, Any]:
    messages = list(Message.objects.filter(conversation=conversation).order_by("position"))
    is_theirs = is_word_of(person, conversation)
    first = next((message for message in messages if message.role == MessageRole.USER), None)
    return {
        "id": str(conversation.pk),
        "external_id": conversation.external_id,
        "agent": conversation.agent.name if conversation.agent else None,
        "title": conversation.title if first is None or is_theirs(first) else None,
        "started_at": conversation.started_at.isoformat(),
        "exchanges": [
            {"said": [_words(each) for each in said], "answered": [_words(each) for each in answers if each.text]}
            for said, answers in words_and_answers(messages, is_theirs)
        ],
    }


def _words(message: Message) -> dict[str, Any]:
    return {"id": str(message.pk), "by": message.role, "text": message.text, "at": message.created_at.isoformat()}
