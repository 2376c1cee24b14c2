"""Erasing a person's words from cases, in every version, and their name from versions (ACC-45 to ACC-54, ACC-D36)."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts import audit
from accounts.actor import Actor
from accounts.models import Person
from datasets.logic.drafts import CaseDraft
from datasets.logic.erased_texts import without_turns_of
from datasets.models import Authorship, CaseRevision, Dataset, DatasetVersion, LastDataset, WordsIn
from datasets.operations.removals import anonymise, replace_text
from datasets.queries.cases_to_look_at import may_still_name_somebody
from datasets.queries.seen_cases import content_of

BATCH = 200
Words = Mapping[int, Sequence[Authorship]]


@dataclass
class Reached:
    """Which cases an erasure reached; the ids are counted and never kept."""

    anonymised: set[UUID] = field(default_factory=set)
    in_part: set[UUID] = field(default_factory=set)
    to_look_at: set[UUID] = field(default_factory=set)
    revisions: int = 0


def erase_words_of(person: Person) -> dict[str, int]:
    """Replace what the person wrote in cases and take their name off versions; counts by what was reached.

    Every batch is a transaction of its own and ends what it did, so it can be cut off and repeated. The cases that may
    still name the person, in expected calls or checks, are counted for whoever keeps them to look at (ACC-D34).
    """
    reached = Reached()
    while (dataset_id := _dataset_with_words_of(person)) is not None:
        _erase_batch(person, dataset_id, reached)
    return {
        "cases_anonymised": len(reached.anonymised),
        "cases_replaced_in_part": len(reached.in_part),
        "cases_with_calls_or_checks_to_look_at": len(reached.to_look_at),
        "case_revisions": reached.revisions,
        "names_on_versions": _erase_name(person),
    }


def _dataset_with_words_of(person: Person) -> UUID | None:
    return Authorship.objects.filter(person=person).values_list("revision__dataset", flat=True).first()


@transaction.atomic
def _erase_batch(person: Person, dataset_id: UUID, reached: Reached) -> None:
    # Whoever edits the dataset holds its lock, so no revision with the old words is made beside this.
    dataset = Dataset.objects.select_for_update(no_key=True, of=("self",)).filter(pk=dataset_id).first()
    if dataset is None:
        return
    words = _words_of(person, dataset)
    revisions = list(CaseRevision.objects.filter(pk__in=words))
    asked = [each for each in revisions if any(row.field == WordsIn.QUESTION for row in words[each.pk])]
    others = [each for each in revisions if each not in asked]
    now = timezone.now()
    anonymise(dataset, asked, at=now)
    replace_text(dataset, [(each, _without(each, words[each.pk])) for each in others], at=now)
    Authorship.objects.filter(person=person, revision__in=others).delete()
    reached.anonymised |= {each.case_id for each in asked}
    reached.in_part |= {each.case_id for each in others}
    reached.to_look_at |= {each.case_id for each in asked if may_still_name_somebody(each)}
    reached.revisions += len(revisions)
    counts = {"anonymised": len({each.case_id for each in asked}), "in_part": len({each.case_id for each in others})}
    audit.record(Actor.system(dataset.organisation), "case.words_erased", dataset, **counts)


def _words_of(person: Person, dataset: Dataset) -> Words:
    """The person's rows of some revisions, by revision; all rows of each."""
    mine = Authorship.objects.filter(person=person, revision__dataset=dataset)
    some = mine.order_by("revision_id").values_list("revision_id", flat=True).distinct()[:BATCH]
    found: dict[int, list[Authorship]] = defaultdict(list)
    for row in mine.filter(revision__in=list(some)):
        found[row.revision_id].append(row)
    return found


def _without(revision: CaseRevision, words: Sequence[Authorship]) -> CaseDraft:
    turns = {row.turn for row in words if row.turn is not None}
    return without_turns_of(content_of(revision), turns, note=any(row.field == WordsIn.NOTE for row in words))


def _erase_name(person: Person) -> int:
    if person.member_id is None:
        return 0
    LastDataset.objects.filter(member=person.member_id).delete()
    keys = list(DatasetVersion.objects.filter(author=person.member_id).values_list("pk", flat=True))
    for start in range(0, len(keys), BATCH):
        DatasetVersion.objects.filter(pk__in=keys[start : start + BATCH]).update(author=None)
    return len(keys)
