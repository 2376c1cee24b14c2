"""How a case was graded, beside what became of it since (RV-D12)."""

from enum import StrEnum

from datasets.models import CaseRevision, Dataset
from datasets.queries.seen_cases import SeenCase
from scoring.logic.findings import EvaluatorResult
from scoring.logic.settings import Settings
from scoring.models import Score


class CaseNow(StrEnum):
    """The newest version holds the very case that was graded, a later edit of it, or none."""

    SAME = "same"
    CHANGED = "changed"
    DELETED = "deleted"


def case_now(dataset: Dataset, graded: SeenCase) -> CaseNow:
    """The case as the newest version holds it, beside the revision that was graded."""
    newest = CaseRevision.objects.newest(dataset).filter(case_id=graded.id).values_list("since", flat=True).first()
    if newest is None:
        return CaseNow.DELETED
    return CaseNow.SAME if newest == graded.revision else CaseNow.CHANGED


def scale_of(score: Score) -> int:
    """The scale that grades of the score are on, by the settings it was graded with."""
    return Settings.of_json(score.snapshot.settings).scale


def was_judged(score: Score) -> bool:
    """Whether a verdict of it is the judge's, and not a rule's or none."""
    found = (finding for result in score.results for finding in EvaluatorResult.of_json(result).findings)
    return any(finding.grade is not None and finding.verdict.is_reached for finding in found)
