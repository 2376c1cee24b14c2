"""Writing, editing and deleting cases in the console: every outcome of the forms (DS-98 to DS-118, DS-D11)."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import AuditEntry
from datasets.models import CaseRevision, Dataset, DatasetVersion
from datasets.operations.cases import edit_case
from tests.cast import Cast
from tests.datasets.pages import PANEL, PART, filled, text

Add = Callable[..., Any]


@pytest.mark.spec("DS-98", "DS-99", "DS-104", "DS-4", "DS-5", "DS-6")
def test_the_form_states_the_version_it_will_make_and_guides(browser: Client, page: str) -> None:
    shown = text(browser.get(f"{page}cases/new/", headers=PANEL))
    assert "Saving makes version 1." in shown
    assert "A good case is small" in shown
    assert "For when a rule can be stated exactly." in shown
    assert shown.index("Question") < shown.index("Reference answer") < shown.index("Tools") < shown.index("Checks")
    assert "data-unsaved-guard" in shown
    assert "<html" in text(browser.get(f"{page}cases/new/"))


@pytest.mark.spec("DS-53", "DS-98")
def test_saving_a_new_case_opens_it(browser: Client, dataset: Dataset, page: str) -> None:
    sent = filled(
        input="one\r\ntwo",
        reference_answer="a",
        tags="x, y ,X",
        **{"checks.0.type": "contains", "checks.0.value": "ż"},
        **{"history.a.role": "user", "history.a.content": "c\r\nd"},
    )
    answer = browser.post(f"{page}cases/new/?q=z", sent, headers=PART)
    (revision,) = CaseRevision.objects.all()
    assert answer["HX-Redirect"] == f"{page}?q=z&tab=cases&case={revision.case_id}"
    assert (revision.input, revision.tags, revision.source) == ("one\ntwo", ["x", "y"], "manual")
    assert revision.checks == [{"type": "contains", "value": "ż"}]
    assert revision.history == [{"role": "user", "content": "c\nd"}]
    assert "Saved as version 1." in text(browser.get(page))


@pytest.mark.spec("DS-47", "DS-D27", "DS-D2")
@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "A case needs something to compare an answer with"),
        ({"input": "  ", "reference_answer": "a"}, "A case needs a question."),
        ({"checks.0.type": "nope"}, "There is no check of this type"),
        ({"checks.0.type": "judge"}, "A check of this type needs this."),
        ({"order_mode": "x", "reference_answer": "a"}, "This is any, in_order or exact."),
        (
            {"tags": ",".join(f"t{number}" for number in range(21)), "reference_answer": "a"},
            "At most 20; this has 21.",
        ),
    ],
)
def test_what_is_wrong_is_shown_beside_the_field_and_nothing_is_lost(
    browser: Client, page: str, fields: dict[str, str], words: str
) -> None:
    answer = browser.post(f"{page}cases/new/", filled(note="kept &", **fields), headers=PART)
    assert answer.status_code == 422
    assert words in text(answer).replace("&quot;", '"')
    assert "kept &amp;" in text(answer)
    assert not DatasetVersion.objects.exists()


@pytest.mark.spec("DS-115", "DS-116", "DS-117", "DS-118", "DS-D34")
def test_a_twin_stops_once_and_then_both_are_kept(browser: Client, dataset: Dataset, page: str, add: Add) -> None:
    twin = add("Is it open?").revision.case_id
    sent = filled(input=" is it  OPEN?", reference_answer="a")
    stopped = browser.post(f"{page}cases/new/", sent, headers=PART)
    assert stopped.status_code == 409
    for words in ("Another case asks this question", "Open it", "Add anyway", f"?case={twin}"):
        assert words in text(stopped), words
    assert DatasetVersion.objects.count() == 1
    assert browser.post(f"{page}cases/new/", {**sent, "anyway": "1"}, headers=PART).status_code == 200
    assert DatasetVersion.objects.count() == 2


@pytest.mark.spec("DS-D11", "DS-D13")
def test_an_edit_saves_only_what_changed(browser: Client, dataset: Dataset, page: str, add: Add) -> None:
    case_id = add("one\ntwo", reference_answer="a", tags=("x", "y")).revision.case_id
    where = f"{page}cases/{case_id}/edit/"
    assert "Saving makes version 2." in text(browser.get(where, headers=PANEL))
    same = filled(input="one\r\ntwo", reference_answer="a", tags="x, y", base_revision="1")
    browser.post(where, same)
    assert "Nothing changed" in text(browser.get(page))
    browser.post(where, {**same, "note": "n"})
    assert "Saved as version 2." in text(browser.get(page))
    assert AuditEntry.objects.get(action="case.edited").details["fields"] == ["note"]


@pytest.mark.spec("DS-D11")
def test_a_conflict_shows_both_texts_and_keeps_the_persons_own(
    cast: Cast, browser: Client, dataset: Dataset, page: str, add: Add
) -> None:
    case_id = add("q").revision.case_id
    edit_case(cast.actor("owner"), dataset_id=dataset.pk, case_id=case_id, changes={"note": "their note"})
    sent = filled(reference_answer="30 days", note="my note", base_revision="1")
    answer = browser.post(f"{page}cases/{case_id}/edit/", sent, headers=PART)
    shown = text(answer)
    assert answer.status_code == 409
    assert "Somebody else changed this case meanwhile" in shown
    assert "their" in shown
    assert ">my note</textarea>" in shown.replace("> ", ">")
    assert 'name="base_revision" value="2"' in shown
    assert browser.post(f"{page}cases/{case_id}/edit/", {**sent, "base_revision": "2"}).status_code == 302
    assert CaseRevision.objects.get(case_id=case_id, until=None).note == "my note"


@pytest.mark.spec("DS-D11")
def test_a_case_deleted_meanwhile_is_offered_as_a_new_one(browser: Client, page: str, add: Add) -> None:
    case_id = add("q").revision.case_id
    browser.post(f"{page}cases/delete/", {"chosen": f"{case_id}:1"})
    answer = browser.post(f"{page}cases/{case_id}/edit/", filled(reference_answer="a", note="mine"), headers=PART)
    assert answer.status_code == 409
    assert "This case was deleted meanwhile" in text(answer)
    assert f'hx-post="{page}cases/new/' in text(answer)
    assert "mine" in text(answer)
    assert browser.get(f"{page}cases/{uuid4()}/edit/").status_code == 404


# --- Deleting


@pytest.mark.spec("DS-18", "DS-D14")
def test_several_cases_are_deleted_after_a_question(browser: Client, page: str, add: Add) -> None:
    chosen = [f"{add(question).revision.case_id}:{number}" for number, question in enumerate("abc", start=1)]
    query = "&".join(f"chosen={one}" for one in chosen[:2])
    asked = text(browser.get(f"{page}cases/delete/?{query}", headers=PART))
    assert "Delete 2 cases?" in asked
    assert "Older versions still hold them" in asked
    browser.post(f"{page}cases/delete/?q=x", {"chosen": chosen[:2]})
    assert "2 cases deleted. Saved as version 4." in text(browser.get(page))


def test_a_deletion_of_a_changed_case_is_refused_in_place(
    cast: Cast, browser: Client, dataset: Dataset, page: str, add: Add
) -> None:
    case_id = add("q").revision.case_id
    edit_case(cast.actor("owner"), dataset_id=dataset.pk, case_id=case_id, changes={"note": "n"})
    answer = browser.post(f"{page}cases/delete/", {"chosen": f"{case_id}:1"}, headers=PART)
    assert answer.status_code == 409
    assert "Nothing was deleted." in text(answer)
    assert browser.post(f"{page}cases/delete/", {"chosen": "nonsense"}).status_code == 404
