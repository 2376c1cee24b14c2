"""Every address of test runs in the API with what it needs and a request that succeeds where the need is met."""

import json
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID, uuid4

from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse

from tests.access.eval_pages import EvalTarget


@dataclass(frozen=True)
class EvalApiTarget:
    """A dataset with test runs, and an agent of its organisation that could answer; made up where there is none."""

    dataset: UUID = field(default_factory=uuid4)
    agent: UUID = field(default_factory=uuid4)
    runs: EvalTarget = field(default_factory=EvalTarget)


@dataclass(frozen=True)
class EvalEndpointRow:
    """One method on one address. `list` and `start` are of a dataset, the others of a run.

    `list` is `runs:view`, `start` and `run` are `datasets:run`, `edit` is `datasets:edit`, all beside `runs:view`.
    `also` are statuses that a need which is met may give too: the act itself depends on more than the permission.
    """

    method: Literal["GET", "POST", "DELETE"]
    name: str
    need: Literal["list", "start", "view", "run", "edit"]
    of: str = "completed"
    query: str = ""
    body: Any = None
    also: frozenset[int] = frozenset()

    def __str__(self) -> str:
        return f"{self.method} {self.name}"

    @property
    def is_of_dataset(self) -> bool:
        return self.need in ("list", "start")

    def ask(self, client: Client, target: EvalApiTarget) -> HttpResponseBase:
        named = target.dataset if self.is_of_dataset else getattr(target.runs, self.of)
        path = reverse(self.name, args=[named]) + self.query.format(other=target.runs.cancelled)
        sent = {"agent": str(target.agent)} if self.need == "start" else self.body
        text = "" if sent is None else json.dumps(sent)
        return client.generic(self.method, path, text, content_type="application/json")


EVAL_ENDPOINTS = (
    EvalEndpointRow("GET", "api_evals", "list"),
    EvalEndpointRow("POST", "api_eval_estimate", "start", also=frozenset({409})),
    EvalEndpointRow("POST", "api_evals", "start", also=frozenset({409})),
    EvalEndpointRow("GET", "api_eval", "view"),
    EvalEndpointRow("GET", "api_eval_items", "view"),
    EvalEndpointRow("GET", "api_eval_compare", "view", query="?with={other}"),
    EvalEndpointRow("GET", "api_eval_gate", "view"),
    EvalEndpointRow("GET", "api_eval_export", "view", query="?format=csv"),
    EvalEndpointRow("POST", "api_eval_cancel", "run", of="running"),
    EvalEndpointRow("POST", "api_eval_resume", "run", of="cancelled", body={}, also=frozenset({409})),
    EvalEndpointRow("POST", "api_eval_baseline", "edit", also=frozenset({409})),
    EvalEndpointRow("DELETE", "api_eval_baseline", "edit"),
    EvalEndpointRow("POST", "api_eval_archive", "edit"),
    EvalEndpointRow("POST", "api_eval_restore", "edit"),
)
