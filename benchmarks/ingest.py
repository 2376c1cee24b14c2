"""How many runs a second the API takes in, and how that compares with handing the same rows to the database bare."""

import json
import time
from collections.abc import Iterator
from typing import Any

from django.db import connection, transaction
from django.test import Client

from accounts.operations.api_keys import issue_api_key
from activity.models import Conversation, Message, Run
from activity.operations.bulk_rows import insert_rows
from agents.models import Agent, AgentKind
from benchmarks.people import owner
from core.ids import new_id
from core.limits import LIMITS

ROUNDS, AT_ONCE = 6, LIMITS.runs_a_request
QUESTION = "Was the refund for order {} sent? I paid by card on 3 March. " + "I have asked twice already. " * 4
ANSWER = "The refund for order {} was sent on Monday; it takes five days. " + "Write again if it does not come. " * 6


def main() -> None:
    """Print runs a second, and the ratio to a bare insert of the same rows, COPY on PostgreSQL; the best of several."""
    actor = owner()
    agent = Agent.objects.create(
        organisation=actor.organisation, owner=actor.member, name="Bench", kind=AgentKind.EXTERNAL
    )
    client = Client(headers={"Authorization": f"Bearer {issue_api_key(actor, name='bench').raw}"})
    send(client, agent, 0)
    busy = time.process_time()
    taken = min(send(client, agent, number) for number in range(1, ROUNDS))
    busy = (time.process_time() - busy) / (ROUNDS - 1)
    bare = min(insert_again() for _ in range(ROUNDS))
    way = "COPY" if connection.vendor == "postgresql" else "INSERT"
    print(f"{connection.vendor}: lists of {AT_ONCE} runs of four messages, through the API in this process")
    print(f"  {AT_ONCE / taken:,.0f} runs a second ({taken * 1000:.0f} ms a list)")
    print(f"  {busy * 1000:.0f} ms of each list are this process at work; the rest is the database and the machine")
    print(f"  bare {way} of the same rows: {bare * 1000:.0f} ms a list; ratio {taken / bare:.1f}")


def send(client: Client, agent: Agent, number: int) -> float:
    """Seconds for one list."""
    body = json.dumps({"runs": list(sent_runs(agent, number))})
    began = time.perf_counter()
    response = client.post("/api/v1/runs", body, content_type="application/json")
    taken = time.perf_counter() - began
    if response.status_code != 201:
        raise SystemExit(response.content.decode())
    return taken


def sent_runs(agent: Agent, number: int) -> Iterator[dict[str, Any]]:
    """Runs of a question, a tool call, its result and an answer, each of a conversation and a key of its own."""
    for index in range(AT_ONCE):
        order = number * AT_ONCE + index
        call = {"name": "find_order", "arguments": json.dumps({"number": order, "fields": ["state", "sent_at"]})}
        yield {
            "agent": str(agent.pk),
            "conversation": f"chat-{order}",
            "person": f"customer-{order % 50}",
            "messages": [
                {"role": "user", "content": QUESTION.format(order)},
                {"role": "assistant", "content": None, "tool_calls": [{"id": "call_1", "function": call}]},
                {"role": "tool", "tool_call_id": "call_1", "content": json.dumps({"state": "sent", "number": order})},
                {"role": "assistant", "content": ANSWER.format(order)},
            ],
            "model": "gpt-4.1-mini",
            "usage": {"prompt_tokens": 1200, "prompt_tokens_details": {"cached_tokens": 900}, "completion_tokens": 60},
            "cost": 0.00042,
            "started_at": "2026-11-30T08:00:00Z",
            "finished_at": "2026-11-30T08:00:03.2Z",
            "idempotency_key": f"answer-{order}",
        }


def insert_again() -> float:
    """Seconds for the rows of one list, with new ids, straight into the tables; made ready before, then taken back."""
    tables = [(model, *rows_of(model)) for model in (Conversation, Run, Message)]
    renewed(tables)
    began = time.perf_counter()
    with transaction.atomic():
        for model, names, rows in tables:
            insert_rows(model, names, rows)
        with connection.cursor() as cursor:
            # What a commit would check of foreign keys, so that both do the same work.
            if connection.vendor == "postgresql":
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        taken = time.perf_counter() - began
        transaction.set_rollback(True)
    return taken


def rows_of(model: Any) -> tuple[list[str], list[list[Any]]]:
    """The rows that the last list made, as they are stored."""
    fields = model._meta.concrete_fields
    names = [field.attname for field in fields]
    count = AT_ONCE * (4 if model is Message else 1)
    rows = []
    for thing in model.objects.order_by("-pk")[:count]:
        rows.append([field.get_prep_value(getattr(thing, field.attname)) for field in fields])
    return names, rows


def renewed(tables: list[tuple[Any, list[str], list[list[Any]]]]) -> None:
    """Give every row an id that is free, and what must be unique another value."""
    ids: dict[Any, Any] = {}
    for _model, names, rows in tables:
        for row in rows:
            ids[row[names.index("id")]] = row[names.index("id")] = new_id()
    for _model, names, rows in tables:
        for place, name in enumerate(names):
            for row in rows:
                if name in ("conversation_id", "run_id"):
                    row[place] = ids.get(row[place], row[place])
                elif name in ("external_id", "idempotency_key"):
                    row[place] = f"{row[place]}-again"
