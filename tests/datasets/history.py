"""Writers that change one dataset side by side and write down what they were told, and the check against the database.

Small in test_history.py; in full size with `python -m benchmarks history`.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

from django.db import connections

from accounts.actor import Actor
from core.errors import DomainError
from datasets.logic.drafts import CaseDraft
from datasets.models import CaseRevision, Dataset, DatasetVersion, RevisionUsage
from datasets.operations.cases import add_case, delete_cases, edit_case
from datasets.operations.imports import import_file
from datasets.operations.restores import restore_version

# So many cases that some are edited and deleted by several at once, and not so many that none are.
CASES = 40
WEIGHTS = {"add": 25, "edit": 45, "delete": 15, "import": 8, "restore": 7}


class Made(NamedTuple):
    """A version that a writer was told it made.

    `texts` are the new texts, each written once and never again; `cases` the ids that the act named; `base` the
    revision that it began from, or the version that was restored.
    """

    act: str
    version: int
    texts: tuple[str, ...] = ()
    cases: tuple[UUID, ...] = ()
    base: int | None = None


@dataclass
class Told:
    """Everything that writers were told: versions made, refusals by code, and what should never come."""

    made: list[Made] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    unchanged: int = 0
    faults: list[str] = field(default_factory=list)


class Writer:
    """One member of staff who works without looking at the others."""

    def __init__(self, actor: Actor, dataset_id: UUID, name: str, *, operations: int) -> None:
        self.actor, self.dataset_id, self.name, self.operations = actor, dataset_id, name, operations
        self.dice = random.Random(name)  # noqa: S311
        self.told = Told()
        self.written = 0

    def work(self) -> Told:
        """Do all of it on a connection of its own."""
        try:
            for _operation in range(self.operations):
                self._one()
        finally:
            connections.close_all()
        return self.told

    def _one(self) -> None:
        act = self.dice.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        open_ones = list(CaseRevision.objects.filter(dataset=self.dataset_id, until=None).values_list("case", "since"))
        if len(open_ones) < 5:
            act = "import"
        elif len(open_ones) > CASES and act in {"add", "import"}:
            act = "delete"
        try:
            made = getattr(self, f"_{act}")(open_ones)
        except DomainError as error:
            self.told.refused[f"{act}: {getattr(error, 'code', type(error).__name__)}"] += 1
        except Exception as error:  # what a request would answer with 500
            self.told.faults.append(f"{act}: {error!r}")
        else:
            if made is None:
                self.told.unchanged += 1
            else:
                self.told.made.append(made)

    def _text(self) -> str:
        self.written += 1
        return f"{self.name}-{self.written}"

    def _add(self, _open: Sequence[tuple[UUID, int]]) -> Made:
        text = self._text()
        draft = CaseDraft("q", reference_answer="a", note=text)
        return Made("add", add_case(self.actor, dataset_id=self.dataset_id, draft=draft).version, (text,))

    def _import(self, _open: Sequence[tuple[UUID, int]]) -> Made:
        texts = tuple(self._text() for _row in range(self.dice.randint(1, 6)))
        data = "input,reference_answer,note\n" + "".join(f"q,a,{text}\n" for text in texts)
        result = import_file(self.actor, dataset_id=self.dataset_id, name="x.csv", data=data.encode())
        return Made("import", result.version.number, texts)

    def _edit(self, open_ones: Sequence[tuple[UUID, int]]) -> Made:
        case, since = self.dice.choice(open_ones)
        base = since if self.dice.random() < 0.8 else None
        text = self._text()
        kept = {"case_id": case, "changes": {"note": text}, "base_revision": base}
        return Made("edit", edit_case(self.actor, dataset_id=self.dataset_id, **kept).version, (text,), (case,), base)

    def _delete(self, open_ones: Sequence[tuple[UUID, int]]) -> Made:
        cases = tuple(case for case, _since in self.dice.sample(open_ones, self.dice.randint(1, 4)))
        version = delete_cases(self.actor, dataset_id=self.dataset_id, case_ids=cases)
        return Made("delete", version.number, (), cases)

    def _restore(self, _open: Sequence[tuple[UUID, int]]) -> Made | None:
        newest = Dataset.objects.get(pk=self.dataset_id).newest_version
        number = self.dice.randint(max(1, newest - 30), newest)
        restored = restore_version(self.actor, dataset_id=self.dataset_id, number=number)
        return Made("restore", restored.version.number, base=number) if restored.changed else None


def write_side_by_side(actor: Actor, dataset: Dataset, *, writers: int, operations: int) -> Told:
    """Let so many writers do so many operations each; what all of them were told."""
    staff = [Writer(actor, dataset.pk, f"w{number}", operations=operations) for number in range(writers)]
    told = Told()
    with ThreadPoolExecutor(writers) as pool:
        for one in pool.map(Writer.work, staff):
            told.made += one.made
            told.refused += one.refused
            told.unchanged += one.unchanged
            told.faults += one.faults
    return told


# --- The check


class _Cell(NamedTuple):
    text: str
    since: int


_State = dict[UUID, _Cell]


def faults_of(dataset: Dataset, told: Told) -> list[str]:
    """What was lost, doubled, left out or wrongly told; empty where the database has exactly what the writers know."""
    dataset.refresh_from_db()
    faults = list(told.faults)
    numbers = sorted(made.version for made in told.made)
    if numbers != list(range(1, dataset.newest_version + 1)):
        faults.append(f"versions told {len(numbers)}, distinct {len(set(numbers))}, newest {dataset.newest_version}")
        return faults
    rows = list(CaseRevision.objects.filter(dataset=dataset).values_list("case_id", "note", "since", "until"))
    snapshots = _replayed(dataset, {made.version: made for made in told.made}, rows, faults)
    newest = {case: _Cell(note or "", since) for case, note, since, until in rows if until is None}
    if newest != snapshots[-1]:
        faults.append("the newest version is not what the writers were told")
    for number in {1, *range(1, len(snapshots), max(1, len(snapshots) // 50)), len(snapshots) - 1}:
        held = CaseRevision.objects.at(dataset, number).values_list("case_id", "note", "since")
        if {case: _Cell(note or "", since) for case, note, since in held} != snapshots[number]:
            faults.append(f"version {number} reads differently than it was made")
    if RevisionUsage.objects.get(organisation_id=dataset.organisation_id).revisions != CaseRevision.objects.count():
        faults.append("the organisation's count of revisions is wrong")
    return faults


def _replayed(
    dataset: Dataset, told: dict[int, Made], rows: Iterable[tuple[UUID, str | None, int, int | None]], faults: list[str]
) -> list[_State]:
    """The state after each version by what the writers were told; each is held against the database's own record."""
    begun: dict[int, dict[UUID, str]] = defaultdict(dict)
    ended: dict[int, set[UUID]] = defaultdict(set)
    for case, note, since, until in rows:
        begun[since][case] = note or ""
        if until is not None:
            ended[until].add(case)
    snapshots: list[_State] = [{}]
    known: set[UUID] = set()
    for version in DatasetVersion.objects.filter(dataset=dataset).order_by("number"):
        made, state = told[version.number], snapshots[-1]
        new, gone = begun[version.number], ended[version.number]
        problem = _problem(made, state, new, gone, known, snapshots)
        counts = (len(new.keys() - gone), len(new.keys() & gone), len(gone - new.keys()))
        if problem or counts != (version.added, version.edited, version.removed):
            faults.append(f"version {version.number} ({made.act}): {problem or f'counts {counts}'}")
        known |= new.keys()
        after = {case: cell for case, cell in state.items() if case not in gone}
        after |= {case: _Cell(text, version.number) for case, text in new.items()}
        if len(after) != version.case_count:
            faults.append(f"version {version.number} holds {len(after)} cases and says {version.case_count}")
        snapshots.append(after)
    return snapshots


def _problem(
    made: Made, state: _State, new: dict[UUID, str], gone: set[UUID], known: set[UUID], snapshots: list[_State]
) -> str:
    """What is wrong with a version, in words; empty where it did what its writer was told."""
    if made.act in {"add", "import"}:
        right = sorted(new.values()) == sorted(made.texts) and not gone and not new.keys() & known
    elif made.act == "edit":
        right = new == {made.cases[0]: made.texts[0]} and gone == set(made.cases)
        if right and made.base is not None and state[made.cases[0]].since != made.base:
            return "an edit took the place of one that its writer had not seen"
    elif made.act == "delete":
        right = gone == set(made.cases) and not new
    else:
        target = snapshots[made.base or 0]
        differ = {case for case in state.keys() | target.keys() if _text(state, case) != _text(target, case)}
        right = gone == differ & state.keys() and new == {case: target[case].text for case in differ & target.keys()}
    return "" if right else f"told {made}, stored {len(new)} new and {len(gone)} ended"


def _text(state: _State, case: UUID) -> str | None:
    return state[case].text if case in state else None
