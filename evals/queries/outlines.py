"""The outline of a test run as it is now, kept between requests for runs that are large and have ended (EV-D34).

What is kept is found again only under the mark of the scores and attempts that it was made of. The mark is read anew
each time, so that nobody who changes a score needs to know of it: a decision, a grading, an erasure or a deletion
alters it, and the outline is made again. Words of cases are not kept: tags are read with the cases each time.
"""

import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.core.cache import cache
from django.db import connection
from django.db.models import ExpressionWrapper, F, TextField

from evals.logic.outlines import ItemOutline, KeptOutline, RunOutline, outline_of_results
from evals.models import Attempt, EvalItem, EvalRun
from evals.queries.results import results_of
from scoring.models import Score

# Results of fewer attempts are read about as quickly as what is kept of them.
KEPT_FROM = 500
KEPT_SECONDS = 7 * 24 * 3600
# Counted up when what is kept changes its form.
FORM = 1

# What can change of an attempt of a run that has ended, and of its score: each grading has a moment of its own, and so
# has an erasure. The sums stand for what nobody changes.
MARKS = {
    "sqlite": """
        SELECT COUNT(*), group_concat(
            substr({attempts}.id, -8) || {attempts}.state || COALESCE({scores}.outcome || {scores}.decided
            || COALESCE({scores}.graded_at, '') || COALESCE({scores}.answer_removed_at, '')
            || ({scores}.judge_run_id IS NULL), '-')),
            TOTAL({attempts}.cost), TOTAL({scores}.judge_cost), TOTAL({attempts}.seconds),
            TOTAL({attempts}.input_tokens), TOTAL({attempts}.output_tokens)
    """,
    "postgresql": """
        SELECT COUNT(*), md5(string_agg(
            right({attempts}.id::text, 8) || {attempts}.state || COALESCE({scores}.outcome || {scores}.decided
            || COALESCE({scores}.graded_at::text, '') || COALESCE({scores}.answer_removed_at::text, '')
            || ({scores}.judge_run_id IS NULL)::text, '-'), ',' ORDER BY {attempts}.id)),
            SUM({attempts}.cost), SUM({scores}.judge_cost), SUM({attempts}.seconds),
            SUM({attempts}.input_tokens), SUM({attempts}.output_tokens)
    """,
}
ROWS = " FROM {attempts} LEFT JOIN {scores} ON {scores}.id = {attempts}.score_id WHERE {attempts}.run_id = %s"


AS_STORED = {"stored_id": "id", "stored_case": "case_id", "stored_tags": "tags"}


@dataclass(frozen=True)
class Mark:
    """What a run's attempts and scores look like now; equal only where nothing of them has changed."""

    attempts: int
    digest: str


def outline_of(run: EvalRun) -> RunOutline:
    """The same as `results_of`, without the attempts of each case; three statements for what was read before."""
    mark = mark_of(run)
    if mark is None:
        return outline_of_results(results_of(run))
    items = _items(run)
    ids = zlib.crc32(b"".join(row[0].bytes for row in items))
    kept = kept_of(run, "outline", f"{mark.digest} {ids}", lambda: KeptOutline.of(results_of(run)).as_json())
    return _outline(items, KeptOutline.of_json(kept))


def _items(run: EvalRun) -> list[tuple[UUID, UUID, int, int, tuple[str, ...]]]:
    """The cases in their order. Ids and tags come as the database has them: to turn each of ten thousand by itself into
    what it is takes longer than all the rest, and most cases share their tags."""
    names = {name: ExpressionWrapper(F(field), output_field=TextField()) for name, field in AS_STORED.items()}
    rows: Any = EvalItem.objects.filter(run=run).order_by("position", "id").annotate(**names)
    tags: dict[str, tuple[str, ...]] = {}
    found = []
    for item_id, case_id, text, revision_id, position in rows.values_list(*AS_STORED, "revision_id", "position"):
        if text not in tags:
            tags[text] = tuple(json.loads(text))
        found.append((_id(item_id), _id(case_id), revision_id, position, tags[text]))
    return found


def _id(stored: Any) -> UUID:
    return stored if isinstance(stored, UUID) else UUID(int=int(stored, 16))


def mark_of(run: EvalRun) -> Mark | None:
    """None for a run of which nothing is kept: it is at work, or small."""
    if not run.is_final:
        return None
    tables = {
        "attempts": connection.ops.quote_name(Attempt._meta.db_table),
        "scores": connection.ops.quote_name(Score._meta.db_table),
    }
    statement = (MARKS[connection.vendor] + ROWS).format(**tables)
    with connection.cursor() as cursor:
        cursor.execute(statement, [run.pk.hex if connection.vendor == "sqlite" else run.pk])
        count, *seen = cursor.fetchone()
    if count < KEPT_FROM:
        return None
    return Mark(count, sha256("\n".join(map(str, seen)).encode()).hexdigest())


def kept_of(run: EvalRun, name: str, mark: str, made: Callable[[], Any]) -> Any:
    """What was kept under this mark, or else what is made now, as plain JSON."""
    key = f"evals:{FORM}:{name}:{run.pk}"
    found = cache.get(key)
    if found is not None and found[0] == mark:
        return json.loads(zlib.decompress(found[1]))
    fresh = made()
    cache.set(key, (mark, zlib.compress(json.dumps(fresh).encode(), 1)), KEPT_SECONDS)
    return fresh


def _outline(items: list[tuple[UUID, UUID, int, int, tuple[str, ...]]], kept: KeptOutline) -> RunOutline:
    courses = kept.courses
    return RunOutline(
        tuple(
            ItemOutline(item_id, case_id, revision_id, position, tags, courses[place])
            for (item_id, case_id, revision_id, position, tags), place in zip(items, kept.places, strict=True)
        ),
        kept.sums,
    )
