"""What a page of the review of answers costs with ten thousand and with a hundred thousand scores (RV-2, RV-D4)."""

import copy
import time
from datetime import timedelta
from urllib.parse import quote
from uuid import UUID

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import User
from agents.models import Agent
from agents.operations.agents import create_agent
from benchmarks.measuring import analyse
from benchmarks.people import owner
from core.ids import new_id
from datasets.logic.drafts import CaseDraft
from datasets.models import Dataset
from datasets.operations.cases import add_case
from datasets.operations.datasets import create_dataset
from review.models import Stay
from review.operations.exporting import export_scores
from review.queries.review_pages import WAITING_FIRST, review_page
from scoring.models import Score
from scoring.operations.settings import snapshot_of
from scoring.queries.scores import ScoreFilter

SMALL, LARGE = 10_000, 100_000
REPEATS = 9
CASES = 200
OUTCOMES = ("pass", "pass", "fail", "pass", "fail", "pass", "pass", "unscored", "pass", "pass")
PART = {"HX-Request": "true"}


def main() -> None:
    """Print milliseconds and queries for both sizes."""
    actor = owner()
    dataset = create_dataset(actor, name="Returns")
    cases = [_case(actor, dataset, number) for number in range(CASES)]
    agents = [create_agent(actor, kind="external", name=f"Agent {number}") for number in range(3)]
    dataset.refresh_from_db()
    client = Client()
    client.force_login(User.objects.get(pk=actor.user_id))
    print(f"database: {connection.vendor}; the best of {REPEATS} in ms, the whole answer of the server; 3 of 100 wait")
    found: list[dict[str, tuple[float, int]]] = []
    for more in (SMALL, LARGE - SMALL):
        _fill(dataset, cases, agents, more)
        found.append({what: _measured(client, dataset, query) for what, query in _queries(dataset, agents)})
    first, second = found
    print(f"\n{'':44}{SMALL:>12,}{LARGE:>12,}{'queries':>9}")
    for what, (before, _few) in first.items():
        after, queries = second[what]
        print(f"{what:44}{before:12.1f}{after:12.1f}{queries:9}")
    _export(actor, dataset)


def _queries(dataset: Dataset, agents: list[Agent]) -> list[tuple[str, str]]:
    one, two, _three = (agent.pk for agent in agents)
    return [
        ("newest first", ""),
        ("newest first, in the middle", _cursor_in_the_middle(dataset)),
        ("outcome", "outcome=fail"),
        ("two outcomes", "outcome=fail&outcome=unscored"),
        ("all outcomes", "outcome=fail&outcome=unscored&outcome=pass"),
        ("agent", f"agent={one}"),
        ("two agents", f"agent={one}&agent={two}"),
        ("agent and outcome", f"agent={one}&outcome=unscored"),
        ("tag of every case", "tag=returns"),
        ("tag of one case", "tag=rare"),
        ("tag and outcome", "tag=rare&outcome=unscored"),
        ("waiting first", "sort=waiting_first"),
        ("waiting first, the last that wait", _cursor_at_the_end_of_the_queue(dataset)),
        ("waiting first, two outcomes", "sort=waiting_first&outcome=fail&outcome=unscored"),
        ("waiting first, agent", f"sort=waiting_first&agent={two}"),
    ]


def _case(actor: Actor, dataset: Dataset, number: int) -> UUID:
    tags = ("returns", "rare") if number == 7 else ("returns",)
    draft = CaseDraft(input=f"Can I return item {number}?", reference_answer="Yes.", tags=tags)
    return add_case(actor, dataset_id=dataset.pk, draft=draft).revision.case_id


def _measured(client: Client, dataset: Dataset, query: str) -> tuple[float, int]:
    address = reverse("review_answers", args=[dataset.pk]) + f"?{query}"
    with CaptureQueriesContext(connection) as captured:
        assert b"data-row-id" in client.get(address, headers=PART).content
    queries = len(captured)  # before the next request forgets them
    times = []
    for _repeat in range(REPEATS):
        began = time.perf_counter()
        client.get(address, headers=PART)
        times.append((time.perf_counter() - began) * 1000)
    return min(times), queries


def _cursor_in_the_middle(dataset: Dataset) -> str:
    return f"after={_cursor_after(dataset, Score.objects.filter(dataset=dataset).count() // 2)}"


def _cursor_at_the_end_of_the_queue(dataset: Dataset) -> str:
    waiting = Stay.objects.filter(dataset=dataset, left_at=None).count()
    return f"sort={WAITING_FIRST}&after={_cursor_after(dataset, waiting - 10, WAITING_FIRST)}"


def _cursor_after(dataset: Dataset, rows: int, sort: str = "") -> str:
    actor = Actor.of_member(dataset.owner)
    return quote(review_page(actor, dataset, ScoreFilter(), sort=sort, size=rows).next or "")


def _fill(dataset: Dataset, cases: list[UUID], agents: list[Agent], count: int) -> None:
    """Answers of three agents; three of a hundred wait, as many are decided against what grading found."""
    now, snapshot = timezone.now(), snapshot_of(dataset)
    whole = Score(
        organisation_id=dataset.organisation_id, dataset=dataset, version=dataset.newest_version, snapshot=snapshot,
        origin="eval", has_agent=True, state="done", answer="It is thirty days. " * 60,
    )  # fmt: skip
    scores, stays = [], []
    for number in range(count):
        one = copy.copy(whole)
        one.pk, one.outcome = new_id(), OUTCOMES[number % len(OUTCOMES)]
        one.case_id, one.agent = cases[number % CASES], agents[number % len(agents)]
        one.created_at = one.graded_at = now - timedelta(seconds=number)
        if number % 100 in (11, 42, 77):
            one.decided = "fail" if one.outcome == "pass" else "pass"
        if number % 100 in (2, 33, 64):
            # Of an agent of its own each: one waits for each case and agent.
            stays.append(Stay(score=one, dataset=dataset, case_id=one.case_id, agent_key=new_id(), entry="sent"))
        scores.append(one)
    Score.objects.bulk_create(scores, batch_size=2_000)
    Stay.objects.bulk_create(stays, batch_size=2_000)
    analyse()


def _export(actor: Actor, dataset: Dataset) -> None:
    """How fast a file of all leaves."""
    began, size, rows = time.perf_counter(), 0, 0
    for piece in export_scores(actor, dataset_id=dataset.pk, file_format="jsonl", wanted=ScoreFilter()).pieces:
        size, rows = size + len(piece), rows + piece.count(b"\n")
    seconds = time.perf_counter() - began
    print(f"\nexport of {rows:,} answers, {size / 1e6:,.0f} MB: {seconds:.1f} s, {rows / seconds:,.0f} a second")
