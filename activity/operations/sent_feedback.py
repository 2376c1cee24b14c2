"""Taking in ratings that integrators send: each finds its answer, and takes the place of an earlier one (PL-32).

Like runs, ratings from outside write no entry of the audit log: the row says who thought what and when.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts import access
from accounts.actor import Actor
from accounts.operations.persons import hold_persons, persons_by_external_ids
from accounts.permissions import Permission
from activity.logic.answers import exchanges
from activity.logic.sent_feedback import SentFeedback
from activity.models import Conversation, Feedback, Message, MessageRole, Run
from activity.operations.feedback import Rating, store_ratings
from activity.queries.conversations import readable_conversations
from agents.models import Agent
from core.errors import Invalid, NotAllowed, NotFound, Problem


@transaction.atomic
def rate_answers(actor: Actor, *, feedback: Sequence[SentFeedback], many: bool = True) -> list[Feedback]:
    """Store the ratings, all or none; the row of each with its message, in order. Two of one answer: the later counts.

    A rating of any step counts for its whole answer, so it stands at the answer's last message. Raises `NotFound` where
    an answer is not there or not to be known, `NotAllowed` without `agents:run` on its agent, `Invalid` where a message
    is no part of an answer, `Conflict` while a person is being erased.
    """
    last_of = _last_steps(actor, feedback)
    places = [f"feedback.{index}." if many else "" for index in range(len(feedback))]
    problems = [
        Problem(f"{place}{_name(each)}", _("There is no answer to rate here."))
        for each, place in zip(feedback, places, strict=True)
        if last_of[_key(each)] is None
    ]
    if problems:
        raise Invalid(problems)
    named = {each.rating.person for each in feedback if each.rating.person}
    people: dict[Any, UUID] = dict(persons_by_external_ids(actor.organisation, external_ids=named)) if named else {}
    hold_persons(list(people.values()))
    ratings = []
    for each in feedback:
        last = last_of[_key(each)]
        if last is not None:
            person_id = people.get(each.rating.person)
            ratings.append(Rating(last, person_id, each.rating.rating, each.rating.comment))
    return store_ratings(ratings)


Key = UUID | str | None


def _key(each: SentFeedback) -> Key:
    return each.message_id or each.run_id or each.idempotency_key


def _name(each: SentFeedback) -> str:
    return "message" if each.message_id else "run" if each.run_id else "idempotency_key"


def _last_steps(actor: Actor, feedback: Sequence[SentFeedback]) -> dict[Key, Message | None]:
    """The last message of each named answer, None where there is none. Raises `NotFound`, then `NotAllowed`."""
    messages = {each.message_id for each in feedback if each.message_id}
    runs = {each.run_id for each in feedback if each.run_id}
    keys = {each.idempotency_key for each in feedback if each.idempotency_key}
    conversations = _rateable(actor)
    found: dict[Key, Message | None] = {}
    if messages:
        found |= _of_messages(conversations, messages)
    if runs or keys:
        found |= _of_runs(actor, conversations, Q(pk__in=runs) | Q(idempotency_key__in=keys), keys)
    if not messages | runs | keys <= found.keys():
        raise NotFound
    _require_run(actor, {message.conversation_id for message in found.values() if message})
    return found


def _rateable(actor: Actor) -> QuerySet[Conversation]:
    """Those of agents that the actor may view: what came from outside, and what the actor may open in the console."""
    agents = Agent.objects.allowed(actor, Permission.AGENTS_VIEW).order_by().values("pk")
    rows = Conversation.objects.filter(organisation_id=actor.organisation_id, agent__in=agents)
    readable = readable_conversations(actor).order_by().values("pk")
    return rows.filter(Q(owner=None, person__member=None) | Q(pk__in=readable))


def _require_run(actor: Actor, conversation_ids: Collection[UUID]) -> None:
    agents = Agent.objects.allowed(actor, Permission.AGENTS_RUN).order_by().values("pk")
    allowed = Conversation.objects.filter(pk__in=conversation_ids, agent__in=agents).count()
    if allowed != len(conversation_ids) or not access.may(actor, Permission.AGENTS_RUN):
        raise NotAllowed


def _of_messages(conversations: QuerySet[Conversation], ids: Collection[UUID]) -> dict[Key, Message | None]:
    """For each message the last step of the answer around it; None for a question and for instructions."""
    named = Message.objects.filter(pk__in=ids, conversation__in=conversations.order_by().values("pk"))
    there = set(named.values_list("pk", "conversation"))
    found: dict[Key, Message | None] = {key: None for key, _conversation in there}
    for said in _by_conversation({conversation for _key, conversation in there}):
        for exchange in exchanges(said):
            found |= {step.pk: exchange.last_step for step in exchange.steps if step.pk in found}
    return found


def _by_conversation(ids: Collection[UUID]) -> Iterable[list[Message]]:
    """The messages of each conversation in order, without their texts."""
    rows = Message.objects.filter(conversation__in=ids).only("role", "position", "conversation", "run")
    found: dict[UUID, list[Message]] = defaultdict(list)
    for message in rows.order_by("position"):
        found[message.conversation_id].append(message)
    return found.values()


def _of_runs(
    actor: Actor, conversations: QuerySet[Conversation], wanted: Q, keys: Collection[str]
) -> dict[Key, Message | None]:
    """For each run, by its id or its key, the last message that the agent wrote in it."""
    rows = Run.objects.filter(wanted, organisation_id=actor.organisation_id)
    there = dict(
        rows.filter(conversation__in=conversations.order_by().values("pk")).values_list("pk", "idempotency_key")
    )
    said = Message.objects.filter(run__in=there, role=MessageRole.ASSISTANT).order_by("position")
    last = {message.run_id: message for message in said.only("role", "position", "conversation", "run")}
    found: dict[Key, Message | None] = {run: last.get(run) for run in there}
    return found | {key: last.get(run) for run, key in there.items() if key in keys}
