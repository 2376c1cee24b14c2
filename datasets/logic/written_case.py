"""WrittenCase: a case as files write it, its lists as the text of their JSON; databases hold them in the same form."""

from typing import NamedTuple

from core.json_values import compact
from datasets.logic.drafts import CaseDraft

# The fields whose lists are JSON in a database; of these a CSV file writes the tags in another way.
LISTS = ("history", "expected_tool_calls", "checks", "tags")
EMPTY_LIST = "[]"


class WrittenCase(NamedTuple):
    """The nine fields in their order (DS-D49); a text without a value is None, a list is compact JSON.

    An export of ten thousand cases would otherwise read and write each list again only to get the text it began with.
    """

    input: str
    history: str
    reference_answer: str | None
    counter_example: str | None
    expected_tool_calls: str
    order_mode: str
    checks: str
    tags: str
    note: str | None


def written(case: CaseDraft) -> WrittenCase:
    """The case in this form."""
    fields = case.as_dict()
    return WrittenCase(**{name: compact(value) if name in LISTS else value for name, value in fields.items()})
