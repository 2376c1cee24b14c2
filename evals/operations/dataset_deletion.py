"""The test runs of a dataset that is being deleted: they go with it, and none may be at work (DS-D17, EV-D55)."""

from django.utils.translation import gettext as _

from accounts.actor import Actor
from core.errors import Conflict
from datasets.models import Dataset
from evals.models import FINAL_STATES, Attempt, EvalItem, EvalRun


def delete_runs(_actor: Actor, dataset: Dataset) -> None:
    """Delete them, in the transaction of the deletion; attempts first, so that no row is looked up for each of them.

    Raises `Conflict` `eval_running` while a run is queued or at work.
    """
    runs = EvalRun.objects.filter(dataset=dataset)
    if runs.exclude(state__in=FINAL_STATES).exists():
        message = _("A test run of this dataset has not ended yet. Wait until it has, or cancel it.")
        raise Conflict("eval_running", message)
    Attempt.objects.filter(run__dataset=dataset).delete()
    EvalItem.objects.filter(run__dataset=dataset).delete()
    runs.delete()


def count_runs(dataset: Dataset) -> int:
    """How many a deletion of the dataset takes with it, archived ones too."""
    return EvalRun.objects.filter(dataset=dataset).count()
