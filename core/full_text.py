"""Full-text search in the database: the words of a text column, indexed by PostgreSQL or by SQLite's FTS5.

Both read words that `indexed_words` took apart, so that a search finds the same on either database whatever its own
idea of a word is: accents and case are ignored, letters and digits make words, everything else parts them. A person's
question is taken apart in the same way, so nothing of it can reach the query language of the database.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import log
from typing import Any
from uuid import UUID

from django.db import connections, migrations

from core.folding import fold
from core.limits import LIMITS

# Han and Kana are written without spaces: each sign is a word of its own.
_SIGN = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
WORD = re.compile(rf"[{_SIGN}]|[^\W_{_SIGN}]+")
LONGEST = 64  # characters of a word that count; what is longer is a key or a picture in letters
# How frequent a question's words are is estimated from some rows, taken from several places.
SAMPLED, PLACES = 200, 10
# Rows that one search ranks at the most: its rarest words come first, and frequent ones as far as there is room.
RANKED = 10_000


@dataclass(frozen=True)
class Hit:
    """A row that was found; the larger `relevance`, the better it fits, comparable within one search only."""

    id: int
    relevance: float


@dataclass(frozen=True)
class WeighedWord:
    """A word of a question: in how many rows it stands, as estimated, and its weight: rare words tell rows apart."""

    word: str
    rows: float
    weight: float


@dataclass(frozen=True)
class Piece:
    """A stretch of a text, and whether it is one of the words that were searched for."""

    text: str
    is_found: bool


def words_of(text: str) -> list[str]:
    """The words of a text as they are indexed, in order, each as often as it stands there."""
    return [word[:LONGEST] for word in WORD.findall(fold(text))]


def indexed_words(text: str) -> str:
    """What the indexed column holds of a text: its words with a space between them."""
    return " ".join(words_of(text))


def question_words(question: str) -> list[str]:
    """The words that a question looks for, each once, the first LIMITS.question_words of them."""
    return list(dict.fromkeys(words_of(question)))[: LIMITS.question_words]


def beginning_of(word: str) -> str:
    """What the other forms of a word begin with, as well as letters tell; empty where only the word itself counts.

    Languages bend their words at the end ("warranty", "warranties"; "gwarancja", "gwarancji"): a word of some length
    is looked for by its beginning too. The word itself counts twice, being found by both.
    """
    if not word.isalpha() or len(word) < 5:
        return ""
    return word[: -1 if len(word) < 7 else -2 if len(word) < 9 else -3]


def marked(text: str, question: str) -> list[Piece]:
    """The text in pieces, with the words that the question looks for marked."""
    wanted = set(question_words(question))
    beginnings = tuple(beginning for word in wanted if (beginning := beginning_of(word)))
    return list(_joined(_pieces(text, lambda word: word in wanted or word.startswith(beginnings))))


def _pieces(text: str, is_wanted: Callable[[str], bool]) -> Iterator[Piece]:
    end = 0
    for found in WORD.finditer(text):
        if is_wanted(fold(found.group())):
            yield Piece(text[end : found.start()], False)
            yield Piece(found.group(), True)
            end = found.end()
    yield Piece(text[end:], False)


def _joined(pieces: Iterator[Piece]) -> Iterator[Piece]:
    return (piece for piece in pieces if piece.text)


@dataclass(frozen=True)
class FullTextIndex:
    """An index over `column`, which holds `indexed_words`, of a table whose key `id` is a whole number.

    `within` is the column whose values say where a search looks. A migration lays the index by `operation`; on SQLite
    triggers keep it right, and since a table that is altered there loses them, the app calls `keep_triggers` after
    every migration.
    """

    table: str
    column: str
    within: str

    def operation(self) -> migrations.RunPython:
        """The migration's operation that lays the index, and takes it away when it is undone."""
        return migrations.RunPython(self._lay, self._take_away)

    def keep_triggers(self, using: str) -> None:
        """Make SQLite's triggers where they are missing."""
        connection = connections[using]
        if connection.vendor == "sqlite" and self._fts in connection.introspection.table_names():
            with connection.cursor() as cursor:
                for statement in self._triggers():
                    cursor.execute(statement)

    def search(self, question: str, *, within: Sequence[UUID], limit: int, using: str = "default") -> list[Hit]:
        """The rows that hold words of the question, the most relevant first. Nothing where it has no words."""
        words = question_words(question)
        if not words or not within:
            return []
        connection = connections[using]
        keys = [key if connection.vendor == "postgresql" else key.hex for key in within]
        weighed = self._weighed(connection, words, keys)
        rare = _rarest(weighed)
        found = self._ranked(connection, rare, keys, limit)
        return found if len(found) >= limit or rare == weighed else self._ranked(connection, weighed, keys, limit)

    def _ranked(self, connection: Any, words: list[WeighedWord], keys: list[Any], limit: int) -> list[Hit]:
        ranked = self._postgres if connection.vendor == "postgresql" else self._sqlite
        with connection.cursor() as cursor:
            cursor.execute(*ranked({one.word: one.weight for one in words}, keys, limit))
            return [Hit(row_id, float(relevance)) for row_id, relevance in cursor.fetchall()]

    def _weighed(self, connection: Any, words: list[str], keys: list[Any]) -> list[WeighedWord]:
        """The words with their inverse document frequency as BM25 has it, the rarest first."""
        rows = [set(text.split(" ")) for text in dict(self._sample(connection, keys)).values()]
        total = self._count(connection, keys)
        counts = Counter(word for row in rows for word in words if word in row)
        return [
            WeighedWord(
                word,
                rows=total * (counts[word] + 0.5) / (len(rows) + 1),
                weight=log(1 + (len(rows) - counts[word] + 0.5) / (counts[word] + 0.5)),
            )
            for word in sorted(words, key=lambda word: counts[word])
        ]

    def _count(self, connection: Any, keys: list[Any]) -> int:
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT count(*) FROM {self.table} WHERE {self.within} IN ({_marks(keys)})", keys)  # noqa: S608
            (found,) = cursor.fetchone()
            return int(found)

    def _sample(self, connection: Any, keys: list[Any]) -> Iterator[tuple[int, str]]:
        """Id and column of some rows, taken from several places of the index that keeps rows together by `within`."""
        places = max(1, PLACES // len(keys))
        each = max(1, SAMPLED // (places * len(keys)))
        with connection.cursor() as cursor:
            for key in keys:
                cursor.execute(f"SELECT min(id), max(id) FROM {self.table} WHERE {self.within} = %s", [key])  # noqa: S608
                first, last = cursor.fetchone()
                for place in range(places if first is not None else 0):
                    start = first + (last - first) * place // places
                    cursor.execute(
                        f"SELECT id, {self.column} FROM {self.table} WHERE {self.within} = %s AND id >= %s "  # noqa: S608
                        f"ORDER BY id LIMIT {each}",
                        [key, start],
                    )
                    yield from cursor.fetchall()

    def _postgres(self, words: dict[str, float], keys: list[Any], limit: int) -> tuple[str, list[Any]]:
        queries = {word: _either(word, "'{}'", "'{}':*", " | ") for word in words}
        ranks = " + ".join([f"%s * ts_rank({self._vector}, to_tsquery('simple'::regconfig, %s), 1)"] * len(words))
        sql = (
            f"SELECT id, {ranks} AS relevance FROM (SELECT id, {self._vector} FROM {self.table} "  # noqa: S608
            f"WHERE {self.within} = ANY(%s) AND {self._vector} @@ to_tsquery('simple'::regconfig, %s) LIMIT {RANKED}) "
            "found ORDER BY relevance DESC, id LIMIT %s"
        )
        weighted = [value for word, query in queries.items() for value in (words[word], query)]
        return sql, [*weighted, keys, " | ".join(queries.values()), limit]

    def _sqlite(self, words: dict[str, float], keys: list[Any], limit: int) -> tuple[str, list[Any]]:
        match = " OR ".join(_either(word, '"{}"', '"{}"*', " OR ") for word in words)
        sql = (
            f"SELECT id, -rank AS relevance FROM (SELECT t.id, bm25({self._fts}) AS rank FROM {self._fts} "  # noqa: S608
            f"CROSS JOIN {self.table} t ON t.id = {self._fts}.rowid "
            f"WHERE {self._fts} MATCH %s AND t.{self.within} IN ({_marks(keys)}) LIMIT {RANKED}) "
            "ORDER BY relevance DESC, id LIMIT %s"
        )
        return sql, [match, *keys, limit]

    @property
    def _fts(self) -> str:
        return f"{self.table}_fts"

    @property
    def _vector(self) -> str:
        return f"{self.column}_vector"

    def _lay(self, _apps: Any, editor: Any) -> None:
        for statement in self._postgres_index() if editor.connection.vendor == "postgresql" else self._sqlite_index():
            editor.execute(statement)

    def _take_away(self, _apps: Any, editor: Any) -> None:
        if editor.connection.vendor == "postgresql":
            editor.execute(f"ALTER TABLE {self.table} DROP COLUMN {self._vector}")
            return
        for name in ("added", "removed", "changed"):
            editor.execute(f"DROP TRIGGER IF EXISTS {self._fts}_{name}")
        editor.execute(f"DROP TABLE {self._fts}")

    def _postgres_index(self) -> list[str]:
        vector = f"to_tsvector('simple'::regconfig, {self.column})"
        return [
            f"ALTER TABLE {self.table} ADD COLUMN {self._vector} tsvector GENERATED ALWAYS AS ({vector}) STORED",
            f"CREATE INDEX {self._fts} ON {self.table} USING gin ({self._vector})",
        ]

    def _sqlite_index(self) -> list[str]:
        # The tokeniser takes every letter beyond ASCII as a part of a word: nothing but our spaces parts words.
        return [
            f"CREATE VIRTUAL TABLE {self._fts} USING "
            f"fts5({self.column}, content='{self.table}', content_rowid='id', tokenize='ascii')",
            f"INSERT INTO {self._fts} ({self._fts}) VALUES ('rebuild')",  # noqa: S608
            *self._triggers(),
        ]

    def _triggers(self) -> list[str]:
        fts, column = self._fts, self.column
        add = f"INSERT INTO {fts} (rowid, {column}) VALUES (new.id, new.{column}); "  # noqa: S608
        remove = f"INSERT INTO {fts} ({fts}, rowid, {column}) VALUES ('delete', old.id, old.{column}); "  # noqa: S608
        acts = {
            "added": f"AFTER INSERT ON {self.table} BEGIN {add}END",
            "removed": f"AFTER DELETE ON {self.table} BEGIN {remove}END",
            "changed": f"AFTER UPDATE OF {column} ON {self.table} BEGIN {remove}{add}END",
        }
        return [f"CREATE TRIGGER IF NOT EXISTS {fts}_{name} {act}" for name, act in acts.items()]


def _either(word: str, whole: str, begun: str, join: str) -> str:
    """The word or one that begins alike, in a database's own language; words hold letters and digits alone."""
    beginning = beginning_of(word)
    return join.join([whole.format(word)] + ([begun.format(beginning)] if beginning else []))


def _rarest(words: list[WeighedWord]) -> list[WeighedWord]:
    """As many of the words, the rarest first, as can be ranked together in time; at least one."""
    rows = list(accumulate(one.rows for one in words))
    return [one for place, one in enumerate(words) if place == 0 or rows[place] <= RANKED]


def _marks(values: list[Any]) -> str:
    return ", ".join(["%s"] * len(values))
