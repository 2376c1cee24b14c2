"""The case form between opening and saving: JSON and back, a conflict, what a save would do, what grades the case."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client

from datasets.logic.drafts import CaseDraft
from datasets.models import CaseRevision, Dataset, DatasetVersion
from datasets.operations.cases import add_case, delete_cases, edit_case
from datasets.queries import evaluators
from tests.cast import Cast
from tests.datasets.pages import PANEL, PART, filled, text
from tests.datasets.sent_form import sent_by

FULL = CaseDraft(
    input="Where is order 12?",
    history=({"role": "assistant", "content": "Hello"},),
    reference_answer="On its way.",
    expected_tool_calls=({"tool": "find_order", "args": {"id": 12, "mail": "12"}},),
    checks=({"type": "contains", "value": "way"}, {"type": "length", "unit": "words", "max": 50}),
    tags=("orders",),
)


@pytest.fixture
def case_page(cast: Cast, dataset: Dataset, page: str) -> str:
    """The address of the form of a stored case that has something of everything."""
    saved = add_case(cast.actor("builder"), dataset_id=dataset.pk, draft=FULL)
    return f"{page}cases/{saved.revision.case_id}/edit/"


@pytest.fixture
def theirs(cast: Cast, dataset: Dataset, case_page: str) -> Callable[..., Any]:
    """`theirs(note="x")`: somebody else saves the case meanwhile."""
    case_id = CaseRevision.objects.get().case_id

    def saved(**changes: Any) -> Any:
        return edit_case(cast.actor("owner"), dataset_id=dataset.pk, case_id=case_id, changes=changes)

    return saved


def shown(response: Any) -> str:
    return response.content.decode()


def opened(browser: Client, address: str, **changes: str) -> QueryDict:
    """What the form at an address would send after some fields were changed."""
    data = sent_by(shown(browser.get(address, headers=PANEL)))
    for name, value in changes.items():
        data[name] = value
    return data


def post(browser: Client, address: str, data: QueryDict) -> Any:
    return browser.post(address, data.urlencode(), "application/x-www-form-urlencoded", headers=PART)


# --- As JSON and as fields


@pytest.mark.spec("DS-103", "DS-D27")
def test_a_case_goes_to_json_and_back_unchanged(browser: Client, case_page: str) -> None:
    as_json = post(browser, case_page, opened(browser, case_page, act="switch"))
    data = sent_by(shown(as_json), act="switch")
    assert json.loads(str(data["case_json"])) == FULL.as_dict()
    assert list(json.loads(str(data["case_json"]))) == list(FULL.as_dict())
    assert "data-unsaved-dirty" not in shown(as_json)
    back = post(browser, case_page, data)
    assert back.status_code == 200
    assert sent_by(shown(back)) == opened(browser, case_page)


@pytest.mark.spec("DS-103")
def test_json_saves_as_it_stands(browser: Client, page: str) -> None:
    sent = {"mode": "json", "case_json": '{"input": "q",\r\n "expected_tool_calls": [{"tool": "t"}]}'}
    assert browser.post(f"{page}cases/new/", sent).status_code == 302
    assert CaseRevision.objects.get().expected_tool_calls == [{"tool": "t", "args": {}}]


@pytest.mark.spec("DS-D27")
@pytest.mark.parametrize(
    ("written", "said"),
    [
        (
            '{"input": "q",\n "checks": [{"type" 1}]}',
            "In checks, line 2, column 21: a colon was expected after the key.",
        ),
        ("", "nothing is here; JSON was expected"),
        ("[]", "A case is one object with its fields, not a list."),
        ('{"input": "q",\n "cheks": []}', "Line 2, cheks: There is no field of this name. Did you mean checks?"),
        ('{"input": "q",\n\n "checks": [{"type": "x"}]}', "Line 3, checks.0.type: There is no check of this type"),
        ('{"input": 1,\n "nte": "x"}', "Line 1, input: This must be text, not a number."),
        ('{"input": 1,\n "nte": "x"}', "Line 2, nte: There is no field of this name. Did you mean note?"),
    ],
)
@pytest.mark.parametrize("act", ["switch", "save"])
def test_json_that_cannot_be_read_stays_with_line_and_key(
    browser: Client, page: str, written: str, said: str, act: str
) -> None:
    answer = browser.post(f"{page}cases/new/", {"mode": "json", "case_json": written, "act": act}, headers=PART)
    assert answer.status_code == 422
    assert said in text(answer).replace("&quot;", '"')
    assert str(sent_by(shown(answer))["case_json"]).replace("\r\n", "\n") == written
    assert not DatasetVersion.objects.exists()


def test_an_empty_form_goes_to_json_and_back(browser: Client, page: str) -> None:
    as_json = post(browser, f"{page}cases/new/", opened(browser, f"{page}cases/new/", act="switch"))
    assert "data-unsaved-dirty" not in shown(as_json)
    back = post(browser, f"{page}cases/new/", sent_by(shown(as_json), act="switch"))
    assert sent_by(shown(back))["mode"] == "fields"


def test_rows_that_cannot_be_read_stay_rows(browser: Client, page: str) -> None:
    row = {
        f"expected_tool_calls.0.args.{n}.{part}": text for n in "ab" for part, text in (("name", "x"), ("value", "1"))
    }
    sent = filled(act="switch", **{"expected_tool_calls.0.tool": "t"}, **row)
    answer = browser.post(f"{page}cases/new/", sent, headers=PART)
    assert answer.status_code == 422
    assert '<a href="#id_expected_tool_calls.0.args.1.name">Call 1, argument 2</a>' in text(answer)
    assert "Another argument of this call has the name x." in text(answer)


@pytest.mark.spec("DS-D25", "DS-D2")
def test_each_problem_stands_at_the_field_it_belongs_to(browser: Client, page: str) -> None:
    sent = filled(
        **{"history.x.role": "user", "history.x.content": " "},
        **{"history.y.role": "nobody", "history.y.content": "c"},
        **{"expected_tool_calls.0.tool": "t", "expected_tool_calls.0.args.0.name": "n"},
        **{"expected_tool_calls.0.args.0.kind": "json", "expected_tool_calls.0.args.0.value": "{"},
        **{"checks.0.type": "max_cost_usd", "checks.0.value": "a lot"},
        **{"checks.1.type": "json_schema", "checks.1.schema": '{"pattern": "x"}'},
        **{"checks.2.type": "length", "checks.2.unit": "words"},
    )
    page_shown = shown(browser.post(f"{page}cases/new/", sent, headers=PART))
    for place in (
        "history.1.role",
        "expected_tool_calls.0.args.0.value",
        "checks.0.value",
        "checks.1.schema",
        "checks.2",
    ):
        assert f'href="#id_{place}"' in page_shown, place
        assert f'id="id_{place}"' in page_shown, place


@pytest.mark.spec("DS-D23")
def test_a_history_that_ends_with_the_user_is_warned_of(browser: Client, page: str) -> None:
    sent = filled(**{"history.0.role": "user", "history.0.content": "c"})
    answer = shown(browser.post(f"{page}cases/new/", sent, headers=PART))
    assert "data-last-turn role" in answer
    sent["history.0.role"] = "assistant"
    assert "data-last-turn hidden role" in shown(browser.post(f"{page}cases/new/", sent, headers=PART))


# --- Saving at the same time


@pytest.mark.spec("DS-D11")
@pytest.mark.parametrize("base", [None, "", "x", "-1"])
def test_an_edit_without_its_base_is_refused(browser: Client, case_page: str, base: str | None) -> None:
    data = opened(browser, case_page, note="mine")
    del data["base_revision"]
    if base is not None:
        data["base_revision"] = base
    answer = post(browser, case_page, data)
    assert answer.status_code == 422
    assert "does not say which revision" in text(answer)
    assert DatasetVersion.objects.count() == 1


@pytest.mark.spec("DS-D11")
def test_what_only_they_changed_is_taken_and_what_both_changed_is_shown(
    browser: Client, case_page: str, theirs: Callable[..., Any]
) -> None:
    data = opened(browser, case_page, reference_answer="Mine.")
    theirs(reference_answer="Theirs.", note="their note")
    answer = post(browser, case_page, data)
    assert answer.status_code == 409
    assert "What only they changed is in the form now as they saved it: Note." in text(answer)
    again = sent_by(shown(answer))
    assert (again["reference_answer"], again["note"], again["base_revision"]) == ("Mine.", "their note", "2")
    assert "data-unsaved-no-save" in shown(answer)
    post(browser, case_page, again)
    newest = CaseRevision.objects.get(until=None)
    assert (newest.reference_answer, newest.note) == ("Mine.", "their note")


@pytest.mark.spec("DS-D11")
def test_a_field_can_be_put_to_what_they_saved(browser: Client, case_page: str, theirs: Callable[..., Any]) -> None:
    data = opened(browser, case_page, reference_answer="Mine.", note="mine")
    theirs(reference_answer="Theirs.")
    again = sent_by(shown(post(browser, case_page, data)), take="reference_answer")
    answer = sent_by(shown(post(browser, case_page, again)))
    assert (answer["reference_answer"], answer["note"]) == ("Theirs.", "mine")


def test_a_conflict_in_json_stays_json(browser: Client, case_page: str, theirs: Callable[..., Any]) -> None:
    data = sent_by(shown(post(browser, case_page, opened(browser, case_page, act="switch"))))
    data["case_json"] = str(data["case_json"]).replace("On its way.", "Mine.")
    theirs(reference_answer="Theirs.", note="n")
    again = sent_by(shown(post(browser, case_page, data)))
    assert json.loads(str(again["case_json"])) == {**FULL.as_dict(), "reference_answer": "Mine.", "note": "n"}
    assert post(browser, case_page, again)["HX-Redirect"]


@pytest.mark.spec("DS-D11")
def test_a_deleted_case_is_added_again_as_a_new_one(
    cast: Cast, browser: Client, dataset: Dataset, page: str, case_page: str
) -> None:
    data = opened(browser, case_page, note="mine")
    case_id = CaseRevision.objects.get().case_id
    delete_cases(cast.actor("owner"), dataset_id=dataset.pk, case_ids=[case_id])
    answer = post(browser, case_page, data)
    assert answer.status_code == 409
    assert "Add as a new case" in text(answer)
    assert f'data-unsaved-key="dataset:{dataset.pk}:case:{case_id}"' in shown(answer)
    assert post(browser, f"{page}cases/new/", sent_by(shown(answer)))["HX-Redirect"]
    newest = CaseRevision.objects.newest(dataset).get()
    assert newest.case_id != case_id
    assert (newest.note, newest.checks) == ("mine", list(FULL.checks))
    assert browser.get(case_page)["Location"] == f"{page}?case={case_id}"


# --- What a save would do


@pytest.mark.spec("DS-82", "DS-D30")
def test_the_form_is_told_whether_saving_would_succeed_and_nothing_is_saved(
    browser: Client, page: str, case_page: str, theirs: Callable[..., Any]
) -> None:
    def could(address: str, sent: Any) -> bool:
        answer = browser.post(address, {**sent, "act": "check"}, headers=PART)
        return answer.status_code == 200 and answer.json()["could_be_saved"]

    new = f"{page}cases/new/"
    assert could(new, filled(reference_answer="a"))
    assert not could(new, filled())
    assert not could(new, filled(input=" WHERE is order 12?", reference_answer="a"))
    edit = opened(browser, case_page, note="mine").dict()
    assert could(case_page, edit)
    theirs(note="x")
    assert not could(case_page, edit)
    assert DatasetVersion.objects.count() == 2


# --- What grades the case


@pytest.mark.spec("DS-105", "SC-1", "SC-42")
def test_the_form_shows_the_evaluators_and_what_the_case_gives_them(
    browser: Client, page: str, case_page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluators, "_grading", [])
    new = text(browser.get(f"{page}cases/new/", headers=PANEL))
    names = ["Checks", "Expected tool calls", "Your criteria", "Reference answer"]
    places = [new.index(f"<strong>{name}</strong>") for name in names]
    assert places == sorted(places)
    assert new.count("data-applies") == 0
    assert "Grading is not set up for this dataset yet" in new
    assert text(browser.get(case_page, headers=PANEL)).count("data-applies") == 3


@pytest.mark.spec("SC-D11")
def test_an_app_that_knows_the_grading_settings_says_what_is_on(
    browser: Client, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluators, "_grading", [])
    grading = {"checks": True, "judge": False, "reference_answer": False}
    evaluators.answer_grading(lambda _dataset: grading)
    new = text(browser.get(f"{page}cases/new/", headers=PANEL))
    assert '<strong>Checks</strong> <span class="muted">on</span>' in new
    assert '<strong>Your criteria</strong> <span class="muted">off</span>' in new
    assert "Grading is not set up" not in new
    assert "data-judge-off hidden" in new
    sent = filled(**{"checks.0.type": "judge", "checks.0.criterion": ""})
    assert "data-judge-off role" in shown(browser.post(f"{page}cases/new/", sent, headers=PART))
    grading["reference_answer"] = True
    assert "data-judge-off" not in text(browser.get(f"{page}cases/new/", headers=PANEL))


def test_the_form_asks_the_database_little(
    browser: Client, case_page: str, django_assert_max_num_queries: Callable[[int], Any]
) -> None:
    with django_assert_max_num_queries(25):
        browser.get(case_page, headers=PANEL)
