"""Scoring a run against a case: who is offered it, and which datasets and cases there are to choose (SC-154 to 165)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.utils.translation import gettext as _

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from activity.models import Message, MessageRole, Run, RunStatus
from activity.queries.run_messages import messages_of
from core.offers import NOT_OFFERED, OFFERED, Offer
from datasets.logic.credentials import hide
from datasets.logic.folding import question_hash
from datasets.models import CaseRevision, Dataset
from datasets.queries.answers import CopiedAnswer, case_of_answer, find_copied_answer
from datasets.queries.case_rows import CaseRows
from datasets.queries.cases import CaseFilter
from datasets.queries.datasets import visible_rows
from datasets.queries.seen_cases import SeenCase
from datasets.queries.whole_version import rows_of_version
from scoring.logic.nearest import nearest_first
from scoring.logic.words import words

CASES_SHOWN = 20  # of a page in the dialog, of which the nearest come first
NEWEST_FIRST = ["-position"]


def offer_to_score(actor: Actor, run: Run, said: Sequence[Message]) -> Offer:
    """Shown to who may run datasets; disabled for a run without a transcript (SC-163). Asks no database."""
    if not access.may(actor, Permission.DATASETS_RUN) or not access.may(actor, Permission.RUNS_VIEW):
        return NOT_OFFERED
    reason = why_not_to_score(run, said)
    return Offer(True, reason) if reason else OFFERED


def why_not_to_score(run: Run, said: Sequence[Message]) -> str:
    """What is wrong with a run that has no answer to grade, in words; empty where nothing is."""
    if run.status == RunStatus.RUNNING:
        return _("The run is still going on.")
    if not any(message.role == MessageRole.ASSISTANT for message in said):
        return _("This run has no transcript, so there is no answer to grade.")
    return ""


@dataclass(frozen=True)
class Target:
    """A dataset that the actor may run, and its cases of the newest version that ask what the run was asked."""

    dataset: Dataset
    same: tuple[UUID, ...] = ()

    @property
    def asks_the_same(self) -> bool:
        return bool(self.same)


@dataclass(frozen=True)
class RunToScore:
    """A run with its answer; `copied` is None where there is none to grade, `why_not` says why."""

    run: Run
    copied: CopiedAnswer | None
    why_not: str

    @property
    def question(self) -> str:
        """What was asked, whole where the answer is there."""
        asked = self.copied.answer.question if self.copied else None
        return asked.text if asked else self.run.question


@dataclass(frozen=True)
class CaseChoice:
    """The cases of one dataset to choose from. `first` stand above whatever page is shown."""

    actor: Actor
    target: Target
    to_score: RunToScore
    search: str = ""
    number: int = 1
    case_id: UUID | None = None

    @cached_property
    def already(self) -> UUID | None:
        """The case that was taken from the very answer, also after its question was edited (SC-160)."""
        return case_of_answer(self.target.dataset, self.to_score.copied) if self.to_score.copied else None

    @cached_property
    def chosen(self) -> UUID | None:
        """Whoever chose nothing gets the first case that asks the same (SC-155), or the one taken from the answer."""
        return self.case_id or next(iter(self.target.same), self.already)

    @cached_property
    def first(self) -> list[SeenCase]:
        """Those that ask the same, the one taken from the answer, and the chosen one."""
        keys = [*self.target.same, *(key for key in (self.already, self.case_id) if key)]
        if not keys:
            return []
        dataset = self.target.dataset
        rows = CaseRevision.objects.newest(dataset).filter(case_id__in=keys).in_order()
        found = CaseRows(self.actor, rows, dataset.newest_version)[0 : len(keys)]
        return sorted(found, key=lambda case: case.id not in self.target.same)

    @cached_property
    def page(self) -> "Page[Any]":
        dataset = self.target.dataset
        wanted = CaseFilter(search=self.search)
        given = (self.actor, dataset, dataset.newest_version, wanted, NEWEST_FIRST)
        rows: Any = rows_of_version(*given, total=dataset.case_count)
        return Paginator(rows, CASES_SHOWN).get_page(self.number)

    @cached_property
    def others(self) -> list[SeenCase]:
        """The page without what stands above it; the nearest first where no case asks the same (SC-158)."""
        above = {case.id for case in self.first}
        rows = [case for case in self.page.object_list if case.id not in above]
        if self.target.same:
            return rows
        return nearest_first(self.to_score.question, rows, asks=lambda case: case.content.input, words=words)


def run_to_score(actor: Actor, run: Run) -> RunToScore:
    """The run with the answer that would be graded: the one of its last step."""
    said = messages_of(run)
    why_not = why_not_to_score(run, said)
    steps = [message for message in said if message.role == MessageRole.ASSISTANT]
    copied = find_copied_answer(actor, steps[-1].pk) if steps and not why_not else None
    return RunToScore(run, copied, why_not)


def targets_of(actor: Actor, question: str) -> list[Target]:
    """The datasets to score against: those with a case that asks the same first, then by their newest change (SC-156).

    "The same" ignores letter case and spacing, as for twins (SC-D52).
    """
    allowed = visible_rows().allowed(actor, Permission.DATASETS_RUN)
    asked = question_hash(hide(question).text)
    twins = CaseRevision.objects.filter(dataset__in=allowed.order_by().values("pk"), until=None, question_hash=asked)
    same: dict[UUID, list[UUID]] = {}
    for dataset_id, case_id in twins.order_by("position").values_list("dataset_id", "case_id"):
        same.setdefault(dataset_id, []).append(case_id)
    found = [Target(each, tuple(same.get(each.pk, ())[:10])) for each in allowed.order_by("-changed_at", "-pk")]
    return sorted(found, key=lambda target: not target.asks_the_same)
