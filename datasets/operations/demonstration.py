"""The demonstration's datasets: a real file imported and worked on, and recordings of months of work (PL-50)."""

from pathlib import Path

from django.db import transaction

from accounts.actor import Actor
from datasets.logic.recordings import read_recordings
from datasets.models import Dataset
from datasets.operations.cases import add_case, delete_cases, edit_case
from datasets.operations.datasets import create_dataset
from datasets.operations.drafts import changes_from, draft_from
from datasets.operations.imports import import_file
from datasets.operations.recordings import replay
from datasets.queries.cases import cases_in_order
from datasets.queries.datasets import datasets_named

NAME = "API errors"
DESCRIPTION = "What an agent should do when a tool fails: rate limits, server errors, time-outs, missing values."
FOLDER = Path(__file__).parent.parent / "demonstration"
FILE = FOLDER / "api-errors.csv"

ACTING = {
    "input": "It worked the third time. Can you put the review meeting on Thursday at 10 now?",
    "history": [
        {"role": "user", "content": "Please book a review meeting with Ana for Thursday at 10."},
        {"role": "assistant", "content": "The calendar answers with **HTTP 500**. I will try again in a minute."},
    ],
    "reference_answer": "Done: *Review with Ana*, Thursday at 10:00. I looked first that no earlier try had booked it.",
    "counter_example": "I have booked it three times, to be on the safe side.",
    "expected_tool_calls": [
        {"tool": "list_events", "args": {"day": "Thursday"}},
        {"tool": "create_event", "args": {"title": "Review with Ana", "time": "10:00"}},
    ],
    "order_mode": "in_order",
    "checks": [
        {"type": "contains", "value": "Thursday"},
        {"type": "length", "unit": "words", "max": 60},
        {"type": "judge", "criterion": "The answer says that it looked for an earlier booking before making one."},
    ],
    "tags": ["retry", "calendar"],
    "note": "The agent booked one meeting three times after time-outs.",
}
PASSING = {
    "input": "Is the API down right now?",
    "counter_example": "Yes, the API is down.",
    "tags": ["refusal"],
    "note": "The agent has no status tool and must not guess.",
}
WRONG = {"input": "What is HTTP 418?", "reference_answer": "I am a teapot (RFC 2324)."}


@transaction.atomic
def load_demonstration(actor: Actor) -> Dataset:
    """Make the demonstration's datasets that are not there already; gives the one of API errors, with six versions.

    Everything goes through the same operations as a person's work.
    """
    for recording in read_recordings(FOLDER):
        if not datasets_named(actor, recording.name).exists():
            replay(actor, recording=recording)
    return datasets_named(actor, NAME).first() or _api_errors(actor)


def _api_errors(actor: Actor) -> Dataset:
    dataset = create_dataset(actor, name=NAME, description=DESCRIPTION)
    import_file(actor, dataset_id=dataset.pk, name=FILE.name, data=FILE.read_bytes())
    add_case(actor, dataset_id=dataset.pk, draft=draft_from(ACTING))
    add_case(actor, dataset_id=dataset.pk, draft=draft_from(PASSING))
    _tighten_the_first(actor, dataset)
    wrong = add_case(actor, dataset_id=dataset.pk, draft=draft_from(WRONG))
    delete_cases(actor, dataset_id=dataset.pk, case_ids=[wrong.revision.case_id])
    dataset.refresh_from_db()
    return dataset


def _tighten_the_first(actor: Actor, dataset: Dataset) -> None:
    """Give the first case of the file what shows that it was retried too early."""
    dataset.refresh_from_db()
    first = next(iter(cases_in_order(actor, dataset, dataset.newest_version)))
    changes = changes_from(
        {
            "counter_example": "Send the request again at once until it works.",
            "checks": [{"type": "contains", "value": "Retry-After"}],
        }
    )
    edit_case(actor, dataset_id=dataset.pk, case_id=first.id, changes=changes)
