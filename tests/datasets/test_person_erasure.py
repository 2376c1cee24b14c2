"""Erasing a person from cases and versions, and giving them what cases hold of them (ACC-45 to ACC-54, ACC-D36)."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from accounts import privacy
from accounts.models import AuditEntry, Person
from accounts.operations.persons import ensure_person_of_member
from accounts.operations.privacy import carry_out, erase_person, export_person, read_export
from datasets.logic.drafts import CaseDraft
from datasets.logic.erased_texts import answers_to
from datasets.models import Authorship, CaseRevision, Dataset, DatasetVersion
from datasets.operations import erasure
from datasets.operations.cases import add_case, delete_cases, edit_case
from datasets.operations.datasets import create_dataset
from datasets.operations.erasure import erase_words_of
from datasets.queries.cases import find_case
from datasets.queries.personal_data import words_of
from datasets.queries.readable_words import reading_mark
from tests.cast import Cast
from tests.datasets.conversations import CASE, add_conversation, person, secrets_in
from tests.datasets.pages import PART, text

NOTHING = {
    "cases_anonymised": 0,
    "cases_replaced_in_part": 0,
    "cases_with_calls_or_checks_to_look_at": 0,
    "case_revisions": 0,
    "names_on_versions": 0,
}


def contents(cast: Cast, dataset: Dataset, revision: CaseRevision) -> list[CaseDraft]:
    """The case in every version that holds it."""
    dataset.refresh_from_db()
    rows = CaseRevision.objects.filter(case_id=revision.case_id).order_by("since")
    return [find_case(cast.actor("owner"), dataset, row.since, row.case_id).content for row in rows]


@pytest.mark.spec("ACC-45", "ACC-46", "ACC-47", "ACC-49", "ACC-50", "ACC-58", "ACC-D30", "ACC-D36")
def test_the_asker_s_case_is_anonymised_in_every_version(cast: Cast, dataset: Dataset) -> None:
    ann = person(cast, "ann")
    revision = add_conversation(cast, dataset, question=ann).revision
    edit_case(
        cast.actor("builder"), dataset_id=dataset.pk, case_id=revision.case_id, changes={"note": None, "tags": ("x",)}
    )
    counts = erase_words_of(ann)
    old, new = contents(cast, dataset, revision)
    assert (old.input, old.reference_answer, old.counter_example, old.note) == ("[erased]",) * 4
    assert [turn["role"] for turn in old.history] == [turn["role"] for turn in CASE.history]
    assert {turn["content"] for turn in old.history} == {"[erased]"}
    assert (old.expected_tool_calls, old.checks, old.tags) == (CASE.expected_tool_calls, CASE.checks, CASE.tags)
    assert (new.note, new.tags) == (None, ("x",))
    assert CaseRevision.objects.filter(anonymised_at=None).count() == 0
    assert counts == NOTHING | {
        "cases_anonymised": 1,
        "case_revisions": 2,
        "cases_with_calls_or_checks_to_look_at": 1,
    }
    assert not DatasetVersion.objects.filter(text_removed_at=None).exists()
    assert dataset.newest_version == 2
    assert not Authorship.objects.exists()


@pytest.mark.spec("ACC-52", "ACC-53", "ACC-54", "ACC-D33")
def test_in_a_case_that_somebody_else_asked_only_their_own_words_go(
    cast: Cast, dataset: Dataset, browser: Client, page: str
) -> None:
    ann, bob = person(cast, "ann"), person(cast, "bob")
    revision = add_conversation(cast, dataset, question=ann, turns={0: ann, 2: bob}, note=bob).revision
    counts = erase_words_of(bob)
    (now,) = contents(cast, dataset, revision)
    said = [turn["content"] for turn in now.history]
    assert said == ["I bought a medlar.", "A fine medlar.", "[erased]", "[erased]"]
    assert now == CASE.with_changes({"history": now.history, "note": None})
    assert counts == NOTHING | {"cases_replaced_in_part": 1, "case_revisions": 1}
    assert CaseRevision.objects.get().anonymised_at is None
    assert {row.person_id for row in Authorship.objects.all()} == {ann.pk}
    shown = text(browser.get(f"{page}?case={revision.case_id}"))
    assert "A part of the conversation was erased" in shown
    assert "Anonymised after erasure" not in shown


@pytest.mark.spec("ACC-D33")
def test_once_the_replaced_turns_are_gone_nothing_says_so_any_more(cast: Cast, dataset: Dataset) -> None:
    bob = person(cast, "bob")
    revision = add_conversation(cast, dataset, turns={2: bob}).revision
    erase_words_of(bob)
    for changes, remains in (({"tags": ("x",)}, True), ({"history": CASE.history[:2]}, False)):
        saved = edit_case(
            cast.actor("builder"), dataset_id=dataset.pk, case_id=revision.case_id, changes=dict(changes)
        ).revision
        assert bool(saved.text_removed_at) is remains


def turns(roles: str) -> list[dict[str, Any]]:
    return [{"role": {"u": "user", "a": "assistant"}[role], "content": str(n)} for n, role in enumerate(roles)]


@pytest.mark.spec("ACC-53")
@pytest.mark.parametrize(
    ("roles", "of", "answers"),
    [
        ("uaua", {2}, {3}),
        ("uaua", {0, 2}, {1, 3}),
        ("uuaau", {0}, {2, 3}),  # two people, and an answer in two turns to both
        ("uuaau", {1}, {2, 3}),
        ("auaa", {1}, {2, 3}),
        ("uau", {2}, set()),
        ("aa", set(), set()),
    ],
)
def test_the_answers_to_a_turn_are_those_before_the_next_question(roles: str, of: set[int], answers: set[int]) -> None:
    assert answers_to(turns(roles), of) == answers


@pytest.mark.spec("ACC-D36")
def test_an_erasure_that_was_cut_off_goes_on_where_it_stopped(
    cast: Cast, dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = person(cast, "ann"), person(cast, "bob")
    monkeypatch.setattr(erasure, "BATCH", 2)
    for number in range(5):
        add_conversation(cast, dataset, CASE.with_changes({"input": f"Quince {number}"}), question=ann)
    add_conversation(cast, dataset, CASE.with_changes({"input": "Another quince"}), question=bob)
    real = erasure.anonymise

    def cut_off(*arguments: Any, **more: Any) -> None:
        real(*arguments, **more)
        if CaseRevision.objects.exclude(anonymised_at=None).count() > 2:
            raise RuntimeError("the worker was stopped")

    monkeypatch.setattr(erasure, "anonymise", cut_off)
    with pytest.raises(RuntimeError), transaction.atomic():
        erase_words_of(ann)
    monkeypatch.setattr(erasure, "anonymise", real)
    assert erase_words_of(ann)["cases_anonymised"] == 5
    assert erase_words_of(ann) == NOTHING
    assert list(CaseRevision.objects.filter(anonymised_at=None).values_list("input", flat=True)) == ["Another quince"]


@pytest.mark.spec("ACC-D34")
def test_calls_without_arguments_are_nothing_to_look_at(cast: Cast, dataset: Dataset) -> None:
    ann = person(cast, "ann")
    draft = CASE.with_changes({"expected_tool_calls": ({"tool": "find_order", "args": {}},), "checks": ()})
    add_conversation(cast, dataset, draft, question=ann)
    assert erase_words_of(ann)["cases_with_calls_or_checks_to_look_at"] == 0


@pytest.mark.spec("ACC-60")
def test_a_case_whose_authors_nobody_knows_stays(cast: Cast, dataset: Dataset) -> None:
    revision = add_conversation(cast, dataset).revision
    erase_words_of(person(cast, "ann"))
    assert contents(cast, dataset, revision) == [CASE]


@pytest.mark.spec("ACC-D36", "ACC-D41", "DS-55")
def test_an_erased_member_s_words_and_name_leave_cases_and_versions(
    cast: Cast, dataset: Dataset, sign_in: Callable[[str], Client]
) -> None:
    ann = ensure_person_of_member(cast.builder)
    revision = add_conversation(cast, dataset, question=ann).revision
    delete_cases(cast.actor("owner"), dataset_id=dataset.pk, case_ids=[revision.case_id])
    asked = erase_person(cast.actor("owner"), person_id=ann.pk)
    carry_out(asked.pk)
    asked.refresh_from_db()
    assert asked.report["datasets"] == NOTHING | {
        "cases_anonymised": 1,
        "case_revisions": 1,
        "cases_with_calls_or_checks_to_look_at": 1,
        "names_on_versions": 1,
    }
    assert dict(DatasetVersion.objects.values_list("number", "author")) == {1: None, 2: cast.owner.pk}
    shown = sign_in("owner").get(f"/datasets/{dataset.pk}/?version=1").content.decode()
    assert "quince" not in shown
    assert sign_in("owner").get(f"/api/v1/datasets/{dataset.pk}/versions/1").json()["author"] is None
    assert secrets_in(str(list(AuditEntry.objects.values()))) == []


@pytest.mark.spec("ACC-D36")
def test_datasets_take_part_in_erasures_and_exports() -> None:
    assert "datasets" in [handler.name for handler in privacy.handlers()]


# --- What was open in a browser meanwhile


def opened(browser: Client, page: str, revision: CaseRevision) -> dict[str, str]:
    """What the form of the case holds when it is opened."""
    form = browser.get(f"{page}cases/{revision.case_id}/edit/").context["form"]
    return {name: str(form[name].value()) for name in ("base_revision", "base_removal", "input", "order_mode", "note")}


@pytest.mark.spec("ACC-D37", "ACC-47")
def test_a_form_opened_before_an_erasure_brings_no_erased_words_back(
    cast: Cast, dataset: Dataset, browser: Client, page: str
) -> None:
    ann = person(cast, "ann")
    draft = CaseDraft(input="My quince?", reference_answer="30 days")
    revision = add_conversation(cast, dataset, draft, question=ann).revision
    sent = opened(browser, page, revision) | {"mode": "fields", "reference_answer": "60 days, said the damson"}
    erase_words_of(ann)
    answer = browser.post(f"{page}cases/{revision.case_id}/edit/", sent, headers=PART)
    assert answer.status_code == 409
    assert "was erased meanwhile" in text(answer)
    assert secrets_in(text(answer)) == []
    dataset.refresh_from_db()
    assert dataset.newest_version == 1
    again = opened(browser, page, revision) | {"mode": "fields", "input": "How long?", "reference_answer": "60 days"}
    assert browser.post(f"{page}cases/{revision.case_id}/edit/", again).status_code == 302


@pytest.mark.spec("ACC-D37", "DS-D11")
def test_nor_does_it_as_a_new_case_where_the_case_was_deleted_with_its_text(
    cast: Cast, dataset: Dataset, browser: Client, page: str
) -> None:
    revision = add_conversation(cast, dataset).revision
    sent = opened(browser, page, revision) | {"mode": "fields", "reference_answer": "The damson"}
    delete_cases(cast.actor("owner"), dataset_id=dataset.pk, case_ids=[revision.case_id], remove_text=True)
    answer = browser.post(f"{page}cases/{revision.case_id}/edit/", sent, follow=True)
    assert "its text erased" in text(answer)
    assert "quince" not in text(answer)


@pytest.mark.spec("ACC-D36", "PL-42")
def test_nor_does_an_answer_that_was_kept_for_a_repeated_request(cast: Cast, dataset: Dataset, browser: Client) -> None:
    case_id = add_conversation(cast, dataset, question=person(cast, "ann")).revision.case_id
    sent: dict[str, Any] = {"content_type": "application/json", "headers": {"Idempotency-Key": "k-1"}}
    address = f"/api/v1/datasets/{dataset.pk}/cases/{case_id}"
    first = browser.patch(address, {"tags": ["x"]}, **sent)
    assert first.json()["input"] == CASE.input
    erase_words_of(person(cast, "ann"))
    again = browser.patch(address, {"tags": ["x"]}, **sent)
    assert (again.status_code, again.content) == (first.status_code, b"")
    dataset.refresh_from_db()
    assert dataset.newest_version == 2


@pytest.mark.spec("ACC-D37", "ACC-D25")
def test_copies_in_browsers_are_outdated_by_an_erasure_and_by_a_change_of_what_may_be_read(
    cast: Cast, dataset: Dataset
) -> None:
    add_conversation(cast, dataset, question=person(cast, "ann"))
    dataset.refresh_from_db()
    before = {role: reading_mark(cast.actor(role), dataset) for role in ("owner", "builder", "member")}
    assert before["owner"] == before["builder"] != before["member"]
    erase_words_of(person(cast, "bob"))
    dataset.refresh_from_db()
    assert reading_mark(cast.actor("owner"), dataset) == before["owner"]
    erase_words_of(person(cast, "ann"))
    dataset.refresh_from_db()
    assert reading_mark(cast.actor("owner"), dataset) != before["owner"]


# --- A person's data


@pytest.mark.spec("ACC-D43")
def test_an_export_of_a_person_s_data_holds_their_words_and_the_answers_to_them(cast: Cast, dataset: Dataset) -> None:
    ann, bob, eve = (person(cast, name) for name in ("ann", "bob", "eve"))
    revision = add_conversation(cast, dataset, question=ann, turns={0: ann, 2: bob}, note=eve).revision
    case: dict[str, Any] = {"dataset": "Returns", "case": str(revision.case_id)}
    first = {"text": "I bought a medlar.", "answers": ["A fine medlar."]}
    second = {"text": "And my friend a second medlar.", "answers": ["Two medlars, noted."]}
    answers = [CASE.reference_answer, CASE.counter_example]
    assert words_of(ann) == [case | {"question": CASE.input, "answers": answers, "earlier_turns": [first]}]
    assert words_of(bob) == [case | {"earlier_turns": [second]}]
    assert words_of(eve) == [case | {"comment": CASE.note}]


@pytest.mark.spec("ACC-D43", "ACC-58")
def test_what_older_versions_hold_is_there_and_nothing_twice(cast: Cast, dataset: Dataset) -> None:
    ann, builder = person(cast, "ann"), cast.actor("builder")
    revision = add_conversation(cast, dataset, question=ann).revision
    edit_case(builder, dataset_id=dataset.pk, case_id=revision.case_id, changes={"tags": ()})
    edit_case(builder, dataset_id=dataset.pk, case_id=revision.case_id, changes={"input": "Shorter"})
    delete_cases(builder, dataset_id=dataset.pk, case_ids=[revision.case_id])
    assert [entry["question"] for entry in words_of(ann)] == [CASE.input, "Shorter"]


@pytest.mark.spec("ACC-D43")
def test_the_file_is_made_by_the_job_for_the_person(cast: Cast, dataset: Dataset) -> None:
    me = ensure_person_of_member(cast.member)
    other = create_dataset(cast.actor("owner"), name="Elsewhere")
    add_conversation(cast, dataset, question=me)
    add_case(cast.actor("owner"), dataset_id=other.pk, draft=CASE)
    asked = export_person(cast.actor("member"), person_id=me.pk)
    carry_out(asked.pk)
    found = json.loads(read_export(cast.actor("member"), request_id=asked.pk))["datasets"]
    assert [entry["dataset"] for entry in found] == ["Returns"]
    assert Person.objects.filter(erased_at=None).count() == Person.objects.count()
