"""About how large a version is as a file, to warn before an export that could not be imported again (DS-D51)."""

from django.db.models import F, Sum
from django.db.models.functions import Coalesce, Length

from datasets.models import CaseRevision, Dataset

TEXTS = ("input", "reference_answer", "counter_example", "note", "history", "expected_tool_calls", "checks", "tag_keys")


def characters_of(dataset: Dataset, number: int) -> int:
    """The characters of all texts of a version together; one query."""
    one = sum((Coalesce(Length(F(name)), 0) for name in TEXTS[1:]), Length(F(TEXTS[0])))
    return CaseRevision.objects.at(dataset, number).aggregate(characters=Sum(one))["characters"] or 0
