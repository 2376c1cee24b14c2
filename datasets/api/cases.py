"""The endpoints of cases."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.permissions import Permission
from core.api.schema import describe
from core.errors import Conflict, Invalid
from datasets.api.endpoint import DatasetEndpoint
from datasets.api.shapes import (
    CaseIn,
    CaseOut,
    CasePatch,
    CaseQuery,
    DeleteQuery,
    TwinsIn,
    TwinsOut,
    VersionOut,
    VersionQuery,
)
from datasets.logic.drafts import CaseDraft
from datasets.operations.cases import add_case, delete_cases, edit_case, refuse_hidden_fields
from datasets.operations.drafts import changes_from, draft_from
from datasets.queries.cases import CaseFilter, find_case, text_is_hidden, twins_of
from datasets.queries.datasets import find_dataset
from datasets.queries.seen_cases import seen_by
from datasets.queries.versions import cases_of_version, number_of_version
from datasets.queries.whole_version import rows_of_version

WRITE_CONFLICTS = ("case_limit", "version_rows_limit", "read_only_version")


class CaseList(DatasetEndpoint):
    """The cases of a version, and new ones."""

    @describe("Cases", answer=CaseOut, query=CaseQuery, paged="numbered", operation_id="cases_list")
    def get(self, request: Request, dataset_id: UUID) -> Response:
        """List the cases of a version.

        In the order of exports and test runs: by when each case was first added.
        """
        query = self.query(CaseQuery)
        dataset = find_dataset(self.actor, dataset_id)
        number = number_of_version(dataset, query.get("version"))
        total = cases_of_version(dataset, number)
        rows: Any = rows_of_version(self.actor, dataset, number, filter_of(query), ["position"], total=total)
        return self.numbered(rows, query, CaseOut)

    @describe(
        "Cases", body=CaseIn, query=VersionQuery, answer=CaseOut, status=201, etag=True, conflicts=WRITE_CONFLICTS
    )
    def post(self, request: Request, dataset_id: UUID) -> Response:
        """Add one case.

        Makes one version, whose number is `version` of the answer. A question that another case asks too is no
        obstacle here: ask `cases/twins` first.
        """
        version = self.query(VersionQuery).get("version")
        saved = add_case(self.actor, dataset_id=dataset_id, draft=self.prepared, seen_version=version)
        seen = seen_by(self.actor, saved.revision, version=saved.version)
        return self.answer(seen, CaseOut, status=201, location=reverse("api_case", args=[dataset_id, seen.id]))

    def prepare(self, request: Request, dataset_id: UUID) -> CaseDraft:
        """The new case: reading its patterns and schemas takes a process of its own."""
        find_dataset(self.actor, dataset_id, Permission.DATASETS_EDIT)
        return draft_from(body_of(request))


class CaseDetail(DatasetEndpoint):
    """One case."""

    @describe("Cases", query=VersionQuery, answer=CaseOut, etag=True)
    def get(self, request: Request, dataset_id: UUID, case_id: UUID) -> Response:
        """Read a case of a version."""
        dataset = find_dataset(self.actor, dataset_id)
        number = number_of_version(dataset, self.query(VersionQuery).get("version"))
        return self.answer(find_case(self.actor, dataset, number, case_id), CaseOut)

    @describe(
        "Cases",
        body=CasePatch,
        query=VersionQuery,
        answer=CaseOut,
        etag=True,
        conflicts=("case_changed", "case_deleted", *WRITE_CONFLICTS),
    )
    def patch(self, request: Request, dataset_id: UUID, case_id: UUID) -> Response:
        """Change some fields of a case.

        Makes one version, or none where nothing changes. With `base_revision` the change is refused where the case has
        been changed since; the answer then holds the case as it is.
        """
        base, changes = self.prepared
        version = self.query(VersionQuery).get("version")
        try:
            saved = edit_case(
                self.actor,
                dataset_id=dataset_id,
                case_id=case_id,
                changes=changes,
                base_revision=base,
                seen_version=version,
            )
        except Conflict as conflict:
            raise self.with_current_case(conflict, dataset_id, case_id) from None
        return self.answer(seen_by(self.actor, saved.revision, version=saved.version), CaseOut)

    @describe(
        "Cases", query=DeleteQuery, answer=VersionOut, conflicts=("case_changed", "case_deleted", "read_only_version")
    )
    def delete(self, request: Request, dataset_id: UUID, case_id: UUID) -> Response:
        """Delete a case from the newest version.

        Makes one version, which is the answer; older versions keep the case. With `remove_text` they keep it without
        its text, for good: `[erased]` then stands for the question, the earlier turns, both answers and the note. A
        case that was deleted before loses its text too, which makes no version: the answer is the newest one.
        """
        dataset = find_dataset(self.actor, dataset_id, Permission.DATASETS_EDIT)
        query = self.query(DeleteQuery)
        bases = {case_id: query["base_revision"]} if "base_revision" in query else {}
        try:
            version = delete_cases(
                self.actor,
                dataset_id=dataset.pk,
                case_ids=[case_id],
                base_revisions=bases,
                remove_text=query.get("remove_text", False),
                seen_version=query.get("version"),
            )
        except Conflict as conflict:
            raise self.with_current_case(conflict, dataset_id, case_id) from None
        return Response(self.json_of(version, VersionOut))

    def prepare(self, request: Request, dataset_id: UUID, case_id: UUID) -> tuple[int | None, dict[str, Any]] | None:
        """The revision that a change began from, and the changed fields; nothing for a deletion."""
        dataset = find_dataset(self.actor, dataset_id, Permission.DATASETS_EDIT)
        if request.method != "PATCH":
            return None
        body = dict(body_of(request))
        if text_is_hidden(self.actor, dataset, case_id):
            refuse_hidden_fields(body)
        return base_revision_of(body), changes_from(body)

    def with_current_case(self, conflict: Conflict, dataset_id: UUID, case_id: UUID) -> Conflict:
        """The conflict with the case as it is now, where somebody changed it (DS-D11)."""
        if conflict.code == "case_changed":
            dataset = find_dataset(self.actor, dataset_id)
            current = find_case(self.actor, dataset, dataset.newest_version, case_id)
            conflict.data["case"] = self.json_of(current, CaseOut)
        return conflict


class Twins(DatasetEndpoint):
    """Which cases ask a question already."""

    @describe("Cases", body=TwinsIn, answer=TwinsOut)
    def post(self, request: Request, dataset_id: UUID) -> Response:
        """Find cases of the newest version that ask the same.

        Letter case and spacing are ignored. The question travels in the body, so it reaches no log.
        """
        dataset = find_dataset(self.actor, dataset_id)
        question = self.read(TwinsIn)["input"]
        return Response({"twins": [{"case_id": str(case_id)} for case_id in twins_of(dataset, question)]})


def filter_of(query: Mapping[str, Any]) -> CaseFilter:
    """The filter that a query string asks for."""
    return CaseFilter(
        search=query.get("q", ""),
        source=query.get("source", ""),
        tag=query.get("tag", ""),
        expectation=query.get("expectation", ""),
        anonymised=query.get("anonymised"),
    )


def body_of(request: Request) -> Mapping[str, Any]:
    """The body where it is an object. Raises `Invalid`."""
    if not isinstance(request.data, dict):
        raise Invalid.at("", _("The body must be an object with the fields of a case."))
    return request.data


def base_revision_of(body: dict[str, Any]) -> int | None:
    """Takes `base_revision` out of the body. Raises `Invalid` where it is no number from 1."""
    base = body.pop("base_revision", None)
    if base is None or (isinstance(base, int) and not isinstance(base, bool) and base >= 1):
        return base
    raise Invalid.at("base_revision", _("This must be the revision of a case: a whole number from 1."))
