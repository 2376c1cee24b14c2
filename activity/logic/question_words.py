"""The words of a run's question as the list's search finds them: how an index is laid over them on either database.

A search finds the runs whose question has words that begin as each of the searched ones. PostgreSQL keeps an index of
the words; SQLite keeps a full-text table beside the runs, which triggers fill, so that no writer has to know of it.
"""

import re

# Marks that PostgreSQL's parser reads addresses, numbers and compounds by; as spaces they part words as on SQLite.
MARKS = "./-_:@&<+~"
POSTGRES_WORDS = f"to_tsvector('simple'::regconfig, translate(question_folded, '{MARKS}', '{' ' * len(MARKS)}'))"
POSTGRES_INDEX = f"CREATE INDEX run_by_words ON activity_run USING gin ({POSTGRES_WORDS})"
POSTGRES_NO_INDEX = "DROP INDEX run_by_words"

SQLITE_TABLES = (
    "CREATE TABLE activity_run_words_key (id INTEGER PRIMARY KEY, run_id char(32) NOT NULL UNIQUE)",
    "CREATE VIRTUAL TABLE activity_run_words USING "
    "fts5(words, content='', detail='none', columnsize=0, tokenize='unicode61 remove_diacritics 0')",
)
_ADD = (
    "INSERT INTO activity_run_words_key (run_id) VALUES (new.id); "
    "INSERT INTO activity_run_words (rowid, words) VALUES (last_insert_rowid(), new.question_folded); "
)
_REMOVE = (
    "INSERT INTO activity_run_words (activity_run_words, rowid, words) "
    "SELECT 'delete', id, old.question_folded FROM activity_run_words_key WHERE run_id = old.id; "
    "DELETE FROM activity_run_words_key WHERE run_id = old.id; "
)
SQLITE_TRIGGERS = {
    "activity_run_words_added": f"AFTER INSERT ON activity_run BEGIN {_ADD}END",
    "activity_run_words_removed": f"AFTER DELETE ON activity_run BEGIN {_REMOVE}END",
    "activity_run_words_changed": (
        "AFTER UPDATE OF question_folded ON activity_run WHEN old.question_folded <> new.question_folded "
        f"BEGIN {_REMOVE}{_ADD}END"
    ),
}
# The tables filled anew from the runs; a contentless table forgets by "delete-all" alone.
SQLITE_FILL = (
    "INSERT INTO activity_run_words (activity_run_words) VALUES ('delete-all')",
    "DELETE FROM activity_run_words_key",
    "INSERT INTO activity_run_words_key (run_id) SELECT id FROM activity_run ORDER BY started_at",
    "INSERT INTO activity_run_words (rowid, words) SELECT k.id, r.question_folded "
    "FROM activity_run_words_key k JOIN activity_run r ON r.id = k.run_id ORDER BY k.id",
)
SQLITE_FOUND = (
    "SELECT k.run_id FROM activity_run_words w JOIN activity_run_words_key k ON k.id = w.rowid "
    "WHERE activity_run_words MATCH %s"
)

# What stands before the beginning of a word, as a class of GLOB: none of the letters and digits that texts are made of.
_NO_LETTER = "[^0-9a-zÀ-\u1fff぀-鿿가-힣]"


def words_of(folded: str) -> list[str]:
    """The words of a folded text: runs of letters and digits, each once."""
    return list(dict.fromkeys(re.findall(r"[^\W_]+", folded)))


def postgres_query(words: list[str]) -> str:
    """The words as a tsquery: all of them, each as a beginning."""
    return " & ".join(f"{word}:*" for word in words)


def sqlite_query(words: list[str]) -> str:
    """The same for MATCH."""
    return " AND ".join(f'"{word}"*' for word in words)


def glob_of(word: str) -> str:
    """The same for one word, to be looked for in a text after a space."""
    return f"*{_NO_LETTER}{word}*"


def pattern_of(word: str) -> str:
    """The same for PostgreSQL's regular expressions, in the text itself."""
    return f"(^|{_NO_LETTER}){word}"
