"""CaseRevision: the content of one case from one version on, until another takes its place (DS-56, DS-66).

The layout and what it costs to read are explained in docs/adr/0008-how-versions-are-stored.md.
"""

from typing import Self
from uuid import UUID

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.json_text import JsonText
from datasets.logic.intervals import path_to_root
from datasets.models.case import Case
from datasets.models.dataset import Dataset


class Source(models.TextChoices):
    """Where a case came from; set by the platform (DS-44, DS-45)."""

    MANUAL = "manual", _("Written")
    IMPORT = "import", _("Imported")
    CONVERSATION = "conversation", _("Conversation")
    SYNTHETIC = "synthetic", _("Generated")


class OrderMode(models.TextChoices):
    """How expected tool calls are compared with the calls made (DS-38)."""

    ANY = "any", _("Any order")
    IN_ORDER = "in_order", _("In this order, others in between")
    EXACT = "exact", _("Exactly these, in this order")


class CaseRevisionQuerySet(models.QuerySet["CaseRevision"]):
    """Questions about revisions."""

    def newest(self, dataset: Dataset) -> Self:
        """Those of the dataset's newest version: exact while its row is locked."""
        return self.filter(dataset=dataset, until=None)

    def at(self, dataset: Dataset, number: int) -> Self:
        """Those of version `number`, and no other's whatever is written meanwhile (DS-55, DS-57).

        Whether a revision holds is asked of itself and never of a newest version that was read earlier. Those still
        open are at most 10,000; closed ones are found by their fork, by exact look-ups in an index whatever the
        history: see datasets/logic/intervals. Each branch names the dataset again: asked for once around them, SQLite
        reads everything the dataset ever held.
        """
        if number < 1:
            return self.none()
        after, before = path_to_root(number)
        mine = Q(dataset=dataset)
        holds = mine & Q(fork=None, until=None, since__lte=number) | mine & Q(fork__in=after, since__lte=number)
        if before:
            holds |= mine & Q(fork__in=before, until__gt=number)
        return self.filter(holds)

    def ended_between(self, dataset: Dataset, older: int, newer: int) -> list[Self]:
        """Those of version `older` that version `newer` has no more; to be united, each part a look-up in an index."""
        after, before = path_to_root(older)
        ended = self.filter(dataset=dataset, until__lte=newer)
        forks = [fork for fork in after if fork < newer]
        return [ended.filter(fork__in=forks, since__lte=older), ended.filter(fork__in=before, until__gt=older)]

    def begun_between(self, dataset: Dataset, older: int, newer: int) -> list[Self]:
        """Those of version `newer` that version `older` did not have yet; to be united as above."""
        after, before = path_to_root(newer)
        begun = self.filter(dataset=dataset, since__gt=older)
        forks = [fork for fork in before if fork > older]
        return [
            begun.filter(fork=None, until=None, since__lte=newer),
            begun.filter(fork__in=after, since__lte=newer),
            begun.filter(fork__in=forks, until__gt=newer),
        ]

    def of_case_at(self, dataset: Dataset, number: int, case_id: UUID) -> Self:
        """The one of this case in version `number`, or none; a look-up in the index of the case's revisions."""
        ends_later = Q(until=None) | Q(until__gt=number)
        return self.filter(ends_later, dataset=dataset, case_id=case_id, since__lte=number)

    def in_order(self) -> Self:
        """In the order of exports and test runs (DS-D5)."""
        return self.order_by("position")


class CaseRevision(models.Model):
    """The nine fields of one case, holding from version `since` up to, not including, version `until`.

    `until` is null while it holds in the newest version; `fork` is set with it and finds closed intervals.
    `position` repeats the case's. `search_text` is the question folded for search, `tag_keys` the tags folded between
    commas, `question_hash` finds twins.

    `conversation_text` says that the text was copied from a conversation, so that not every reader may see it; it stays
    for good, until somebody writes an anonymised case anew (ACC-D17). `anonymised_at` is when the whole text was
    replaced, which keeps the case out of test runs (ACC-50, ACC-51); `text_removed_at` is when any part of it was, and
    is null again once no replaced part is left (ACC-D33).
    """

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="revisions", db_index=False)
    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="revisions", db_index=False)
    position = models.PositiveBigIntegerField()
    since = models.PositiveIntegerField()
    until = models.PositiveIntegerField(null=True)
    fork = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    source = models.CharField(_("source"), max_length=12, choices=Source.choices)
    order_mode = models.CharField(max_length=8, choices=OrderMode.choices, default=OrderMode.ANY)
    question_hash = models.CharField(max_length=64)
    conversation_text = models.BooleanField(default=False, editable=False)
    anonymised_at = models.DateTimeField(null=True, editable=False)
    text_removed_at = models.DateTimeField(null=True, editable=False)
    tag_keys = models.TextField(blank=True, default="")
    tags = JsonText(default=list)
    input = models.TextField()
    history = JsonText(default=list)
    reference_answer = models.TextField(null=True)
    counter_example = models.TextField(null=True)
    expected_tool_calls = JsonText(default=list)
    checks = JsonText(default=list)
    note = models.TextField(null=True)
    search_text = models.TextField(default="")

    objects = CaseRevisionQuerySet.as_manager()

    class Meta:
        verbose_name = _("case revision")
        verbose_name_plural = _("case revisions")
        constraints = [
            models.UniqueConstraint(fields=["case", "since"], name="case_has_one_revision_a_version"),
            models.UniqueConstraint(fields=["case"], condition=Q(until=None), name="case_has_one_open_revision"),
            models.CheckConstraint(condition=Q(since__gte=1), name="revision_begins_with_a_version"),
            models.CheckConstraint(condition=Q(until=None) | Q(until__gt=F("since")), name="revision_ends_after_start"),
            # A null on the right side would let a check pass, so both are asked to be there.
            models.CheckConstraint(
                condition=Q(until=None, fork=None)
                | Q(until__isnull=False, fork__isnull=False) & Q(fork__gte=F("since"), fork__lt=F("until")),
                name="revision_is_found_by_its_fork",
            ),
            models.CheckConstraint(condition=~Q(input=""), name="revision_asks_something"),
            models.CheckConstraint(
                condition=Q(reference_answer__isnull=False)
                | Q(counter_example__isnull=False)
                | ~Q(expected_tool_calls=[])
                | ~Q(checks=[]),
                name="revision_has_an_expectation",
            ),
        ]
        indexes = [
            models.Index(fields=["dataset", "position", "since"], condition=Q(until=None), name="revision_open"),
            models.Index(fields=["dataset", "fork", "since", "position"], name="revision_by_start"),
            models.Index(
                fields=["dataset", "fork", "until", "position"], condition=Q(fork__isnull=False), name="revision_by_end"
            ),
            models.Index(fields=["dataset", "question_hash"], condition=Q(until=None), name="revision_twins"),
            models.Index(
                fields=["anonymised_at"], condition=Q(anonymised_at__isnull=False), name="revision_anonymised"
            ),
            models.Index(fields=["case"], condition=Q(conversation_text=True), name="revision_from_conversation"),
        ]

    def __str__(self) -> str:
        return f"{self.case_id} from {self.since}"
