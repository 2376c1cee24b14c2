"""Every address under an agent with what it needs and a request that succeeds where the need is met."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID

from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse

Need = Literal["view", "edit", "hand_over"]


@dataclass(frozen=True)
class AgentTarget:
    """The ids of the agent that is asked for; of one that does not exist they are made up."""

    agent: UUID
    member: UUID


@dataclass(frozen=True)
class AgentRoute:
    """One method on one address. `arguments` are what the address takes after the agent's id."""

    method: str
    name: str
    need: Need
    arguments: tuple[str, ...] = ()
    query: str = ""
    json: Callable[[AgentTarget], Any] | None = None
    form: Callable[[AgentTarget], dict[str, Any]] | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.method} {self.name}{self.query}{' part' if self.headers else ''}"

    def ask(self, client: Client, target: AgentTarget) -> HttpResponseBase:
        values = {"member": target.member, "version": 1, "tool": "find_order", "secret": "SHOP"}
        path = reverse(self.name, args=[target.agent, *(values[one] for one in self.arguments)]) + self.query
        if self.form is not None:
            return client.post(path, self.form(target), headers=self.headers)
        body = json.dumps(self.json(target)) if self.json else ""
        return client.generic(self.method, path, body, content_type="application/json", headers=self.headers)


def member(target: AgentTarget) -> dict[str, Any]:
    return {"member": str(target.member)}


def nothing(_target: AgentTarget) -> dict[str, Any]:
    return {}


def sent(**fields: Any) -> Callable[[AgentTarget], dict[str, Any]]:
    return lambda _target: fields


PART = {"HX-Request": "true"}
DRAFT = {"instructions": "Be brief.", "model": "", "max_steps": "5", "seconds": "60", "revision": "2"}
TOOL = {"name": "find", "description": "Finds.", "endpoint": "https://a.example.com/", "revision": "2"}

API = (
    AgentRoute("GET", "api_agent", "view"),
    AgentRoute("HEAD", "api_agent", "view"),
    AgentRoute("PATCH", "api_agent", "edit", json=sent(description="Changed", monthly_budget="5.00")),
    AgentRoute("GET", "api_agent_draft", "view"),
    AgentRoute("PUT", "api_agent_draft", "edit", json=sent(draft={"instructions": "Be brief."})),
    AgentRoute("GET", "api_agent_versions", "view"),
    AgentRoute("POST", "api_agent_versions", "edit", json=sent(note="Next")),
    AgentRoute("GET", "api_agent_version", "view", ("version",)),
    AgentRoute("GET", "api_agent_version_changes", "view", ("version",)),
    AgentRoute("POST", "api_agent_version_restore", "edit", ("version",)),
    AgentRoute("GET", "api_agent_spending", "view"),
    AgentRoute("POST", "api_agent_archive", "edit"),
    AgentRoute("POST", "api_agent_restore", "edit"),
    AgentRoute("GET", "api_agent_secrets", "edit"),
    AgentRoute("PUT", "api_agent_secret", "edit", ("secret",), json=sent(value="v")),
    AgentRoute("DELETE", "api_agent_secret", "edit", ("secret",)),
    AgentRoute("GET", "api_agent_grants", "edit"),
    AgentRoute("POST", "api_agent_grants", "edit", json=lambda target: member(target) | {"level": "edit"}),
    AgentRoute("GET", "api_agent_grant", "edit", ("member",)),
    AgentRoute("DELETE", "api_agent_grant", "edit", ("member",)),
    AgentRoute("PUT", "api_agent_owner", "hand_over", json=member),
)
CONSOLE = (
    AgentRoute("GET", "agent_detail", "view"),
    AgentRoute("HEAD", "agent_detail", "view"),
    AgentRoute("GET", "agent_detail", "view", headers=PART),
    AgentRoute("GET", "agent_detail", "view", query="?tab=tools"),
    AgentRoute("GET", "agent_detail", "view", query="?tab=knowledge"),
    AgentRoute("GET", "agent_detail", "view", query="?tab=versions"),
    AgentRoute("GET", "agent_detail", "view", query="?tab=settings"),
    AgentRoute("GET", "agent_detail", "view", query="?tab=settings&part=secrets"),
    AgentRoute("GET", "agent_detail", "view", query="?tab=settings&part=sharing"),
    AgentRoute("POST", "agent_draft", "edit", form=sent(**DRAFT)),
    AgentRoute("POST", "agent_draft", "edit", query="?tab=knowledge", form=sent(revision="2")),
    AgentRoute("GET", "agent_discard", "edit"),
    AgentRoute("POST", "agent_discard", "edit", form=nothing),
    AgentRoute("GET", "agent_tool_new", "edit"),
    AgentRoute("POST", "agent_tool_new", "edit", form=sent(**TOOL)),
    AgentRoute("GET", "agent_tool_edit", "edit", ("tool",)),
    AgentRoute("POST", "agent_tool_edit", "edit", ("tool",), form=sent(**TOOL)),
    AgentRoute("GET", "agent_tool_remove", "edit", ("tool",)),
    AgentRoute("POST", "agent_tool_remove", "edit", ("tool",), form=nothing),
    AgentRoute("GET", "agent_publish", "edit"),
    AgentRoute("POST", "agent_publish", "edit", form=sent(note="Next", revision="2")),
    AgentRoute("GET", "agent_version", "view", ("version",)),
    AgentRoute("GET", "agent_version_restore", "edit", ("version",)),
    AgentRoute("POST", "agent_version_restore", "edit", ("version",), form=nothing),
    AgentRoute("GET", "agent_compare", "view", query="?from=1&to=draft"),
    AgentRoute("GET", "agent_details", "edit"),
    AgentRoute("POST", "agent_details", "edit", form=sent(name="Changed")),
    AgentRoute("GET", "agent_budget", "edit"),
    AgentRoute("POST", "agent_budget", "edit", form=sent(monthly_budget="5")),
    AgentRoute("GET", "agent_archive", "edit"),
    AgentRoute("POST", "agent_archive", "edit", form=nothing),
    AgentRoute("GET", "agent_restore", "edit"),
    AgentRoute("POST", "agent_restore", "edit", form=nothing),
    AgentRoute("GET", "agent_secret_new", "edit"),
    AgentRoute("POST", "agent_secret_new", "edit", form=sent(name="MORE", value="v")),
    AgentRoute("GET", "agent_secret_change", "edit", ("secret",)),
    AgentRoute("POST", "agent_secret_change", "edit", ("secret",), form=sent(value="v")),
    AgentRoute("GET", "agent_secret_remove", "edit", ("secret",)),
    AgentRoute("POST", "agent_secret_remove", "edit", ("secret",), form=nothing),
    AgentRoute("GET", "agent_visibility", "edit"),
    AgentRoute("POST", "agent_visibility", "edit", form=sent(visibility="private")),
    AgentRoute("GET", "agent_share", "edit"),
    AgentRoute("POST", "agent_share", "edit", form=lambda target: member(target) | {"level": "edit"}),
    AgentRoute("POST", "agent_share_level", "edit", ("member",), form=sent(level="edit")),
    AgentRoute("GET", "agent_unshare", "edit", ("member",)),
    AgentRoute("POST", "agent_unshare", "edit", ("member",), form=nothing),
    AgentRoute("GET", "agent_owner", "hand_over"),
    AgentRoute("POST", "agent_owner", "hand_over", form=member),
)
AGENTS = API + CONSOLE
