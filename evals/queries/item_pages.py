"""The cases of a test run a page at a time, as the API gives them: in the order of the dataset (EV-D2)."""

from collections.abc import Sequence

from django.db.models import QuerySet

from accounts.actor import Actor
from core.paging import Order
from evals.logic.item_list import ItemFilter, ListedItem
from evals.logic.outlines import ItemOutline
from evals.logic.run_results import changes_between
from evals.models import EvalItem, EvalRun
from evals.queries.outlines import outline_of
from evals.queries.results import results_of
from evals.queries.shown_items import ShownItem, shown_items, sight_of_run
from evals.queries.totals import changes_since_baseline

IN_ORDER = [Order("position"), Order("id")]


def filtered_items(run: EvalRun, wanted: ItemFilter) -> QuerySet[EvalItem] | list[ItemOutline]:
    """The cases that the filter lets through, to be paged by `IN_ORDER`.

    What becomes of a case is computed, so a filter looks at the whole run; a page reads its own cases and no others.
    """
    if wanted.is_empty:
        return EvalItem.objects.filter(run=run)
    outline = outline_of(run)
    changes = (changes_since_baseline(run, outline) if wanted.change else None) or {}
    listed = (ListedItem(item, changes.get(item.case_id)) for item in outline.items)
    return [one.item for one in listed if wanted.lets_through(one)]


def shown_page(actor: Actor, run: EvalRun, page: Sequence[EvalItem | ItemOutline]) -> list[ShownItem]:
    """The cases of a page whole, in their order; seven queries at the most, whatever their number."""
    if not page:
        return []
    cases = [row.case_id for row in page]
    results = results_of(run, cases)
    changes = changes_between(results_of(run.baseline, cases), results) if run.baseline else None
    items = [results.by_case[case_id] for case_id in cases if case_id in results.by_case]
    return shown_items(actor, run, items, sight_of_run(actor, run), changes)
