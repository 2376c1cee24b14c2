"""Text copied from a conversation, as those see it who may not read it (ACC-25 to ACC-32, ACC-D15 to ACC-D22)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.actor import Actor
from accounts.models import AuditEntry
from accounts.operations.api_keys import issue_api_key
from core.errors import NotAllowed
from datasets.logic.texts import HIDDEN_TEXT
from datasets.models import CaseRevision, Dataset
from datasets.operations.cases import add_case, edit_case
from datasets.operations.datasets import create_dataset
from datasets.operations.exports import export_version
from datasets.queries.cases import CaseFilter, cases_in_order, find_case, ordered, revisions_of, twins_of
from datasets.queries.seen_cases import SeenCase
from tests.cast import Cast
from tests.datasets.conversations import CASE, add_conversation, secrets_in
from tests.datasets.pages import PANEL, PART, text

READERS = {"owner": True, "admin": True, "builder": True, "operator": True, "member": False, "viewer": False}


@pytest.fixture
def own(cast: Cast) -> Dataset:
    """Owned by the Member, who edits it and reads no runs."""
    return create_dataset(cast.actor("member"), name="Own")


@pytest.fixture
def hidden(cast: Cast, own: Dataset) -> CaseRevision:
    """A case from a conversation in `own`."""
    return add_conversation(cast, own, by="owner").revision


def seen(actor: Actor, dataset: Dataset, revision: CaseRevision, number: int = 1) -> SeenCase:
    dataset.refresh_from_db()
    return find_case(actor, dataset, number, revision.case_id)


@pytest.mark.spec("ACC-25", "ACC-29")
@pytest.mark.parametrize(("role", "reads"), READERS.items())
def test_who_reads_runs_reads_the_words(cast: Cast, dataset: Dataset, role: str, reads: bool) -> None:
    revision = add_conversation(cast, dataset).revision
    case = seen(cast.actor(role), dataset, revision)
    assert case.text_hidden is not reads
    assert (case.content == CASE) is reads
    assert bool(secrets_in(str(case))) is reads


@pytest.mark.spec("ACC-26", "ACC-D15", "ACC-D16")
def test_a_marker_stands_for_each_text_and_the_rest_is_seen(cast: Cast, own: Dataset, hidden: CaseRevision) -> None:
    case = seen(cast.actor("member"), own, hidden)
    assert case.content.as_dict() == {
        "input": HIDDEN_TEXT,
        "history": [],
        "reference_answer": HIDDEN_TEXT,
        "counter_example": HIDDEN_TEXT,
        "expected_tool_calls": [{"tool": "find_order", "args": {}}],
        "order_mode": "in_order",
        "checks": [{"type": "contains"}],
        "tags": ["returns"],
        "note": HIDDEN_TEXT,
    }
    assert (case.turn_count, case.source, case.text_hidden) == (4, "conversation", True)


@pytest.mark.spec("ACC-D16")
def test_an_empty_field_has_no_marker(cast: Cast, own: Dataset) -> None:
    draft = CASE.with_changes({"counter_example": None, "note": None, "history": ()})
    case = seen(cast.actor("member"), own, add_conversation(cast, own, draft, by="owner").revision)
    assert (case.content.counter_example, case.content.note, case.turn_count) == (None, None, 0)


@pytest.mark.spec("ACC-D12", "ACC-25")
def test_a_key_without_the_permission_reads_no_words(cast: Cast, own: Dataset, hidden: CaseRevision) -> None:
    for permissions, reads in ((["datasets:view"], False), (["datasets:view", "runs:view"], True)):
        key = issue_api_key(cast.actor("owner"), name="k", permissions=permissions).api_key
        assert seen(Actor.of_key(key), own, hidden).text_hidden is not reads


@pytest.mark.spec("ACC-32")
def test_a_test_run_reads_the_stored_text(cast: Cast, own: Dataset, hidden: CaseRevision) -> None:
    own.refresh_from_db()
    assert [case.content for case in cases_in_order(Actor.system(cast.kettle), own, 1)] == [CASE]


@pytest.mark.spec("ACC-27")
def test_the_text_is_hidden_in_every_version(cast: Cast, own: Dataset, hidden: CaseRevision) -> None:
    edit_case(cast.actor("owner"), dataset_id=own.pk, case_id=hidden.case_id, changes={"note": "A rowanberry again"})
    for number in (1, 2):
        assert secrets_in(str(seen(cast.actor("member"), own, hidden, number))) == []


@pytest.mark.spec("ACC-D17")
def test_a_case_by_hand_is_not_hidden(cast: Cast, own: Dataset) -> None:
    saved = add_case(cast.actor("owner"), dataset_id=own.pk, draft=CASE)
    assert not seen(cast.actor("member"), own, saved.revision).text_hidden


# --- Finding


@pytest.mark.spec("ACC-D20", "DS-D6")
def test_search_finds_no_hidden_text(cast: Cast, own: Dataset, hidden: CaseRevision) -> None:
    own.refresh_from_db()
    found = {
        role: revisions_of(cast.actor(role), own, 1, CaseFilter(search="quince")).count()
        for role in ("owner", "member")
    }
    assert found == {"owner": 1, "member": 0}
    for wanted in (CaseFilter(source="conversation"), CaseFilter(tag="returns"), CaseFilter(expectation="checks")):
        assert revisions_of(cast.actor("member"), own, 1, wanted).count() == 1


@pytest.mark.spec("ACC-D20")
@pytest.mark.parametrize("sign", ["", "-"])
def test_sorted_by_question_hidden_cases_come_last_and_in_no_order_of_theirs(
    cast: Cast, own: Dataset, sign: str
) -> None:
    for question in ("b", "d"):
        add_conversation(cast, own, CASE.with_changes({"input": question}), by="owner")
    for question in ("c", "a"):
        add_case(cast.actor("owner"), dataset_id=own.pk, draft=CASE.with_changes({"input": question}))
    own.refresh_from_db()

    def questions(role: str) -> list[str]:
        actor = cast.actor(role)
        columns = [f"{sign}search_text", f"{sign}position"]
        return [row.input for row in ordered(actor, revisions_of(actor, own, 4, CaseFilter()), columns)]

    assert questions("owner") == (["d", "c", "b", "a"] if sign else ["a", "b", "c", "d"])
    # Hidden ones by their places.
    assert questions("member") == (["c", "a", "d", "b"] if sign else ["a", "c", "b", "d"])


@pytest.mark.spec("DS-D35")
def test_a_twin_with_hidden_text_is_found_by_its_id_alone(
    cast: Cast, own: Dataset, hidden: CaseRevision, sign_in: Callable[[str], Client]
) -> None:
    own.refresh_from_db()
    assert twins_of(own, CASE.input) == [hidden.case_id]
    sent = {"input": CASE.input}
    answer = sign_in("member").post(f"/api/v1/datasets/{own.pk}/cases/twins", sent, content_type="application/json")
    assert answer.json() == {"twins": [{"case_id": str(hidden.case_id)}]}


# --- Files


def exported(actor: Actor, dataset: Dataset, file_format: str) -> str:
    return b"".join(export_version(actor, dataset_id=dataset.pk, file_format=file_format).pieces).decode()


@pytest.mark.spec("ACC-28", "ACC-D16", "DS-D53", "ACC-76")
@pytest.mark.parametrize("file_format", ["csv", "jsonl"])
def test_an_export_holds_markers_and_the_log_counts_them(
    cast: Cast, own: Dataset, hidden: CaseRevision, file_format: str
) -> None:
    add_case(cast.actor("owner"), dataset_id=own.pk, draft=CASE.with_changes({"input": "Mine", "tags": ("plain",)}))
    file = exported(cast.actor("member"), own, file_format)
    assert file.count(HIDDEN_TEXT) == 4
    assert file.count("rowanberry") == 1  # of the case written by hand
    assert len(secrets_in(exported(cast.actor("owner"), own, file_format))) == 7
    logged = AuditEntry.objects.filter(action="dataset.exported").order_by("pk").values_list("details", flat=True)
    assert [(entry["hidden"], entry["from_conversations"]) for entry in logged] == [(1, 1), (0, 1)]


@pytest.mark.spec("ACC-D22", "ACC-D21")
def test_the_export_dialog_says_how_many_texts_are_from_conversations(
    cast: Cast, own: Dataset, hidden: CaseRevision, sign_in: Callable[[str], Client]
) -> None:
    address = f"/datasets/{own.pk}/export/"
    assert "The text of 1 case was copied from a conversation" in text(sign_in("owner").get(address))
    assert "1 case holds text from a conversation that you may not read" in text(sign_in("member").get(address))
    add_case(cast.actor("owner"), dataset_id=own.pk, draft=CASE)
    assert sign_in("member").get(f"{address}file/")["Cache-Control"] == "no-store"


@pytest.mark.spec("DS-D47")
def test_a_file_with_the_marker_is_refused_by_its_row(
    cast: Cast, own: Dataset, hidden: CaseRevision, sign_in: Callable[[str], Client]
) -> None:
    data = exported(cast.actor("member"), own, "csv").encode() + b'" [erased] ",,x,,,,,,\r\n'
    sent = {"file": SimpleUploadedFile("cases.csv", data)}
    answer = sign_in("member").post(f"/api/v1/datasets/{own.pk}/cases/import", sent)
    assert answer.status_code == 422
    assert {(2, "input"), (3, "input")} <= {(each["row"], each["field"]) for each in answer.json()["errors"]}


# --- Editing


@pytest.mark.spec("ACC-30", "ACC-31", "ACC-D19")
def test_an_editor_changes_tags_and_order_and_the_stored_text_stays(
    cast: Cast, own: Dataset, hidden: CaseRevision
) -> None:
    changes = {"tags": ("billing",), "order_mode": "exact"}
    saved = edit_case(cast.actor("member"), dataset_id=own.pk, case_id=hidden.case_id, changes=changes)
    case = seen(cast.actor("owner"), own, hidden, saved.version)
    assert case.content == CASE.with_changes(changes)
    assert seen(cast.actor("member"), own, hidden, saved.version).text_hidden


@pytest.mark.spec("ACC-30", "ACC-D19")
@pytest.mark.parametrize(
    "field", ["input", "history", "reference_answer", "counter_example", "expected_tool_calls", "checks", "note"]
)
def test_a_change_that_names_a_hidden_field_is_refused(
    cast: Cast, own: Dataset, hidden: CaseRevision, field: str, sign_in: Callable[[str], Client]
) -> None:
    with pytest.raises(NotAllowed):
        edit_case(cast.actor("member"), dataset_id=own.pk, case_id=hidden.case_id, changes={field: None})
    address = f"/api/v1/datasets/{own.pk}/cases/{hidden.case_id}"
    values: tuple[Any, ...] = (None, HIDDEN_TEXT, [], 7)
    for value in values:
        sent = {field: value, "tags": ["x"]}
        answer = sign_in("member").patch(address, sent, content_type="application/json")
        assert answer.status_code == 403, value
    own.refresh_from_db()
    assert own.newest_version == 1


@pytest.mark.spec("ACC-30", "ACC-D19")
def test_the_form_offers_tags_and_order_alone(
    cast: Cast, own: Dataset, hidden: CaseRevision, sign_in: Callable[[str], Client]
) -> None:
    browser, address = sign_in("member"), f"/datasets/{own.pk}/cases/{hidden.case_id}/edit/"
    form = text(browser.get(address))
    assert form.count(HIDDEN_TEXT) >= 4
    for name in ("input", "history", "reference_answer", "checks", "expected_tool_calls", "note", "case_json"):
        assert f'name="{name}' not in form, name
    sent = {"base_revision": "1", "mode": "fields", "order_mode": "exact", "tags": "billing"}
    assert browser.post(address, sent).status_code == 302
    assert seen(cast.actor("owner"), own, hidden, 2).content == CASE.with_changes(
        {"order_mode": "exact", "tags": ("billing",)}
    )


@pytest.mark.spec("ACC-30", "ACC-D19", "ACC-D13")
@pytest.mark.parametrize(
    "more", [{"input": "Mine"}, {"checks.0.type": "contains"}, {"mode": "json", "case_json": '{"input": "Mine"}'}]
)
def test_a_form_that_was_opened_before_the_right_was_lost_is_refused(
    own: Dataset, hidden: CaseRevision, sign_in: Callable[[str], Client], more: dict[str, str]
) -> None:
    sent = {"base_revision": "2", "mode": "fields", "order_mode": "any", "tags": "x", **more}
    answer = sign_in("member").post(f"/datasets/{own.pk}/cases/{hidden.case_id}/edit/", sent, headers=PART)
    assert answer.status_code == 403
    assert "<html" not in text(answer)
    own.refresh_from_db()
    assert own.newest_version == 1


@pytest.mark.spec("DS-D11", "ACC-D20")
def test_a_conflict_shows_no_hidden_text(
    cast: Cast, own: Dataset, hidden: CaseRevision, sign_in: Callable[[str], Client]
) -> None:
    edit_case(cast.actor("owner"), dataset_id=own.pk, case_id=hidden.case_id, changes={"note": "A rowanberry again"})
    address = f"/api/v1/datasets/{own.pk}/cases/{hidden.case_id}"
    answer = sign_in("member").patch(address, {"tags": [], "base_revision": 1}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "case_changed")
    assert answer.json()["case"]["text_hidden"] is True
    assert secrets_in(answer.content.decode()) == []


# --- Pages


@pytest.mark.spec("ACC-26", "ACC-D15", "ACC-D20")
def test_the_panel_says_why_there_are_no_words(
    own: Dataset, hidden: CaseRevision, sign_in: Callable[[str], Client]
) -> None:
    shown = text(sign_in("member").get(f"/datasets/{own.pk}/?case={hidden.case_id}", headers=PANEL))
    for words in (
        HIDDEN_TEXT,
        "You may not read the words of this case",
        "4 earlier turns",
        "find_order",
        "Contains a text",
    ):
        assert words in shown, words
    assert "You may not read" not in text(sign_in("owner").get(f"/datasets/{own.pk}/?case={hidden.case_id}"))


@pytest.mark.spec("ACC-D20")
def test_hiding_asks_the_database_no_more_for_many_rows_than_for_one(
    cast: Cast, own: Dataset, sign_in: Callable[[str], Client], django_assert_max_num_queries: Any
) -> None:
    for number in range(20):
        add_conversation(cast, own, CASE.with_changes({"input": f"q{number}"}), by="owner")
    browser = sign_in("member")
    with django_assert_max_num_queries(16):
        browser.get(f"/datasets/{own.pk}/?sort=question")
