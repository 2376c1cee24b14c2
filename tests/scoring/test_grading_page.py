"""The console's part "Grading": both cards, what is said about the screen, and saving (SC-18 to SC-43, SC-124)."""

from collections.abc import Callable
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from agents.models import LanguageModel
from datasets.logic.drafts import CaseDraft
from datasets.models import Dataset
from datasets.operations.cases import add_case
from datasets.operations.datasets import create_dataset
from scoring.models import GradingSettings
from scoring.operations.settings import change_scoring
from scoring.queries.settings import settings_of
from tests.cast import Cast

PART = {"HX-Request": "true"}
CRITERION = {"name": "Names the deadline", "criterion": "Does the answer name the deadline?"}
FORM = {
    "revision": "0",
    "checks_enabled": "on",
    "checks_must_pass": "on",
    "tool_calls_enabled": "on",
    "tool_calls_must_pass": "on",
    "judge_must_pass": "on",
    "reference_answer_must_pass": "on",
    "agent": "",
    "model": "",
    "instructions": "",
    "scale": "5",
    "pass_at": "4",
    "review_by_person": "none",
}
WRITTEN = {
    "criteria.n1.id": "",
    "criteria.n1.name": "Short",
    "criteria.n1.criterion": "Is the answer at most 50 words?",
    "criteria.n1.required": "true",
}


@pytest.fixture
def dataset(cast: Cast) -> Dataset:
    made = create_dataset(cast.actor("builder"), name="Returns")
    actor = cast.actor("builder")
    add_case(actor, dataset_id=made.pk, draft=CaseDraft("How long?", reference_answer="30 days"))
    add_case(actor, dataset_id=made.pk, draft=CaseDraft("How heavy?", counter_example="No idea"))
    add_case(actor, dataset_id=made.pk, draft=CaseDraft("How old?", checks=({"type": "contains", "value": "2"},)))
    made.refresh_from_db()
    return made


@pytest.fixture
def browser(sign_in: Callable[[str], Client]) -> Client:
    return sign_in("builder")


@pytest.fixture
def post(browser: Client, dataset: Dataset) -> Callable[..., Any]:
    return lambda **fields: browser.post(address(dataset), FORM | fields, headers=PART)


def address(dataset: Dataset) -> str:
    return f"/datasets/{dataset.pk}/grading/"


def shown(response: Any) -> str:
    return unescape(response.content.decode())


def test_the_settings_of_a_dataset_lead_to_its_grading(browser: Client, dataset: Dataset) -> None:
    found = shown(browser.get(f"/datasets/{dataset.pk}/?tab=settings&part=grading"))
    assert f'hx-get="{address(dataset)}' in found


@pytest.mark.spec("SC-20", "SC-21", "SC-22", "SC-24", "SC-27", "SC-D22")
def test_two_cards_show_the_evaluators_with_their_cases(browser: Client, dataset: Dataset) -> None:
    found = shown(browser.get(address(dataset), headers=PART))
    parts = [
        "When a case passes",
        "Checks",
        "Expected tool calls",
        "Judge",
        "Model",
        "Your criteria",
        "Reference answer",
    ]
    places = [found.index(f">{part}<") for part in parts]
    assert places == sorted(places)
    for words in ("1 of 3 cases have checks", "0 of 3 cases expect calls", "1 have a counter-example"):
        assert words in found
    assert "1 of 3 cases have a reference answer" in found


@pytest.mark.spec("SC-23", "SC-44")
def test_both_cards_are_saved_at_once_and_as_a_page_without_script(browser: Client, dataset: Dataset) -> None:
    sent = FORM | WRITTEN | {"judge_enabled": "on", "scale": "3", "pass_at": "3", "instructions": "Be\r\nstrict."}
    sent |= {"checks.0.type": "length", "checks.0.unit": "words", "checks.0.max": "50"}
    answer = browser.post(address(dataset), sent)
    assert (answer.status_code, answer["Location"]) == (302, f"/datasets/{dataset.pk}/?tab=settings&part=grading")
    found = settings_of(dataset).settings
    assert [(one.name, one.required) for one in found.criteria] == [("Short", True)]
    assert found.default_checks == ({"type": "length", "max": 50, "unit": "words"},)
    assert (found.scale, found.pass_at, found.instructions) == (3, 3, "Be\nstrict.")


@pytest.mark.spec("SC-48", "SC-52", "SC-D23")
def test_what_is_wrong_is_said_at_its_place_and_nothing_is_saved(post: Callable[..., Any]) -> None:
    answer = post(**{"scale": "3", "judge_enabled": "on", "checks.0.type": "judge", "checks.0.criterion": "x"})
    found = shown(answer)
    assert answer.status_code == 422
    assert "The pass mark is at most the scale, which is 3." in found
    assert "The judge needs at least one criterion" in found
    assert "a default check cannot be one" in found
    answer = post(**WRITTEN | {"criteria.n1.criterion": "", "scale": "99"})
    assert ">Criterion 1, Question for the judge</a>:" in shown(answer)
    assert ">Scale</a>:" in shown(answer)
    assert not GradingSettings.objects.exists()


def test_what_no_rule_can_read_comes_back_as_it_was_written(post: Callable[..., Any]) -> None:
    answer = post(**{"scale": "five", "checks.0.type": "json_schema", "checks.0.schema": "{"})
    assert answer.status_code == 422
    assert 'value="five"' in shown(answer)
    assert "This is no JSON" in shown(answer)


@pytest.mark.spec("SC-D20")
def test_somebody_elses_change_is_shown_beside_ones_own_and_then_replaced(
    post: Callable[..., Any], cast: Cast, dataset: Dataset
) -> None:
    change_scoring(cast.actor("owner"), dataset_id=dataset.pk, changes={"judge": {"instructions": "Be kind."}})
    answer = post(instructions="Be strict.")
    found = shown(answer)
    assert answer.status_code == 409
    for words in ("Somebody else changed the grading meanwhile", "Be kind.", "Be strict.", "data-unsaved-dirty"):
        assert words in found
    assert "<dt>Instructions</dt>" in found
    assert "judge.instructions" not in found
    assert f'href="/datasets/{dataset.pk}/?tab=settings&part=grading"><span>Discard mine and show theirs' in found
    assert settings_of(dataset).settings.instructions == "Be kind."
    assert post(instructions="Be strict.", revision="1").status_code == 200
    assert settings_of(dataset).settings.instructions == "Be strict."


@pytest.mark.spec("SC-25", "SC-26", "SC-33", "SC-126")
def test_what_is_on_the_screen_is_judged_though_it_is_not_saved(post: Callable[..., Any]) -> None:
    found = shown(post(act="notes"))
    assert "2 cases have nothing that these settings check" in found
    assert all(f">{question}<" in found for question in ("How long?", "How heavy?"))
    assert "How old?" not in found
    assert "1 case has a reference answer, and nothing compares answers with it" in found
    found = shown(post(act="notes", reference_answer_enabled="on", **WRITTEN))
    assert "nothing that these settings check" not in found
    assert "nothing compares" not in found
    assert "No model is chosen for the judge" in found
    assert "Has a length: at most 50 words" in found
    assert not GradingSettings.objects.exists()


@pytest.mark.spec("SC-26")
def test_the_offer_turns_the_comparison_on_without_saving(post: Callable[..., Any]) -> None:
    found = shown(post(act="notes", turn_on="reference_answer"))
    assert 'name="reference_answer_enabled" id="id_reference_answer_enabled" checked' in found
    assert "data-unsaved-dirty" in found
    assert not GradingSettings.objects.exists()


@pytest.mark.spec("SC-2", "SC-3")
@pytest.mark.parametrize("evaluator", ["checks", "tool_calls", "judge", "reference_answer"])
def test_each_evaluator_is_switched_and_marked_by_itself(browser: Client, dataset: Dataset, evaluator: str) -> None:
    switches = {key: value for key, value in FORM.items() if not key.endswith(("_enabled", "_must_pass"))}
    names = ["checks", "tool_calls", "judge", "reference_answer"]
    for change in ("enabled", "must_pass"):
        everything = {f"{name}_{part}": "on" for name in names for part in ("enabled", "must_pass")}
        del everything[f"{evaluator}_{change}"]
        stored = GradingSettings.objects.filter(dataset=dataset).first()
        sent = switches | WRITTEN | everything | {"revision": str(stored.revision if stored else 0)}
        assert browser.post(address(dataset), sent).status_code == 302
        found = settings_of(dataset).settings
        on, must_pass = {one.value for one in found.on}, {one.value for one in found.must_pass}
        assert len(on if change == "enabled" else must_pass) == len(names) - 1
        assert len(must_pass if change == "enabled" else on) == len(names)


@pytest.mark.spec("SC-32", "SC-34", "SC-36", "SC-37", "SC-38")
def test_the_form_stands_under_the_guard_of_unsaved_changes(browser: Client, dataset: Dataset) -> None:
    form = shown(browser.get(address(dataset), headers=PART)).partition('id="grading-form"')
    beginning = form[0].rpartition("<form")[2] + form[2].partition(">")[0]
    assert "data-unsaved-guard" in beginning
    assert f'data-unsaved-key="dataset:{dataset.pk}:grading' in beginning
    assert f'data-unsaved-version="{dataset.newest_version}"' in beginning


@pytest.mark.spec("SC-41")
def test_instructions_have_the_markdown_editor_and_the_model_the_select_of_agents(
    browser: Client, dataset: Dataset
) -> None:
    found = shown(browser.get(address(dataset), headers=PART))
    instructions = found[: found.index('name="instructions"')].rpartition("data-editor")
    assert instructions[1]
    assert "data-grading-model" in found


@pytest.mark.spec("SC-124")
def test_a_criterion_is_advised_to_be_a_question_of_yes_or_no(browser: Client, dataset: Dataset) -> None:
    assert "Write each as a question that yes or no answers" in shown(browser.get(address(dataset), headers=PART))


@pytest.mark.spec("SC-125")
def test_yes_no_grading_is_a_scale_of_two_that_passes_at_two(post: Callable[..., Any]) -> None:
    found = shown(post(yes_no="1"))
    assert 'name="scale" value="2"' in found
    assert 'name="pass_at" value="2"' in found
    assert not GradingSettings.objects.exists()


@pytest.mark.spec("SC-127", "SC-D51")
def test_add_the_rule_adds_the_check_keeps_the_criterion_and_offers_to_remove_it(
    browser: Client, dataset: Dataset
) -> None:
    sent = {key: value for key, value in FORM.items() if key != "checks_enabled"} | WRITTEN
    found = shown(browser.post(address(dataset), sent | {"add_rule": "0:length"}, headers=PART))
    assert 'name="checks.0.max" value="50"' in found
    assert 'name="checks_enabled" id="id_checks_enabled" checked' in found
    assert 'name="criteria.0.name" value="Short"' in found
    assert "Remove the criterion" in found
    assert "Add the rule" not in found
    found = shown(browser.post(address(dataset), sent | {"drop": "0"}, headers=PART))
    assert "criteria.0.name" not in found
    assert not GradingSettings.objects.exists()


@pytest.mark.parametrize("wanted", ["7:length", "x", "0:json", ":"])
def test_a_rule_that_nothing_suggests_is_not_added(post: Callable[..., Any], wanted: str) -> None:
    answer = post(add_rule=wanted, **WRITTEN)
    assert answer.status_code == 200
    assert "checks.0.max" not in shown(answer)


@pytest.mark.spec("SC-31")
def test_the_question_on_leaving_learns_whether_saving_would_succeed(
    post: Callable[..., Any], dataset: Dataset
) -> None:
    assert post(act="check").json() == {"could_be_saved": True}
    assert post(act="check", pass_at="9").json() == {"could_be_saved": False}
    assert post(act="check", revision="4").json() == {"could_be_saved": False}
    assert (
        post(act="check", **{"checks.0.type": "json_schema", "checks.0.schema": "{"}).json()["could_be_saved"] is False
    )
    assert settings_of(dataset).revision == 0


@pytest.mark.spec("SC-39")
def test_grading_leads_to_the_test_runs_once_it_is_configured(browser: Client, post: Any, dataset: Dataset) -> None:
    assert "Go to the test runs" not in shown(browser.get(address(dataset), headers=PART))
    post()
    found = shown(browser.get(address(dataset), headers=PART))
    assert f'href="/datasets/{dataset.pk}/?tab=results&view=runs"' in found


@pytest.mark.spec("SC-95")
def test_who_may_not_edit_reads_how_the_dataset_is_graded(
    sign_in: Callable[[str], Client], cast: Cast, dataset: Dataset
) -> None:
    changes = {"judge": {"enabled": True, "criteria": [CRITERION], "instructions": "Be strict."}}
    change_scoring(cast.actor("builder"), dataset_id=dataset.pk, changes=changes)
    viewer = sign_in("viewer")
    found = shown(viewer.get(address(dataset), headers=PART))
    assert "<form" not in found
    assert "Does the answer name the deadline?" in found
    assert "Be strict." in found
    assert viewer.post(address(dataset), FORM).status_code == 403


def test_another_organisation_finds_nothing(sign_in: Callable[[str], Client], dataset: Dataset) -> None:
    stranger = sign_in("stranger")
    assert stranger.get(address(dataset)).content == stranger.get(f"/datasets/{uuid4()}/grading/").content
    assert stranger.get(address(dataset)).status_code == 404


@pytest.mark.spec("SC-40")
def test_a_model_is_added_from_here_and_told_to_the_page(sign_in: Callable[[str], Client], dataset: Dataset) -> None:
    there = f"{address(dataset)}model/"
    owner = sign_in("owner")
    assert "<form" in shown(owner.get(there, headers=PART))
    sent = {"connection_name": "Own", "provider": "compatible", "base_url": "http://127.0.0.1:9/v1", "name": "small-1"}
    answer = owner.post(there, sent, headers=PART)
    assert answer.status_code == 204
    assert LanguageModel.objects.get().id_text in answer["HX-Trigger"]
    assert sign_in("builder").get(there).status_code == 403
    assert sign_in("stranger").get(there).status_code == 404
    assert owner.post(there, {"name": ""}, headers=PART).status_code == 422


@pytest.mark.spec("SC-42")
def test_the_form_of_a_case_says_which_evaluators_are_on(browser: Client, post: Any, dataset: Dataset) -> None:
    def form_of_a_case() -> str:
        return shown(browser.get(f"/datasets/{dataset.pk}/cases/new/"))

    assert '<strong>Reference answer</strong> <span class="muted">off</span>' in form_of_a_case()
    post(reference_answer_enabled="on")
    assert '<strong>Reference answer</strong> <span class="muted">on</span>' in form_of_a_case()


def test_the_second_step_is_done_once_grading_can_grade(browser: Client, post: Any, dataset: Dataset) -> None:
    def steps() -> str:
        return shown(browser.get(f"/datasets/{dataset.pk}/evals/", headers=PART))

    assert "Not set up" in steps()
    post(reference_answer_enabled="on")
    assert "The judge has no model" in steps()
    post(revision="1")
    assert "Set up" in steps()


def test_the_part_asks_the_database_little(
    browser: Client, dataset: Dataset, django_assert_max_num_queries: Callable[[int], Any]
) -> None:
    with django_assert_max_num_queries(25):
        browser.get(address(dataset), headers=PART)
