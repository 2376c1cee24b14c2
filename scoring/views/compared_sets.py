"""Two sets of stored answers side by side in the console: what became of each case, worst first."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_safe

from core.errors import NotFound
from core.limits import LIMITS
from core.pages import respond
from datasets.models import Dataset
from datasets.queries.datasets import find_dataset
from datasets.views.addresses import id_or_none, page_address, unkept
from scoring.logic.compared_answers import ComparedAnswer, Standing
from scoring.models import AnswerSet
from scoring.queries.answer_sets import find_answer_set
from scoring.queries.compared_sets import compare_sets, with_cases
from scoring.views.addresses import review_address
from scoring.views.answer_sets import LIST

STANDINGS: dict[Standing, str | Promise] = {
    Standing.WORSE: gettext_lazy("Worse"),
    Standing.IMPROVED: gettext_lazy("Improved"),
    Standing.NOT_COMPARABLE: gettext_lazy("Graded differently"),
    Standing.UNDECIDED: gettext_lazy("Without a verdict"),
    Standing.ALONE: gettext_lazy("Only in one set"),
    Standing.SAME: pgettext_lazy("outcome", "The same"),
}


@dataclass(frozen=True)
class Count:
    """So many cases stand like this, and where they are shown."""

    standing: Standing
    label: str | Promise
    number: int
    href: str


@require_safe
def answer_sets_compare(request: Any, dataset_id: UUID, answer_set_id: UUID) -> HttpResponse:
    """What became of each case from the set of `with` to this one."""
    dataset = find_dataset(request.actor, dataset_id)
    after = find_answer_set(dataset, answer_set_id)
    before = _other(dataset, request.GET.get("with"))
    rows = compare_sets(dataset, before, after)
    context = {
        "dataset": dataset,
        "before": before,
        "after": after,
        "total": len(rows),
        "all_href": _address(before),
        "counts": _counts(rows, before),
        "review": review_address(dataset.pk),
        "back": page_address(dataset.pk, **LIST),
    }
    context |= _page(request, dataset, rows, before=before, after=after)
    return unkept(respond(request, "scoring/stored/compare.html", context, part="table"))


def _other(dataset: Dataset, wanted: str | None) -> AnswerSet:
    """The set that the address names. Raises `NotFound`, also where it names none."""
    other = id_or_none(wanted)
    if other is None:
        raise NotFound
    return find_answer_set(dataset, other)


def _page(
    request: Any, dataset: Dataset, rows: Sequence[ComparedAnswer], *, before: AnswerSet, after: AnswerSet
) -> dict[str, Any]:
    """The rows of one page with their cases; of one kind where the address names it."""
    wanted = request.GET.get("show")
    show = wanted if wanted in list(Standing) else ""
    page: Any = Paginator([row for row in rows if show in ("", row.standing)], LIMITS.page_size)
    page = page.get_page(request.GET.get("page"))
    shown = with_cases(request.actor, dataset, list(page.object_list), before=before, after=after)
    return {"rows": shown, "page": page, "show": show}


def _counts(rows: Sequence[ComparedAnswer], before: AnswerSet) -> list[Count]:
    """How many cases there are of each kind that there is."""
    found = Counter(row.standing for row in rows)
    return [Count(kind, label, found[kind], _address(before, kind)) for kind, label in STANDINGS.items() if found[kind]]


def _address(before: AnswerSet, kind: Standing | None = None) -> str:
    return "?" + urlencode({"with": str(before.pk)} | ({"show": kind.value} if kind else {}))
