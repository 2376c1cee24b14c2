"""Every console address of graded answers with what it needs and a request that succeeds where the need is met."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID, uuid4

from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse

PART = {"HX-Request": "true"}
LIST = {"HX-Request": "true", "HX-Target": "review-list"}
PANEL = {"HX-Request": "true", "HX-Target": "panel"}


@dataclass(frozen=True)
class ScoreTarget:
    """A dataset with an unscored answer; ids that are made up where there is none."""

    dataset: UUID = field(default_factory=uuid4)
    score: UUID = field(default_factory=uuid4)


@dataclass(frozen=True)
class ScorePage:
    """One method on one address. `score` is `datasets:run` with `runs:view`; `of_score` where the address names one."""

    method: str
    name: str
    need: Literal["view", "edit", "decide", "score"]
    of_score: bool = False
    query: str = ""
    form: Callable[[ScoreTarget], dict[str, Any]] | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.method} {self.name}{self.query}{' part' if self.headers else ''}"

    def ask(self, client: Client, target: ScoreTarget) -> HttpResponseBase:
        ids = [target.dataset, target.score] if self.of_score else [target.dataset]
        path = reverse(self.name, args=ids) + self.query.format(score=target.score)
        if self.form is not None:
            return client.post(path, self.form(target), headers=self.headers)
        return client.generic(self.method, path, headers=self.headers)


def chosen(target: ScoreTarget) -> dict[str, Any]:
    return {"chosen": str(target.score)}


def criterion(_target: ScoreTarget) -> dict[str, Any]:
    return {"scope": "rubric", "criterion": "Does it name the deadline?"}


def decision(target: ScoreTarget) -> dict[str, Any]:
    return {"decision": "pass", "revision": "0"}


SCORE_PAGES = (
    ScorePage("GET", "review_answers", "view"),
    ScorePage("GET", "review_answers", "view", query="?outcome=unscored&tag=a&score={score}", headers=PART),
    ScorePage("GET", "agreement", "view"),
    ScorePage("GET", "agreement", "view", query="?judge=ab&part=criterion:c-1&kind=too_strict&page=2"),
    ScorePage("GET", "review_choices", "view", headers=PART),
    ScorePage("GET", "review_matching", "view", query="?outcome=fail", headers=PART),
    ScorePage("GET", "scores_export", "view", query="?format=jsonl&sort=waiting_first"),
    ScorePage("GET", "scores_waiting", "view", query="?score={score}", headers=PART),
    ScorePage("POST", "scores_again", "score", form=chosen),
    ScorePage("POST", "scores_again", "score", form=chosen, headers=PART),
    ScorePage("POST", "scores_again", "score", form=lambda target: chosen(target) | {"one": "1"}, headers=PART),
    ScorePage("POST", "review_withdraw", "edit", form=chosen),
    ScorePage("POST", "review_withdraw", "edit", form=chosen, headers=LIST),
    ScorePage("POST", "review_send", "edit", form=chosen, headers=LIST),
    ScorePage("POST", "review_send", "edit", form=chosen),
    ScorePage("POST", "review_send", "edit", form=chosen, headers=PART),
    ScorePage("GET", "score", "view", of_score=True),
    ScorePage("GET", "score", "view", of_score=True, headers=PART),
    ScorePage("GET", "score", "view", of_score=True, headers=PANEL),
    ScorePage("GET", "score_next", "view", of_score=True),
    ScorePage("GET", "score_next", "view", of_score=True, headers=PANEL),
    ScorePage("GET", "review_mask", "view", query="?mark=0&score={score}"),
    ScorePage("POST", "score_decision", "decide", of_score=True, form=decision),
    ScorePage("POST", "score_decision", "decide", of_score=True, form=decision, headers=PART),
    ScorePage("POST", "score_decision_withdraw", "decide", of_score=True, form=decision),
    ScorePage("POST", "score_queue", "edit", of_score=True, form=decision),
    ScorePage("POST", "score_queue", "edit", of_score=True, form=decision, headers=PART),
    ScorePage("GET", "score_criterion", "decide", of_score=True),
    ScorePage("GET", "score_criterion", "decide", of_score=True, headers=PART),
    ScorePage("POST", "score_criterion", "decide", of_score=True, form=criterion),
    ScorePage("POST", "score_criterion", "decide", of_score=True, form=criterion, headers=PART),
    ScorePage("POST", "score_anew", "score", of_score=True, form=chosen),
    ScorePage("GET", "score_mask", "view", of_score=True, query="?mark=0"),
)
