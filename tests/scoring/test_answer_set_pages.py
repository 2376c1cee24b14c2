"""The console pages of stored answers: the part of the results, the dialog, one set, two compared, deletion."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from core import jobs
from datasets.operations.cases import edit_case
from scoring.models import AnswerSet
from scoring.operations.settings import change_scoring
from scoring.queries.answer_sets import shown_set
from tests.activity.rows import make_agent
from tests.cast import Cast
from tests.datasets.pages import PART, text
from tests.scoring.judges import make_judge
from tests.scoring.stored import CASES, make_dataset, make_set, put_outcomes

WARRANTY, MALTA, WEIGHT = CASES
SignIn = Callable[[str], Client]


def a_file(rows: str, name: str = "old bot.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, f"input,answer\n{rows}".encode())


def test_the_results_offer_stored_answers_and_teach_what_they_are(cast: Cast, sign_in: SignIn) -> None:
    dataset, _ids = make_dataset(cast.actor("builder"))
    client = sign_in("builder")
    page = text(client.get(reverse("dataset", args=[dataset.pk]) + "?tab=results&view=stored"))
    assert reverse("answer_sets", args=[dataset.pk]) in page
    runs = text(client.get(reverse("dataset", args=[dataset.pk]) + "?tab=results"))
    assert "Score stored answers" in runs
    part = client.get(reverse("answer_sets", args=[dataset.pk]), headers=PART)
    assert "No stored answers yet" in text(part)
    assert "latency_ms" in text(part)
    assert "<html" not in text(part)


@pytest.mark.spec("ACC-11", "ACC-12")
def test_who_may_not_score_is_offered_nothing_or_told_why(cast: Cast, sign_in: SignIn) -> None:
    dataset, _ids = make_dataset(cast.actor("builder"))
    there = reverse("answer_sets", args=[dataset.pk])
    assert "Score stored answers" not in text(sign_in("viewer").get(there, headers=PART))
    member = text(sign_in("member").get(there, headers=PART))
    assert "Reading runs is needed" in member
    assert reverse("answer_set_new", args=[dataset.pk]) not in member


def test_a_list_that_is_graded_asks_for_itself_again_and_a_done_one_does_not(
    cast: Cast, sign_in: SignIn, django_assert_max_num_queries: Any
) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    for number in range(4):
        make_set(actor, dataset, {ids[MALTA]: "a"}, label=f"Set {number}", agent_id=make_agent(cast, str(number)).pk)
    client, there = sign_in("builder"), reverse("answer_sets", args=[dataset.pk])
    with django_assert_max_num_queries(25):
        waiting = text(client.get(there + "?tab=results&view=stored", headers=PART))
    assert 'hx-trigger="every 3s"' in waiting
    assert "0 of 1 graded" in waiting
    for one in AnswerSet.objects.all():
        put_outcomes(one, {ids[MALTA]: "pass"})
    done = text(client.get(there + "?after=made-up", headers=PART))
    assert "hx-trigger" not in done
    assert "1 of 1" in done


@pytest.mark.spec("SC-14")
def test_the_rate_of_a_set_leaves_out_what_is_unscored(cast: Cast, sign_in: SignIn) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    made = make_set(actor, dataset, dict.fromkeys(ids.values(), "a"))
    put_outcomes(made, dict.fromkeys(ids.values(), "unscored"))
    client = sign_in("builder")
    pages = (reverse("answer_set", args=[dataset.pk, made.pk]), reverse("answer_sets", args=[dataset.pk]))
    assert all("No result" in text(client.get(page, headers=PART)) for page in pages)
    put_outcomes(made, {ids[MALTA]: "pass", ids[WEIGHT]: "fail"})
    assert all("1 of 2" in text(client.get(page, headers=PART)) for page in pages)


def test_the_dialog_shows_what_was_read_before_anything_is_stored(cast: Cast, sign_in: SignIn) -> None:
    dataset, _ids = make_dataset(cast.actor("builder"))
    client, there = sign_in("builder"), reverse("answer_set_new", args=[dataset.pk])
    assert "case_id" in text(client.get(there, headers=PART))
    shown = text(client.post(there, {"file": a_file(f"{MALTA},Yes\n{WEIGHT},\n")}, headers=PART))
    assert "2 answers read" in shown
    assert "1 answer is empty" in shown
    assert "1 case that could be graded has no answer in the file" in shown
    assert "judge" not in shown
    assert not AnswerSet.objects.exists()


def test_the_dialog_says_that_a_judge_takes_part_or_has_no_model(cast: Cast, sign_in: SignIn) -> None:
    actor = cast.actor("builder")
    dataset, _ids = make_dataset(actor)
    judge: Any = {"enabled": True, "criteria": [{"name": "Kind", "criterion": "Is it kind?"}]}
    change_scoring(actor, dataset_id=dataset.pk, changes={"judge": judge})
    shown = sign_in("builder").post(
        reverse("answer_set_new", args=[dataset.pk]), {"file": a_file(f"{MALTA},Yes\n")}, headers=PART
    )
    assert "The judge of this dataset has no model, so what it would grade stays unscored." in text(shown)
    judge["agent"] = str(make_judge(cast.owner, None).pk)
    change_scoring(cast.actor("owner"), dataset_id=dataset.pk, changes={"judge": judge})
    shown = sign_in("builder").post(
        reverse("answer_set_new", args=[dataset.pk]), {"file": a_file(f"{MALTA},Yes\n")}, headers=PART
    )
    assert "The judge of this dataset takes part" in text(shown)


@pytest.mark.spec("BC-28", "BC-38")
def test_the_dialog_counts_the_answers_whose_latency_or_cost_a_check_needs(cast: Cast, sign_in: SignIn) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    slow = [{"type": "max_latency_ms", "value": 500}]
    edit_case(actor, dataset_id=dataset.pk, case_id=ids[MALTA], changes={"checks": slow})
    client, there = sign_in("builder"), reverse("answer_set_new", args=[dataset.pk])

    def shown(rows: str) -> str:
        file = SimpleUploadedFile("a.csv", f"input,answer,latency_ms\n{rows}".encode())
        return text(client.post(there, {"file": file}, headers=PART))

    page = shown(f"{MALTA},Yes,\n{WEIGHT},1 kg,\n")
    assert "The latency of 1 answer is not known, and a check needs it." in page
    assert "The cost of" not in page
    assert "is not known" not in shown(f"{MALTA},Yes,0\n{WEIGHT},1 kg,\n")
    defaults = {"defaults": [{"type": "max_cost_usd", "value": 1}]}
    change_scoring(actor, dataset_id=dataset.pk, changes={"checks": defaults})
    assert "The cost of 2 answers is not known, and a check needs it." in shown(f"{MALTA},Yes,0\n{WEIGHT},1 kg,\n")


@pytest.mark.spec("DS-D46")
def test_a_file_is_scored_once_and_its_page_opens(
    cast: Cast, sign_in: SignIn, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    queued: list[Any] = []
    monkeypatch.setattr(jobs, "_put", lambda _name, ids, _request_id: queued.append(ids))
    dataset, _ids = make_dataset(cast.actor("builder"))
    agent = make_agent(cast)
    client, there = sign_in("builder"), reverse("answer_set_new", args=[dataset.pk])
    for _sending in range(2):
        sent = {"step": "score", "once": "k", "agent": str(agent.pk), "file": a_file(f"{MALTA},Yes\n")}
        with django_capture_on_commit_callbacks(execute=True):
            response = client.post(there, sent, headers=PART)
    made = AnswerSet.objects.get()
    assert (made.label, made.agent) == ("old bot", agent)
    assert response["HX-Redirect"] == reverse("answer_set", args=[dataset.pk, made.pk])
    assert len(queued) == 1
    assert "1 answer is being graded." in text(client.get(response["HX-Redirect"]))


@pytest.mark.parametrize(
    ("sent", "status", "words"),
    [
        ({}, 422, "Choose a file first."),
        ({"file": a_file("Who?,Me\nWhy?,So\n")}, 422, "2 of 2 answers are not valid"),
        ({"file": a_file("", name="a.exe")}, 422, "must end in .csv or .jsonl"),
        ({"file": a_file(f"{MALTA},Yes\n"), "agent": "nobody"}, 422, "Agent"),
        ({"file": SimpleUploadedFile("a.csv", b"x" * (10 * 1024 * 1024 + 1))}, 413, "larger than 10 MB"),
    ],
)
def test_what_cannot_be_scored_is_said_in_the_dialog(
    cast: Cast, sign_in: SignIn, sent: dict[str, Any], status: int, words: str
) -> None:
    dataset, _ids = make_dataset(cast.actor("builder"))
    for file in sent.values():
        if isinstance(file, SimpleUploadedFile):
            file.seek(0)
    response = sign_in("builder").post(reverse("answer_set_new", args=[dataset.pk]), sent, headers=PART)
    assert response.status_code == status
    assert words in text(response)


@pytest.mark.spec("DS-137", "DS-141")
def test_the_file_to_begin_with_holds_every_case_and_is_recorded(cast: Cast, sign_in: SignIn) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor, {"=1+1 is?": "2", 'Say "hi", please': "hi"})
    client = sign_in("builder")
    response = client.get(reverse("answer_set_template", args=[dataset.pk]))
    content = b"".join(response).decode()
    first, second = ids.values()
    assert content.splitlines() == [
        "case_id,input,answer,tool_calls,cost_usd,latency_ms",
        f"{first},'=1+1 is?,,,,",
        f'{second},"Say ""hi"", please",,,,',
    ]
    assert cast.kettle.pk
    there = reverse("answer_set_new", args=[dataset.pk])
    shown = client.post(there, {"file": SimpleUploadedFile("kettles-v2-answers.csv", content.encode())}, headers=PART)
    assert "2 answers are empty" in text(shown)


@pytest.mark.spec("BC-28")
def test_a_set_shows_each_number_with_what_it_is_of(
    cast: Cast, sign_in: SignIn, django_assert_max_num_queries: Any
) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    make_set(actor, dataset, {ids[MALTA]: "a"})
    made = make_set(actor, dataset, {ids[MALTA]: "a", ids[WEIGHT]: "b"})
    client, there = sign_in("builder"), reverse("answer_set", args=[dataset.pk, made.pk])
    part = text(client.get(there, headers=PART))
    assert 'hx-trigger="every 2s"' in part
    put_outcomes(made, {ids[MALTA]: "pass"})
    why = {"text": "The judge is off", "values": {}}
    put_outcomes(made, {ids[WEIGHT]: "unscored"}, why=why, judge_trouble="skipped")
    with django_assert_max_num_queries(25):
        page = text(client.get(there))
    assert 'hx-trigger="every' not in page
    assert "1 of 1" in page
    assert "Other tool · just now</option>" in page
    assert "The judge is off" in page
    assert f"answer_set={made.pk}&amp;outcome=unscored" in page
    assert "The judge is off" not in text(sign_in("viewer").get(there))


@pytest.mark.spec("RV-53")
def test_what_a_person_ruled_counts_before_what_grading_found(cast: Cast) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    made = make_set(actor, dataset, {ids[MALTA]: "a", ids[WEIGHT]: "b"})
    put_outcomes(made, {ids[MALTA]: "unscored", ids[WEIGHT]: "pass"}, why={"text": "The judge is off", "values": {}})
    made.scores.filter(case=ids[MALTA]).update(decided="pass")
    made.scores.filter(case=ids[WEIGHT]).update(decided="fail")
    shown = shown_set(actor, made)
    assert (shown.progress.passed, shown.progress.failed, shown.progress.unscored) == (1, 1, 0)
    assert list(shown.causes) == []


def test_the_review_shows_the_answers_of_one_set(cast: Cast, sign_in: SignIn) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    made = make_set(actor, dataset, {ids[MALTA]: "a"})
    make_set(actor, dataset, {ids[WEIGHT]: "b"}, label="Another")
    page = text(sign_in("builder").get(reverse("review_answers", args=[dataset.pk]) + f"?answer_set={made.pk}"))
    assert MALTA in page
    assert WEIGHT not in page


@pytest.mark.spec("SC-96", "BC-28")
def test_two_sets_are_compared_case_by_case(cast: Cast, sign_in: SignIn, django_assert_max_num_queries: Any) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    before = make_set(actor, dataset, dict.fromkeys(ids.values(), "a"), label="June")
    after = make_set(actor, dataset, {ids[WARRANTY]: "a", ids[MALTA]: "b"}, label="July")
    put_outcomes(before, {ids[WARRANTY]: "pass", ids[MALTA]: "fail", ids[WEIGHT]: "pass"})
    put_outcomes(after, {ids[WARRANTY]: "fail", ids[MALTA]: "pass"})
    client = sign_in("builder")
    there = reverse("answer_sets_compare", args=[dataset.pk, after.pk]) + f"?with={before.pk}"
    with django_assert_max_num_queries(25):
        page = text(client.get(there))
    assert "From “<bdi>June</bdi>” to “<bdi>July</bdi>”" in page
    assert page.index(WARRANTY) < page.index(MALTA) < page.index(WEIGHT)
    worse = text(client.get(there + "&show=worse", headers=PART))
    assert WARRANTY in worse
    assert MALTA not in worse
    change_scoring(actor, dataset_id=dataset.pk, changes={"tool_calls": {"must_pass": False}})
    other = make_set(actor, dataset, {ids[WARRANTY]: "a"}, label="August")
    put_outcomes(other, {ids[WARRANTY]: "pass"})
    there = reverse("answer_sets_compare", args=[dataset.pk, other.pk]) + f"?with={after.pk}"
    assert "Graded differently" in text(client.get(there))


@pytest.mark.parametrize("query", ["", "?with=", "?with=x", "?with=00000000-0000-0000-0000-000000000000"])
def test_a_comparison_with_nothing_is_not_there(cast: Cast, sign_in: SignIn, query: str) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    made = make_set(actor, dataset, {ids[MALTA]: "a"})
    there = reverse("answer_sets_compare", args=[dataset.pk, made.pk]) + query
    assert sign_in("builder").get(there).status_code == 404


def test_a_set_is_deleted_from_its_dialog(cast: Cast, sign_in: SignIn) -> None:
    actor = cast.actor("builder")
    dataset, ids = make_dataset(actor)
    made = make_set(actor, dataset, {ids[MALTA]: "a"})
    client, there = sign_in("builder"), reverse("answer_set_delete", args=[dataset.pk, made.pk])
    assert "with 1 answer and its score" in text(client.get(there, headers=PART))
    response = client.post(there, headers=PART)
    assert response["HX-Redirect"].endswith("?tab=results&view=stored")
    assert not AnswerSet.objects.exists()
