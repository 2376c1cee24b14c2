"""What cases hold of a person: for the export of their data (ACC-D43)."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from accounts.models import Person
from datasets.logic.drafts import CaseDraft
from datasets.logic.erased_texts import answers_to
from datasets.models import Authorship, CaseRevision, WordsIn
from datasets.queries.seen_cases import content_of

BATCH = 500


def words_of(person: Person) -> list[dict[str, Any]]:
    """The cases that hold the person's words, each with its dataset's name and the agent's answers to those words.

    Words of others in the same case are left out. A case whose words differ from version to version comes once for
    each; one that only got other tags, once.
    """
    rows: dict[int, list[Authorship]] = defaultdict(list)
    for row in Authorship.objects.filter(person=person):
        rows[row.revision_id].append(row)
    keys, found = sorted(rows), []
    for start in range(0, len(keys), BATCH):
        batch = CaseRevision.objects.filter(pk__in=keys[start : start + BATCH]).select_related("dataset")
        found += [_entry(revision, rows[revision.pk]) for revision in batch.order_by("dataset", "position", "since")]
    return [entry for place, entry in enumerate(found) if place == 0 or entry != found[place - 1]]


def _entry(revision: CaseRevision, rows: Sequence[Authorship]) -> dict[str, Any]:
    case, parts = content_of(revision), {row.field for row in rows}
    entry: dict[str, Any] = {"dataset": revision.dataset.name, "case": str(revision.case_id)}
    if WordsIn.QUESTION in parts:
        entry["question"] = case.input
        entry["answers"] = [text for text in (case.reference_answer, case.counter_example) if text is not None]
    turns = sorted(row.turn for row in rows if row.turn is not None)
    if turns:
        entry["earlier_turns"] = [_turn(case, turn) for turn in turns]
    if WordsIn.NOTE in parts:
        entry["comment"] = case.note
    return entry


def _turn(case: CaseDraft, turn: int) -> dict[str, Any]:
    answers = [case.history[place]["content"] for place in sorted(answers_to(case.history, {turn}))]
    return {"text": case.history[turn]["content"], "answers": answers}
