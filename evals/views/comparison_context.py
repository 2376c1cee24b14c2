"""What the page of a comparison shows: its head, its figures, and the list of cases with the filters."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from core.limits import LIMITS
from datasets.views.addresses import page_address
from evals.forms.comparison import ComparisonState
from evals.logic.classes import ChangeClass, ChangeCounts, Incomparable
from evals.logic.compared_cases import ChangeFilter, ComparedCase, ComparedTag, compared_cases, compared_tags
from evals.logic.item_list import UNTAGGED
from evals.logic.run_differences import run_differences
from evals.logic.statistics import FEW_CASES, is_likely_real
from evals.models import EvalRun
from evals.queries.compared_rows import compared_rows
from evals.queries.comparison import Comparison, compare
from evals.queries.run_links import runs_to_choose
from evals.views.comparison_addresses import comparison_address
from evals.views.comparison_head import anew_context, calibrations_of, ends_in_words, shown_differences, shown_run
from evals.views.run_addresses import LIST

CLASSES: dict[str, str | Promise] = {
    ChangeClass.REGRESSED: pgettext_lazy("a case since an earlier run", "Regressed"),
    ChangeClass.IMPROVED: pgettext_lazy("a case since an earlier run", "Improved"),
    ChangeClass.FLAKY: pgettext_lazy("a case since an earlier run", "Flaky"),
    ChangeClass.UNCHANGED: pgettext_lazy("a case since an earlier run", "Unchanged"),
    ChangeClass.NOT_COMPARABLE: pgettext_lazy("a case since an earlier run", "Not comparable"),
}
CAUSES: dict[str, str | Promise] = {
    Incomparable.CHANGED: pgettext_lazy("a case since an earlier run", "Changed"),
    Incomparable.NEW: pgettext_lazy("a case since an earlier run", "New"),
    Incomparable.REMOVED: pgettext_lazy("a case since an earlier run", "Removed"),
    Incomparable.UNSCORED: pgettext_lazy("a case since an earlier run", "Unscored"),
}


@dataclass(frozen=True)
class FilterLink:
    """One value of a filter, with how many cases there are of it."""

    value: str
    label: str | Promise
    count: int
    href: str
    is_current: bool


@dataclass(frozen=True)
class TagLink:
    """A row of the table of tags with the filter that it sets."""

    row: ComparedTag
    href: str
    is_current: bool


def choice_context(request: Any, run: EvalRun) -> dict[str, Any]:
    """Of the page that asks which run to compare with."""
    return {
        "run": run,
        "dataset": run.dataset,
        "shown_run": shown_run(request.actor, run),
        "choices": _choices(request, run),
        "list_href": page_address(run.dataset_id, **LIST),
    }


def comparison_context(request: Any, run: EvalRun, other: EvalRun, state: ComparisonState) -> dict[str, Any]:
    """For `evals/compare.html`; both runs are read whole, and only one page of their cases is shown."""
    comparison = compare(run, other)
    cases = compared_cases(comparison.before, comparison.after, comparison.changes)
    return {
        "run": run,
        "other": other,
        "dataset": run.dataset,
        "state": state,
        "comparison": comparison,
        "counts": comparison.counts,
        "is_real": is_likely_real(comparison.counts.b, comparison.counts.c),
        "has_few_cases": comparison.counts.compared < FEW_CASES,
        "figures": run_differences(comparison.before, comparison.after, cases),
        **_head(request, run, other, comparison),
        **_page(request, run, other, state, cases),
        **_filters(_Filters(run, other, state.filter, comparison.counts), cases),
    }


def _head(request: Any, run: EvalRun, other: EvalRun, comparison: Comparison) -> dict[str, Any]:
    return {
        "shown_run": shown_run(request.actor, run),
        "shown_other": shown_run(request.actor, other),
        "choices": _choices(request, run, other),
        "swap_href": comparison_address(other.pk, run.pk),
        "list_href": page_address(run.dataset_id, **LIST),
        "parts": shown_differences(request.actor, comparison, other, run),
        "ends": ends_in_words(other, run),
        "calibrations": calibrations_of(comparison, other, run),
        **anew_context(request.actor, comparison, other, run),
    }


def _page(
    request: Any, run: EvalRun, other: EvalRun, state: ComparisonState, cases: list[ComparedCase]
) -> dict[str, Any]:
    """The cases that the filters let through, one page of them."""
    found = [case for case in cases if state.filter.lets_through(case)]
    page: Any = Paginator(found, LIMITS.page_size).get_page(state.page)
    return {
        "total": len(cases),
        "page": page,
        "rows": compared_rows(request.actor, other, run, list(page.object_list)),
        "base": comparison_address(run.pk, other.pk, state.list_query),
    }


@dataclass(frozen=True)
class _Filters:
    """The filters of the page with their addresses."""

    run: EvalRun
    other: EvalRun
    wanted: ChangeFilter
    counts: ChangeCounts

    def href(self, **changed: str) -> str:
        told = {"change": self.wanted.change, "tag": self.wanted.tag} | changed
        return comparison_address(self.run.pk, self.other.pk, "", **told)

    def links(self, labels: Mapping[str, str | Promise]) -> list[FilterLink]:
        """Those that some case has, and the one that is chosen."""
        counted = ((value, label, getattr(self.counts, value)) for value, label in labels.items())
        return [
            FilterLink(value, label, count, self.href(change=value), self.wanted.change == value)
            for value, label, count in counted
            if count or self.wanted.change == value
        ]

    def tag_link(self, row: ComparedTag) -> TagLink:
        value = UNTAGGED if row.tag is None else row.tag
        is_current = value == self.wanted.tag
        return TagLink(row, self.href(tag="" if is_current else value, change=""), is_current)


def _filters(filters: _Filters, cases: list[ComparedCase]) -> dict[str, Any]:
    return {
        "class_links": filters.links(CLASSES),
        "cause_links": filters.links(CAUSES),
        "shows_causes": filters.wanted.change in (ChangeClass.NOT_COMPARABLE, *Incomparable),
        "tag_links": [filters.tag_link(row) for row in compared_tags(cases)],
        "is_untagged": filters.wanted.tag == UNTAGGED,
        "all_href": filters.href(change=""),
        "no_tag_href": filters.href(tag=""),
    }


def _choices(request: Any, run: EvalRun, other: EvalRun | None = None) -> list[EvalRun]:
    """The runs that this one may be compared with."""
    found = runs_to_choose(request.actor, run.dataset, [other.pk] if other else [])
    return [one for one in found if one.pk != run.pk]
