"""What later apps register with the page of a dataset: acts, parts, steps, what a deletion takes."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from core.errors import Conflict
from core.offers import Offer
from datasets import places
from datasets.models import Dataset
from datasets.places import Act, Area, Holding, Opens, Part, Place, StepState
from datasets.queries.running import offer_to_run
from tests.cast import Cast
from tests.datasets.pages import PART, text

Add = Callable[..., Any]


@pytest.fixture(autouse=True)
def _kept(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_parts", "_acts", "_steps", "_holdings"):
        monkeypatch.setattr(places, name, dict(getattr(places, name)))


@pytest.mark.spec("DS-12", "DS-13", "DS-25")
def test_acts_stand_beside_the_table_in_the_menu_and_in_the_first_step(browser: Client, page: str, add: Add) -> None:
    generate = Act(
        Place.BESIDE_TABLE, "Generate cases", "sparkles", "dataset_import", Opens.DIALOG, way="Generate proposals"
    )
    places.add_act(generate)
    places.add_act(
        Act(Place.MENU, "Add from Activity", "activity", "dataset_export", way="Copy an answer from Activity")
    )
    empty = text(browser.get(page))
    assert ">Generate proposals<" in empty
    assert ">Copy an answer from Activity<" in empty
    assert ">Add from Activity<" in empty
    add("q")
    assert f'hx-get="{page}import/" hx-target="#dialog-content"' in text(browser.get(page))
    add("r")
    assert ">Generate cases<" in text(browser.get(page))
    assert ">Generate cases<" not in text(browser.get(f"{page}?version=1"))


@pytest.mark.spec("ACC-11", "ACC-12")
@pytest.mark.parametrize(
    ("name", "expected"), [("builder", "offered"), ("operator", "offered"), ("member", "disabled"), ("viewer", "")]
)
def test_an_act_of_running_is_disabled_with_the_notice_without_reading_runs_and_absent_without_running(
    cast: Cast, sign_in: Callable[[str], Client], page: str, name: str, expected: str
) -> None:
    places.add_act(Act(Place.RUNS, "Run it all", "play", "dataset_export", offer=offer_to_run))
    shown = text(sign_in(name).get(f"{page}?tab=results"))
    assert (">Run it all<" in shown) is bool(expected)
    before = shown.partition(">Run it all<")[0][-400:]
    assert (" disabled" in before) is (expected == "disabled")
    assert ("Reading runs is needed" in shown) is (expected == "disabled")


@pytest.mark.spec("DS-9", "DS-10", "DS-11")
@pytest.mark.parametrize(
    ("area", "name", "query"),
    [
        (Area.RESULTS, "runs", "?tab=results"),
        (Area.SETTINGS, "grading", "?tab=settings&part=grading"),
        (Area.CASES, "proposals", "?part=proposals"),
    ],
)
def test_a_part_is_loaded_into_its_area_with_the_query_of_the_address(
    browser: Client, page: str, area: Area, name: str, query: str
) -> None:
    places.add_part(Part(area, name, "A part of an app", "dataset_export"))
    shown = text(browser.get(f"{page}{query}&run=7"))
    assert ">A part of an app<" in shown
    assert f'hx-get="{page}export/{query.replace("&", "&amp;")}&amp;run=7"' in shown
    assert "No test runs yet" not in shown


def test_a_part_that_is_not_offered_is_not_there(browser: Client, page: str) -> None:
    hidden = Part(Area.SETTINGS, "grading", "Grading", "dataset_export", offer=lambda _actor, _dataset: Offer(False))
    places.add_part(hidden)
    shown = text(browser.get(f"{page}?tab=settings&part=grading"))
    assert ">Grading<" not in shown
    assert ">Edit details<" in shown


@pytest.mark.spec("DS-25", "DS-28")
def test_steps_show_the_state_that_their_app_says(browser: Client, page: str, add: Add) -> None:
    add("q")
    places.add_step("grading", lambda _actor, _dataset: StepState(True, "2 evaluators on", "/grading/"))
    shown = text(browser.get(page))
    assert "2 evaluators on" in shown
    assert '<a href="/grading/">Set up grading</a>' in shown
    for name in ("test", "review"):
        places.add_step(name, lambda _actor, _dataset: StepState(True, "done"))
    assert "steps-strip" not in text(browser.get(page))


@pytest.mark.spec("DS-D17")
def test_a_deletion_counts_what_apps_hold_lets_them_cancel_and_refuse(
    browser: Client, dataset: Dataset, page: str
) -> None:
    told: list[str] = []
    holding = Holding(
        "Test runs", lambda _dataset: 3, before_deletion=lambda _actor, dataset: told.append(dataset.name)
    )
    places.add_holding("runs", holding)
    places.add_holding("none", Holding("Nothing of this", lambda _dataset: 0))
    asked = text(browser.get(f"{page}delete/", headers=PART))
    assert '<dt>Test runs</dt><dd class="number">3</dd>' in asked
    assert "Nothing of this" not in asked

    def refuse(_actor: Any, _dataset: Any) -> None:
        raise Conflict("run_running", "A test run is running.")

    places.add_holding("running", Holding("Running", lambda _dataset: 1, before_deletion=refuse))
    refused = browser.post(f"{page}delete/", {"name": "Returns"}, headers=PART)
    assert (refused.status_code, "A test run is running." in text(refused)) == (409, True)
    assert Dataset.objects.exists()
    places._holdings.pop("running")
    browser.post(f"{page}delete/", {"name": "Returns"})
    assert told == ["Returns", "Returns"]
    assert not Dataset.objects.exists()
