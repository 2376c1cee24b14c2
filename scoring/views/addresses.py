"""Addresses of the review of a dataset's answers."""

from uuid import UUID

from datasets.views.addresses import page_address

REVIEW = {"tab": "results", "view": "review"}
# The part of a dataset's page where its grading is changed.
GRADING = {"tab": "settings", "part": "grading"}


def review_address(dataset_id: UUID, query: str = "", **parameters: object) -> str:
    """The list on the dataset's page; `query` is the list's own part of an address."""
    return page_address(dataset_id, query, **REVIEW, **parameters)
