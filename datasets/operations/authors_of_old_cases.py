"""Filling in whose words a case holds, from the links it still has (ACC-59, ACC-60, ACC-D42)."""

from dataclasses import dataclass
from itertools import pairwise
from uuid import UUID

from django.db import transaction

from accounts.models import Person
from activity.models import Message
from activity.queries.answers import answer_of
from core.errors import Conflict
from datasets.models import Case, CaseRevision, Dataset
from datasets.operations.authorship import Authors, keep_authors, store_authors
from datasets.queries.answers import CopiedAnswer
from datasets.queries.cases_to_look_at import cases_of_unknown_authors


@dataclass(frozen=True)
class FilledIn:
    """How many cases have their authors now, and how many were left without any: only deleting those removes their
    text (ACC-60)."""

    filled: int
    without: int


def fill_in_authors() -> FilledIn:
    """Read the links of every case from a conversation that nobody is known to have written; safe to repeat.

    A case whose links are gone stays without authors, as does one whose asker nobody named or who is erased by now.
    """
    unknown = list(cases_of_unknown_authors().values_list("pk", "dataset_id"))
    filled = sum(_fill_in(case_id, dataset_id) for case_id, dataset_id in unknown)
    return FilledIn(filled, len(unknown) - filled)


@transaction.atomic
def _fill_in(case_id: UUID, dataset_id: UUID) -> bool:
    # Whoever edits the dataset holds its lock, so no revision is made beside this.
    Dataset.objects.select_for_update(no_key=True, of=("self",)).filter(pk=dataset_id).first()
    case = Case.objects.filter(pk=case_id).first()
    if case is None or case.message_id is None:
        return False
    message = Message.objects.select_related("conversation").get(pk=case.message_id)
    revisions = list(CaseRevision.objects.filter(case_id=case_id, anonymised_at=None).order_by("since"))
    authors = _authors(CopiedAnswer(answer_of(message), message), revisions[0]) if revisions else Authors()
    if not list(authors):
        return False
    try:
        with transaction.atomic():
            store_authors(revisions[:1], [authors])
    except Conflict:  # erased by now: their words wait for somebody to decide
        return False
    for pair in pairwise(revisions):
        keep_authors([pair])
    return True


def _authors(copied: CopiedAnswer, first: CaseRevision) -> Authors:
    """Of the revision as it was added; its turns are the latest ones before the question."""
    latest = copied.turns[len(copied.turns) - len(first.history) :] if first.history else ()
    turns = {place: turn.said[0].author_id for place, turn in enumerate(latest) if turn.role == "user"}
    asker = copied.answer.question.author_id if copied.answer.question else None
    comment = copied.answer.newest_comment if first.note else None
    critic = comment.person_id if comment else None
    people = Person.objects.in_bulk({key for key in (asker, critic, *turns.values()) if key is not None})
    written = {place: people[author] for place, author in turns.items() if author in people and _is_asked(first, place)}
    return Authors(people.get(asker), written, people.get(critic))


def _is_asked(first: CaseRevision, place: int) -> bool:
    return bool(first.history[place]["role"] == "user")
