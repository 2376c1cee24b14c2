"""Every address of scores in the API with what it needs and a request that succeeds where the need is met."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID, uuid4

from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse


@dataclass(frozen=True)
class ScoredTarget:
    """A dataset with a case and a score, and a run of its organisation; made up where there is none."""

    dataset: UUID = field(default_factory=uuid4)
    case: UUID = field(default_factory=uuid4)
    score: UUID = field(default_factory=uuid4)
    run: UUID = field(default_factory=uuid4)


@dataclass(frozen=True)
class ScoreEndpoint:
    """`score` is `datasets:run` with `runs:view`, `score_run` the same where a run that one cannot see is not there.

    `decide` is `datasets:edit` with `runs:view`.
    """

    method: str
    name: str
    need: Literal["view", "edit", "decide", "score", "score_run"]
    of_score: bool = False
    body: Callable[[ScoredTarget], Any] | None = None

    def __str__(self) -> str:
        return f"{self.method} {self.name}"

    def ask(self, client: Client, target: ScoredTarget) -> HttpResponseBase:
        path = reverse(self.name, args=[target.dataset, target.score] if self.of_score else [target.dataset])
        sent = json.dumps(self.body(target)) if self.body else ""
        return client.generic(self.method, path, sent, content_type="application/json")


SCORE_ENDPOINTS = (
    ScoreEndpoint("GET", "api_scores", "view"),
    ScoreEndpoint(
        "POST",
        "api_scores",
        "score_run",
        body=lambda target: {"run_id": str(target.run), "case_id": str(target.case)},
    ),
    ScoreEndpoint("GET", "api_scores_export", "view"),
    ScoreEndpoint("GET", "api_score", "view", of_score=True),
    ScoreEndpoint("POST", "api_review", "edit", body=lambda target: {"score_ids": [str(target.score)]}),
    ScoreEndpoint("POST", "api_review_withdraw", "edit", body=lambda target: {"score_ids": [str(target.score)]}),
    ScoreEndpoint("GET", "api_decision", "view", of_score=True),
    ScoreEndpoint(
        "PUT", "api_decision", "decide", of_score=True, body=lambda _target: {"decision": "fail", "revision": 1}
    ),
    ScoreEndpoint("DELETE", "api_decision", "decide", of_score=True),
    ScoreEndpoint(
        "POST",
        "api_criterion",
        "decide",
        of_score=True,
        body=lambda _target: {"scope": "rubric", "criterion": "Does it name the deadline?"},
    ),
    ScoreEndpoint("POST", "api_rescore", "score", body=lambda target: {"score_ids": [str(target.score)]}),
)
