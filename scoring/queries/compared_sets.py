"""Two sets of stored answers side by side: what became of each case from the one to the other."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from accounts.actor import Actor
from datasets.models import CaseRevision, Dataset
from datasets.queries.seen_cases import SeenCase, seen_rows
from scoring.logic.compared_answers import Answered, ComparedAnswer, compared, settings_keys
from scoring.logic.settings import Settings
from scoring.models import AnswerSet, GradingSnapshot, Score


@dataclass(frozen=True)
class ShownComparison:
    """One case of the comparison as its reader sees it."""

    compared: ComparedAnswer
    case: SeenCase | None


def compare_sets(dataset: Dataset, before: AnswerSet, after: AnswerSet) -> list[ComparedAnswer]:
    """Every case of either set, worst first; six queries, whatever the size."""
    return compared(_answered(dataset, before), _answered(dataset, after))


def with_cases(
    actor: Actor, dataset: Dataset, rows: Sequence[ComparedAnswer], *, before: AnswerSet, after: AnswerSet
) -> list[ShownComparison]:
    """The rows with their cases as they were answered last and as the actor may see them (ACC-D20)."""
    seen: dict[UUID, SeenCase] = {}
    wanted = [row.case_id for row in rows]
    for version in dict.fromkeys((before.version, after.version)):
        seen |= cases_of(actor, dataset, version, wanted)
    return [ShownComparison(row, seen.get(row.case_id)) for row in rows]


def cases_of(actor: Actor, dataset: Dataset, version: int, case_ids: Sequence[UUID]) -> dict[UUID, SeenCase]:
    """These cases of a version as the actor may see them, by id."""
    rows = CaseRevision.objects.at(dataset, version).filter(case_id__in=case_ids).select_related("case")
    return {case.id: case for case in seen_rows(actor, rows, version=version)}


def _answered(dataset: Dataset, answer_set: AnswerSet) -> dict[UUID, Answered]:
    """By case; what a person ruled counts before what grading found."""
    scores = Score.objects.filter(answer_set=answer_set).order_by("pk")
    rows = list(scores.values_list("case_id", "pk", "decided", "outcome", "snapshot_id", "pin_hash"))
    used = GradingSnapshot.objects.filter(pk__in={row[4] for row in rows})
    keys = {one.pk: settings_keys(Settings.of_json(one.settings)) for one in used}
    since = dict(CaseRevision.objects.at(dataset, answer_set.version).values_list("case_id", "since"))
    return {
        case: Answered(case, pk, decided or found, since.get(case, 0), *keys[snapshot], pin)
        for case, pk, decided, found, snapshot, pin in rows
    }
