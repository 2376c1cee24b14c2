"""Finding runs by the words of their question, by an index or on the way through the newest (PL-31)."""

from typing import Any
from uuid import UUID

from django.db import connections
from django.db.models import BooleanField, Case, F, Func, Q, QuerySet, Value, When
from django.db.models.functions import Concat

from activity.logic import question_words

# Where so many of the newest runs hold the words, the page is found soonest on the way through them.
NEWEST, FREQUENT = 500, 10
# Up to so many hits are looked up one by one; with more, a page is not far on that way either.
FEW = 2_000


class HasWords(Func):
    """PostgreSQL's condition that its index answers."""

    conditional = True
    output_field = BooleanField()

    def __init__(self, query: str) -> None:
        super().__init__(F("question_folded"), Value(query))

    def as_postgresql(self, compiler: Any, _connection: Any, **_context: Any) -> tuple[str, list[Any]]:
        text, query = self.get_source_expressions()
        text_sql, text_params = compiler.compile(text)
        query_sql, query_params = compiler.compile(query)
        words = question_words.POSTGRES_WORDS.replace("question_folded", text_sql)
        return f"{words} @@ to_tsquery('simple'::regconfig, {query_sql})", [*text_params, *query_params]


def with_words(runs: QuerySet[Any], words: list[str]) -> QuerySet[Any]:
    """Those of the runs whose question has words that begin as these.

    Neither database can tell how frequent a beginning is: PostgreSQL takes each for a fiftieth of all words and reads
    every run for a rare one, SQLite gathers every hit of a frequent one. So the newest runs are asked first.
    """
    if _are_frequent(runs, words):
        return _holding(runs, words)
    found = _hits(runs, words)
    return runs.filter(pk__in=found) if len(found) <= FEW else _holding(runs, words)


def _are_frequent(runs: QuerySet[Any], words: list[str]) -> bool:
    newest = runs.order_by("-started_at", "-pk").values("pk")[:NEWEST]
    return _holding(runs.model.objects.filter(pk__in=newest), words).order_by()[:FREQUENT].count() == FREQUENT


def _hits(runs: QuerySet[Any], words: list[str]) -> list[UUID]:
    """The keys of runs that hold the words, of any organisation; at most one more than are looked up one by one."""
    connection = connections[runs.db]
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            asked: list[str | int] = [question_words.sqlite_query(words), FEW + 1]
            cursor.execute(f"{question_words.SQLITE_FOUND} LIMIT %s", asked)
            return [UUID(key) for (key,) in cursor.fetchall()]
    # Of every organisation and in no order, so that no other index tempts PostgreSQL.
    found = runs.model.objects.filter(HasWords(question_words.postgres_query(words))).order_by()
    return list(found.values_list("pk", flat=True)[: FEW + 1])


def _holding(runs: QuerySet[Any], words: list[str]) -> QuerySet[Any]:
    """The same read from each question, without the index."""
    condition = Q()
    if connections[runs.db].vendor == "postgresql":
        for word in words:
            condition &= Q(question_folded__regex=question_words.pattern_of(word))
        # PostgreSQL takes every pattern for a rare one and sorts all runs; inside a case it does not guess.
        holds = Case(When(condition, then=Value(True)), default=Value(False))
        return runs.alias(holds_words=holds).filter(holds_words=True)
    for word in words:
        condition &= Q(Glob(F("spaced_question"), Value(question_words.glob_of(word))))
    return runs.alias(spaced_question=Concat(Value(" "), F("question_folded"))).filter(condition)


class Glob(Func):
    """SQLite's GLOB."""

    conditional = True
    output_field = BooleanField()
    template = "%(expressions)s"
    arg_joiner = " GLOB "


def keep_triggers(using: str) -> None:
    """Make SQLite's triggers where they are missing, and fill the full-text table anew: no trigger saw what changed.

    SQLite's tables are made again to be altered, and their triggers go with the old one.
    """
    connection = connections[using]
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type IN ('trigger', 'table')")
        there = {name for (name,) in cursor.fetchall()}
        missing = {name: made for name, made in question_words.SQLITE_TRIGGERS.items() if name not in there}
        if not missing or not {"activity_run_words", "activity_run"} <= there:
            return
        for name, made in missing.items():
            cursor.execute(f"CREATE TRIGGER {name} {made}")
        for statement in question_words.SQLITE_FILL:
            cursor.execute(statement)
