"""Every address under a skill and under a knowledge base, with what it needs and a request that succeeds then."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse

from tests.access.expectations import Need

PART = {"HX-Request": "true"}


@dataclass(frozen=True)
class SharedTarget:
    """The ids of the thing that is asked for; made up where it does not exist. A skill has no document."""

    thing: UUID
    member: UUID
    document: UUID | None = None


@dataclass(frozen=True)
class SharedRoute:
    """One method on one address. `arguments` names the attributes of the target that the address takes."""

    method: str
    name: str
    need: Need
    arguments: tuple[str, ...] = ("thing",)
    query: str = ""
    json: Any = None
    form: Callable[[SharedTarget], dict[str, Any]] | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.method} {self.name}{self.query}{' part' if self.headers else ''}"

    def ask(self, client: Client, target: SharedTarget) -> HttpResponseBase:
        path = reverse(self.name, args=[getattr(target, argument) for argument in self.arguments]) + self.query
        if self.form is not None:
            return client.post(path, self.form(target), headers=self.headers)
        sent = self.json(target) if callable(self.json) else self.json
        body = json.dumps(sent) if sent is not None else ""
        return client.generic(self.method, path, body, content_type="application/json", headers=self.headers)


def sharing(noun: str) -> tuple[SharedRoute, ...]:
    """The pages and endpoints of sharing, which are those of every kind."""
    member = ("thing", "member")

    def chosen(target: SharedTarget) -> dict[str, str]:
        return {"member": str(target.member), "level": "edit"}

    return (
        SharedRoute("GET", f"{noun}_visibility", "edit"),
        SharedRoute("POST", f"{noun}_visibility", "edit", form=lambda _target: {"visibility": "private"}),
        SharedRoute("GET", f"{noun}_share", "edit"),
        SharedRoute("POST", f"{noun}_share", "edit", form=chosen),
        SharedRoute("POST", f"{noun}_share_level", "edit", member, form=lambda _target: {"level": "edit"}),
        SharedRoute("GET", f"{noun}_unshare", "edit", member),
        SharedRoute("POST", f"{noun}_unshare", "edit", member, form=lambda _target: {}),
        SharedRoute("GET", f"{noun}_owner", "hand_over"),
        SharedRoute("POST", f"{noun}_owner", "hand_over", form=lambda target: {"member": str(target.member)}),
        SharedRoute("GET", f"api_{noun}_grants", "edit"),
        SharedRoute("POST", f"api_{noun}_grants", "edit", json=chosen),
        SharedRoute("GET", f"api_{noun}_grant", "edit", member),
        SharedRoute("DELETE", f"api_{noun}_grant", "edit", member),
        SharedRoute("PUT", f"api_{noun}_owner", "hand_over", json=lambda target: {"member": str(target.member)}),
    )


SKILL_TEXT = {"name": "Tone", "text": "Be kind."}
SKILLS = (
    SharedRoute("GET", "skill", "view"),
    SharedRoute("HEAD", "skill", "view"),
    SharedRoute("GET", "skill", "view", query="?tab=sharing"),
    SharedRoute("POST", "skill", "edit", form=lambda _target: SKILL_TEXT),
    SharedRoute("POST", "skill", "edit", form=lambda _target: SKILL_TEXT, headers=PART),
    SharedRoute("GET", "skill_delete", "edit"),
    SharedRoute("POST", "skill_delete", "edit", form=lambda _target: {}),
    SharedRoute("GET", "api_skill", "view"),
    SharedRoute("PATCH", "api_skill", "edit", json={"text": "Be kind."}),
    SharedRoute("DELETE", "api_skill", "edit"),
    *sharing("skill"),
)


def file(name: str) -> Callable[[SharedTarget], dict[str, Any]]:
    return lambda _target: {name: SimpleUploadedFile("new.txt", b"Something new.")}


DOCUMENT = ("thing", "document")
KNOWLEDGE = (
    SharedRoute("GET", "knowledge", "view"),
    SharedRoute("HEAD", "knowledge", "view"),
    SharedRoute("GET", "knowledge", "view", query="?q=hand", headers=PART),
    SharedRoute("GET", "knowledge", "view", query="?tab=search&q=warranty"),
    SharedRoute("GET", "knowledge", "view", query="?tab=sharing"),
    SharedRoute("GET", "knowledge_details", "edit"),
    SharedRoute("POST", "knowledge_details", "edit", form=lambda _target: {"name": "Changed"}),
    SharedRoute("GET", "knowledge_delete", "edit"),
    SharedRoute("POST", "knowledge_delete", "edit", form=lambda _target: {"name": "Handbook"}),
    SharedRoute("GET", "document_new", "edit"),
    SharedRoute("POST", "document_new", "edit", form=file("files")),
    SharedRoute("GET", "document", "view", DOCUMENT),
    SharedRoute("GET", "document_remove", "edit", DOCUMENT),
    SharedRoute("POST", "document_remove", "edit", DOCUMENT, form=lambda _target: {}),
    SharedRoute("GET", "api_knowledge_base", "view"),
    SharedRoute("PATCH", "api_knowledge_base", "edit", json={"description": "Changed"}),
    SharedRoute("DELETE", "api_knowledge_base", "edit"),
    SharedRoute("GET", "api_knowledge_search", "view", query="?q=warranty"),
    SharedRoute("GET", "api_documents", "view"),
    SharedRoute("POST", "api_documents", "edit", form=file("file")),
    SharedRoute("GET", "api_document", "view", DOCUMENT),
    SharedRoute("DELETE", "api_document", "edit", DOCUMENT),
    SharedRoute("GET", "api_passages", "view", DOCUMENT),
    *sharing("knowledge"),
)
