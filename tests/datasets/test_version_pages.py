"""The pages of versions: their list, two of them compared, the question before going back (DS-62, DS-63, DS-D16)."""

import re
from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.utils import timezone

from datasets.logic.texts import HIDDEN_TEXT
from datasets.models import CaseRevision, Dataset, DatasetVersion
from datasets.operations.cases import delete_cases, edit_case
from tests.cast import Cast
from tests.datasets.pages import PART, text

Add = Callable[..., Any]


@pytest.fixture
def ids(cast: Cast, dataset: Dataset, add: Add) -> list[UUID]:
    """Two cases by version 2; then the first is edited (3) and the second deleted (4)."""
    builder = cast.actor("builder")
    made = [
        add(question, reference_answer="within 30 days").revision.case_id for question in ("How long?", "How <much>?")
    ]
    changes = {"input": "How long, exactly?", "checks": ({"type": "contains", "value": "30"},)}
    edit_case(builder, dataset_id=dataset.pk, case_id=made[0], changes=changes)
    delete_cases(builder, dataset_id=dataset.pk, case_ids=[made[1]])
    return made


# --- The list


@pytest.mark.spec("DS-62", "DS-D8", "DS-67", "DS-68", "DS-69")
def test_the_list_says_who_changed_what_and_what_it_cost(browser: Client, page: str, ids: list[UUID]) -> None:
    answer = browser.get(f"{page}versions/")
    shown = text(answer)
    rows = re.findall(r'<td class="number" data-label="Revisions stored">(\d+)</td>', shown)
    assert rows == ["0", "1", "1", "1"]
    for words in ("1 removed", "1 edited", "1 added", "Builder", "This dataset holds 3 case revisions."):
        assert words in shown, words
    assert f"{page}compare/?from=3&amp;to=4" in shown
    assert f"{page}versions/3/restore/" in shown
    assert f"{page}versions/4/restore/" not in shown
    assert f"{page}compare/?from=0" not in shown


@pytest.mark.spec("DS-62", "DS-63")
def test_the_list_shows_the_hundred_newest_and_says_how_to_open_an_older_one(
    cast: Cast, browser: Client, dataset: Dataset, page: str, add: Add, django_assert_max_num_queries: Any
) -> None:
    add("q")
    rows = [
        DatasetVersion(dataset=dataset, number=number, author=cast.builder, kind="edited", edited=1, case_count=1)
        for number in range(2, 103)
    ]
    DatasetVersion.objects.bulk_create(rows)
    Dataset.objects.filter(pk=dataset.pk).update(newest_version=102)
    with django_assert_max_num_queries(9):
        shown = text(browser.get(f"{page}versions/"))
    assert len(re.findall("data-row-id", shown)) == 100
    assert 'aria-label="Open version 3"' in shown
    assert 'aria-label="Open version 2"' not in shown
    assert "The 100 newest of 102 versions are listed." in shown
    assert 'name="version"' in shown


@pytest.mark.spec("DS-59", "DS-62")
def test_the_short_list_beside_the_title_comes_when_it_is_opened(browser: Client, page: str, ids: list[UUID]) -> None:
    whole = text(browser.get(page))
    assert f'hx-get="{page}versions/?version=4"' in whole
    short = browser.get(f"{page}versions/?version=3", headers=PART)
    assert "<html" not in text(short)
    assert re.findall(r'href="([^"]+)"( aria-current="true")?', short.content.decode()) == [
        (page, ""),
        (f"{page}?version=3", ' aria-current="true"'),
        (f"{page}?version=2", ""),
        (f"{page}?version=1", ""),
    ]


@pytest.mark.spec("DS-70", "ACC-20")
def test_what_all_datasets_hold_is_told_to_who_may_know_of_all_of_them(
    sign_in: Callable[[str], Client], page: str, ids: list[UUID], settings: Any
) -> None:
    assert "All datasets of the organisation hold 3 of at most 5,000,000." in text(
        sign_in("operator").get(f"{page}versions/")
    )
    settings.DATASET_MAX_VERSION_ROWS_PER_ORG = 3
    assert "There is little room left." in text(sign_in("builder").get(f"{page}versions/"))
    for name in ("member", "viewer"):
        shown = text(sign_in(name).get(f"{page}versions/"))
        assert "This dataset holds 3 case revisions." in shown
        assert "All datasets" not in shown
        assert "little room" not in shown


@pytest.mark.spec("ACC-D29")
def test_a_version_whose_text_was_removed_says_when(
    browser: Client, dataset: Dataset, page: str, ids: list[UUID]
) -> None:
    assert "Text of its cases was removed" not in text(browser.get(f"{page}?version=2"))
    DatasetVersion.objects.filter(dataset=dataset, number=2).update(text_removed_at=timezone.now())
    assert "Text of its cases was removed: <time" in text(browser.get(f"{page}?version=2"))
    assert text(browser.get(f"{page}versions/")).count("Text removed") == 1


def test_a_dataset_without_a_version_says_so(browser: Client, page: str) -> None:
    assert "This dataset has no version yet" in text(browser.get(f"{page}versions/"))
    assert "This dataset has no version yet." in text(browser.get(f"{page}compare/?from=1"))
    assert browser.get(f"{page}versions/1/restore/").status_code == 404


@pytest.mark.spec("ACC-22")
def test_who_may_only_view_compares_and_restores_nothing(
    sign_in: Callable[[str], Client], page: str, ids: list[UUID]
) -> None:
    viewer = sign_in("viewer")
    shown = text(viewer.get(f"{page}versions/")) + text(viewer.get(f"{page}?version=1"))
    assert "/restore/" not in shown
    assert "compare/?from=" in shown
    assert viewer.post(f"{page}versions/1/restore/").status_code == 403


# --- Comparing


@pytest.mark.spec("DS-D16", "ACC-D21")
def test_the_comparison_shows_each_case_field_by_field_with_the_words_that_differ(
    browser: Client, page: str, ids: list[UUID]
) -> None:
    answer = browser.get(f"{page}compare/?from=2&to=4")
    shown = text(answer)
    assert answer["Cache-Control"] == "no-store"
    assert "Compare version 2 with version 4" in shown
    assert re.findall(r'tab-count">(\d+)<', shown) == ["2", "0", "1", "1"]
    assert "0 cases are the same" in shown
    assert "<ins>, exactly</ins>" in shown
    assert "contains (value: &quot;30&quot;)" in shown
    assert "How &lt;much&gt;?" in shown
    assert f"{page}?version=2&amp;case={ids[1]}" in shown


def test_the_comparison_is_narrowed_by_kind_and_swapped(browser: Client, page: str, ids: list[UUID]) -> None:
    removed = text(browser.get(f"{page}compare/?from=2&to=4&change=removed"))
    assert "How &lt;much&gt;?" in removed
    assert "exactly" not in removed
    assert "No change of this kind." in text(browser.get(f"{page}compare/?from=2&to=4&change=added"))
    assert "?from=4&amp;to=2" in removed
    back = text(browser.get(f"{page}compare/?from=4&to=2"))
    assert "what going back would change" in back
    assert "<del>, exactly</del>" in back
    assert "Both versions hold the same cases." in text(browser.get(f"{page}compare/?from=3&to=3"))


@pytest.mark.spec("DS-D8")
@pytest.mark.parametrize(
    "query", ["?from=9&to=4", "?from=1&to=99", "?from=x&to=0", "?from=-1", "?change=nonsense&to=5"]
)
def test_a_number_that_does_not_exist_gives_way_and_the_page_says_so(
    browser: Client, page: str, ids: list[UUID], query: str
) -> None:
    answer = browser.get(f"{page}compare/{query}")
    assert answer.status_code == 200
    assert "This dataset has versions 1 to 4." in text(answer)


def test_without_numbers_the_newest_is_compared_with_the_one_before(
    browser: Client, page: str, ids: list[UUID]
) -> None:
    assert "Compare version 3 with version 4" in text(browser.get(f"{page}compare/"))
    assert "Compare version 1 with version 4" in text(browser.get(f"{page}compare/?from=1"))


@pytest.mark.spec("ACC-25", "ACC-D20")
def test_hidden_text_does_not_come_out_of_a_comparison(
    sign_in: Callable[[str], Client], dataset: Dataset, page: str, ids: list[UUID]
) -> None:
    CaseRevision.objects.filter(dataset=dataset).update(conversation_text=True)
    viewer = sign_in("viewer")
    for address in ("compare/?from=2&to=4", f"compare/{ids[0]}/?from=2&to=4"):
        shown = text(viewer.get(page + address))
        assert HIDDEN_TEXT in shown or "hidden from you" in shown
        assert "Text that is hidden from you differs too." in shown
        for words in ("How long", "exactly", "within 30 days", "&quot;30&quot;"):
            assert words not in shown, words


def test_long_texts_are_fetched_when_their_case_is_opened(
    cast: Cast, browser: Client, dataset: Dataset, page: str, ids: list[UUID]
) -> None:
    long = "so it goes on. " * 2_000
    edit_case(cast.actor("builder"), dataset_id=dataset.pk, case_id=ids[0], changes={"reference_answer": long})
    whole = text(browser.get(f"{page}compare/?from=4&to=5"))
    assert "so it goes on" not in whole
    href = f"{page}compare/{ids[0]}/?from=4&to=5"
    assert href.replace("&", "&amp;") in whole
    part = browser.get(href, headers=PART)
    assert "so it goes on" in text(part)
    assert "<html" not in text(part)
    assert part["Cache-Control"] == "no-store"
    assert "<html" in text(browser.get(href))
    for address in (f"{page}compare/{uuid4()}/?from=4&to=5", f"{page}compare/{ids[0]}/?from=4&to=9"):
        assert browser.get(address).status_code == 404


def test_a_comparison_is_paged_and_asks_as_often_whatever_differs(
    browser: Client, page: str, add: Add, django_assert_max_num_queries: Any
) -> None:
    for number in range(53):
        add(f"q{number:02}")
    with django_assert_max_num_queries(12):
        first = text(browser.get(f"{page}compare/?from=1&to=53"))
    assert len(re.findall("compared-question", first)) == 50
    second = text(browser.get(f"{page}compare/?from=1&to=53&page=2"))
    assert len(re.findall("compared-question", second)) == 2
    assert "?from=1&amp;to=53&amp;page=1" in second


# --- Going back


@pytest.mark.spec("DS-D16")
def test_going_back_says_its_numbers_first_and_then_what_it_made(
    browser: Client, dataset: Dataset, page: str, ids: list[UUID]
) -> None:
    assert f"{page}versions/2/restore/" in text(browser.get(f"{page}?version=2"))
    asked = text(browser.get(f"{page}versions/2/restore/", headers=PART))
    for words in ("Version 5 is made", "1 case comes back.", "1 case says again what it said then.", "2 revisions"):
        assert words in asked, words
    assert "<html" not in asked
    assert "<html" in text(browser.get(f"{page}versions/2/restore/"))
    answer = browser.post(f"{page}versions/2/restore/", {"newest": "4"}, headers=PART)
    assert answer["HX-Redirect"] == page
    shown = text(browser.get(page))
    assert "Version 2 is restored. Saved as version 5." in shown
    assert "Version 2 restored: 1 added, 1 edited" in text(browser.get(f"{page}versions/"))
    dataset.refresh_from_db()
    assert dataset.case_count == 2


def test_going_back_to_what_is_there_changes_nothing(browser: Client, page: str, ids: list[UUID]) -> None:
    asked = text(browser.get(f"{page}versions/4/restore/", headers=PART))
    assert "There is nothing to restore." in asked
    assert 'type="submit"' not in asked
    assert browser.post(f"{page}versions/4/restore/", {"newest": "4"}).status_code == 302
    assert "Nothing changed, so there is no new version." in text(browser.get(page))
    assert DatasetVersion.objects.count() == 4


def test_who_decided_on_an_older_state_is_asked_again_with_new_numbers(
    browser: Client, page: str, ids: list[UUID], add: Add
) -> None:
    add("new")
    answer = browser.post(f"{page}versions/2/restore/", {"newest": "4"}, headers=PART)
    shown = text(answer)
    assert answer.status_code == 409
    assert "its newest version is now 5. Nothing was restored." in shown
    assert "1 case that came later is removed." in shown
    assert 'name="newest" value="5"' in shown
    assert DatasetVersion.objects.count() == 5


def test_a_restore_at_a_limit_says_why_not(browser: Client, page: str, ids: list[UUID], settings: Any) -> None:
    settings.DATASET_MAX_VERSION_ROWS_PER_ORG = 4
    answer = browser.post(f"{page}versions/2/restore/", {"newest": "4"}, headers=PART)
    assert answer.status_code == 409
    assert "hold 3 case revisions" in text(answer)
