"""The console's pages of datasets: what they show, their parts, how often they ask (DS-8 to DS-18, DS-58 to DS-63)."""

import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import AuditEntry
from datasets.logic.drafts import CaseDraft
from datasets.models import Dataset, DatasetVersion
from datasets.operations.cases import add_case, edit_case
from datasets.operations.datasets import create_dataset
from tests.cast import Cast
from tests.datasets.pages import PANEL, PART, text

Add = Callable[..., Any]
CSV = b'input,reference_answer,tags\nHow long?,30 days,returns\nCan I?,"No, only unused items",returns\n'


# --- The list


@pytest.mark.spec("DS-94", "ACC-20")
def test_the_list_shows_what_the_member_can_see(
    cast: Cast, dataset: Dataset, private: Dataset, sign_in: Callable[[str], Client]
) -> None:
    assert "Private returns" in text(sign_in("builder").get("/datasets/"))
    shown = text(sign_in("member").get("/datasets/"))
    assert "Returns" in shown
    assert "Private returns" not in shown
    assert "Returns" not in text(sign_in("stranger").get("/datasets/"))


def test_an_empty_list_teaches_and_offers_what_the_member_may_do(sign_in: Callable[[str], Client]) -> None:
    assert "New dataset" in text(sign_in("member").get("/datasets/"))
    viewer = text(sign_in("viewer").get("/datasets/"))
    assert "New dataset" not in viewer
    assert "Nobody has shared one with you yet." in viewer


def test_a_search_answers_with_the_table_alone(browser: Client, dataset: Dataset) -> None:
    answer = browser.get("/datasets/?q=RETÚRNS", headers=PART)
    assert answer.content.strip().startswith(b'<div id="datasets">')
    assert "Returns" in text(answer)
    assert "HX-Request" in answer["Vary"]
    assert "No dataset has" in text(browser.get("/datasets/?q=zzz"))


@pytest.mark.spec("DS-95", "DS-D10")
def test_a_new_dataset_opens_as_soon_as_it_exists(browser: Client) -> None:
    sent = {"name": "Łódź", "description": "", "visibility": "private"}
    answer = browser.post("/datasets/new/", sent)
    made = Dataset.objects.get(name="Łódź")
    assert (answer.status_code, answer["Location"]) == (302, f"/datasets/{made.pk}/?tour=offered")
    assert browser.post("/datasets/new/", sent, headers=PART)["HX-Redirect"].startswith("/datasets/")
    assert "already" in text(browser.get("/datasets/new/name/?name=ŁÓDŹ", headers=PART))
    assert "already" not in text(browser.get("/datasets/new/name/?name=other", headers=PART))


def test_a_wrong_name_is_shown_in_place(browser: Client) -> None:
    answer = browser.post("/datasets/new/", {"name": " ", "visibility": "organisation"}, headers=PART)
    assert answer.status_code == 422
    assert "Give the dataset a name." in text(answer)
    assert "<html" not in text(answer)


# --- The page


@pytest.mark.spec("DS-12", "DS-14", "DS-15", "DS-16", "DS-18", "DS-8", "ACC-D21")
def test_the_page_shows_the_newest_version_with_its_labels(browser: Client, page: str, add: Add) -> None:
    add("Where is <b>my</b> order?", reference_answer="Here", checks=({"type": "contains", "value": "x"},), tags=("a",))
    answer = browser.get(page)
    shown = text(answer)
    for words in ("Add case", "Import", "Export", "Version 1", "Reference", "1 check", "Written", "data-full-screen"):
        assert words in shown, words
    assert "&lt;b&gt;my&lt;/b&gt;" in shown
    assert "<b>my" not in shown
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.spec("DS-25")
def test_a_page_without_cases_offers_the_ways_to_get_some(browser: Client, page: str) -> None:
    shown = text(browser.get(page))
    assert "No cases yet" in shown
    assert "Write a question" in shown
    assert "Import a CSV or JSONL file" in shown


def test_the_page_asks_the_database_as_often_whatever_it_holds(
    cast: Cast, browser: Client, dataset: Dataset, page: str, add: Add, django_assert_max_num_queries: Any
) -> None:
    for number in range(20):
        add(f"q{number}", reference_answer="a", tags=(f"t{number}",))
    for query in ("", "?version=12", "?q=q1&tag=t1", "?tab=settings"):
        with django_assert_max_num_queries(14):
            assert browser.get(page + query).status_code == 200
    with django_assert_max_num_queries(15):
        assert browser.get(f"{page}?case={uuid4()}").status_code == 200


@pytest.mark.spec("DS-D5", "DS-D6")
def test_the_table_starts_with_the_newest_case_and_is_sorted_filtered_and_paged(
    browser: Client, page: str, add: Add
) -> None:
    for number in range(52):
        add(f"q{number:02}", **({"counter_example": "x"} if number == 7 else {"reference_answer": "a"}))

    def rows(query: str) -> list[str]:
        shown = browser.get(page + query, headers=PART).content.decode()
        return re.findall(r"data-row-link [^>]*>(?:<[^>]*>)?(q\d\d)<", shown)

    assert rows("")[:2] == ["q51", "q50"]
    assert len(rows("")) == 50
    assert rows("?page=2") == ["q01", "q00"]
    assert rows("?sort=question")[:2] == ["q00", "q01"]
    assert rows("?sort=nonsense&page=x&source=x&version=")[0] == "q51"
    assert rows("?expectation=counter_example") == ["q07"]
    assert rows("?q=Q4")[0] == "q49"
    assert rows("?version=2") == ["q01", "q00"]


@pytest.mark.spec("DS-58", "DS-59", "DS-60", "DS-63", "DS-D8", "DS-D15")
def test_an_older_version_is_read_only_with_a_way_to_the_newest(browser: Client, page: str, add: Add) -> None:
    add("a")
    add("b")
    old = text(browser.get(f"{page}?version=1"))
    assert "Version 1 of 2, read-only." in old
    assert "Go to the newest version" in old
    for act in ("Add case", "data-selection-one", "Import"):
        assert f">{act}<" not in old
    beyond = text(browser.get(f"{page}?version=3"))
    assert "This dataset has versions 1 to 2." in beyond


@pytest.mark.spec("DS-62", "DS-D8")
def test_the_list_of_versions_says_what_changed_and_shows_the_newest_hundred(
    cast: Cast, browser: Client, dataset: Dataset, page: str, add: Add
) -> None:
    case_id = add("a").revision.case_id
    for number in range(101):
        edit_case(cast.actor("builder"), dataset_id=dataset.pk, case_id=case_id, changes={"note": f"n{number}"})
    shown = browser.get(f"{page}versions/", headers=PART).content.decode()
    assert len(re.findall(r'class="menu-item version"', shown)) == 100
    assert f'href="{page}?version=101"' in shown
    assert f'href="{page}?version=2"' not in shown
    assert "1 edited" in shown


@pytest.mark.spec("DS-17", "DS-106", "DS-107", "DS-109", "DS-110", "DS-112", "DS-113", "DS-114", "DS-D66")
def test_a_row_opens_its_case_in_the_panel(browser: Client, page: str, add: Add) -> None:
    case = add(
        "**Bold** <script>alert(1)</script> ![x](https://example.org/p.png)",
        reference_answer="*ref*",
        counter_example="no",
        expected_tool_calls=({"tool": "find", "args": {"id": "12"}},),
        history=({"role": "user", "content": "earlier"},),
        checks=({"type": "contains", "value": "x"},),
        note="why",
        tags=("t",),
    ).revision.case_id
    answer = browser.get(f"{page}?tab=cases&case={case}", headers=PANEL)
    shown = text(answer)
    assert "<html" not in shown
    for words in (
        "<strong>Bold</strong>",
        "<em>ref</em>",
        "Reference answer",
        "Earlier conversation",
        "Counter-example",
        "Checks",
        "Note",
        "Tags",
        "Expected tool calls",
        "&quot;12&quot;",
        "Edit",
    ):
        assert words in shown, words
    assert "<script" not in shown
    assert "<img" not in shown
    assert answer["Cache-Control"] == "no-store"
    whole = text(browser.get(f"{page}?tab=cases&case={case}"))
    assert "<em>ref</em>" in whole
    assert 'id="cases"' in whole


@pytest.mark.spec("DS-D9")
def test_a_link_to_a_case_that_is_gone_says_where_it_still_is(
    cast: Cast, browser: Client, dataset: Dataset, page: str, add: Add
) -> None:
    case_id = add("a").revision.case_id
    browser.post(f"{page}cases/delete/", {"chosen": f"{case_id}:1"})
    gone = text(browser.get(f"{page}?case={case_id}"))
    assert "The newest that does is version 1." in gone
    assert f"?version=1&amp;case={case_id}" in gone
    assert 'id="cases"' in gone
    for unknown in (uuid4(), "nonsense"):
        assert "Case not found" in text(browser.get(f"{page}?case={unknown}"))


# --- Settings


@pytest.mark.spec("DS-61")
def test_editing_the_details_makes_no_version(browser: Client, dataset: Dataset, page: str) -> None:
    assert ">Edit details<" in text(browser.get(f"{page}?tab=settings"))
    form = text(browser.get(f"{page}details/", headers=PART))
    assert "Changing these makes no version." in form
    assert "<html" not in form
    sent = {"name": "New name", "description": "d"}
    assert browser.post(f"{page}details/", sent)["Location"] == f"{page}?tab=settings"
    dataset.refresh_from_db()
    assert (dataset.name, dataset.description, dataset.newest_version) == ("New name", "d", 0)
    assert browser.post(f"{page}details/", {**sent, "name": ""}).status_code == 422


@pytest.mark.spec("ACC-22")
def test_who_may_only_view_sees_no_act(sign_in: Callable[[str], Client], page: str, add: Add) -> None:
    add("q")
    viewer = sign_in("viewer")
    shown = text(viewer.get(page)) + text(viewer.get(f"{page}?tab=settings"))
    for act in (">Add case<", ">Import<", ">Delete dataset<", ">Edit details<", "data-selection-one"):
        assert act not in shown, act
    assert "Export" in shown


@pytest.mark.spec("DS-D17")
def test_deleting_says_what_goes_and_asks_for_the_name(browser: Client, dataset: Dataset, page: str, add: Add) -> None:
    add("q")
    asked = text(browser.get(f"{page}delete/", headers=PART))
    for line in ('<dt>Cases</dt><dd class="number">1</dd>', '<dt>Versions</dt><dd class="number">1</dd>'):
        assert line in asked
    assert browser.post(f"{page}delete/", {"name": "wrong"}, headers=PART).status_code == 422
    assert Dataset.objects.exists()
    assert browser.post(f"{page}delete/", {"name": "Returns"})["Location"] == "/datasets/"
    assert not Dataset.objects.exists()


# --- Files


def upload(browser: Client, page: str, data: bytes, name: str = "a.csv", **fields: str) -> Any:
    sent = {"file": SimpleUploadedFile(name, data), "once": "k", **fields}
    return browser.post(f"{page}import/", sent, headers=PART)


@pytest.mark.spec("DS-125", "DS-126", "DS-128")
def test_the_import_dialog_lists_the_columns_first(browser: Client, page: str) -> None:
    shown = text(browser.get(f"{page}import/", headers=PART))
    for words in ("expected_tool_calls", "Download a template", "Choose file"):
        assert words in shown, words
    assert browser.get("/datasets/import-template.csv").content.startswith(b"input,history,")


@pytest.mark.spec("DS-122", "DS-D46")
def test_a_file_is_shown_before_it_is_stored_and_stored_once(browser: Client, dataset: Dataset, page: str) -> None:
    shown = upload(browser, page, CSV)
    assert "2 cases read" in text(shown)
    assert "Import 2 cases" in text(shown)
    assert not DatasetVersion.objects.exists()
    for _sending in range(2):
        assert upload(browser, page, CSV, step="import")["HX-Redirect"] == page
    assert DatasetVersion.objects.count() == 1
    assert "2 cases imported. Saved as version 1." in text(browser.get(page))


@pytest.mark.spec("DS-122", "DS-D34")
def test_a_preview_says_what_is_there_already_and_offers_to_add_only_the_rest(browser: Client, page: str) -> None:
    """BC-13, BC-17: a count before anything is stored, and nothing to press where nothing differs."""
    upload(browser, page, CSV, step="import")
    unchanged = text(upload(browser, page, CSV))
    assert "Nothing differs" in unchanged
    assert "Already there" in unchanged
    assert 'name="step"' not in unchanged
    edited = CSV.replace(b"30 days", b"14 days")
    shown = text(upload(browser, page, edited))
    assert "1 of them is in the newest version already, word for word." in shown
    assert "1 of them asks a question that another case asks too." in shown
    assert "Same question" in shown
    assert "Import 2 cases" in shown
    assert "Import only the 1 that differs" in shown
    upload(browser, page, edited, step="import_differing", once="l")
    assert "1 case imported. Saved as version 2." in text(browser.get(page))
    upload(browser, page, edited, step="import", once="m")
    assert "Nothing differs: version 2 has every case of the file." in text(browser.get(page))


@pytest.mark.spec("DS-124")
def test_every_bad_row_of_a_file_is_listed(browser: Client, page: str) -> None:
    answer = upload(browser, page, b"input,reference_answer\nq1,\n,a\n")
    assert answer.status_code == 422
    assert "2 of 2 rows are not valid." in text(answer)
    assert re.findall(r'<td class="number"[^>]*>(\d+)</td>', answer.content.decode()) == ["2", "3"]
    assert upload(browser, page, b"").status_code == 422
    assert upload(browser, page, b"x" * (10 * 1024 * 1024 + 1)).status_code == 413


@pytest.mark.spec("DS-135", "DS-D37", "DS-D51")
def test_the_version_on_screen_is_exported(cast: Cast, browser: Client, dataset: Dataset, page: str, add: Add) -> None:
    add("first")
    add("second")
    offered = text(browser.get(f"{page}export/?version=1", headers=PART))
    assert "Export version 1" in offered
    assert "CSV for Excel" in offered
    assert "larger than 10 MB" not in offered
    file = browser.get(f"{page}export/file/?format=csv&bom=true&version=1")
    data = b"".join(file.streaming_content)
    assert data.startswith(b"\xef\xbb\xbfinput,")
    assert b"first" in data
    assert b"second" not in data
    assert AuditEntry.objects.filter(action="dataset.exported").count() == 1


def test_an_export_beyond_what_an_import_takes_says_so(
    cast: Cast, browser: Client, dataset: Dataset, page: str, add: Add, monkeypatch: pytest.MonkeyPatch
) -> None:
    add("q")
    monkeypatch.setattr("datasets.views.files.LIMITS", type("L", (), {"import_bytes": 3})())
    assert "larger than 10 MB" in text(browser.get(f"{page}export/", headers=PART))


@pytest.mark.spec("ACC-D11", "ACC-19")
def test_a_dataset_of_another_organisation_is_not_there_for_a_member_of_both(
    cast: Cast, sign_in: Callable[[str], Client], page: str
) -> None:
    mine = create_dataset(cast.actor("both_elsewhere"), name="Elsewhere")
    add_case(cast.actor("both_elsewhere"), dataset_id=mine.pk, draft=CaseDraft("q", reference_answer="a"))
    here = sign_in("both")
    assert here.get(page).status_code == 200
    assert here.get(f"/datasets/{mine.pk}/").status_code == 404
    assert here.get(f"/datasets/{mine.pk}/").content == here.get(f"/datasets/{uuid4()}/").content


@pytest.mark.spec("DS-D65", "ACC-D14")
def test_the_operators_admin_shows_no_text_of_a_case(cast: Cast, browser: Client, page: str, add: Add) -> None:
    revision = add("a canary question", reference_answer="a canary answer", note="canary").revision
    user = cast.builder.user
    user.is_staff = user.is_superuser = True
    user.save()
    for address in ("dataset/", "datasetversion/", "caserevision/", f"caserevision/{revision.pk}/change/"):
        answer = browser.get(f"/admin/datasets/{address}")
        assert answer.status_code == 200, address
        assert b"canary" not in answer.content
    assert browser.post(f"/admin/datasets/caserevision/{revision.pk}/delete/", {"post": "yes"}).status_code == 403
