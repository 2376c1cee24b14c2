"""Addresses of the list of a dataset's test runs."""

from uuid import UUID

from datasets.views.addresses import page_address

RUNS = {"tab": "results", "view": "runs"}


def runs_address(dataset_id: UUID, query: str = "", **parameters: object) -> str:
    """The list on the dataset's page; `query` is the list's own part of an address."""
    return page_address(dataset_id, query, **RUNS, **parameters)
