"""The content of each score's case as it was graded: the revision that held in the score's version."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db.models import F, Q

from datasets.logic.drafts import FIELDS, CaseDraft
from datasets.models import CaseRevision
from scoring.models import Score

Span = tuple[int, int | None, int]
LISTS = ("history", "expected_tool_calls", "checks", "tags")


def graded_revisions(scores: Sequence[Score]) -> dict[UUID, CaseRevision]:
    """The revision of each score's case with its case, by the score's id; two queries, and no text of another one."""
    held: dict[UUID, list[Span]] = {}
    spans = CaseRevision.objects.filter(case__in={score.case_id for score in scores})
    for key, case_id, since, until in spans.values_list("pk", "case_id", "since", "until"):
        held.setdefault(case_id, []).append((since, until, key))
    keys = {score.pk: _holding(held.get(score.case_id, ()), score.version) for score in scores}
    wanted = {key for key in keys.values() if key is not None}
    found = {row.pk: row for row in CaseRevision.objects.filter(pk__in=wanted).select_related("case")}
    return {score_id: found[key] for score_id, key in keys.items() if key in found}


def graded_contents(score_ids: Sequence[UUID]) -> dict[UUID, CaseDraft]:
    """The nine fields of each score's case, by the score's id; cases whose text was erased are left out. One query."""
    ends_later = Q(case__revisions__until=None) | Q(case__revisions__until__gt=F("version"))
    rows = Score.objects.filter(
        ends_later,
        pk__among=score_ids,
        case__revisions__since__lte=F("version"),
        case__revisions__anonymised_at=None,
    ).values_list("pk", *(f"case__revisions__{name}" for name in FIELDS))
    return {score_id: _content(values) for score_id, *values in rows}


def _content(values: Sequence[Any]) -> CaseDraft:
    named: dict[str, Any] = dict(zip(FIELDS, values, strict=True))
    return CaseDraft(**named | {name: tuple(named[name]) for name in LISTS})


def _holding(spans: Iterable[Span], version: int) -> int | None:
    return next((key for since, until, key in spans if since <= version and (until is None or version < until)), None)
