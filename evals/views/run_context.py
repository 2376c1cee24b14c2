"""What the page of a test run shows: its head, its figures, and the list of its cases with the filters."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from core.limits import LIMITS
from datasets.logic.folding import tag_key
from datasets.views.addresses import page_address
from evals.forms.run_page import RunPageState, Tab
from evals.logic.classes import ChangeClass
from evals.logic.item_list import UNTAGGED, ItemFilter, item_page, worst_filter
from evals.models import EvalRun
from evals.queries.eval_acts import acts_for
from evals.queries.evals import ahead_of
from evals.queries.item_rows import finished_rows, item_rows, reason_in_words
from evals.queries.progress import progress_of_run, seconds_left_of
from evals.queries.run_figures import RunFigures, as_finding, decided_since, figures_of, scored_again
from evals.queries.sent_to_review import sent_of
from evals.queries.shown_items import sight_of_run
from evals.queries.totals import evaluators_of
from evals.views.run_addresses import LIST, eval_address, filter_address, send_address
from evals.views.run_configuration import configuration_context
from evals.views.run_cost import cost_context
from scoring.logic.findings import Outcome
from scoring.views.addresses import review_address

# So many answers are listed while a run is at work; all cases are listed once it has ended.
LATEST = 50


@dataclass(frozen=True)
class TabLink:
    """One part of the page."""

    label: str
    href: str
    is_current: bool


@dataclass(frozen=True)
class FilterLink:
    """One value of a filter, with how many cases of the run have it."""

    value: str
    count: int
    href: str
    is_current: bool


def head_context(request: Any, run: EvalRun) -> dict[str, Any]:
    """What every part of the page needs: the run, what may be done with it, where its answers are reviewed."""
    sight = sight_of_run(request.actor, run)
    return {
        "run": run,
        "dataset": run.dataset,
        "acts": acts_for(request.actor, run),
        "sees_agent": sight.sees_agent,
        "reads": sight.reads,
        "cause": reason_in_words(run.cause),
        "send_url": send_address(request.actor, run),
        "list_href": page_address(run.dataset_id, **LIST),
        "review_href": review_address(run.dataset_id, eval_run=run.pk),
    }


def run_context(request: Any, run: EvalRun, state: RunPageState) -> dict[str, Any]:
    """For `evals/run.html`: of the tabs only the one that is shown."""
    context = head_context(request, run) | {"state": state, "tab": state.tab}
    context["tabs"] = list(_tabs(run, state))
    if state.tab is Tab.CONFIGURATION:
        return context | configuration_context(run)
    if not run.is_final:
        return context | progress_context(request, run, context["reads"])
    figures = figures_of(run)
    context |= {"figures": figures}
    context |= {"scored_again": scored_again(run), "decided_later": decided_since(figures), "sent": sent_of(run)}
    match state.tab:
        case Tab.CASES:
            context |= cases_context(request, figures, state, context["reads"])
        case Tab.EVALUATORS:
            context["evaluators"] = [
                (one, [(as_finding(part), part) for part in one.criteria.values()]) for one in evaluators_of(run)
            ]
        case Tab.COST:
            context |= cost_context(figures)
    return context


def _tabs(run: EvalRun, state: RunPageState) -> Iterator[TabLink]:
    """While the run is at work there are no figures yet."""
    labels = {
        Tab.CASES: _("Cases") if run.is_final else _("Progress"),
        Tab.TAGS: _("Tags"),
        Tab.EVALUATORS: _("Evaluators"),
        Tab.COST: _("Cost and time"),
        Tab.CONFIGURATION: _("Configuration"),
    }
    shown = tuple(Tab) if run.is_final else (Tab.CASES, Tab.CONFIGURATION)
    for tab in shown:
        href = eval_address(run.pk, "" if tab is Tab.CASES else f"tab={tab}")
        yield TabLink(labels[tab], href, tab is (state.tab if state.tab in shown else Tab.CASES))


def cases_context(request: Any, figures: RunFigures, state: RunPageState, reads: bool) -> dict[str, Any]:
    """The list of cases: a page of it, opened on what went worse, and its filters."""
    run, totals = figures.run, figures.totals
    wanted = state.filter or worst_filter(totals.cases, figures.counts)
    state = replace(state, filter=wanted)
    page = item_page(figures.items, wanted, after=state.after, before=state.before, size=LIMITS.page_size)
    rows = item_rows(request.actor, run, page.rows, reads=reads)
    return {
        "state": state,
        "page": page,
        "rows": rows,
        "shows_attempts": run.repeats > 1 or any(one.item.confirming for one in rows),
        "result_links": list(_result_links(figures, state, wanted)),
        "change_links": list(_change_links(figures, state, wanted)),
        "tag_choices": _tag_choices(figures, wanted),
        "all_href": filter_address(run.pk, state, result="", change=""),
        "base": eval_address(run.pk, state.list_query, tab="cases"),
        "before_href": _page_href(figures, state, before=page.before),
        "after_href": _page_href(figures, state, after=page.after),
    }


def progress_context(request: Any, run: EvalRun, reads: bool) -> dict[str, Any]:
    """How far a run at work is, and what finished last (EV-D18)."""
    progress = progress_of_run(run)
    return {
        "progress": progress,
        "ahead": ahead_of(run),
        "seconds_left": seconds_left_of(run, progress),
        "finished": finished_rows(request.actor, run, LATEST, reads=reads),
        "shows_attempts": run.repeats > 1 or run.state == "confirming",
        "base": eval_address(run.pk, tab="cases"),
    }


def _result_links(figures: RunFigures, state: RunPageState, wanted: ItemFilter) -> Iterator[FilterLink]:
    cases = figures.totals.cases
    counts = ((Outcome.FAIL, cases.failed), (Outcome.UNSCORED, cases.unscored), (Outcome.PASS, cases.passed))
    for outcome, count in counts:
        is_current = wanted.result == outcome
        href = filter_address(figures.run.pk, state, result="" if is_current else outcome, change="")
        yield FilterLink(outcome, count, href, is_current)


def _change_links(figures: RunFigures, state: RunPageState, wanted: ItemFilter) -> Iterator[FilterLink]:
    """The classes of change as filters (EV-D44); cases that were removed since are no cases of this run."""
    counts = figures.counts
    if counts is None:
        return
    numbers = {one.value: getattr(counts, one) for one in ChangeClass}
    numbers[ChangeClass.NOT_COMPARABLE] -= counts.removed
    for change in ("regressed", "improved", "flaky", "unchanged", "not_comparable"):
        is_current = wanted.change == change
        href = filter_address(figures.run.pk, state, change="" if is_current else change, result="")
        yield FilterLink(change, numbers[change], href, is_current)


def _tag_choices(figures: RunFigures, wanted: ItemFilter) -> list[tuple[str, str, bool]]:
    """Value, words and whether it is chosen; a tag of an old address that no case has any more stays chosen."""
    tags = {row.tag for row in figures.tags}
    named = sorted(tag for tag in tags if tag is not None)
    if wanted.tag and wanted.tag != UNTAGGED and tag_key(wanted.tag) not in map(tag_key, named):
        named.append(wanted.tag)
    chosen = tag_key(wanted.tag)
    found = [(tag, tag, tag_key(tag) == chosen) for tag in named]
    return [*found, (UNTAGGED, _("Untagged"), wanted.tag == UNTAGGED)] if None in tags else found


def _page_href(figures: RunFigures, state: RunPageState, **cursor: str) -> str:
    if not any(cursor.values()):
        return ""
    here = filter_address(figures.run.pk, state)
    return f"{here}&{next(iter(cursor))}={next(iter(cursor.values()))}"
