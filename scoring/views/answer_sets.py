"""Sets of stored answers in the console: the list among the results, one set, its comparison and its deletion."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from accounts import access
from accounts.permissions import Permission
from core.errors import NotFound
from core.limits import LIMITS
from core.pages import respond
from core.paging import keyset_page
from datasets.queries.datasets import find_dataset
from datasets.queries.running import offer_to_run
from datasets.views.addresses import go_to, id_or_none, page_address, unkept
from scoring.logic.compared_answers import ComparedAnswer, Standing
from scoring.models import AnswerSet
from scoring.operations.stored_answers import delete_answer_set
from scoring.queries.answer_sets import (
    NEWEST_FIRST,
    answer_sets_of,
    find_answer_set,
    newest_sets,
    shown_set,
    shown_sets,
)
from scoring.queries.compared_sets import compare_sets, with_cases
from scoring.views.addresses import review_address

LIST = {"tab": "results", "part": "stored"}
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
def answer_sets(request: Any, dataset_id: UUID) -> HttpResponse:
    """The part of the results that lists the sets; it asks for itself again while one of them is graded."""
    dataset = find_dataset(request.actor, dataset_id)
    cursor = request.GET.get("after") or request.GET.get("before") or ""
    page = keyset_page(answer_sets_of(dataset), NEWEST_FIRST, cursor=cursor)
    shown = shown_sets(request.actor, page.rows)
    context = {
        "dataset": dataset,
        "sets": shown,
        "page": page,
        "offer": offer_to_run(request.actor, dataset),
        "is_grading": any(not one.progress.is_done for one in shown),
        "back": page_address(dataset.pk, **LIST),
    }
    return unkept(respond(request, "scoring/stored/list.html", context, part="list"))


@require_safe
def answer_set(request: Any, dataset_id: UUID, answer_set_id: UUID) -> HttpResponse:
    """One set with its counts; the part is what it asks for again while it is graded."""
    dataset = find_dataset(request.actor, dataset_id)
    found = find_answer_set(dataset, answer_set_id)
    context = {
        "dataset": dataset,
        "shown": shown_set(request.actor, found),
        "others": [one for one in newest_sets(dataset) if one.pk != found.pk],
        "may_edit": access.may(request.actor, Permission.DATASETS_EDIT, dataset),
        "review": review_address(dataset.pk, answer_set=found.pk),
        "back": page_address(dataset.pk, **LIST),
    }
    return unkept(respond(request, "scoring/stored/set.html", context, part="progress"))


@require_safe
def answer_sets_compare(request: Any, dataset_id: UUID, answer_set_id: UUID) -> HttpResponse:
    """What became of each case from the set of `with` to this one, worst first."""
    dataset = find_dataset(request.actor, dataset_id)
    after = find_answer_set(dataset, answer_set_id)
    other = id_or_none(request.GET.get("with"))
    if other is None:
        raise NotFound
    before = find_answer_set(dataset, other)
    rows = compare_sets(dataset, before, after)
    wanted = request.GET.get("show")
    chosen = [row for row in rows if wanted not in list(Standing) or row.standing == wanted]
    page: Any = Paginator(chosen, LIMITS.page_size).get_page(request.GET.get("page"))
    shown = with_cases(request.actor, dataset, list(page.object_list), before=before, after=after)
    context = {
        "dataset": dataset,
        "before": before,
        "after": after,
        "rows": shown,
        "total": len(rows),
        "all_href": _compared_with(before),
        "counts": _counts(rows, before),
        "show": wanted if wanted in list(Standing) else "",
        "page": page,
        "review": review_address(dataset.pk),
        "back": page_address(dataset.pk, **LIST),
    }
    return unkept(respond(request, "scoring/stored/compare.html", context, part="table"))


@require_http_methods(["GET", "POST"])
def answer_set_delete(request: Any, dataset_id: UUID, answer_set_id: UUID) -> HttpResponse:
    """Say in numbers what goes, then delete."""
    dataset = find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT)
    found = find_answer_set(dataset, answer_set_id)
    if request.method == "POST":
        delete_answer_set(request.actor, dataset_id=dataset_id, answer_set_id=answer_set_id)
        messages.success(request, _("“%(name)s” is deleted.") % {"name": found.label})
        return go_to(request, page_address(dataset.pk, **LIST))
    context = {"dataset": dataset, "answer_set": found, "back": reverse("answer_set", args=[dataset.pk, found.pk])}
    return respond(request, "scoring/stored/delete.html", context, part="dialog")


def _counts(rows: Sequence[ComparedAnswer], before: AnswerSet) -> list[Count]:
    """How many cases there are of each kind that there is."""
    found = Counter(row.standing for row in rows)
    return [
        Count(kind, label, found[kind], _compared_with(before, kind))
        for kind, label in STANDINGS.items()
        if found[kind]
    ]


def _compared_with(before: AnswerSet, kind: Standing | None = None) -> str:
    return "?" + urlencode({"with": before.pk} | ({"show": kind.value} if kind else {}))
