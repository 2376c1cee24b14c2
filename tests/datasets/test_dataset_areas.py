"""The areas of a dataset's page: its four steps, results before there are any, details, deletion, guidance (DS-7)."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import AuditEntry
from accounts.operations.sharing import share
from core.limits import LIMITS
from datasets.models import Dataset
from datasets.operations.datasets import create_dataset
from tests.cast import Cast
from tests.datasets.pages import PART, text

Add = Callable[..., Any]
SignIn = Callable[[str], Client]


@pytest.mark.spec("DS-7", "DS-8", "DS-10", "SC-18", "SC-19")
def test_three_areas_in_one_workspace_with_full_screen_in_sight(browser: Client, page: str, add: Add) -> None:
    add("q")
    for tab in ("cases", "results", "settings"):
        shown = text(browser.get(f"{page}?tab={tab}"))
        for area in ("Cases", "Results", "Settings"):
            assert f">{area}" in shown
        assert 'class="button button-quiet button-icon area-full-screen"' in shown
    results = text(browser.get(f"{page}?tab=results"))
    assert "Test runs" in results
    assert "Review answers" in results


@pytest.mark.spec("DS-12")
def test_what_no_app_offers_is_no_button(browser: Client, page: str, add: Add) -> None:
    add("q")
    shown = text(browser.get(page))
    assert ">Add case<" in shown
    assert ">Import<" in shown
    assert "Generate cases" not in shown + text(browser.get(f"{page}?tab=results"))


@pytest.mark.parametrize("query", ["?tab=results", "?tab=results&part=review", "?tab=settings&part=sharing"])
def test_an_area_is_shown_whole_and_as_a_part(
    browser: Client, page: str, add: Add, query: str, django_assert_max_num_queries: Any
) -> None:
    add("q")
    with django_assert_max_num_queries(14):
        assert "<html" in text(browser.get(page + query))
    part = browser.get(page + query, headers=PART)
    assert part.content.strip().startswith(b'<div id="area"')
    assert "HX-Request" in part["Vary"]


def test_settings_and_results_are_of_the_dataset_whatever_version_is_asked_for(
    browser: Client, page: str, add: Add
) -> None:
    add("a")
    add("b")
    assert "read-only" in text(browser.get(f"{page}?version=1"))
    assert "read-only" not in text(browser.get(f"{page}?tab=settings&version=1"))


# --- The four steps


@pytest.mark.spec("DS-25", "DS-3")
def test_an_empty_dataset_leads_through_four_steps_in_order(browser: Client, page: str) -> None:
    shown = text(browser.get(page))
    places = [
        shown.index(f">{words}<") for words in ("Add cases", "Set up grading", "Test an agent", "Review the results")
    ]
    assert places == sorted(places)
    for state in ("No cases", "Not set up", "No test run", "Nothing to review"):
        assert state in shown
    assert "Write a question" in shown
    assert "Import a CSV or JSONL file" in shown
    assert "somebody rated thumbs down" in shown


@pytest.mark.spec("DS-25")
def test_a_new_dataset_says_in_a_line_where_it_stands_and_an_older_one_no_longer(
    browser: Client, dataset: Dataset, page: str, add: Add
) -> None:
    add("q")
    shown = text(browser.get(page))
    assert 'class="steps-strip"' in shown
    assert "1 case<" in shown
    Dataset.objects.update(created_at=timezone.now() - timedelta(days=LIMITS.new_dataset_days, minutes=1))
    assert 'class="steps-strip"' not in text(browser.get(page))


def test_who_may_not_edit_reads_what_a_case_is_and_is_led_nowhere(sign_in: SignIn, page: str) -> None:
    shown = text(sign_in("viewer").get(page))
    assert "No cases yet" in shown
    assert "Write a question" not in shown
    assert 'class="steps"' not in shown


@pytest.mark.spec("ACC-8", "ACC-10", "DS-27")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("member", "Reading runs is needed to run evals"),
        ("viewer", "Your role does not allow it."),
    ],
)
def test_results_say_what_comes_first_for_this_member(sign_in: SignIn, page: str, name: str, words: str) -> None:
    shown = text(sign_in(name).get(f"{page}?tab=results"))
    assert "A test run lets an agent answer every case" in shown
    assert "No test runs yet" not in shown
    assert words in shown


@pytest.mark.spec("DS-27")
def test_who_reads_runs_is_told_what_comes_first_where_the_runs_would_stand(sign_in: SignIn, page: str) -> None:
    builder = sign_in("builder")
    assert f'hx-get="{page}evals/' in text(builder.get(f"{page}?tab=results"))
    shown = text(builder.get(f"{page}evals/", headers=PART))
    assert "No test runs yet" in shown
    assert "Your role allows both." in shown


# --- Details and deletion


@pytest.mark.spec("DS-D10")
def test_another_dataset_of_the_name_is_told_and_the_one_at_hand_is_not(
    cast: Cast, browser: Client, dataset: Dataset
) -> None:
    same = f"/datasets/new/name/?name=returns&dataset={dataset.pk}"
    assert "already" not in text(browser.get(same, headers=PART))
    create_dataset(cast.actor("builder"), name="RETURNS")
    assert "already" in text(browser.get(same, headers=PART))
    assert browser.get("/datasets/new/name/?name=returns&dataset=nonsense", headers=PART).status_code == 200


@pytest.mark.spec("ACC-20", "DS-D10")
def test_the_name_of_a_dataset_that_one_cannot_see_is_not_told(private: Dataset, sign_in: SignIn) -> None:
    asked = "/datasets/new/name/?name=Private+returns"
    assert "already" in text(sign_in("builder").get(asked, headers=PART))
    assert "already" not in text(sign_in("member").get(asked, headers=PART))


@pytest.mark.spec("DS-D17", "ACC-D45", "ACC-73")
def test_a_deletion_counts_what_goes_and_links_to_what_it_reaches(
    cast: Cast, browser: Client, dataset: Dataset, page: str, add: Add
) -> None:
    add("a")
    add("b")
    share(cast.actor("builder"), dataset, member_id=cast.viewer.pk, level="read")
    asked = text(browser.get(f"{page}delete/", headers=PART))
    for label, number in (("Cases", 2), ("Versions", 2), ("Members it is shared with", 1)):
        assert f'<dt>{label}</dt><dd class="number">{number}</dd>' in asked
    assert "/datasets/what-deletion-reaches/" in asked
    browser.post(f"{page}delete/", {"name": "Returns"})
    details = AuditEntry.objects.get(action="dataset.deleted").details
    assert details == {"cases": 2, "versions": 2, "revisions": 2}


@pytest.mark.spec("ACC-73", "DS-3", "DS-4", "DS-5", "DS-6")
def test_guidance_and_the_statement_of_deletion_are_pages_and_parts(browser: Client) -> None:
    guidance = text(browser.get("/datasets/good-cases/"))
    for words in (
        "one question, and the one thing a right answer has to get right",
        "A reference answer or a counter-example is normally enough.",
        "a person really asked, and the answer really disappointed",
        "When the agent has to act and not only answer.",
        "When a rule can be stated exactly.",
        "Only when the question depends on it.",
        "For whoever reads the case later.",
    ):
        assert words in guidance
    assert "<html" not in text(browser.get("/datasets/good-cases/", headers=PART))
    statement = text(browser.get("/datasets/what-deletion-reaches/"))
    assert "files that were exported before" in statement
    assert "<html" not in text(browser.get("/datasets/what-deletion-reaches/", headers=PART))


# --- The guided tour


@pytest.mark.spec("DS-96", "DS-D67")
def test_the_tour_is_offered_until_one_owns_a_dataset_or_ends_it(cast: Cast, sign_in: SignIn, dataset: Dataset) -> None:
    member = sign_in("member")
    assert "Take the tour" in text(member.get("/datasets/"))
    assert "Take the tour" not in text(sign_in("builder").get("/datasets/"))
    assert "Take the tour" not in text(sign_in("viewer").get("/datasets/"))
    assert member.post("/me/tour/", {"state": "dismissed", "next": "/datasets/"})["Location"] == "/datasets/"
    assert "Take the tour" not in text(member.get("/datasets/"))
    assert "Guided tour" in text(member.get("/datasets/"))


@pytest.mark.spec("DS-96", "DS-D67")
def test_the_first_dataset_opens_with_the_offer_and_the_second_without(sign_in: SignIn) -> None:
    member = sign_in("member")
    sent = {"name": "First", "visibility": "private"}
    first = member.post("/datasets/new/", sent)["Location"]
    assert "Your first dataset is there" in text(member.get(first))
    second = member.post("/datasets/new/", sent)["Location"]
    assert "Your first dataset is there" not in text(member.get(second))


@pytest.mark.spec("DS-97", "DS-D67")
def test_a_running_tour_comes_along_and_makes_nothing(sign_in: SignIn) -> None:
    member = sign_in("member")
    assert "data-tour-card" not in text(member.get("/datasets/"))
    assert member.post("/me/tour/", {"state": "running"})["Location"] == "/datasets/"
    shown = text(member.get("/datasets/"))
    assert "data-tour-card" in shown
    assert "End the guided tour" in shown
    assert member.post("/me/tour/", {"state": "finished"}, headers=PART).status_code == 204
    assert "data-tour-card" not in text(member.get("/datasets/"))
    assert not Dataset.objects.exists()


def test_the_tour_leads_to_no_other_site_and_knows_three_states(sign_in: SignIn) -> None:
    member = sign_in("member")
    away = member.post("/me/tour/", {"state": "dismissed", "next": "https://example.org/"})
    assert away["Location"] == "/"
    assert member.post("/me/tour/", {"state": "paused"}, headers=PART).status_code == 422
    assert member.get("/me/tour/").status_code == 405
