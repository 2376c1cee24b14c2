"""How far testing an agent is: the third of the four steps of a dataset (DS-25, DS-27), and who is offered to start."""

from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from core.offers import NOT_OFFERED, OFFERED, Offer
from datasets.models import Dataset
from datasets.places import StepState
from datasets.queries.running import offer_to_run
from evals.models import EvalRun, EvalState


def testing_step(_actor: Actor, dataset: Dataset) -> StepState:
    """Done once a test run was completed; how many there are is told to everybody who sees the dataset."""
    href = f"{reverse('dataset', args=[dataset.pk])}?{urlencode({'tab': 'results', 'view': 'runs'})}"
    completed = EvalRun.objects.filter(dataset=dataset, state=EvalState.COMPLETED, archived_at=None).count()
    if not completed:
        return StepState(False, _("No test run"), href)
    words = ngettext("%(count)d test run", "%(count)d test runs", completed)
    return StepState(True, words % {"count": completed}, href)


def offer_to_start(actor: Actor, dataset: Dataset) -> Offer:
    """Run evals: not shown without `datasets:run`, disabled without `runs:view` or a case to run (EV-30, EV-31)."""
    offer = offer_to_run(actor, dataset)
    if offer == OFFERED and not dataset.case_count:
        return Offer(True, _("There is no case to run yet."))
    return offer


def offer_to_read_runs(actor: Actor, _dataset: Dataset) -> Offer:
    """The list of test runs, for who reads runs (EV-D53); asks no database."""
    return OFFERED if access.may(actor, Permission.RUNS_VIEW) else NOT_OFFERED
