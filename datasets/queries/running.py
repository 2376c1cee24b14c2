"""Who is offered to run evals on a dataset (ACC-8 to ACC-12); whatever app offers it asks here."""

from django.utils.translation import gettext as _

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from core.offers import NOT_OFFERED, OFFERED, Offer
from datasets.models import Dataset


def offer_to_run(actor: Actor, dataset: Dataset) -> Offer:
    """Not shown without `datasets:run` on it; disabled with the reason for who cannot read runs."""
    return offer_to_who_may_run(actor, may_run=access.may(actor, Permission.DATASETS_RUN, dataset))


def offer_to_who_may_run(actor: Actor, *, may_run: bool) -> Offer:
    """The same where it is known already whether the actor has `datasets:run` on the dataset."""
    if not may_run:
        return NOT_OFFERED
    if not access.may(actor, Permission.RUNS_VIEW):
        return Offer(
            True, _("Reading runs is needed to run evals: a run costs money, and you could not see its result.")
        )
    return OFFERED


def offer_to_choose_answers(actor: Actor, _dataset: Dataset) -> Offer:
    """Choosing an answer in Activity; disabled with the reason for who cannot read runs (DS-13). Asks no database.

    Who may edit the dataset is asked by its page, which shows this to nobody else.
    """
    if access.may(actor, Permission.RUNS_VIEW):
        return OFFERED
    return Offer(True, _("Reading runs is needed to choose an answer there."))
