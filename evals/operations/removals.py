"""Removing words and names from test runs: with a case's text (EV-21, ACC-48), and with who started them (ACC-D36)."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from accounts.models import Person
from activity.models import RunKind
from activity.operations.erased_runs import erase_words_of_runs
from datasets.models import Dataset
from evals.models import Attempt, EvalRun

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


def erase_names_of(person: Person) -> dict[str, int]:
    """The name of who started test runs goes; the runs stay, and one that is at work ends for want of anybody to act
    for. Each run is a statement of its own, so that it can be cut off and repeated."""
    if not person.member_id:
        return {"names_on_test_runs": 0}
    erased = 0
    for run in EvalRun.objects.filter(started_by=person.member_id).only("pk", "kept").order_by("pk"):
        kept = run.kept | {"starter": None} if "starter" in run.kept else run.kept
        erased += EvalRun.objects.filter(pk=run.pk).update(started_by=None, kept=kept)
    return {"names_on_test_runs": erased}
