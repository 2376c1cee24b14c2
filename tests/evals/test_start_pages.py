"""The dialog that starts a test run: choices, estimate, refusals, the start itself (EV-D1, EV-D4, EV-D7, EV-D10)."""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from agents.models import LanguageModel
from core import jobs
from evals.models import EvalRun
from tests.activity.rows import make_agent
from tests.cast import Cast
from tests.datasets.pages import PART, text
from tests.evals.runs import EvalScene
from tests.evals.starts import StartScene, make_model, make_model_agent, publish

SignIn = Callable[[str], Client]
Json = dict[str, Any]


@pytest.fixture(autouse=True)
def _no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is worked on: jobs are taken and forgotten."""
    monkeypatch.setattr(jobs, "_put", lambda *_given: None)


@pytest.fixture
def scene(cast: Cast) -> StartScene:
    return StartScene(cast, cases=3)


@pytest.fixture
def browser(sign_in: SignIn) -> Client:
    return sign_in("builder")


def there(scene: StartScene, name: str = "evals-start", query: str = "") -> str:
    return reverse(name, args=[scene.dataset.pk]) + query


def sent(scene: StartScene, **fields: Any) -> Json:
    """What the form sends as it opens, and these fields."""
    agent = str(scene.agent.pk)
    return {
        "once": "key-1", "agent": agent, "for_agent": agent, "agent_version": "1", "dataset_version": "3",
        "for_version": "3", "which": "every", "repeats": "1", "baseline": "auto", "confirm_changes": "on",
        "max_cost_usd": "", "label": "", **fields,
    }  # fmt: skip


def estimated(browser: Client, scene: StartScene, status: int = 200, **fields: Any) -> str:
    response = browser.post(there(scene, "evals-estimate"), sent(scene, **fields), headers=PART)
    assert response.status_code == status
    return text(response)


def mark(shown: str) -> str:
    found = re.search(r'name="estimated" value="(\w+)"', shown)
    return found[1] if found else ""


# --- What is asked


@pytest.mark.spec("EV-2", "EV-D1", "EV-D7")
def test_the_dialog_asks_everything_and_begins_with_what_is_usual(
    scene: StartScene, browser: Client, django_assert_max_num_queries: Any
) -> None:
    scene.add("Tagged", tags=("billing",))
    with django_assert_max_num_queries(25):
        response = browser.get(there(scene), headers=PART)
    shown = text(response)
    assert "<html" not in shown
    for label in ("Agent", "Agent version", "Dataset version", "Cases", "Repeats", "Compare with",
                  "Confirm what changed", "Cost limit", "Label"):  # fmt: skip
        assert f">{label}<" in shown or f">{label} <" in shown, label
    assert f'<option value="{scene.agent.pk}" selected>Support</option>' in shown
    assert '<option value="1">Version 1 (latest)</option>' in shown
    assert '<option value="4" selected>Version 4, 4 cases</option>' in shown
    assert '<option value="auto" selected>' in shown
    assert 'name="which" value="every"' in shown
    assert re.search(r'name="once" value="[0-9a-f-]{36}"', shown)
    assert re.search(r'<input type="checkbox" name="confirm_changes"[^>]* checked', shown)
    assert re.search(r"<button[^>]* disabled[^>]*>(?:(?!</button>).)*<span>Start</span>", shown)
    assert "<html" in text(browser.get(there(scene)))


@pytest.mark.spec("EV-24", "EV-25", "EV-27", "EV-32", "EV-D4")
@pytest.mark.parametrize(("name", "status"), [("member", 403), ("viewer", 403), ("stranger", 404), ("operator", 200)])
def test_who_may_not_start_is_shown_no_dialog_no_estimate_and_no_cases(
    scene: StartScene, sign_in: SignIn, name: str, status: int
) -> None:
    client = sign_in(name)
    assert client.get(there(scene), headers=PART).status_code == status
    for address in ("evals-estimate", "evals-cases"):
        assert client.post(there(scene, address), sent(scene), headers=PART).status_code == status
    if status != 200:
        assert client.post(there(scene), sent(scene), headers=PART).status_code == status
    assert not EvalRun.objects.exists()


def test_the_address_may_name_version_tags_cases_or_an_earlier_run(scene: StartScene, browser: Client) -> None:
    case = scene.revisions[0].case_id
    picked = text(browser.get(there(scene, query=f"?dataset_version=2&chosen={case}:7"), headers=PART))
    assert '<option value="2" selected>' in picked
    assert re.search(r'name="which" value="chosen"[^>]* checked', picked)
    assert f'<input type="hidden" name="case_ids" value="{case}">' in picked
    tagged = text(browser.get(there(scene, query="?tag=returns"), headers=PART))
    assert re.search(r'name="which" value="tags"[^>]* checked', tagged)
    run = scene.ended("pass")
    not_passed = text(browser.get(there(scene, query=f"?not_passed_in={run.pk}&baseline={run.pk}"), headers=PART))
    assert not_passed.count(f'<option value="{run.pk}" selected>') == 2


@pytest.mark.spec("EV-D51")
def test_a_run_is_run_again_with_its_own_choices(scene: StartScene, browser: Client) -> None:
    publish(scene.agent, 2, scene.model)
    first = scene.start(
        agent_version=1, repeats=3, baseline=None, confirm_changes=False, max_cost_usd=Decimal("1.50"), label="Mine"
    )
    shown = text(browser.get(there(scene, query=f"?again={first.pk}"), headers=PART))
    assert '<option value="1" selected>Version 1</option>' in shown
    assert '<option value="3" selected>3</option>' in shown
    assert '<option value="none" selected>' in shown
    assert 'value="1.50"' in shown
    assert 'value="Mine"' in shown
    assert not re.search(r'<input type="checkbox" name="confirm_changes"[^>]* checked', shown)


def test_a_run_of_another_dataset_or_of_stored_answers_fills_in_nothing(
    cast: Cast, scene: StartScene, browser: Client
) -> None:
    elsewhere = EvalScene(cast).run("pass", label="Elsewhere")
    scene.ended("pass", options={}, label="Stored")
    for run in (elsewhere, EvalRun.objects.get(label="Stored")):
        shown = browser.get(there(scene, query=f"?again={run.pk}"), headers=PART)
        assert shown.status_code == 200
        assert 'value="Elsewhere"' not in text(shown)
        assert 'value="Stored"' not in text(shown)


# --- The estimate


@pytest.mark.spec("EV-17", "EV-19", "EV-D1", "EV-D10")
def test_the_estimate_is_shown_split_with_calls_and_duration_and_then_start_can_be_pressed(
    scene: StartScene, browser: Client, django_assert_max_num_queries: Any
) -> None:
    scene.model.output_price = Decimal(400)
    scene.model.save()
    with django_assert_max_num_queries(40):
        shown = estimated(browser, scene)
    for words in ("3 cases", "Expected", "Highest", "Agent", "Total", "$0.48", "Calls", "Duration",
                  "No judge is asked: rules alone grade.", "It reserves and guarantees nothing.",
                  "Compared with no earlier test run"):  # fmt: skip
        assert words in shown, words
    assert mark(shown)
    assert not re.search(r"<button[^>]* disabled", shown)
    assert not EvalRun.objects.exists()


@pytest.mark.spec("EV-D10", "EV-D46")
def test_against_an_earlier_run_the_highest_cost_holds_what_confirming_may_take(
    scene: StartScene, browser: Client
) -> None:
    scene.model.output_price = Decimal(400)
    scene.model.save()
    earlier = scene.ended("pass", "pass", "pass", label="June")
    shown = estimated(browser, scene)
    assert "Confirming" in shown
    assert "$0.58" in shown
    assert "$1.44" in shown
    assert reverse("eval", args=[earlier.pk]) in shown
    assert "Confirming" not in estimated(browser, scene, baseline="none")


@pytest.mark.spec("EV-D40", "EV-D41", "EV-D27")
def test_the_estimate_says_how_many_cases_the_baseline_shares_and_where_the_limit_is_too_low(
    scene: StartScene, browser: Client
) -> None:
    scene.ended("pass", "pass", "pass")
    shown = estimated(browser, scene, max_cost_usd="0.0001")
    assert re.search(r"The baseline shares (\d+) of \1 cases\.", shown)
    assert "The cost limit of $0.0001 is far below the expected" in shown
    revision = scene.add("Asked for the first time")
    shown = estimated(browser, scene, which="chosen", case_ids=[str(revision.case_id)], dataset_version="")
    assert "The baseline shares 0 of 1 case" in shown
    assert "Nothing can be compared" in shown


@pytest.mark.spec("EV-18", "EV-D10")
@pytest.mark.parametrize(
    ("price", "words"), [(Decimal(4), "less than $0.01"), (Decimal(0), "no cost"), (None, "unknown")]
)
def test_a_cost_below_a_cent_none_and_an_unknown_one_are_words(
    scene: StartScene, browser: Client, price: Decimal | None, words: str
) -> None:
    LanguageModel.objects.filter(pk=scene.model.pk).update(
        input_price=None if price is None else price / 4, output_price=price
    )
    shown = estimated(browser, scene)
    assert words in shown
    assert "$0.00" not in shown
    assert ("The price of the model small-1 is missing" in shown) is (price is None)


@pytest.mark.spec("EV-20", "EV-D1", "EV-D6")
def test_the_estimate_counts_what_is_left_out_by_cause(scene: StartScene, browser: Client) -> None:
    scene.add("Nothing to check", checks=(), reference_answer="30 days")
    shown = estimated(browser, scene, dataset_version="4", for_version="4")
    assert "3 cases" in shown
    assert "1 left out: nothing to check under the grading settings" in shown


@pytest.mark.spec("EV-D1")
def test_the_judge_is_named_with_its_model(cast: Cast, scene: StartScene, browser: Client) -> None:
    scene.judge_by(scene.model)
    shown = estimated(browser, scene)
    assert "Judge: the built-in one, on Small" in shown


@pytest.mark.spec("EV-D1")
@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"agent": ""}, "Choose an agent to see what the test run will cost."),
        ({"which": "tags"}, "Choose at least one tag."),
        ({"which": "chosen"}, "Choose at least one case."),
        ({"which": "not_passed"}, "Choose a test run."),
    ],
)
def test_what_is_still_to_be_chosen_is_said_and_runs_nothing(
    scene: StartScene, browser: Client, fields: Json, words: str
) -> None:
    shown = estimated(browser, scene, **fields)
    assert words in shown
    assert not mark(shown)
    assert browser.post(there(scene), sent(scene, **fields), headers=PART).status_code == 422
    assert not EvalRun.objects.exists()


@pytest.mark.spec("EV-D5", "EV-D8")
@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"max_cost_usd": "a lot"}, '<a href="#eval-max_cost_usd">Cost limit</a>: This is an amount'),
        ({"repeats": "9"}, '<a href="#eval-repeats">Repeats</a>: This is a whole number from 1 to 5.'),
        ({"dataset_version": "99"}, "This dataset has versions 1 to 3."),
        ({"which": "tags", "tags": ["none"]}, "No case of this version has the tag “none”."),
        ({"agent_version": "nonsense"}, '<a href="#eval-agent_version">Agent version</a>'),
    ],
)
def test_what_is_wrong_is_said_with_its_field_and_start_stays_disabled(
    scene: StartScene, browser: Client, fields: Json, words: str
) -> None:
    shown = estimated(browser, scene, 422, **fields)
    assert words in shown
    assert not mark(shown)


@pytest.mark.spec("EV-D5")
def test_a_judge_that_cannot_grade_is_a_choice_to_start_anyway(scene: StartScene, browser: Client) -> None:
    scene.judge_by(None)
    refused = estimated(browser, scene, 409)
    assert "The judge has no model" in refused
    assert "Start anyway" in refused
    assert not mark(refused)
    allowed = estimated(browser, scene, allow_unscored="on")
    assert mark(allowed)
    assert "It cannot grade now" in allowed
    assert re.search(r'name="allow_unscored"[^>]* checked', allowed)


def test_an_agent_chosen_since_brings_its_own_newest_version(cast: Cast, scene: StartScene, browser: Client) -> None:
    other = make_model_agent(cast, make_model(cast, name="small-2"))
    publish(other, 2, scene.model)
    shown = estimated(browser, scene, agent=str(other.pk))
    assert mark(shown)
    assert 'id="eval-agent-versions" class="field" hx-swap-oob="true"' in shown
    assert '<option value="2" selected>Version 2 (latest)</option>' in shown
    assert 'id="eval-cases"' not in shown
    other_version = estimated(browser, scene, dataset_version="2")
    assert 'id="eval-cases" class="eval-ways" hx-swap-oob="true"' in other_version
    assert 'id="eval-agent-versions"' not in other_version


# --- The start


@pytest.mark.spec("EV-17", "EV-D7", "EV-D51")
def test_what_was_estimated_starts_once_and_its_page_opens(scene: StartScene, browser: Client) -> None:
    choices: Json = {"label": "Release 4", "repeats": "2", "max_cost_usd": "$2.50", "which": "chosen",
               "case_ids": [str(scene.revisions[1].case_id)], "confirm_changes": ""}  # fmt: skip
    choice = mark(estimated(browser, scene, **choices))
    for _sending in range(2):
        response = browser.post(there(scene), sent(scene, estimated=choice, **choices), headers=PART)
    run = EvalRun.objects.get()
    assert response["HX-Redirect"] == reverse("eval", args=[run.pk])
    assert (run.label, run.repeats, run.max_cost, run.confirm_changes) == ("Release 4", 2, Decimal("2.5"), False)
    assert [item.case_id for item in run.items.all()] == [scene.revisions[1].case_id]
    assert run.estimate["attempts"] == 2


@pytest.mark.spec("EV-17", "EV-D51")
def test_chosen_cases_start_in_whatever_order_the_list_to_pick_from_sends_them(
    scene: StartScene, browser: Client
) -> None:
    picked = [str(revision.case_id) for revision in scene.revisions]
    choice = mark(estimated(browser, scene, which="chosen", case_ids=picked))
    browser.post(there(scene), sent(scene, estimated=choice, which="chosen", case_ids=picked[::-1]), headers=PART)
    assert [str(item.case_id) for item in EvalRun.objects.get().items.order_by("position")] == picked


@pytest.mark.spec("EV-17", "EV-D1")
def test_other_choices_than_the_estimated_ones_are_estimated_and_not_started(
    scene: StartScene, browser: Client
) -> None:
    choice = mark(estimated(browser, scene))
    shown = browser.post(there(scene), sent(scene, repeats="5", estimated=choice), headers=PART)
    assert shown.status_code == 200
    assert "15 answers" in text(shown)
    assert mark(text(shown)) not in ("", choice)
    assert not EvalRun.objects.exists()


def test_without_scripts_a_page_shows_the_estimate_and_then_starts(scene: StartScene, browser: Client) -> None:
    page = browser.get(there(scene, "evals-start"))
    assert "Show the estimate" in text(page)
    shown = text(browser.post(there(scene, "evals-estimate"), sent(scene)))
    assert "<html" in shown
    response = browser.post(there(scene), sent(scene, estimated=mark(shown)))
    assert response.status_code == 302
    assert response["Location"] == reverse("eval", args=[EvalRun.objects.get().pk])


@pytest.mark.spec("EV-D5")
def test_what_forbids_a_start_after_its_estimate_is_said(scene: StartScene, browser: Client) -> None:
    choice = mark(estimated(browser, scene))
    scene.set(checks={"enabled": False}, tool_calls={"enabled": False})
    response = browser.post(there(scene), sent(scene, estimated=choice), headers=PART)
    assert response.status_code in (409, 422)
    assert not EvalRun.objects.exists()


# --- Picking cases


@pytest.mark.spec("EV-D1", "DS-D6")
def test_cases_are_found_by_their_question_and_stay_picked(scene: StartScene, browser: Client) -> None:
    picked = str(scene.revisions[0].case_id)
    asked = sent(scene, q="question 2", case_ids=[picked])
    shown = text(browser.post(there(scene, "evals-cases"), asked, headers=PART))
    assert f'name="case_ids" value="{picked}" checked' in shown
    assert "Question 2" in shown
    assert "Question 1" not in shown
    none = text(browser.post(there(scene, "evals-cases"), sent(scene, q="nothing like it"), headers=PART))
    assert "No other question fits." in none


def test_of_many_cases_the_first_are_shown(scene: StartScene, browser: Client) -> None:
    for number in range(25):
        scene.add(f"More {number}")
    shown = text(browser.post(there(scene, "evals-cases"), sent(scene, dataset_version=""), headers=PART))
    assert shown.count('name="case_ids"') == 20
    assert "There are more: search for them." in shown


def test_only_agents_that_can_be_run_are_offered(cast: Cast, scene: StartScene, browser: Client) -> None:
    make_agent(cast, "Sends its runs")
    assert "Sends its runs" not in text(browser.get(there(scene), headers=PART))


@pytest.mark.spec("EV-3", "DS-28")
def test_grading_that_is_set_up_leads_to_the_test_runs(scene: StartScene, browser: Client, sign_in: SignIn) -> None:
    grading = reverse("grading", args=[scene.dataset.pk])
    assert "Go to the test runs" not in text(browser.get(grading, headers=PART))
    scene.set()
    for client in (browser, sign_in("operator")):
        shown = text(client.get(grading, headers=PART))
        assert f'href="{reverse("dataset", args=[scene.dataset.pk])}?tab=results&amp;view=runs"' in shown
        assert "Go to the test runs" in shown
