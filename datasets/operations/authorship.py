"""Keeping whose words a revision holds: when a case is added, edited and restored (ACC-55, ACC-D38, ACC-D40).

Call everything here inside the transaction of an act that holds the dataset's lock.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from accounts.models import Person
from accounts.operations.persons import hold_persons
from datasets.logic.drafts import CaseDraft
from datasets.logic.erased_texts import is_erased
from datasets.logic.turn_authors import places_of_turns
from datasets.models import Authorship, CaseRevision, WordsIn

BATCH = 500


@dataclass(frozen=True)
class Authors:
    """Whose words a new case holds: who asked its question, who wrote each earlier turn by its place from 0, and whose
    comment became its note. A case that nobody asked, written by hand or imported, has none (ACC-D38)."""

    question: Person | None = None
    turns: Mapping[int, Person] = field(default_factory=dict)
    note: Person | None = None

    def __iter__(self) -> Iterator[tuple[str, int | None, Person]]:
        if self.question:
            yield WordsIn.QUESTION, None, self.question
        for turn, person in self.turns.items():
            yield WordsIn.TURN, turn, person
        if self.note:
            yield WordsIn.NOTE, None, self.note


NOBODY = Authors()


def store_authors(revisions: Sequence[CaseRevision], authors: Sequence[Authors]) -> None:
    """Remember who wrote what in new cases; one `Authors` for each, or none at all.

    Raises `Conflict` `person_erased` where one of them is erased or about to be: their words may not come in any more
    (ACC-D35).
    """
    rows = [
        Authorship(revision=revision, field=words, turn=turn, person=person)
        for revision, each in zip(revisions, authors, strict=bool(authors))
        for words, turn, person in _fitting(revision, each)
    ]
    hold_persons({row.person_id for row in rows})
    Authorship.objects.bulk_create(rows, batch_size=BATCH)


def keep_authors(pairs: Sequence[tuple[CaseRevision, CaseRevision]]) -> None:
    """Give each new revision the authors of the one it came from, as `(old, new)`.

    Editing changes no authorship, since the words may remain, until an anonymised case is written anew (ACC-D40,
    ACC-D31). A turn keeps its authors wherever it stands now.
    """
    going_on = [(old, new) for old, new in pairs if not is_written_anew(old, new.input)]
    for start in range(0, len(going_on), BATCH):
        batch = going_on[start : start + BATCH]
        authors = _authors_of([old for old, _new in batch])
        rows = [row for old, new in batch if old.pk in authors for row in _moved(old, new, authors[old.pk])]
        Authorship.objects.bulk_create(rows, batch_size=BATCH)


def marks_after(old: CaseRevision, draft: CaseDraft) -> dict[str, Any]:
    """What the revision that follows `old` keeps of its marks: that its text is hidden, anonymised, partly removed.

    All end where an anonymised case is written anew (ACC-D17, ACC-D31).
    """
    if is_written_anew(old, draft.input):
        return {}
    return {
        "conversation_text": old.conversation_text,
        "anonymised_at": old.anonymised_at,
        "text_removed_at": old.text_removed_at if is_erased(draft) else None,
    }


def is_written_anew(old: CaseRevision, question: str) -> bool:
    """Whether an edit gives an anonymised case a new question; none of the old words remain then (ACC-D31)."""
    return old.anonymised_at is not None and question != old.input


def _fitting(revision: CaseRevision, authors: Authors) -> Authors:
    turns = revision.history
    if any(place >= len(turns) or turns[place]["role"] != "user" for place in authors.turns):
        raise ValueError("only turns of the user that the case has can have an author")
    if authors.note and revision.note is None:
        raise ValueError("a case without a note has no author of it")
    return authors


def _authors_of(revisions: Sequence[CaseRevision]) -> dict[int, list[Authorship]]:
    found: dict[int, list[Authorship]] = defaultdict(list)
    for row in Authorship.objects.filter(revision__in=revisions):
        found[row.revision_id].append(row)
    return found


def _moved(old: CaseRevision, new: CaseRevision, authors: Sequence[Authorship]) -> Iterator[Authorship]:
    """The old revision's rows as the new one's, those of turns at the places where their words may stand now."""
    of_turns: dict[int, set[UUID]] = defaultdict(set)
    for row in authors:
        if row.turn is None:
            yield Authorship(revision=new, field=row.field, person_id=row.person_id)
        else:
            of_turns[row.turn].add(row.person_id)
    for place, came_from in enumerate(places_of_turns(old.history, new.history)):
        people = {person for turn in came_from for person in of_turns.get(turn, ())}
        if new.history[place]["role"] == "user":
            yield from (Authorship(revision=new, field=WordsIn.TURN, turn=place, person_id=each) for each in people)
