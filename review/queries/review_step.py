"""How far reviewing the results is: the last of the four steps of a dataset (DS-25)."""

from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
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
    waiting, decided = _counts(dataset)
    if waiting:
        words = ngettext("%(count)d answer waits for review", "%(count)d answers wait for review", waiting)
        href = f"{reverse('dataset', args=[dataset.pk])}?{urlencode(where | {'sort': WAITING_FIRST})}"
        return StepState(False, words % {"count": waiting}, href)
    href = f"{reverse('dataset', args=[dataset.pk])}?{urlencode(where)}"
    if not decided:
        return StepState(False, _("Nothing to review"), href)
    words = ngettext("%(count)d answer decided", "%(count)d answers decided", decided)
    return StepState(True, words % {"count": decided}, href)


def _counts(dataset: Dataset) -> tuple[int, int]:
    """How many answers wait and how many are decided; one query, since every page of a dataset asks."""
    waiting = _count_of(Stay.objects.filter(dataset=OuterRef("pk"), left_at=None))
    decided = _count_of(Score.objects.filter(dataset=OuterRef("pk")).exclude(decided=""))
    found = Dataset.objects.filter(pk=dataset.pk).order_by().values_list(waiting, decided).first()
    return found or (0, 0)


def _count_of(rows: QuerySet[Any]) -> Coalesce:
    counted = rows.order_by().values("dataset").annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted), 0)
