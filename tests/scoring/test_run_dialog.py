"""**Score against a case** in a run's menu: what the dialog opens on, adding the answer, scoring (SC-154 to SC-165)."""

import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import AuditEntry, Visibility
from activity.models import Run
from datasets.logic.drafts import CaseDraft
from datasets.models import Case, Dataset
from datasets.operations.cases import add_case
from datasets.operations.datasets import create_dataset
from scoring.models import Score
from scoring.queries.run_scoring import CASES_SHOWN
from tests.activity.rows import make_agent, make_run
from tests.cast import Cast
from tests.datasets.answers import make_answer
from tests.datasets.pages import PART, text
from tests.scoring.scored import CASE, Scene

SignIn = Callable[[str], Client]


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return Scene(cast)


@pytest.fixture
def builder(sign_in: SignIn) -> Client:
    return sign_in("builder")


def address(run: Run) -> str:
    return reverse("run_score", args=[run.pk])


def opened(client: Client, run: Run, **query: Any) -> str:
    return text(client.get(address(run), query, headers=PART))


def sent(client: Client, run: Run, **fields: Any) -> Any:
    return client.post(address(run), fields, headers=PART)


def chosen_case(page: str) -> str:
    found = re.search(r'name="case" value="([^"]+)" checked', page)
    return found[1] if found else ""


def chosen_dataset(page: str) -> str:
    found = re.search(r'<option value="([^"]+)" selected', page)
    return found[1] if found else ""


def questions(page: str) -> list[str]:
    return re.findall(r'case-choice-question">([^<]*)<', page)


def other_dataset(cast: Cast, *questions: str, name: str = "Other", who: str = "builder") -> Dataset:
    dataset = create_dataset(cast.actor(who), name=name)
    for question in questions:
        add_case(cast.actor(who), dataset_id=dataset.pk, draft=CaseDraft(input=question, reference_answer="Yes."))
    return dataset


def asked(scene: Scene, question: str, answer: str = "On its way.") -> Run:
    return make_run(scene.agent, question, answer)


@pytest.mark.spec("SC-154")
def test_the_menu_of_a_run_offers_it(scene: Scene, builder: Client) -> None:
    run = scene.run()
    page = text(builder.get(reverse("run", args=[run.pk])))
    assert "Score against a case" in page
    assert f'hx-get="{address(run)}"' in page


@pytest.mark.spec("SC-163")
def test_a_run_without_a_transcript_is_not_scored_and_says_why(scene: Scene, builder: Client) -> None:
    run = scene.run("")
    page = text(builder.get(reverse("run", args=[run.pk])))
    assert "This run has no transcript, so there is no answer to grade." in page
    assert f'hx-get="{address(run)}"' not in page
    assert "has no transcript" in opened(builder, run)
    refused = sent(builder, run, dataset=scene.dataset.pk, case=scene.case_id)
    assert refused.status_code == 422
    assert not Score.objects.exists()


@pytest.mark.spec("SC-155", "SC-D52")
@pytest.mark.parametrize("question", [CASE.input, "  can i   RETURN my\nkettle? "])
def test_it_opens_on_a_dataset_with_a_case_that_asks_the_same(scene: Scene, builder: Client, question: str) -> None:
    newer = other_dataset(scene.cast, "How heavy is it?")
    page = opened(builder, asked(scene, question))
    assert chosen_dataset(page) == str(scene.dataset.pk) != str(newer.pk)
    assert chosen_case(page) == str(scene.case_id)
    assert "Add this answer as a case" not in page


@pytest.mark.spec("SC-156")
def test_several_datasets_that_ask_the_same_are_said_and_listed_first(scene: Scene, builder: Client) -> None:
    second = other_dataset(scene.cast, CASE.input, name="Second")
    third = other_dataset(scene.cast, "How heavy is it?", name="Third")
    page = opened(builder, scene.run())
    assert "2 datasets have a case that asks the same; they are listed first." in page
    places = [page.index(f'value="{dataset.pk}"') for dataset in (scene.dataset, second, third)]
    assert max(places[:2]) < places[2]


@pytest.mark.spec("SC-157", "SC-158", "SC-D52")
def test_without_one_the_nearest_of_the_page_come_first_and_the_answer_may_be_added(
    scene: Scene, builder: Client
) -> None:
    dataset = other_dataset(scene.cast, "Is order KC-1 late?", "How heavy is it?", "Where is my order KC-2?")
    page = opened(builder, asked(scene, "Where is my order KC-1?"), dataset=dataset.pk)
    assert questions(page) == ["Where is my order KC-2?", "Is order KC-1 late?", "How heavy is it?"]
    assert chosen_case(page) == ""
    assert "Or add this answer as a case" in page
    assert "Add as a case" in page


@pytest.mark.spec("SC-158")
def test_only_the_page_that_is_shown_is_sorted(scene: Scene, builder: Client) -> None:
    others = [f"How heavy is model {number}?" for number in range(CASES_SHOWN)]
    dataset = other_dataset(scene.cast, "Where is my order KC-2?", *others)
    run = asked(scene, "Where is my order KC-1?")
    first = opened(builder, run, dataset=dataset.pk)
    assert "Where is my order KC-2?" not in questions(first)
    assert questions(first)[0] == others[-1]
    assert questions(opened(builder, run, dataset=dataset.pk, page=2)) == ["Where is my order KC-2?"]


def test_a_search_finds_cases_and_keeps_the_chosen_one_above(scene: Scene, builder: Client) -> None:
    dataset = other_dataset(scene.cast, "Is it dishwasher safe?", "How heavy is it?")
    heavy = Case.objects.filter(dataset=dataset).order_by("position").last()
    assert heavy is not None
    run = asked(scene, "Where is my order?")
    assert questions(opened(builder, run, dataset=dataset.pk, q="dishwasher")) == ["Is it dishwasher safe?"]
    page = opened(builder, run, dataset=dataset.pk, q="dishwasher", case=heavy.pk)
    assert questions(page) == ["How heavy is it?", "Is it dishwasher safe?"]
    assert chosen_case(page) == str(heavy.pk)


@pytest.mark.spec("SC-164", "SC-165")
def test_it_names_judge_and_model_and_says_where_they_are_changed(scene: Scene, builder: Client) -> None:
    run = scene.run()
    settings = f"/datasets/{scene.dataset.pk}/?tab=settings&amp;part=grading"
    page = opened(builder, run)
    assert "No judge is asked" in page
    assert "Both apply" not in page
    scene.judge_by(None)
    page = opened(builder, run)
    assert "Both apply to every answer graded afterwards." in page
    assert "Judge: the built-in one" in page
    assert "The judge has no model" in page
    assert f'href="{settings}"' in page
    assert f'href="{settings}#judge-title"' in page


@pytest.mark.spec("SC-155", "SC-162", "SC-D53")
def test_scoring_lays_down_a_score_and_shows_that_it_waits(scene: Scene, builder: Client) -> None:
    run = scene.run()
    response = sent(builder, run, dataset=scene.dataset.pk, case=scene.case_id)
    score = Score.objects.get()
    assert (score.run, score.case_id, score.asked_by) == (run, scene.case_id, scene.cast.builder)
    page = text(response)
    assert "Waiting" in page
    assert f'hx-get="/datasets/{scene.dataset.pk}/scores/{score.pk}/" hx-trigger="every 2s"' in page
    plain = builder.post(address(run), {"dataset": scene.dataset.pk, "case": scene.case_id})
    assert plain["Location"].startswith(f"/datasets/{scene.dataset.pk}/scores/")


def test_a_case_must_be_chosen(scene: Scene, builder: Client) -> None:
    refused = sent(builder, scene.run(), dataset=scene.dataset.pk)
    assert refused.status_code == 422
    assert "Choose a case first." in text(refused)


@pytest.mark.spec("SC-53")
def test_a_case_with_nothing_to_check_is_refused_in_the_dialog(scene: Scene, builder: Client) -> None:
    dataset = other_dataset(scene.cast, "How heavy is it?")
    case = Case.objects.get(dataset=dataset)
    refused = sent(builder, scene.run(), dataset=dataset.pk, case=case.pk)
    assert refused.status_code == 422
    assert "None of the evaluators that are on has anything to check in this case." in text(refused)
    assert not Score.objects.exists()


@pytest.mark.spec("SC-157", "SC-159", "SC-160")
def test_the_answer_is_added_and_its_case_is_chosen(scene: Scene, builder: Client) -> None:
    told = make_answer(scene.cast, owner=scene.cast.builder, earlier=[("I bought a medlar.", "A fine medlar.")])
    page = opened(builder, told.run)
    assert "Only this question" in page
    assert "With the conversation" in page
    assert re.search(r'name="with_history" value="" [^>]*checked', page)
    fields = {"act": "add", "dataset": scene.dataset.pk, "keep_as": "reference_answer", "with_history": ""}
    added = sent(builder, told.run, **fields)
    case = Case.objects.get(message=told.message)
    assert added.status_code == 200
    assert chosen_case(text(added)) == str(case.pk)
    assert "Added to Returns, version 2." in added["HX-Trigger"]
    again = sent(builder, told.run, **fields)
    assert again.status_code == 409
    assert "This answer is a case of the dataset already." in text(again)
    assert Case.objects.filter(message=told.message).count() == 1


@pytest.mark.spec("SC-160")
def test_who_may_not_edit_the_dataset_is_not_offered_to_add(scene: Scene, sign_in: SignIn) -> None:
    run = asked(scene, "Where is my order?")
    page = opened(sign_in("operator"), run)
    assert questions(page) == [CASE.input]
    assert "add this answer as a case" not in page
    refused = sent(sign_in("operator"), run, act="add", dataset=scene.dataset.pk, keep_as="reference_answer")
    assert refused.status_code == 403


@pytest.mark.spec("SC-161", "ACC-38", "ACC-39", "ACC-D26")
def test_a_private_conversation_of_another_is_named_before_it_is_copied(scene: Scene, builder: Client) -> None:
    told = make_answer(scene.cast, owner=scene.cast.member, visibility=Visibility.PRIVATE)
    page = opened(builder, told.run)
    assert "This is a private conversation of Member" in page
    assert "Readers of the dataset who can read runs will see the text." in page
    assert "Copy anyway" in page
    fields = {"act": "add", "dataset": scene.dataset.pk, "keep_as": "reference_answer"}
    assert sent(builder, told.run, **fields).status_code == 409
    assert not Case.objects.filter(message=told.message).exists()
    assert sent(builder, told.run, **fields, warned="1").status_code == 200
    entry = AuditEntry.objects.filter(action="case.added").latest("at")
    assert entry.details["copied_private_conversation_of"] == str(scene.cast.member.pk)


@pytest.mark.spec("ACC-D11", "SC-167")
def test_what_belongs_elsewhere_is_not_there(scene: Scene, cast: Cast, sign_in: SignIn) -> None:
    foreign = make_run(make_agent(cast, owner=cast.stranger))
    assert sign_in("builder").get(address(foreign)).status_code == 404
    assert sign_in("member").get(address(scene.run())).status_code == 404
    theirs = other_dataset(cast, CASE.input, who="stranger")
    page = opened(sign_in("builder"), scene.run(), dataset=theirs.pk)
    assert str(theirs.pk) not in page
    case = Case.objects.get(dataset=theirs)
    assert sent(sign_in("builder"), scene.run(), dataset=scene.dataset.pk, case=case.pk).status_code == 404
    assert sent(sign_in("builder"), scene.run(), dataset=scene.dataset.pk, case=uuid4()).status_code == 404


def test_a_dialog_takes_few_queries_however_many_cases_there_are(scene: Scene, builder: Client) -> None:
    dataset = other_dataset(scene.cast, *[f"How heavy is model {number}?" for number in range(30)])
    run = asked(scene, "Where is my order?")
    opened(builder, run)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        opened(builder, run, dataset=dataset.pk, page=2)
    assert len(queries) <= 25
