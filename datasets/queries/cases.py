"""Reading the cases of a version: one, a filtered table, all in order, twins (DS-D5, DS-D6, DS-D33)."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import models
from django.db.models import F, Q, TextField, Value, When

from accounts.actor import Actor
from core.errors import NotFound
from core.folding import fold
from core.limits import LIMITS
from datasets.logic.credentials import hide
from datasets.logic.drafts import EXPECTATIONS
from datasets.logic.folding import question_hash, tag_key
from datasets.models import Case, CaseRevision, Dataset
from datasets.models.case_revision import CaseRevisionQuerySet
from datasets.queries.case_rows import CaseRows
from datasets.queries.readable_words import reads_every_word, words_hidden_from
from datasets.queries.seen_cases import SeenCase, removal_key, seen_by

QUESTION = "search_text"  # the column that sorts by question
# A field that holds something, as a condition; the four expectations of DS-46.
HOLDS = {
    "reference_answer": Q(reference_answer__isnull=False),
    "counter_example": Q(counter_example__isnull=False),
    "expected_tool_calls": ~Q(expected_tool_calls=[]),
    "checks": ~Q(checks=[]),
}
assert tuple(HOLDS) == EXPECTATIONS  # noqa: S101 - a new expectation must get its filter


@dataclass(frozen=True)
class CaseFilter:
    """What a table of cases asks for; an empty value asks for everything."""

    search: str = ""
    source: str = ""
    tag: str = ""
    expectation: str = ""
    anonymised: bool | None = None

    @property
    def is_empty(self) -> bool:
        return self == CaseFilter()


def find_case(actor: Actor, dataset: Dataset, number: int, case_id: UUID) -> SeenCase:
    """One case of a version. Raises `NotFound` where that version does not hold it."""
    revision = CaseRevision.objects.of_case_at(dataset, number, case_id).select_related("case").first()
    if revision is None:
        raise NotFound
    return seen_by(actor, revision, version=number)


def text_is_hidden(actor: Actor, dataset: Dataset, case_id: UUID) -> bool:
    """Whether the newest version holds the case with text that the actor may not read."""
    return CaseRevision.objects.newest(dataset).filter(words_hidden_from(actor), case_id=case_id).exists()


def text_was_removed_since(dataset: Dataset, case_id: UUID, revision: int, removal: str) -> bool:
    """Whether text of this revision was replaced in place after somebody read it with this `removal_key` (ACC-D37)."""
    read = CaseRevision.objects.filter(dataset=dataset, case_id=case_id, since=revision)
    found = read.values_list("text_removed_at", flat=True).first()
    return removal_key(found) != removal


def count_copied(dataset: Dataset, case_ids: Sequence[UUID]) -> int:
    """How many of these cases hold text from a conversation in the newest version."""
    return CaseRevision.objects.newest(dataset).filter(case_id__in=case_ids, conversation_text=True).count()


def newest_version_with(dataset: Dataset, case_id: UUID) -> int | None:
    """The newest version that holds the case, or None where the dataset never had it (DS-D9)."""
    newest = dataset.newest_version
    last = CaseRevision.objects.filter(dataset=dataset, case_id=case_id, since__lte=newest).order_by("-since").first()
    if last is None:
        return None
    return newest if last.until is None else min(newest, last.until - 1)


def case_was_deleted(dataset: Dataset, case_id: UUID) -> bool:
    """Whether the dataset had the case once and its newest version has not."""
    if CaseRevision.objects.newest(dataset).filter(case_id=case_id).exists():
        return False
    return Case.objects.filter(dataset=dataset, pk=case_id).exists()


def revisions_of(actor: Actor, dataset: Dataset, number: int, wanted: CaseFilter) -> CaseRevisionQuerySet:
    """The revisions of a version that the filter lets through; not in order yet.

    Search reads questions (DS-D6), and finds no text that is hidden from the actor (ACC-D20).
    """
    rows = CaseRevision.objects.at(dataset, number)
    search = fold(wanted.search[: LIMITS.search_characters])
    if search:
        rows = rows.filter(~words_hidden_from(actor), search_text__contains=search)
    if wanted.source:
        rows = rows.filter(source=wanted.source)
    if "," in wanted.tag:
        return rows.none()
    if wanted.tag.strip():
        rows = rows.filter(tag_keys__contains=f",{tag_key(wanted.tag.strip())},")
    if wanted.expectation:
        rows = rows.filter(HOLDS[wanted.expectation])
    if wanted.anonymised is not None:
        rows = rows.filter(anonymised_at__isnull=not wanted.anonymised)
    return rows


def ordered(actor: Actor, rows: CaseRevisionQuerySet, columns: Sequence[str]) -> CaseRevisionQuerySet:
    """The rows by these columns; by the question, those whose text is hidden from the actor come last (ACC-D20)."""
    if columns[0].removeprefix("-") != QUESTION or reads_every_word(actor):
        return rows.order_by(*columns)
    hidden = words_hidden_from(actor)
    rows = rows.annotate(
        is_hidden=models.Case(When(hidden, then=1), default=0),
        readable_question=models.Case(When(hidden, then=Value("")), default=F(QUESTION), output_field=TextField()),
    )
    sign = "-" if columns[0].startswith("-") else ""
    return rows.order_by("is_hidden", f"{sign}readable_question", *columns[1:])


def has_anonymised(dataset: Dataset, number: int) -> bool:
    """Whether a version has a case that an erasure anonymised; asks nothing where no text was ever removed."""
    if dataset.text_removed_at is None:
        return False
    return CaseRevision.objects.at(dataset, number).exclude(anonymised_at=None).exists()


def tags_of(dataset: Dataset, number: int) -> list[str]:
    """Every tag of a version by its first spelling, in order."""
    spellings: dict[str, str] = {}
    for tags in CaseRevision.objects.at(dataset, number).exclude(tag_keys="").values_list("tags", flat=True).distinct():
        for tag in tags:
            spellings.setdefault(tag_key(tag), tag)
    return [spellings[key] for key in sorted(spellings)]


def cases_in_order(actor: Actor, dataset: Dataset, number: int) -> CaseRows:
    """All cases of a version in the order of exports and test runs (DS-D5)."""
    return CaseRows(actor, CaseRevision.objects.at(dataset, number).in_order(), number)


def twins_of(dataset: Dataset, question: str) -> list[UUID]:
    """The cases of the newest version that ask the same, at most 10, oldest first (DS-115).

    Stored questions have their credentials hidden, so the one that is asked for has too (DS-D33).
    """
    same = CaseRevision.objects.newest(dataset).filter(question_hash=question_hash(hide(question).text))
    return list(same.in_order().values_list("case_id", flat=True)[: LIMITS.twins_listed])
