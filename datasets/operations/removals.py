"""Replacing text in place, in every version that holds it: what may change a version at all (ACC-D28 to ACC-D30).

Call everything here inside the transaction of an act that holds the dataset's lock.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q

from accounts.operations.idempotent_requests import forget_answer_texts
from core.folding import fold
from core.json_values import compact
from datasets.logic.drafts import CaseDraft
from datasets.logic.erased_texts import without_text
from datasets.logic.folding import question_hash
from datasets.logic.intervals import joined
from datasets.models import Authorship, CaseRevision, Dataset, DatasetVersion
from datasets.places import text_removals
from datasets.queries.seen_cases import content_of

BATCH = 200
REPLACED = ("input", "history", "reference_answer", "counter_example", "note", "question_hash", "search_text")


def remove_text_of_cases(dataset: Dataset, case_ids: Iterable[UUID], *, at: datetime) -> int:
    """Replace the text of these cases in every version; how many revisions were reached.

    Nobody's words are left in them then, so what was kept about their authors goes too.
    """
    rows = CaseRevision.objects.filter(dataset=dataset, case_id__in=list(case_ids))
    keys = list(rows.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), BATCH):
        anonymise(dataset, list(CaseRevision.objects.filter(pk__in=keys[start : start + BATCH])), at=at)
    return len(keys)


def anonymise(dataset: Dataset, revisions: Sequence[CaseRevision], *, at: datetime) -> None:
    """Replace the whole text of these revisions, with the mark that keeps them out of test runs (ACC-46, ACC-50).

    What later apps keep of the cases' words goes with it (ACC-48).
    """
    replace_text(dataset, [(revision, without_text(content_of(revision))) for revision in revisions], at=at)
    keys = [revision.pk for revision in revisions]
    CaseRevision.objects.filter(pk__in=keys, anonymised_at=None).update(anonymised_at=at)
    Authorship.objects.filter(revision__in=keys).delete()
    for remove in text_removals():
        remove(dataset, {revision.case_id for revision in revisions}, at)


def replace_text(dataset: Dataset, pairs: Sequence[tuple[CaseRevision, CaseDraft]], *, at: datetime) -> None:
    """Store other texts in these revisions, without a new version or revision; the versions that hold them say when.

    Revisions that get the same texts, as anonymised ones often do, are changed in one statement.
    """
    same: dict[str, tuple[dict[str, Any], list[int]]] = {}
    for revision, draft in pairs:
        texts = {**draft.as_dict(), "question_hash": question_hash(draft.input), "search_text": fold(draft.input)}
        wanted = {name: texts[name] for name in REPLACED}
        same.setdefault(compact(wanted), (wanted, []))[1].append(revision.pk)
    for wanted, keys in same.values():
        CaseRevision.objects.filter(pk__in=keys).update(**wanted, text_removed_at=at)
    _mark_versions(dataset, [revision for revision, _draft in pairs], at)


def _mark_versions(dataset: Dataset, revisions: Sequence[CaseRevision], at: datetime) -> None:
    last = dataset.newest_version + 1
    spans = joined((revision.since, revision.until or last) for revision in revisions)
    for start in range(0, len(spans), BATCH):
        holding = Q()
        for since, until in spans[start : start + BATCH]:
            holding |= Q(number__gte=since, number__lt=until)
        DatasetVersion.objects.filter(holding, dataset=dataset).update(text_removed_at=at)
    if spans:
        Dataset.objects.filter(pk=dataset.pk).update(text_removed_at=at)
        forget_answer_texts(dataset.organisation_id)
