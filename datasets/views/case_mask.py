"""Whether what a reader may see of an open case is still what they may see (ACC-D25)."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from datasets.forms.numbers import whole_number
from datasets.queries.cases import find_case
from datasets.queries.datasets import find_dataset
from datasets.queries.versions import number_of_version
from datasets.views.addresses import unkept


@require_safe
def case_mask(request: Any, dataset_id: UUID, case_id: UUID) -> HttpResponse:
    """204 while the mark of the panel holds, 200 where it does not; 404 where the case may not be known any more."""
    dataset = find_dataset(request.actor, dataset_id)
    number = number_of_version(dataset, whole_number(request.GET.get("version")))
    case = find_case(request.actor, dataset, number, case_id)
    return unkept(HttpResponse(status=204 if request.GET.get("mark") == case.mask_mark else 200))
