"""Deleting a case with its text: replaced in every version, in place, and said where it happened (ACC-44, ACC-D28)."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from accounts.models import AuditEntry
from core.errors import Conflict, NotAllowed
from datasets.logic.intervals import joined
from datasets.models import Authorship, CaseRevision, Dataset, DatasetVersion, RevisionUsage
from datasets.operations.cases import add_case, delete_cases, edit_case
from datasets.queries.cases import CaseFilter, find_case, revisions_of, twins_of
from tests.cast import Cast
from tests.datasets.conversations import CASE, add_conversation, person, secrets_in
from tests.datasets.pages import PART, text

# What is kept: the arguments of the expected call and the value of the check (ACC-49).
KEPT = ["args", "checks"]


def stored(dataset: Dataset) -> str:
    return str(list(CaseRevision.objects.filter(dataset=dataset).values()))


def when(dataset: Dataset) -> dict[int, datetime | None]:
    return dict(DatasetVersion.objects.filter(dataset=dataset).values_list("number", "text_removed_at"))


@pytest.mark.spec("ACC-44", "ACC-D28", "ACC-D29", "ACC-D30", "DS-55")
def test_the_text_goes_from_every_version_and_the_rest_stays(cast: Cast, dataset: Dataset) -> None:
    builder = cast.actor("builder")
    add_case(builder, dataset_id=dataset.pk, draft=CASE.with_changes({"input": "Another", "history": ()}))
    case_id = add_conversation(cast, dataset, question=person(cast, "ann")).revision.case_id
    edit_case(builder, dataset_id=dataset.pk, case_id=case_id, changes={"counter_example": None, "tags": ("x",)})
    version = delete_cases(builder, dataset_id=dataset.pk, case_ids=[case_id], remove_text=True)
    dataset.refresh_from_db()
    old, new = (find_case(builder, dataset, number, case_id).content for number in (2, 3))
    erased = CASE.with_changes(
        {
            "input": "[erased]",
            "history": tuple({**turn, "content": "[erased]"} for turn in CASE.history),
            "reference_answer": "[erased]",
            "counter_example": "[erased]",
            "note": "[erased]",
        }
    )
    assert old == erased
    assert new == erased.with_changes({"counter_example": None, "tags": ("x",)})
    assert version.number == dataset.newest_version == 4
    assert CaseRevision.objects.count() == RevisionUsage.objects.get().revisions == 3
    assert {number: bool(at) for number, at in when(dataset).items()} == {1: False, 2: True, 3: True, 4: False}
    assert dataset.text_removed_at == when(dataset)[3] is not None


@pytest.mark.spec("ACC-D28", "ACC-D41")
def test_nothing_finds_the_removed_words_any_more(cast: Cast, dataset: Dataset) -> None:
    saved = add_conversation(cast, dataset, question=person(cast, "ann"), note=person(cast, "bob"))
    delete_cases(cast.actor("builder"), dataset_id=dataset.pk, case_ids=[saved.revision.case_id], remove_text=True)
    dataset.refresh_from_db()
    assert secrets_in(stored(dataset)) == KEPT
    assert not Authorship.objects.exists()
    assert not revisions_of(cast.actor("builder"), dataset, 1, CaseFilter(search="quince")).exists()
    assert revisions_of(cast.actor("builder"), dataset, 1, CaseFilter(anonymised=True)).count() == 1


@pytest.mark.spec("DS-69", "ACC-D28")
def test_the_plain_way_leaves_older_versions_alone(cast: Cast, dataset: Dataset) -> None:
    saved = add_conversation(cast, dataset)
    delete_cases(cast.actor("builder"), dataset_id=dataset.pk, case_ids=[saved.revision.case_id])
    assert len(secrets_in(stored(dataset))) == 7
    assert set(when(dataset).values()) == {None}
    assert not AuditEntry.objects.filter(action="case.text_removed").exists()


@pytest.mark.spec("ACC-44", "ACC-60", "ACC-D28")
def test_a_case_that_was_deleted_before_can_still_lose_its_text(
    cast: Cast, dataset: Dataset, browser: Client, page: str, sign_in: Callable[[str], Client]
) -> None:
    add_case(cast.actor("builder"), dataset_id=dataset.pk, draft=CASE.with_changes({"input": "Another", "note": None}))
    revision = add_conversation(cast, dataset).revision
    old = f"{page}?version=2&case={revision.case_id}"
    assert "Remove its text" not in text(browser.get(old))
    delete_cases(cast.actor("builder"), dataset_id=dataset.pk, case_ids=[revision.case_id])
    assert "Remove its text" in text(browser.get(old))
    assert "Remove its text" not in text(sign_in("viewer").get(old))
    asked = text(browser.get(f"{page}cases/delete/?chosen={revision.case_id}:2", headers=PART))
    assert "Remove its text from every version" in asked
    assert ">Delete<" not in asked
    sent = {"chosen": f"{revision.case_id}:2", "remove_text": "1"}
    told = text(browser.post(f"{page}cases/delete/", sent, follow=True))
    assert "Its text is gone from every version." in told
    assert "case deleted" not in told
    dataset.refresh_from_db()
    assert (dataset.newest_version, dataset.case_count) == (3, 1)
    assert find_case(cast.actor("owner"), dataset, 2, revision.case_id).content.input == "[erased]"
    assert "Remove its text" not in text(browser.get(old))
    answer = sign_in("builder").delete(f"/api/v1/datasets/{dataset.pk}/cases/{revision.case_id}?remove_text=true")
    assert (answer.status_code, answer.json()["number"]) == (200, 3)
    assert sign_in("builder").delete(f"/api/v1/datasets/{dataset.pk}/cases/{revision.case_id}").status_code == 409


@pytest.mark.spec("ACC-D45", "ACC-D28")
def test_removing_text_is_in_the_audit_log_without_the_text(cast: Cast, dataset: Dataset) -> None:
    ids = [add_conversation(cast, dataset, CASE.with_changes({"input": word})).revision.case_id for word in "ab"]
    delete_cases(cast.actor("builder"), dataset_id=dataset.pk, case_ids=ids, remove_text=True)
    entry = AuditEntry.objects.get(action="case.text_removed")
    assert (entry.details, entry.object_id) == ({"cases": 2, "revisions": 2}, str(dataset.pk))
    assert secrets_in(str(list(AuditEntry.objects.values()))) == []


@pytest.mark.spec("ACC-D28", "ACC-22")
def test_a_refused_deletion_removes_no_text(cast: Cast, dataset: Dataset) -> None:
    case_id = add_conversation(cast, dataset).revision.case_id
    wanted: dict[str, Any] = {"dataset_id": dataset.pk, "case_ids": [case_id], "remove_text": True}
    with pytest.raises(NotAllowed):
        delete_cases(cast.actor("viewer"), **wanted)
    edit_case(cast.actor("builder"), dataset_id=dataset.pk, case_id=case_id, changes={"tags": ()})
    with pytest.raises(Conflict):
        delete_cases(cast.actor("builder"), **wanted, base_revisions={case_id: 1})
    assert len(secrets_in(stored(dataset))) == 7


@pytest.mark.spec("ACC-D28", "ACC-D19")
def test_who_may_not_read_the_text_may_still_remove_it(cast: Cast, dataset: Dataset) -> None:
    dataset.owner = cast.member
    dataset.save()
    case_id = add_conversation(cast, dataset).revision.case_id
    delete_cases(cast.actor("member"), dataset_id=dataset.pk, case_ids=[case_id], remove_text=True)
    assert secrets_in(stored(dataset)) == KEPT


@pytest.mark.spec("DS-D16", "ACC-D31")
def test_an_anonymised_case_ends_its_marks_with_a_new_question_and_not_before(cast: Cast, dataset: Dataset) -> None:
    builder = cast.actor("builder")
    revision = add_conversation(cast, dataset, question=person(cast, "ann")).revision
    CaseRevision.objects.filter(pk=revision.pk).update(anonymised_at=revision.created_at, input="[erased]")

    def edited(**changes: Any) -> CaseRevision:
        return edit_case(builder, dataset_id=dataset.pk, case_id=revision.case_id, changes=changes).revision

    tagged = edited(tags=("x",))
    assert tagged.anonymised_at == revision.created_at
    assert tagged.conversation_text
    assert Authorship.objects.filter(revision=tagged).exists()
    written = edited(input="How long is it?", reference_answer="30 days")
    assert (written.anonymised_at, written.text_removed_at, written.conversation_text) == (None, None, False)
    assert written.source == "conversation"
    assert not Authorship.objects.filter(revision=written).exists()
    dataset.refresh_from_db()
    assert not find_case(cast.actor("viewer"), dataset, 3, revision.case_id).text_hidden
    assert find_case(cast.actor("viewer"), dataset, 2, revision.case_id).text_hidden


@pytest.mark.spec("ACC-D30", "DS-D47")
@pytest.mark.parametrize("sent", ["[erased]", " [erased]\n"])
def test_what_stands_for_an_erased_text_is_no_question(
    cast: Cast, dataset: Dataset, sign_in: Callable[[str], Client], sent: str
) -> None:
    body = {"input": sent, "reference_answer": "a"}
    answer = sign_in("builder").post(f"/api/v1/datasets/{dataset.pk}/cases", body, content_type="application/json")
    assert answer.status_code == 422
    assert [problem["field"] for problem in answer.json()["errors"]] == ["input"]
    assert twins_of(dataset, sent) == []


def test_joined_intervals_hold_the_same_numbers() -> None:
    assert joined([(5, 6), (1, 3), (2, 4), (4, 5), (8, 9)]) == [(1, 6), (8, 9)]
    assert joined([]) == []


# --- The dialog and the API


@pytest.mark.spec("ACC-D28", "DS-18")
def test_the_dialog_offers_both_ways_and_recommends_one_for_conversations(
    cast: Cast, dataset: Dataset, browser: Client, page: str
) -> None:
    plain = add_case(cast.actor("builder"), dataset_id=dataset.pk, draft=CASE).revision
    copied = add_conversation(cast, dataset).revision
    chosen = {name: f"{each.case_id}:{each.since}" for name, each in (("plain", plain), ("copied", copied))}

    def dialog(*names: str) -> str:
        asked = "&".join(f"chosen={chosen[name]}" for name in names)
        return text(browser.get(f"{page}cases/delete/?{asked}", headers=PART))

    assert "Delete and remove its text from every version" in dialog("plain")
    assert "recommended" not in dialog("plain")
    assert "It holds what somebody wrote in a conversation. Removing its text too is recommended." in dialog("copied")
    both = dialog("plain", "copied")
    assert "1 of these 2 cases holds" in both
    assert "Delete and remove their text from every version" in both


@pytest.mark.spec("ACC-D28")
@pytest.mark.parametrize("remove", [True, False])
def test_the_console_deletes_in_the_chosen_way(
    cast: Cast, dataset: Dataset, browser: Client, page: str, remove: bool
) -> None:
    revision = add_conversation(cast, dataset).revision
    sent = {"chosen": f"{revision.case_id}:1", **({"remove_text": "1"} if remove else {})}
    told = text(browser.post(f"{page}cases/delete/", sent, follow=True))
    assert "1 case deleted. Saved as version 2." in told
    assert ("Its text is gone from every version." in told) is remove
    assert secrets_in(stored(dataset)) == (KEPT if remove else secrets_in(str(CASE)))


@pytest.mark.spec("ACC-D28")
@pytest.mark.parametrize(("query", "left"), [("", 7), ("?remove_text=false", 7), ("?remove_text=true", 2)])
def test_the_api_deletes_in_the_chosen_way(
    cast: Cast, dataset: Dataset, sign_in: Callable[[str], Client], query: str, left: int
) -> None:
    case_id = add_conversation(cast, dataset).revision.case_id
    answer = sign_in("builder").delete(f"/api/v1/datasets/{dataset.pk}/cases/{case_id}{query}")
    assert (answer.status_code, answer.json()["number"]) == (200, 2)
    assert len(secrets_in(stored(dataset))) == left


@pytest.mark.spec("ACC-50", "DS-D6")
def test_the_table_marks_anonymised_cases_and_shows_them_alone(
    cast: Cast, dataset: Dataset, browser: Client, page: str
) -> None:
    add_case(cast.actor("builder"), dataset_id=dataset.pk, draft=CASE)
    assert "filter-anonymised" not in text(browser.get(page))
    revision = add_conversation(cast, dataset).revision
    delete_cases(cast.actor("builder"), dataset_id=dataset.pk, case_ids=[revision.case_id], remove_text=True)
    older = text(browser.get(f"{page}?version=2"))
    assert "filter-anonymised" in older
    assert "filter-anonymised" not in text(browser.get(f"{page}?version=1"))
    alone = text(browser.get(f"{page}?version=2&anonymised=true", headers=PART))
    assert "[erased]" in alone
    assert "quince" not in alone
    assert "1 case<" in alone
    panel = text(browser.get(f"{page}?version=2&case={revision.case_id}"))
    assert "Anonymised after erasure" in panel
    assert "Its text was replaced in every version:" in panel
