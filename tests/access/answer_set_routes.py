"""Every address of stored answers with what it needs and a request that succeeds where the need is met."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID, uuid4

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse

QUESTION = "How long is the return window?"
FILE = f"input,answer\n{QUESTION},30 days\n".encode()
PART = {"HX-Request": "true"}


@dataclass(frozen=True)
class AnswerSetTarget:
    """A dataset with two sets; ids that are made up where there is none."""

    dataset: UUID = field(default_factory=uuid4)
    answer_set: UUID = field(default_factory=uuid4)
    other: UUID = field(default_factory=uuid4)


@dataclass(frozen=True)
class AnswerSetRoute:
    """One method on one address. `score` is `datasets:run` with `runs:view`; `of_set` where the address names a set."""

    method: str
    name: str
    need: Literal["view", "edit", "score"]
    of_set: bool = False
    query: str = ""
    json: Any = None
    form: Callable[[], dict[str, Any]] | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.method} {self.name}{self.query}{' part' if self.headers else ''}"

    def ask(self, client: Client, target: AnswerSetTarget) -> HttpResponseBase:
        ids = [target.dataset, target.answer_set] if self.of_set else [target.dataset]
        path = reverse(self.name, args=ids) + self.query.format(other=target.other)
        if self.form is not None:
            return client.post(path, self.form(), headers=self.headers)
        body = json.dumps(self.json) if self.json is not None else ""
        return client.generic(self.method, path, body, content_type="application/json", headers=self.headers)


def file(**more: str) -> dict[str, Any]:
    return {"file": SimpleUploadedFile("answers.csv", FILE, content_type="text/csv"), **more}


ANSWER_SETS = (
    AnswerSetRoute("GET", "api_answer_sets", "view"),
    AnswerSetRoute(
        "POST", "api_answer_sets", "score", json={"label": "a", "answers": [{"input": QUESTION, "answer": "30 days"}]}
    ),
    AnswerSetRoute("POST", "api_answer_sets", "score", form=file),
    AnswerSetRoute("GET", "api_answer_set", "view", of_set=True),
    AnswerSetRoute("DELETE", "api_answer_set", "edit", of_set=True),
    AnswerSetRoute("GET", "answer_sets", "view"),
    AnswerSetRoute("GET", "answer_sets", "view", headers=PART),
    AnswerSetRoute("GET", "answer_set_new", "score"),
    AnswerSetRoute("POST", "answer_set_new", "score", form=file),
    AnswerSetRoute("POST", "answer_set_new", "score", form=lambda: file(step="score", once="one")),
    AnswerSetRoute("GET", "answer_set_template", "score"),
    AnswerSetRoute("GET", "answer_set", "view", of_set=True),
    AnswerSetRoute("GET", "answer_set", "view", of_set=True, headers=PART),
    AnswerSetRoute("GET", "answer_sets_compare", "view", of_set=True, query="?with={other}"),
    AnswerSetRoute("GET", "answer_set_delete", "edit", of_set=True),
    AnswerSetRoute("POST", "answer_set_delete", "edit", of_set=True, form=dict),
)
