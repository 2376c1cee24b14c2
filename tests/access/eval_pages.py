"""Every console address of one test run with what it needs and a request that succeeds where the need is met."""

from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID, uuid4

from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse

PART = {"HX-Request": "true"}
PANEL = {"HX-Request": "true", "HX-Target": "panel"}
CASES = {"HX-Request": "true", "HX-Target": "cases"}


@dataclass(frozen=True)
class EvalTarget:
    """A completed test run of an agent that no organisation hides, a case of it, one at work, and one that was
    cancelled; ids that are made up where there is none."""

    completed: UUID = field(default_factory=uuid4)
    item: UUID = field(default_factory=uuid4)
    running: UUID = field(default_factory=uuid4)
    cancelled: UUID = field(default_factory=uuid4)


@dataclass(frozen=True)
class EvalPage:
    """One method on one address. `run` is `datasets:run`, `edit` is `datasets:edit`, both beside `runs:view`.

    `also` are statuses that a need which is met may give too: the act itself depends on more than the permission.
    """

    method: Literal["GET", "POST"]
    name: str
    need: Literal["view", "run", "edit"]
    of: str = "completed"
    query: str = ""
    form: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    also: frozenset[int] = frozenset()

    def __str__(self) -> str:
        return f"{self.method} {self.name}{self.query}{' part' if self.headers else ''}"

    def ask(self, client: Client, target: EvalTarget) -> HttpResponseBase:
        ids = [getattr(target, self.of)] + ([target.item] if self.name == "eval-item" else [])
        path = reverse(self.name, args=ids) + self.query.format(other=target.cancelled)
        if self.method == "POST":
            return client.post(path, self.form, headers=self.headers)
        return client.get(path, headers=self.headers)


EVAL_PAGES = (
    EvalPage("GET", "eval", "view"),
    EvalPage("GET", "eval", "view", query="?result=pass&tag=a", headers=CASES),
    EvalPage("GET", "eval", "view", query="?tab=evaluators"),
    EvalPage("GET", "eval", "view", query="?tab=configuration"),
    EvalPage("GET", "eval-progress", "view", of="running", query="?state=running", headers=PART),
    EvalPage("GET", "eval-item", "view"),
    EvalPage("GET", "eval-item", "view", headers=PANEL),
    EvalPage("GET", "eval-compare", "view"),
    EvalPage("GET", "eval-compare", "view", query="?with={other}&change=regressed", headers=PART),
    EvalPage("GET", "eval-grade-anew", "run", query="?with={other}", headers=PART),
    EvalPage("POST", "eval-grade-anew", "run", also=frozenset({409})),
    EvalPage("GET", "eval-export", "view", query="?format=md"),
    EvalPage("GET", "eval-cancel", "run", of="running"),
    EvalPage("POST", "eval-cancel", "run", of="running"),
    EvalPage("GET", "eval-resume", "run", of="cancelled", headers=PART),
    EvalPage("POST", "eval-resume", "run", of="cancelled", also=frozenset({422})),
    # The dialog of the start that it leads to asks for the rest.
    EvalPage("GET", "eval-again", "view"),
    EvalPage("POST", "eval-baseline", "edit"),
    EvalPage("GET", "eval-archive", "edit"),
    EvalPage("POST", "eval-archive", "edit"),
    EvalPage("POST", "eval-archive", "edit", form={"act": "bring_back"}),
)
