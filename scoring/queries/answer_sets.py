"""Sets of stored answers: the list, one of them, and how far the grading of each is (BC-28)."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from accounts.actor import Actor
from accounts.permissions import Permission
from agents.models import Agent
from core.errors import NotFound
from core.paging import Order
from datasets.models import CaseRevision, Dataset
from datasets.queries.versions import cases_of_version
from scoring.logic.findings import Reason
from scoring.logic.settings import Settings
from scoring.logic.stored_matching import KnownCase
from scoring.models import AnswerSet, JudgeTrouble, Score, ScoreOutcome, ScoreState
from scoring.places import TestRunLink, run_of_set
from scoring.queries.checkable_cases import checkable
from scoring.queries.score_rows import sight_of

NEWEST_FIRST = [Order("created_at", descending=True), Order("id", descending=True)]
# Why answers are unscored is told by so many different reasons at the most.
CAUSES = 10
# So many sets are offered where one is chosen.
OFFERED = 50


@dataclass(frozen=True)
class Progress:
    """How the answers of a set stand. The rate is of `decided`: what brought no verdict is in no rate (SC-14).

    What a person ruled counts before what grading found.

    `judge_errors` and `judge_skipped` count answers on which the judge brought no verdict, whatever their outcome.
    """

    total: int
    passed: int = 0
    failed: int = 0
    unscored: int = 0
    judge_errors: int = 0
    judge_skipped: int = 0

    @property
    def graded(self) -> int:
        return self.passed + self.failed + self.unscored

    @property
    def decided(self) -> int:
        """Those that passed or failed."""
        return self.passed + self.failed

    @property
    def pass_rate(self) -> float | None:
        """None until all are graded, and where none passed or failed: that is no result, not 0%."""
        return self.passed / self.decided if self.decided and self.is_done else None

    @property
    def waiting(self) -> int:
        return self.total - self.graded

    @property
    def is_done(self) -> bool:
        return self.waiting <= 0


@dataclass(frozen=True)
class ShownSet:
    """A set as one reader sees it: `agent` is None where none was named, or the reader cannot see it (ACC-D23).

    `unanswered` is how many cases of its version have no answer in it. `test_run` is the test run that it is, for who
    may open it; None until all is graded.
    """

    row: AnswerSet
    progress: Progress
    agent: Agent | None = None
    unanswered: int = 0
    causes: Sequence[tuple[Reason, int]] = field(default_factory=tuple)
    test_run: TestRunLink | None = None


def answer_sets_of(dataset: Dataset) -> QuerySet[AnswerSet]:
    """The dataset's sets; whoever can see the dataset can see that they are there (SC-166)."""
    return AnswerSet.objects.filter(dataset=dataset).select_related("agent", "asked_by__user")


def newest_sets(dataset: Dataset, *, besides: Collection[UUID] = ()) -> list[AnswerSet]:
    """The newest sets to choose from, and those at hand that are older."""
    rows = answer_sets_of(dataset).order_by("-created_at", "-pk")
    found = list(rows[:OFFERED])
    if others := set(besides) - {one.pk for one in found}:
        found += rows.filter(pk__in=others)
    return found


def find_answer_set(dataset: Dataset, answer_set_id: UUID) -> AnswerSet:
    """One set of the dataset. Raises `NotFound`."""
    found = answer_sets_of(dataset).filter(pk=answer_set_id).first()
    if found is None:
        raise NotFound
    found.dataset = dataset
    return found


def shown_sets(actor: Actor, rows: Iterable[AnswerSet]) -> list[ShownSet]:
    """The sets with their progress, in their order; two queries for all of them."""
    sets = list(rows)
    progress = _progress_of(sets)
    named = {row.agent_id for row in sets if row.agent_id}
    seen = Agent.objects.allowed(actor, Permission.AGENTS_VIEW).filter(pk__in=named)
    visible = set(seen.values_list("pk", flat=True)) if named else set()
    return [ShownSet(row, progress[row.pk], row.agent if row.agent_id in visible else None) for row in sets]


def shown_set(actor: Actor, row: AnswerSet) -> ShownSet:
    """One set with what has no answer in it, and why answers of it are unscored, for who may read reasons (SC-168)."""
    (shown,) = shown_sets(actor, [row])
    there = row.answer_count + row.anonymised_count + row.unchecked_count
    unanswered = max(0, cases_of_version(row.dataset, row.version) - there)
    return ShownSet(row, shown.progress, shown.agent, unanswered, _causes(actor, row), run_of_set(actor, row))


def known_cases(dataset: Dataset, version: int, settings: Settings) -> list[KnownCase]:
    """The cases of a version as answers are matched with them; reads no text."""
    rows = CaseRevision.objects.at(dataset, version)
    checked = set(rows.filter(checkable(settings)).values_list("case_id", flat=True))
    found = rows.values_list("case_id", "question_hash", "anonymised_at")
    return [KnownCase(case, question, gone is not None, case in checked) for case, question, gone in found]


def slices_of(answer_set: AnswerSet, size: int) -> list[UUID]:
    """The first score of every `size`, in order: what a job names its part of the set by."""
    ids = Score.objects.filter(answer_set=answer_set).order_by("pk").values_list("pk", flat=True)
    return list(ids)[::size]


def scores_of_slice(answer_set_id: UUID, first: UUID, size: int) -> list[UUID]:
    """The scores of one part of a set that still wait; none where the set is gone."""
    part = Score.objects.filter(answer_set=answer_set_id, pk__gte=first).order_by("pk").values_list("pk", "state")
    return [pk for pk, state in part[:size] if state == ScoreState.WAITING]


def _progress_of(sets: Sequence[AnswerSet]) -> dict[UUID, Progress]:
    def ended(outcome: str) -> Count:
        return Count("pk", filter=Q(decided=outcome) | Q(decided="", outcome=outcome))

    def troubled(trouble: str) -> Count:
        return Count("pk", filter=Q(judge_trouble=trouble))

    counted = Score.objects.filter(answer_set__in=[row.pk for row in sets]).order_by().values("answer_set")
    counted = counted.annotate(
        total=Count("pk"),
        passed=ended(ScoreOutcome.PASS),
        failed=ended(ScoreOutcome.FAIL),
        unscored=ended(ScoreOutcome.UNSCORED),
        judge_errors=troubled(JudgeTrouble.ERROR),
        judge_skipped=troubled(JudgeTrouble.SKIPPED),
    )
    found: dict[UUID, Progress] = {}
    for counts in counted:
        numbers: dict[str, Any] = dict(counts)
        answer_set = numbers.pop("answer_set")
        found[answer_set] = Progress(**numbers)
    return {row.pk: found.get(row.pk, Progress(0)) for row in sets}


def _causes(actor: Actor, row: AnswerSet) -> list[tuple[Reason, int]]:
    """The commonest first. All scores of a set are alike in who may read them."""
    unscored = Score.objects.filter(answer_set=row, outcome=ScoreOutcome.UNSCORED, decided="").order_by()
    first = unscored.only("agent_id", "has_agent").first()
    if first is None or not sight_of(actor, [first]).may_read(first):
        return []
    counted = unscored.values_list("why").annotate(count=Count("pk")).order_by("-count")[:CAUSES]
    found = [(Reason.of_json(why), count) for why, count in counted]
    return [(why, count) for why, count in found if why is not None]
