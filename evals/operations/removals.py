"""Replacing what test runs recorded for cases whose words are removed: answers, calls, errors (EV-21, ACC-48)."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from activity.models import RunKind
from activity.operations.erased_runs import erase_words_of_runs
from datasets.models import Dataset
from evals.models import Attempt

BATCH = 200


def remove_words_of_attempts(dataset: Dataset, case_ids: Collection[UUID], _at: datetime) -> None:
    """In the transaction that replaces the cases' text; scores are cleared by their own app.

    The agent's runs are in Activity, each in a conversation of its own, which repeats the question.
    """
    mine = Attempt.objects.filter(item__case__in=case_ids, run__dataset=dataset).order_by("pk")
    erase_words_of_runs(set(mine.filter(agent_run__kind=RunKind.EVAL).values_list("agent_run", flat=True)))
    troubled = list(mine.exclude(error=None).only("pk", "error"))
    for attempt in troubled:
        # A reason of ours without values holds nobody's words; a provider's may quote what it was sent.
        attempt.error = None if attempt.error["values"] else attempt.error
    Attempt.objects.bulk_update(troubled, ["error"], batch_size=BATCH)
