"""What a member thinks of an answer: a thumb up or down with a comment, and taking it back (PL-30, DS-148)."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.actor import Actor
from accounts.models import Person
from accounts.operations.persons import ensure_person_of_member, hold_persons
from activity.models import Feedback, Message, RunRating
from activity.operations.feedback import Rating, lock_conversations, refresh_run_ratings, store_ratings
from activity.queries.answers import answer_of, find_message
from activity.queries.conversations import require_owner
from core.errors import Conflict, Invalid, NotAllowed
from core.limits import LIMITS
from core.refusals import refusal
from core.texts import text_problems


@transaction.atomic
def rate_answer(actor: Actor, *, message_id: UUID, rating: str, comment: str = "") -> Feedback:
    """Store what the member thinks of the answer that the message belongs to, in place of what they thought before.

    Any message of the answer names it; the rating stands at its last step. Raises `NotFound`, `NotAllowed` in another's
    conversation, `Invalid` naming `rating` or `comment`, `Conflict` `no_answer` where the agent has written nothing.
    """
    if rating not in RunRating.values:
        raise Invalid.at("rating", _("A rating is up or down."))
    wrong = text_problems(comment, LIMITS.note_characters)
    if wrong:
        raise refusal(problem.under("comment") for problem in wrong)
    person, last, rated = _place_of(actor, message_id)
    hold_persons([person.pk])
    _clear(person, [step for step in rated if step.pk != last.pk])
    (stored,) = store_ratings([Rating(last, person.pk, rating, comment.strip())])
    _refresh(rated)
    return stored


@transaction.atomic
def withdraw_rating(actor: Actor, *, message_id: UUID) -> None:
    """Take the member's rating of the answer back; nothing happens where there is none. Cases stay (DS-151).

    Raises `NotFound`, `NotAllowed` in another's conversation, `Conflict` `no_answer`.
    """
    person, _last, rated = _place_of(actor, message_id)
    _clear(person, rated)
    _refresh(rated)


def _place_of(actor: Actor, message_id: UUID) -> tuple[Person, Message, list[Message]]:
    """Who rates, the answer's last step, and all its steps; its conversation is locked."""
    message = find_message(actor, message_id)
    require_owner(actor, message.conversation)
    if actor.member is None:
        raise NotAllowed
    lock_conversations({message.conversation_id})
    answer = answer_of(message)
    if answer.last is None:
        raise Conflict("no_answer", _("There is no answer to rate yet."))
    return ensure_person_of_member(actor.member), answer.last, answer.steps


def _clear(person: Person, steps: list[Message]) -> None:
    Feedback.objects.filter(person=person, message__in=[step.pk for step in steps]).delete()


def _refresh(steps: list[Message]) -> None:
    refresh_run_ratings({step.run_id for step in steps if step.run_id})
