"""Two versions side by side: which cases differ, and how, field by field."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from core.errors import NotFound
from core.limits import LIMITS
from datasets.forms.compared_versions import ComparedVersions
from datasets.models import Dataset
from datasets.queries.comparisons import ComparedCase, compare_case, compare_versions
from datasets.queries.datasets import find_dataset
from datasets.queries.version_changes import ChangeKind
from datasets.views.addresses import unkept
from datasets.views.readable_fields import LABELS, readable

# Texts shown at once; what goes beyond is fetched when somebody opens its case.
CHARACTERS_OF_A_CASE, CHARACTERS_OF_A_PAGE = 20_000, 200_000


@dataclass(frozen=True)
class FieldDifference:
    """One field in both versions, as text."""

    label: str | Promise
    before: str
    after: str


@dataclass(frozen=True)
class CaseDifference:
    """One case on the page; `fields` is None where they are fetched later, from `href`."""

    case: ComparedCase
    labels: Sequence[str | Promise]
    fields: Sequence[FieldDifference] | None
    href: str


@require_safe
def versions_compare(request: Any, dataset_id: UUID) -> HttpResponse:
    """The cases that differ, a page at a time; without numbers the newest version and the one before it."""
    dataset = find_dataset(request.actor, dataset_id)
    wanted = ComparedVersions.of(request.GET, dataset.newest_version)
    compared = compare_versions(request.actor, dataset, wanted.first, wanted.second, kind=wanted.kind)
    cases: Any = compared.cases
    page = Paginator(cases, LIMITS.page_size).get_page(request.GET.get("page"))
    context = {
        "dataset": dataset,
        "wanted": wanted,
        "changes": compared.changes,
        "counts": [(kind, compared.changes.count(kind), wanted.address(kind)) for kind in ChangeKind],
        "page": page,
        "differences": list(_differences(dataset, wanted, list(page.object_list))),
    }
    return unkept(render(request, "datasets/compare.html", context))


@require_safe
def case_compare(request: HttpRequest, dataset_id: UUID, case_id: UUID) -> HttpResponse:
    """One case, for who opens it on the page of all; without htmx a page of its own."""
    actor: Any = request.actor  # type: ignore[attr-defined]
    dataset = find_dataset(actor, dataset_id)
    wanted = ComparedVersions.of(request.GET, dataset.newest_version)
    if wanted.is_wrong:
        raise NotFound
    case = compare_case(actor, dataset, wanted.first, wanted.second, case_id)
    context = {"dataset": dataset, "wanted": wanted, "difference": _difference(dataset, wanted, case)}
    if request.headers.get("HX-Request") == "true":
        return unkept(render(request, "datasets/_case_difference.html", context))
    return unkept(render(request, "datasets/compare_case.html", context))


def _differences(dataset: Dataset, wanted: ComparedVersions, cases: Sequence[ComparedCase]) -> Iterator[CaseDifference]:
    room = CHARACTERS_OF_A_PAGE
    for case in cases:
        shown = _difference(dataset, wanted, case)
        size = sum(len(field.before) + len(field.after) for field in shown.fields or ())
        fits = size <= min(room, CHARACTERS_OF_A_CASE)
        room -= size if fits else 0
        yield shown if fits else CaseDifference(case, shown.labels, None, shown.href)


def _difference(dataset: Dataset, wanted: ComparedVersions, case: ComparedCase) -> CaseDifference:
    sides = [seen.content if seen else None for seen in (case.before, case.after)]
    fields = [FieldDifference(LABELS[name], *(readable(side, name) for side in sides)) for name in case.fields]
    address = reverse("case_compare", args=[dataset.pk, case.shown.id])
    query = urlencode({"from": wanted.first, "to": wanted.second})
    return CaseDifference(case, [field.label for field in fields], fields, f"{address}?{query}")
