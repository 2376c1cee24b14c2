"""Cases from conversations for tests: words that can be looked for, and persons who wrote them."""

from typing import Any

from accounts.models import Person
from accounts.operations.persons import person_by_external_id
from datasets.logic.drafts import CaseDraft
from datasets.models import Dataset, Source
from datasets.operations.authorship import Authors
from datasets.operations.cases import SavedCase, add_case
from tests.cast import Cast

# A word of its own for each place of a case that may hold words of the conversation (ACC-D15).
SECRETS = {
    "input": "quince",
    "history": "medlar",
    "reference_answer": "damson",
    "counter_example": "bilberry",
    "args": "mulberry",
    "checks": "cloudberry",
    "note": "rowanberry",
}
CASE = CaseDraft(
    input="My quince is broken, what now?",
    history=(
        {"role": "user", "content": "I bought a medlar."},
        {"role": "assistant", "content": "A fine medlar."},
        {"role": "user", "content": "And my friend a second medlar."},
        {"role": "assistant", "content": "Two medlars, noted."},
    ),
    reference_answer="Send the damson back.",
    counter_example="Keep the bilberry.",
    expected_tool_calls=({"tool": "find_order", "args": {"product": "mulberry"}},),
    order_mode="in_order",
    checks=({"type": "contains", "value": "cloudberry"},),
    tags=("returns",),
    note="They were told about a rowanberry.",
)


def person(cast: Cast, name: str) -> Person:
    return person_by_external_id(cast.kettle, external_id=name)


def add_conversation(
    cast: Cast, dataset: Dataset, draft: CaseDraft = CASE, *, by: str = "builder", **authors: Any
) -> SavedCase:
    """A case taken from a conversation; `authors` says whose words it holds."""
    return add_case(
        cast.actor(by), dataset_id=dataset.pk, draft=draft, source=Source.CONVERSATION, authors=Authors(**authors)
    )


def secrets_in(text: str) -> list[str]:
    """Which places of the case can be read in the text."""
    return [place for place, word in SECRETS.items() if word in text.lower()]
