"""What Activity costs with ten thousand and with a million runs: pages, filters, search, one run (PL-31)."""

import random
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, models, transaction
from django.utils import timezone

from accounts.actor import Actor
from activity.models import Conversation, Message, Run
from activity.queries.run_messages import around
from activity.queries.runs import NEWEST_FIRST, RunFilter, find_run, listed, runs
from agents.models import Agent
from benchmarks.measuring import analyse, median_and_queries
from benchmarks.people import owner
from core.folding import fold
from core.paging import keyset_page

SMALL, LARGE = 10_000, 1_000_000
REPEATS = 9
DEEP = 40
AGENTS = 12
# A word's share of the questions falls with its rank, as in any language.
WORDS = (
    "order kettle return refund delivery where when invoice address password account change cancel broken lid warranty "
    "pickup parcel colour size steel glass whistle handle filter cord boil leak rust gift voucher receipt shop store "
    "phone mail label courier customs tax price discount code card payment bank transfer monday friday weekend holiday"
).split()
SHARES = [1 / (rank + 1) for rank in range(len(WORDS))]


def main() -> None:
    """Print milliseconds, queries and how they grow."""
    actor = owner()
    agents = Agent.objects.bulk_create(
        Agent(organisation=actor.organisation, owner=actor.member, name=f"Agent {number}", kind="external")
        for number in range(AGENTS)
    )
    print(f"database: {connection.vendor}; medians of {REPEATS} in ms")
    first = _filled(actor, agents, SMALL, lambda: make_runs(actor, agents))
    second = _filled(actor, agents, LARGE - SMALL, lambda: copy_runs(LARGE // SMALL - 1))
    print(f"\n{'':44}{SMALL:>12,}{LARGE:>12,}{'ratio':>8}{'queries':>9}")
    for what, (before, _few) in first.items():
        after, queries = second[what]
        print(f"{what:44}{before:12.1f}{after:12.1f}{after / before:8.1f}{queries:9}")


def _filled(actor: Actor, agents: Sequence[Agent], more: int, fill: Callable[[], None]) -> dict[str, tuple[float, int]]:
    began = time.perf_counter()
    fill()
    seconds = time.perf_counter() - began
    print(f"{more:,} runs made in {seconds:.0f} s ({more / seconds:,.0f} a second)", flush=True)
    analyse()
    return {what: median_and_queries(act, REPEATS) for what, act in _acts(actor, agents).items()}


def _acts(actor: Actor, agents: Sequence[Agent]) -> dict[str, Callable[[], Any]]:
    """What is measured, by name; the deep page is reached first."""

    def page(wanted: RunFilter, cursor: str = "") -> Any:
        return keyset_page(listed(runs(actor, wanted)), NEWEST_FIRST, cursor=cursor)

    deep = ""
    for _page in range(DEEP):
        deep = page(RunFilter(), deep).next or ""
    now = timezone.now()
    some = keyset_page(runs(actor, RunFilter()), NEWEST_FIRST, cursor=deep).rows[0]
    wanted = {
        "filter: agent": RunFilter(agent_id=agents[3].pk),
        "filter: kind production": RunFilter(kind="production"),
        "filter: kind eval": RunFilter(kind="eval"),
        "filter: status failed": RunFilter(status="failed"),
        "filter: status completed": RunFilter(status="completed"),
        "filter: rating down": RunFilter(rating="down"),
        "filter: last 7 days": RunFilter(since=now - timedelta(days=7)),
        "filter: a week half a year ago": RunFilter(since=now - timedelta(days=187), until=now - timedelta(days=180)),
        "filter: agent, failed, rated down": RunFilter(agent_id=agents[3].pk, status="failed", rating="down"),
        "search: a frequent word": RunFilter(search="Order"),
        "search: a less frequent word": RunFilter(search="voucher"),
        "search: three words": RunFilter(search="gift voucher rust"),
        "search: a number in one question": RunFilter(search="#4711"),
        "search: nothing fits": RunFilter(search="zeppelin"),
        "search: frequent word, failed": RunFilter(search="kettle", status="failed"),
        "search: frequent word, agent, last 7 days": RunFilter(
            search="return", agent_id=agents[3].pk, since=now - timedelta(days=7)
        ),
    }
    acts: dict[str, Callable[[], Any]] = {
        "first page": lambda: page(RunFilter()),
        f"page {DEEP}": lambda: page(RunFilter(), deep),
    }
    acts |= {what: lambda one=one: page(one) for what, one in wanted.items()}  # type: ignore[misc]
    return acts | {"one run with its conversation": lambda: around(find_run(actor, some.pk))}


# --- Rows, without the operations, which would take an hour


def make_runs(actor: Actor, agents: Sequence[Agent]) -> None:
    """The first runs, over the last year, each with a conversation of a question and an answer."""
    dice = random.Random(1)
    now = timezone.now()
    made = [_run(actor, agents, dice, number, now) for number in range(SMALL)]
    with transaction.atomic():
        Conversation.objects.bulk_create([conversation for conversation, _run, _said in made], batch_size=500)
        Run.objects.bulk_create([run for _conversation, run, _said in made], batch_size=500)
        Message.objects.bulk_create([one for _conversation, _run, said in made for one in said], batch_size=500)


def _run(actor: Actor, agents: Sequence[Agent], dice: random.Random, number: int, now: datetime) -> Any:
    question = f"#{number} " + " ".join(dice.choices(WORDS, SHARES, k=9)) + "?"
    agent = dice.choice(agents)
    at = now - timedelta(seconds=dice.randrange(365 * 86_400))
    conversation = Conversation(organisation=actor.organisation, agent=agent, started_at=at, last_at=at)
    run = Run(
        organisation=actor.organisation,
        agent=agent,
        conversation=conversation,
        kind=dice.choices(["production", "eval", "isolated", "helper"], [80, 14, 4, 2])[0],
        status=dice.choices(["completed", "failed", "timed_out"], [96, 3, 1])[0],
        rating=dice.choices(["", "up", "down"], [92, 5, 3])[0],
        question=question,
        question_folded=fold(question),
        model="small-1",
        step_count=1,
        input_tokens=dice.randrange(200, 4000),
        output_tokens=dice.randrange(20, 400),
        seconds=dice.random() * 9,
        started_at=at,
        finished_at=at,
    )
    said = [
        Message(conversation=conversation, run=run, position=1, role="user", text=question, created_at=at),
        Message(conversation=conversation, run=run, position=2, role="assistant", text=question * 3, created_at=at),
    ]
    return conversation, run, said


def copy_runs(times: int) -> None:
    """So many copies of what is there, by the database itself: other ids and numbers, some minutes earlier."""
    for number in range(1, times + 1):
        with transaction.atomic(), connection.cursor() as cursor:
            for model in (Conversation, Run, Message):
                cursor.execute(_copying(model, number))


def _copying(model: type[models.Model], number: int) -> str:
    columns = [str(field.column) for field in model._meta.concrete_fields]
    ids = {"id", "conversation_id", "run_id"} if model is not Conversation else {"id"}
    values = [_copied(column, number, is_id=column in ids) for column in columns]
    named = ", ".join(f'"{column}"' for column in columns)
    # Only the first ones are copied: the id of a copy begins with its number, and no id of theirs does so.
    least = "01000000-0000-0000-0000-000000000000" if connection.vendor == "postgresql" else "01"
    first = f"SELECT {', '.join(values)} FROM {model._meta.db_table} WHERE id >= '{least}'"  # noqa: S608
    return f"INSERT INTO {model._meta.db_table} ({named}) {first}"


def _copied(column: str, number: int, *, is_id: bool) -> str:
    postgres = connection.vendor == "postgresql"
    if is_id and postgres:
        return f"CAST('{number:08x}' || substr(CAST({column} AS text), 9) AS uuid)"
    if is_id:
        return f"'{number:08x}' || substr({column}, 9)"
    if column in ("question", "question_folded"):
        return f"'#{number}0' || substr({column}, 2)"
    if column in ("started_at", "finished_at", "last_at") and postgres:
        return f"{column} - interval '{number * 311} seconds'"
    if column in ("started_at", "finished_at", "last_at"):
        return f"strftime('%Y-%m-%d %H:%M:%f', {column}, '-{number * 311} seconds')"
    return f'"{column}"'
