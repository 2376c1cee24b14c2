"""What a dataset of copied conversations costs somebody who may read only some of them (ACC-25), without statistics."""

from collections.abc import Callable
from secrets import token_urlsafe
from typing import Any

from django.db import connection

from accounts.actor import Actor
from accounts.models import Member, User, Visibility
from accounts.permissions import Role
from activity.models import Conversation
from agents.models import Agent
from benchmarks.people import owner
from benchmarks.speed import line, timed
from core.limits import LIMITS
from datasets.logic.folding import question_hash
from datasets.models import Case, CaseRevision, Dataset
from datasets.operations.datasets import create_dataset
from datasets.operations.exports import export_version
from datasets.queries.cases import CaseFilter, cases_in_order, ordered, revisions_of
from datasets.queries.export_size import characters_of, copied_texts
from datasets.queries.readable_words import reading_mark

OTHERS = 40_000
REPEATS = 3


def main() -> None:
    """Print milliseconds for a member, whose own, shared and hidden conversations are a third each, and an owner."""
    everything = owner()
    some = _member(everything)
    dataset = make_cases(everything, some)
    print(f"database: {connection.vendor}; {LIMITS.cases:,} cases, {LIMITS.cases + OTHERS:,} conversations, ms")
    for analysed in (False, True):
        if analysed:
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")
        for actor, who in ((some, "a member"), (everything, "an owner")):
            for what, act in _acts(actor, dataset).items():
                line(f"{what}, {who}{', analysed' if analysed else ''}", timed(act, REPEATS))


def _acts(actor: Actor, dataset: Dataset) -> dict[str, Callable[[], Any]]:
    def export() -> int:
        return sum(len(piece) for piece in export_version(actor, dataset_id=dataset.pk, file_format="jsonl").pieces)

    def page(column: str, search: str = "") -> Any:
        rows = ordered(actor, revisions_of(actor, dataset, 1, CaseFilter(search=search)), [column, "position"])
        return list(rows.values_list("pk", flat=True)[:50])

    return {
        "export": export,
        "copied texts": lambda: copied_texts(actor, dataset, 1),
        "size of an export": lambda: characters_of(actor, dataset, 1),
        "reading mark": lambda: reading_mark(actor, dataset),
        "page": lambda: cases_in_order(actor, dataset, 1)[:50],
        "page by question": lambda: page("search_text"),
        "page that is searched": lambda: page("position", search="kettle"),
    }


def _member(actor: Actor) -> Actor:
    user = User.objects.create_user("some@example.org", token_urlsafe(), name="Some")
    return Actor.of_member(Member.objects.create(organisation=actor.organisation, user=user, role=Role.MEMBER))


def make_cases(actor: Actor, some: Actor) -> Dataset:
    """A shared dataset full of cases, each from its own conversation, among more conversations."""
    (agent,) = Agent.objects.bulk_create(
        [
            Agent(
                organisation=actor.organisation,
                owner=actor.member,
                name="Agent",
                kind="external",
                visibility=Visibility.ORGANISATION,
            )
        ]
    )
    conversations = Conversation.objects.bulk_create(
        (_conversation(actor, some, agent, number) for number in range(LIMITS.cases + OTHERS)), batch_size=500
    )
    dataset = create_dataset(actor, name="Copied", visibility=Visibility.ORGANISATION)
    cases = Case.objects.bulk_create(
        (
            Case(dataset=dataset, position=place, conversation=conversation)
            for place, conversation in enumerate(conversations[: LIMITS.cases])
        ),
        batch_size=500,
    )
    CaseRevision.objects.bulk_create((_revision(case) for case in cases), batch_size=500)
    Dataset.objects.filter(pk=dataset.pk).update(newest_version=1)
    dataset.refresh_from_db()
    return dataset


def _conversation(actor: Actor, some: Actor, agent: Agent, number: int) -> Conversation:
    mine = number % 3 == 0
    shared = Visibility.ORGANISATION if number % 3 == 1 else Visibility.PRIVATE
    return Conversation(
        organisation=actor.organisation,
        agent=agent,
        owner=some.member if mine else actor.member,
        visibility=Visibility.PRIVATE if mine else shared,
    )


def _revision(case: Case) -> CaseRevision:
    question = f"{case.position}: where is my kettle and when does it come?"
    return CaseRevision(
        dataset=case.dataset,
        case=case,
        position=case.position,
        since=1,
        source="conversation",
        input=question,
        reference_answer="It comes on Friday. " * 10,
        question_hash=question_hash(question),
        search_text=question,
        conversation_text=True,
    )
