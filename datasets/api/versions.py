"""The endpoints of versions: their list, one of them, what changed between two, going back to one."""

from typing import Any
from uuid import UUID

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.pagination import KeysetQuery
from core.api.schema import describe
from core.limits import LIMITS
from core.paging import Order
from datasets.api.endpoint import DatasetEndpoint
from datasets.api.shapes import VersionOut
from datasets.api.version_shapes import ChangedCaseOut, ChangesOut, ChangesQuery, RestoreIn
from datasets.operations.restores import restore_version
from datasets.queries.comparisons import compare_versions
from datasets.queries.datasets import find_dataset
from datasets.queries.version_changes import ChangeKind
from datasets.queries.versions import find_version, versions_of

NEWEST_FIRST = [Order("number", descending=True)]


class VersionList(DatasetEndpoint):
    """The versions of a dataset."""

    @describe("Versions", answer=VersionOut, query=KeysetQuery, paged="keyset", operation_id="versions_list")
    def get(self, request: Request, dataset_id: UUID) -> Response:
        """List the versions, newest first.

        Pages of 100 unless `page_size` says otherwise.
        """
        dataset = find_dataset(self.actor, dataset_id)
        query = {"page_size": LIMITS.versions_listed, **self.query(KeysetQuery)}
        return self.keyset(versions_of(dataset), NEWEST_FIRST, query, VersionOut)


class VersionDetail(DatasetEndpoint):
    """One version."""

    @describe("Versions", answer=VersionOut, etag=True)
    def get(self, request: Request, dataset_id: UUID, number: int) -> Response:
        """Read what a version changed and what it cost."""
        return self.answer(find_version(find_dataset(self.actor, dataset_id), number), VersionOut)


class VersionChangesList(DatasetEndpoint):
    """What a version has that another has not."""

    @describe("Versions", answer=ChangesOut, query=ChangesQuery)
    def get(self, request: Request, dataset_id: UUID, number: int) -> Response:
        """Compare a version with another one, case by case.

        Says what changed since the version `since`, by default the one before; where that is the newer one, what going
        back to this version would change. Numbers count all cases; `results` are a page of those that differ.
        """
        query = self.query(ChangesQuery)
        dataset = find_dataset(self.actor, dataset_id)
        find_version(dataset, number)
        since, kind = query.get("since", number - 1), query.get("change")
        compared = compare_versions(self.actor, dataset, since, number, kind=ChangeKind(kind) if kind else None)
        cases: Any = compared.cases
        answer = self.numbered(cases, query, ChangedCaseOut)
        counts = {one.value: compared.changes.count(one) for one in ChangeKind}
        answer.data = {"since": since, "version": number, **counts, "same": compared.changes.same, **answer.data}
        return answer


class VersionRestore(DatasetEndpoint):
    """Going back to a version."""

    @describe(
        "Versions",
        body=RestoreIn,
        answer=VersionOut,
        status=201,
        unchanged=200,
        conflicts=("case_limit", "version_changed", "version_rows_limit"),
    )
    def post(self, request: Request, dataset_id: UUID, number: int) -> Response:
        """Make a new version with the cases of an older one.

        No version is lost, cases keep their ids, and each case that differs stores one revision. Text that was erased
        stays erased. Where the newest version holds the same, none is made, and the answer is the newest with 200.
        """
        base = self.read(RestoreIn).get("base_version")
        done = restore_version(self.actor, dataset_id=dataset_id, number=number, base_version=base)
        shown = self.json_of(done.version, VersionOut)
        if not done.changed:
            return Response(shown)
        location = reverse("api_version", args=[dataset_id, done.version.number])
        return Response(shown, status=201, headers={"Location": location})
