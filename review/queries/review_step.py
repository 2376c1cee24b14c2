"""How far reviewing the results is: the last of the four steps of a dataset (DS-25)."""

from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.actor import Actor
from datasets.models import Dataset
from datasets.places import StepState
from review.models import Stay
from review.queries.review_pages import WAITING_FIRST
from scoring.models import Score


def review_step(_actor: Actor, dataset: Dataset) -> StepState:
    """Done once somebody decided and nothing waits any more; told to everybody who sees the dataset."""
    where = {"tab": "results", "view": "review"}
    waiting = Stay.objects.filter(dataset=dataset, left_at=None).count()
    if waiting:
        words = ngettext("%(count)d answer waits for review", "%(count)d answers wait for review", waiting)
        href = f"{reverse('dataset', args=[dataset.pk])}?{urlencode(where | {'sort': WAITING_FIRST})}"
        return StepState(False, words % {"count": waiting}, href)
    href = f"{reverse('dataset', args=[dataset.pk])}?{urlencode(where)}"
    decided = Score.objects.filter(dataset=dataset).exclude(decided="").count()
    if not decided:
        return StepState(False, _("Nothing to review"), href)
    words = ngettext("%(count)d answer decided", "%(count)d answers decided", decided)
    return StepState(True, words % {"count": decided}, href)
