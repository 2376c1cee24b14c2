"""What goes with a dataset when it is deleted, in numbers (DS-D17)."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from accounts.queries.sharing import grants_in_order
from datasets.models import CaseRevision, Dataset
from datasets.places import Words, holdings


@dataclass(frozen=True)
class Taken:
    """So many of these."""

    label: Words
    count: int


def what_deletion_takes(dataset: Dataset) -> list[Taken]:
    """Its own tables first, then what other apps hold of it; the latter only where there is some."""
    own = [
        Taken(_("Cases"), dataset.case_count),
        Taken(_("Versions"), dataset.newest_version),
        Taken(_("Stored texts of cases, older ones included"), CaseRevision.objects.filter(dataset=dataset).count()),
        Taken(_("Members it is shared with"), grants_in_order(dataset).count()),
    ]
    others = [Taken(holding.label, holding.count(dataset)) for holding in holdings()]
    return own + [taken for taken in others if taken.count]
