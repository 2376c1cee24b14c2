"""One case of a test run with all its attempts, and what became of it since the baseline."""

from dataclasses import dataclass
from uuid import UUID

from core.errors import NotFound
from evals.logic.classes import CaseChange
from evals.logic.item_list import telling_attempt
from evals.logic.run_results import ItemResult, StoredAttempt, changes_between
from evals.models import EvalItem, EvalRun
from evals.queries.results import results_of


@dataclass(frozen=True)
class SeenItem:
    """`shown` is the attempt whose answer is shown; None where there is none. `change` is None without a baseline."""

    item: ItemResult
    shown: StoredAttempt | None
    change: CaseChange | None = None


def find_item(run: EvalRun, item_id: UUID, number: int | None = None) -> SeenItem:
    """A case of the run, read by the attempt of this number, or by the most telling one. Raises `NotFound`.

    Reads the case alone, however large the run and its baseline are.
    """
    case_id = EvalItem.objects.filter(run=run, pk=item_id).values_list("case_id", flat=True).first()
    found = results_of(run, [case_id]) if case_id else None
    if found is None or case_id is None or not found.items:
        raise NotFound
    item = found.by_case[case_id]
    chosen = next((one for one in item.attempts if one.number == number), None) or telling_attempt(item)
    if run.baseline is None:
        return SeenItem(item, chosen)
    return SeenItem(item, chosen, changes_between(results_of(run.baseline, [case_id]), found)[case_id])
