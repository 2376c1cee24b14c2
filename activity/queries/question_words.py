"""HasWords: whether a run's question has words that begin so, found by an index (PL-31)."""

from typing import Any
from uuid import UUID

from django.db import connections
from django.db.models import BooleanField, F, Func, Q, QuerySet, Value
from django.db.models.functions import Concat

from activity.logic import question_words

# On SQLite: where so many of the newest runs hold the words, the page is found soonest on the way through them.
NEWEST, FREQUENT = 2_000, 25
# Up to so many hits are looked up one by one.
FEW = 1_000


class HasWords(Func):
    """The condition in SQL, for a run's primary key and its folded question; `query` in the database's own language."""

    conditional = True
    output_field = BooleanField()

    def __init__(self, query: str) -> None:
        super().__init__(F("pk"), F("question_folded"), Value(query))

    def as_postgresql(self, compiler: Any, connection: Any, **_context: Any) -> tuple[str, list[Any]]:
        _pk, text, query = self.get_source_expressions()
        text_sql, text_params = compiler.compile(text)
        query_sql, query_params = compiler.compile(query)
        words = question_words.POSTGRES_WORDS.replace("question_folded", text_sql)
        return f"{words} @@ to_tsquery('simple'::regconfig, {query_sql})", [*text_params, *query_params]

    def as_sqlite(self, compiler: Any, connection: Any, **_context: Any) -> tuple[str, list[Any]]:
        key, _text, query = self.get_source_expressions()
        key_sql, key_params = compiler.compile(key)
        query_sql, query_params = compiler.compile(query)
        found = question_words.SQLITE_FOUND.replace("%s", query_sql)
        return f"{key_sql} IN ({found})", [*key_params, *query_params]


def with_words(runs: QuerySet[Any], words: list[str]) -> QuerySet[Any]:
    """Those of the runs whose question has words that begin as these.

    PostgreSQL knows how frequent words are and chooses between its indexes. SQLite does not: a rare word is looked up,
    a frequent one met soon enough on the way through the newest runs.
    """
    connection = connections[runs.db]
    if connection.vendor == "postgresql":
        return runs.filter(HasWords(question_words.postgres_query(words)))
    if _are_frequent(runs, words):
        return _holding(runs, words)
    query = question_words.sqlite_query(words)
    with connection.cursor() as cursor:
        cursor.execute(f"{question_words.SQLITE_FOUND} LIMIT %s", [query, FEW + 1])
        found = [UUID(key) for (key,) in cursor.fetchall()]
    return runs.filter(pk__in=found) if len(found) <= FEW else runs.filter(HasWords(query))


def _are_frequent(runs: QuerySet[Any], words: list[str]) -> bool:
    newest = runs.order_by("-started_at", "-pk").values("pk")[:NEWEST]
    return _holding(runs.model.objects.filter(pk__in=newest), words).order_by()[:FREQUENT].count() == FREQUENT


def _holding(runs: QuerySet[Any], words: list[str]) -> QuerySet[Any]:
    """The same read from each question, without the full-text table."""
    spaced = runs.alias(spaced_question=Concat(Value(" "), F("question_folded")))
    condition = Q()
    for word in words:
        condition &= Q(Glob(F("spaced_question"), Value(question_words.glob_of(word))))
    return spaced.filter(condition)


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
