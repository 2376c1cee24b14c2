"""Adding, editing, deleting, importing, exporting and restoring in any order, beside the plainest model of it.

The model keeps a list of cases for each version and nothing else (DS-53 to DS-60, DS-D5, DS-D11 to DS-D16).
"""

from collections import Counter
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from accounts.actor import Actor
from core.errors import Conflict, NotFound
from datasets.logic.drafts import CaseDraft
from datasets.logic.file_writers import csv_lines, jsonl_lines
from datasets.logic.written_case import written
from datasets.models import Dataset, DatasetVersion
from datasets.operations.cases import add_case, delete_cases, edit_case
from datasets.operations.datasets import create_dataset
from datasets.operations.exports import export_version
from datasets.operations.imports import import_file
from datasets.operations.restores import restore_version
from datasets.queries.cases import cases_in_order
from tests.cast import Cast

WRITERS = {"csv": csv_lines, "jsonl": jsonl_lines}
KINDS = st.sampled_from(sorted(WRITERS))
# Few and hard ones, so that equal cases and twins are common.
TEXTS = st.sampled_from(["a", "=b", "'c", '"', "d\n,e", " f "])
EMPTY_OR_TEXT = st.one_of(st.none(), TEXTS)
CALLS = st.lists(st.builds(lambda text: {"tool": "t", "args": {"a": {"n": [1, 1.0, text]}}}, TEXTS), max_size=1).map(
    tuple
)
DRAFTS = st.builds(
    CaseDraft,
    input=TEXTS,
    reference_answer=TEXTS,
    note=EMPTY_OR_TEXT,
    tags=st.sampled_from([(), ("x",), ("=y", "x")]),
    expected_tool_calls=CALLS,
)
PICKS = st.integers(0, 1000)

Versions = list[dict[UUID, CaseDraft]]


class History(RuleBasedStateMachine):
    """One dataset; `versions[n]` is what version n holds, the cases in the order of their places."""

    actor: Actor
    count = 0

    def __init__(self) -> None:
        super().__init__()
        History.count += 1
        self.dataset = create_dataset(self.actor, name=f"Dataset {History.count}")
        self.versions: Versions = [{}]
        self.places: list[UUID] = []

    @property
    def newest(self) -> dict[UUID, CaseDraft]:
        return self.versions[-1]

    def made(self, number: int, state: dict[UUID, CaseDraft]) -> None:
        assert number == len(self.versions)
        self.versions.append({place: state[place] for place in self.places if place in state})

    def pick(self, number: int) -> UUID:
        return list(self.newest)[number % len(self.newest)]

    @rule(draft=DRAFTS)
    def add(self, draft: CaseDraft) -> None:
        saved = add_case(self.actor, dataset_id=self.dataset.pk, draft=draft)
        assert saved.revision.case_id not in self.places
        self.places.append(saved.revision.case_id)
        self.made(saved.version, {**self.newest, saved.revision.case_id: draft})

    @precondition(lambda self: self.newest)
    @rule(number=PICKS, draft=DRAFTS, names=st.sets(st.sampled_from(["input", "note", "tags", "reference_answer"])))
    def edit(self, number: int, draft: CaseDraft, names: set[str]) -> None:
        case = self.pick(number)
        changes = {name: getattr(draft, name) for name in names}
        saved = edit_case(self.actor, dataset_id=self.dataset.pk, case_id=case, changes=changes)
        after = self.newest[case].with_changes(changes)
        assert saved.changed == (after != self.newest[case])
        if saved.changed:
            self.made(saved.version, {**self.newest, case: after})

    @precondition(lambda self: self.newest)
    @rule(number=PICKS, how_many=st.integers(1, 3))
    def delete(self, number: int, how_many: int) -> None:
        cases = {self.pick(number + offset) for offset in range(how_many)}
        version = delete_cases(self.actor, dataset_id=self.dataset.pk, case_ids=list(cases))
        self.made(version.number, {case: draft for case, draft in self.newest.items() if case not in cases})

    @precondition(lambda self: len(self.places) > len(self.newest))
    @rule(number=PICKS)
    def what_is_gone_stays_gone(self, number: int) -> None:
        gone = [case for case in self.places if case not in self.newest]
        case = gone[number % len(gone)]
        for act in (
            lambda: edit_case(self.actor, dataset_id=self.dataset.pk, case_id=case, changes={"note": "x"}),
            lambda: delete_cases(self.actor, dataset_id=self.dataset.pk, case_ids=[case]),
        ):
            with pytest.raises(Conflict) as refused:
                act()
            assert refused.value.code == "case_deleted"

    @precondition(lambda self: self.newest)
    @rule(number=PICKS, ahead=st.integers(1, 9))
    def an_edit_that_began_elsewhere_is_refused(self, number: int, ahead: int) -> None:
        base = len(self.versions) + ahead
        with pytest.raises(Conflict) as refused:
            edit_case(
                self.actor,
                dataset_id=self.dataset.pk,
                case_id=self.pick(number),
                changes={"note": "x"},
                base_revision=base,
            )
        assert refused.value.code == "case_changed"

    @rule(kind=KINDS, drafts=st.lists(DRAFTS, min_size=1, max_size=4), skip=st.booleans(), again=st.booleans())
    def bring_a_file(self, kind: str, drafts: list[CaseDraft], skip: bool, again: bool) -> None:
        """`again` puts what the dataset has before what is new, as an export that was added to."""
        drafts = [*self.newest.values(), *drafts] if again else drafts
        there = Counter(map(written, self.newest.values()))
        new = [draft for draft in drafts if not self._take(there, draft)]
        result = self._import(kind, drafts, skip)
        assert result.identical == len(drafts) - len(new)
        added = new if skip or not new else drafts
        assert result.added == len(added)
        if added:
            ids = [case.id for case in cases_in_order(self.actor, self._dataset(), result.version.number)]
            fresh = ids[len(self.newest) :]
            self.places += fresh
            self.made(result.version.number, {**self.newest, **dict(zip(fresh, added, strict=True))})

    @precondition(lambda self: self.newest)
    @rule(kind=KINDS, skip=st.booleans())
    def bring_back_the_export(self, kind: str, skip: bool) -> None:
        """BC-13 (i)"""
        result = self._import(kind, list(self.newest.values()), skip)
        assert (result.added, result.version.number) == (0, len(self.versions) - 1)

    @precondition(lambda self: len(self.versions) > 1)
    @rule(number=PICKS)
    def restore(self, number: int) -> None:
        number = 1 + number % (len(self.versions) - 1)
        restored = restore_version(self.actor, dataset_id=self.dataset.pk, number=number)
        assert restored.changed == (self.versions[number] != self.newest)
        if restored.changed:
            self.made(restored.version.number, self.versions[number])

    @rule(kind=KINDS, number=PICKS)
    def export(self, kind: str, number: int) -> None:
        number %= len(self.versions)
        if not number:
            with pytest.raises(NotFound):
                export_version(self.actor, dataset_id=self.dataset.pk, file_format=kind, version=number)
            return
        assert self._exported(kind, number) == self._file(kind, list(self.versions[number].values()))

    @invariant()
    def the_newest_version_holds_what_it_should(self) -> None:
        dataset = self._dataset()
        assert (dataset.newest_version, dataset.case_count) == (len(self.versions) - 1, len(self.newest))
        self._holds(dataset, dataset.newest_version)

    def teardown(self) -> None:
        dataset = self._dataset()
        for number in range(1, len(self.versions)):
            self._holds(dataset, number)
        rows = DatasetVersion.objects.filter(dataset=dataset).order_by("number")
        assert [row.number for row in rows] == list(range(1, len(self.versions)))
        for row in rows:
            before, after = self.versions[row.number - 1], self.versions[row.number]
            both = before.keys() & after.keys()
            edited = sum(before[case] != after[case] for case in both)
            assert (row.added, row.edited, row.removed) == (len(after) - len(both), edited, len(before) - len(both))
            assert row.case_count == len(after)

    def _holds(self, dataset: Dataset, number: int) -> None:
        seen = [(case.id, case.content) for case in cases_in_order(self.actor, dataset, number)]
        assert seen == list(self.versions[number].items()), number

    def _dataset(self) -> Dataset:
        self.dataset.refresh_from_db()
        return self.dataset

    def _file(self, kind: str, drafts: list[CaseDraft]) -> bytes:
        return "".join(WRITERS[kind](map(written, drafts))).encode()

    def _exported(self, kind: str, number: int) -> bytes:
        file = export_version(self.actor, dataset_id=self.dataset.pk, file_format=kind, version=number)
        return b"".join(file.pieces)

    def _import(self, kind: str, drafts: list[CaseDraft], skip: bool) -> Any:
        data = self._file(kind, drafts)
        return import_file(self.actor, dataset_id=self.dataset.pk, name=f"x.{kind}", data=data, skip_existing=skip)

    @staticmethod
    def _take(there: Counter[Any], draft: CaseDraft) -> bool:
        form = written(draft)
        there[form] -= 1
        return there[form] >= 0


@pytest.mark.spec("DS-53", "DS-54", "DS-55", "DS-56", "DS-57", "DS-60", "DS-136", "DS-D5", "DS-D13", "DS-D16")
def test_any_order_of_acts_leaves_what_the_plain_model_says(cast: Cast) -> None:
    machine: Callable[[], RuleBasedStateMachine] = type("Ours", (History,), {"actor": cast.actor("builder")})
    few = settings(
        max_examples=8, stateful_step_count=18, deadline=None, suppress_health_check=list(HealthCheck), database=None
    )
    run_state_machine_as_test(machine, settings=few)
