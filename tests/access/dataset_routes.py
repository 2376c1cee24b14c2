"""Every address under a dataset with what it needs and a request that succeeds where the need is met."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse

from tests.access.expectations import Need

FILE = b"input,reference_answer\nHow long is the warranty?,2 years\n"


@dataclass(frozen=True)
class Target:
    """The ids of the dataset that is asked for; in a dataset that does not exist they are made up.

    `message` is of an answer that every member may read.
    """

    dataset: UUID
    case: UUID
    member: UUID
    message: UUID = field(default_factory=uuid4)


@dataclass(frozen=True)
class Route:
    """One method on one address. `arguments` names the attributes of the target that the address takes."""

    method: str
    name: str
    need: Need
    arguments: tuple[str, ...] = ("dataset",)
    query: str = ""
    json: Any = None
    form: Callable[[Target], dict[str, Any]] | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.method} {self.name}{self.query}{' part' if self.headers else ''}"

    def ask(self, client: Client, target: Target) -> HttpResponseBase:
        values = {"dataset": target.dataset, "case": target.case, "member": target.member, "version": 1}
        path = reverse(self.name, args=[values[argument] for argument in self.arguments])
        path += self.query.format(case=target.case, member=target.member)
        if self.form is not None:
            return client.post(path, self.form(target), headers=self.headers)
        sent = self.json(target) if callable(self.json) else self.json
        body = json.dumps(sent) if sent is not None else ""
        return client.generic(self.method, path, body, content_type="application/json", headers=self.headers)


def file(_target: Target) -> dict[str, Any]:
    return {"file": SimpleUploadedFile("cases.csv", FILE, content_type="text/csv")}


API = (
    Route("GET", "api_dataset", "view"),
    Route("HEAD", "api_dataset", "view"),
    Route("PATCH", "api_dataset", "edit", json={"description": "Changed"}),
    Route("DELETE", "api_dataset", "edit"),
    Route("GET", "api_versions", "view"),
    Route("GET", "api_version", "view", ("dataset", "version")),
    Route("GET", "api_version_changes", "view", ("dataset", "version")),
    Route("POST", "api_version_restore", "edit", ("dataset", "version"), json={}),
    Route("GET", "api_cases", "view"),
    Route("POST", "api_cases", "edit", json={"input": "How heavy is it?", "reference_answer": "1 kg"}),
    Route("GET", "api_case", "view", ("dataset", "case")),
    Route("PATCH", "api_case", "edit", ("dataset", "case"), json={"note": "Changed"}),
    Route("DELETE", "api_case", "edit", ("dataset", "case")),
    Route("POST", "api_twins", "view", json={"input": "How long is the return window?"}),
    Route(
        "POST",
        "api_case_from_message",
        "edit",
        json=lambda target: {"message_id": str(target.message), "keep_as": "reference_answer"},
    ),
    Route("POST", "api_import", "edit", form=file),
    Route("GET", "api_grants", "edit"),
    Route("POST", "api_grants", "edit", json=lambda target: {"member": str(target.member), "level": "edit"}),
    Route("GET", "api_grant", "edit", ("dataset", "member")),
    Route("DELETE", "api_grant", "edit", ("dataset", "member")),
    Route("PUT", "api_owner", "hand_over", json=lambda target: {"member": str(target.member)}),
    Route("GET", "api_scoring", "view"),
    Route("PUT", "api_scoring", "edit", json={"judge": {"instructions": "Be strict."}}),
    Route("GET", "api_export", "view", query="?format=csv"),
    Route("GET", "api_export", "view", query="?format=jsonl"),
)

GRADING = {"checks_enabled": "on", "scale": "5", "pass_at": "4", "review_by_person": "none"}
CASE = {"input": "How heavy is it?", "reference_answer": "1 kg", "order_mode": "any"}
PART = {"HX-Request": "true"}
PANEL = {"HX-Request": "true", "HX-Target": "panel"}

CONSOLE = (
    Route("GET", "dataset", "view"),
    Route("HEAD", "dataset", "view"),
    Route("GET", "dataset", "view", headers=PART),
    Route("GET", "dataset", "view", query="?q=window&source=manual&sort=question"),
    Route("GET", "dataset", "view", query="?tab=settings"),
    Route("GET", "dataset", "view", query="?version=1"),
    Route("GET", "dataset", "view", query="?case={case}"),
    Route("GET", "dataset", "view", query="?case={case}", headers=PANEL),
    Route("GET", "dataset", "view", query="?tab=settings&part=sharing"),
    Route("GET", "dataset", "view", query="?tab=results"),
    Route("GET", "dataset", "view", query="?tab=results&part=review"),
    Route("GET", "grading", "view"),
    Route("GET", "grading", "view", headers=PART),
    Route("POST", "grading", "edit", form=lambda _target: GRADING),
    Route("POST", "grading", "edit", form=lambda _target: GRADING | {"act": "check"}),
    Route("POST", "grading", "edit", form=lambda _target: GRADING | {"act": "notes"}),
    Route("GET", "dataset_details", "edit"),
    Route("POST", "dataset_details", "edit", form=lambda _target: {"name": "Changed"}),
    Route("GET", "sharing_visibility", "edit"),
    Route("POST", "sharing_visibility", "edit", form=lambda _target: {"visibility": "private"}),
    Route("GET", "sharing_new", "edit"),
    Route("GET", "sharing_new", "edit", query="?q=a", headers={"HX-Request": "true", "HX-Target": "member-choices"}),
    Route("POST", "sharing_new", "edit", form=lambda target: {"member": str(target.member), "level": "edit"}),
    Route("POST", "sharing_level", "edit", ("dataset", "member"), form=lambda _target: {"level": "edit"}),
    Route("GET", "sharing_remove", "edit", ("dataset", "member")),
    Route("POST", "sharing_remove", "edit", ("dataset", "member"), form=lambda _target: {}),
    Route("GET", "dataset_owner", "hand_over"),
    Route("POST", "dataset_owner", "hand_over", form=lambda target: {"member": str(target.member)}),
    Route("GET", "dataset_delete", "edit"),
    Route("POST", "dataset_delete", "edit", form=lambda _target: {"name": "Returns"}),
    Route("GET", "dataset_versions", "view"),
    Route("GET", "dataset_versions", "view", headers=PART),
    Route("GET", "versions_compare", "view", query="?from=1&to=1"),
    Route("GET", "case_compare", "view", ("dataset", "case"), query="?from=1&to=1"),
    Route("GET", "version_restore", "edit", ("dataset", "version")),
    Route("POST", "version_restore", "edit", ("dataset", "version"), form=lambda _target: {"newest": "1"}),
    Route("GET", "dataset_import", "edit"),
    Route("POST", "dataset_import", "edit", form=file),
    Route("POST", "dataset_import", "edit", form=lambda target: file(target) | {"step": "import", "once": "one"}),
    Route("GET", "dataset_export", "view"),
    Route("GET", "dataset_export_file", "view", query="?format=csv&bom=true"),
    Route("GET", "add_from_activity", "edit"),
    Route("GET", "case_mask", "view", ("dataset", "case"), query="?version=1&mark=0"),
    Route("GET", "case_new", "edit"),
    Route("GET", "case_new", "edit", headers=PANEL),
    Route("POST", "case_new", "edit", form=lambda _target: CASE),
    Route("POST", "case_new", "edit", form=lambda _target: CASE | {"act": "check"}),
    Route("POST", "case_new", "edit", form=lambda _target: CASE | {"act": "switch"}),
    Route("GET", "case_edit", "edit", ("dataset", "case")),
    Route("POST", "case_edit", "edit", ("dataset", "case"), form=lambda _target: CASE | {"base_revision": "1"}),
    Route("POST", "case_edit", "edit", ("dataset", "case"), form=lambda _target: CASE | {"act": "check"}),
    Route("POST", "case_edit", "edit", ("dataset", "case"), form=lambda _target: CASE | {"take": "input"}),
    Route("GET", "cases_delete", "edit", query="?chosen={case}:1"),
    Route("POST", "cases_delete", "edit", form=lambda target: {"chosen": f"{target.case}:1"}),
)
