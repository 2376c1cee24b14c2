"""The table of the review: what counts, the order, choosing all that match, sending and taking out, the export."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import AuditEntry
from core.limits import LIMITS, Limits
from review.models import Decision, Leaving, Stay
from review.queries.review_step import review_step
from scoring.models import Score
from tests.api.clients import client_of
from tests.cast import Cast
from tests.datasets.pages import PART, text
from tests.scoring.scored import CASE, Scene

SignIn = Callable[[str], Client]
LIST = {**PART, "HX-Target": "review-list"}


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return Scene(cast)


def address(scene: Scene, name: str = "review_answers", query: str = "") -> str:
    return reverse(name, args=[scene.dataset.pk]) + query


def table(client: Client, scene: Scene, **query: Any) -> str:
    return text(client.get(address(scene), query, headers=PART))


def file_of(response: Any) -> str:
    """What was streamed."""
    return b"".join(response.streaming_content).decode()


def ids(page: str) -> list[str]:
    return [piece.split('"')[0] for piece in page.split('data-row-id="')[1:]]


def row(page: str, score: Score) -> str:
    return page.split(f'id="outcome-{score.pk}"')[1].split("</td>")[0]


def decide(score: Score, ruling: str, note: str = "") -> None:
    Decision.objects.create(score=score, number=1, ruling=ruling, automatic=score.outcome, note=note)
    Score.objects.filter(pk=score.pk).update(decided=ruling)


def wait(*scores: Score) -> None:
    """Each later one came later into the queue; of a case of its own, since one waits a case and agent."""
    for number, score in enumerate(scores):
        Stay.objects.create(
            score=score, dataset_id=score.dataset_id, case_id=score.case_id, agent_key=score.pk, entry="sent",
            entered_at=timezone.now() + timedelta(seconds=number),
        )  # fmt: skip


@pytest.mark.spec("RV-D3", "RV-D4", "RV-6")
def test_a_decision_is_what_counts_with_what_grading_found_beside_it(scene: Scene, sign_in: SignIn) -> None:
    passed, failed, waiting = scene.graded(), scene.graded("No."), scene.graded("Nothing.")
    decide(passed, "fail")
    decide(failed, "fail")
    wait(waiting)
    page = table(sign_in("viewer"), scene)
    assert len(ids(page)) == 3, "status does not split the list"
    for words in ("Failed", "Decided", "graded Passed"):
        assert words in row(page, passed)
    assert "Decided" in row(page, failed)
    assert "graded" not in row(page, failed)
    assert "Waiting" in row(page, waiting)
    assert "Decided" not in row(page, waiting)
    assert ids(table(sign_in("viewer"), scene, outcome="pass")) == []
    assert len(ids(table(sign_in("viewer"), scene, outcome="fail"))) == 3


@pytest.mark.spec("RV-D7")
def test_several_values_of_one_filter_are_joined_and_filters_narrow(scene: Scene, sign_in: SignIn) -> None:
    other = scene.add(replace(CASE, input="How heavy is it?", tags=("weight",)))
    passed, failed, heavy = scene.graded(), scene.graded("No."), scene.graded("No.", case_id=other)
    client = sign_in("builder")
    assert ids(table(client, scene, outcome=["pass", "fail"])) == [str(one.pk) for one in (heavy, failed, passed)]
    assert ids(table(client, scene, outcome=["fail", "unscored"], tag=["weight", "none"])) == [str(heavy.pk)]
    assert len(ids(table(client, scene, tag=["weight", "returns"]))) == 3
    assert len(ids(table(client, scene, agent=[scene.agent.pk, scene.case_id]))) == 3
    menu = text(client.get(address(scene, "review_choices"), {"tag": "returns"}, headers=PART))
    assert 'name="tag" value="returns" checked' in menu
    assert 'name="tag" value="weight">' in menu
    assert f'name="agent" value="{scene.agent.pk}">' in menu
    assert "Passed, Failed" in table(client, scene, outcome=["pass", "fail"])


@pytest.mark.spec("RV-D4", "RV-D6")
def test_those_that_wait_stand_first_where_that_is_wished(
    scene: Scene, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = [scene.graded("No.") for _number in range(5)]
    wait(scores[3], scores[0])
    client = sign_in("builder")
    wished = [str(scores[number].pk) for number in (0, 3, 4, 2, 1)]
    assert ids(table(client, scene, sort="waiting_first")) == wished
    assert ids(table(client, scene, sort="nonsense")) == [str(one.pk) for one in reversed(scores)]
    assert ids(table(client, scene, sort="waiting_first", outcome=["fail", "unscored"])) == wished
    assert ids(table(client, scene, sort="waiting_first", outcome="pass")) == []
    page = table(client, scene, sort="waiting_first")
    assert "sort=waiting_first" in page.split("data-row-link")[1]


@pytest.mark.spec("RV-33", "RV-9", "RV-D8", "RV-D23")
def test_chosen_answers_are_sent_and_taken_out_and_the_list_shows_it(scene: Scene, sign_in: SignIn) -> None:
    first, second = scene.graded("No."), scene.graded(case_id=scene.add(replace(CASE, input="How heavy is it?")))
    client = sign_in("builder")
    chosen = {"chosen": [str(first.pk), str(second.pk)]}
    answer = client.post(address(scene, "review_send"), chosen, headers=LIST)
    assert "2 answers wait for review now." in answer["HX-Trigger"]
    assert text(answer).count(">Waiting<") == 2
    assert '<div id="review-list"' in text(answer)
    decide(second, "pass")
    answer = client.post(address(scene, "review_withdraw"), chosen, headers=LIST)
    assert "1 answer was taken out of review. 1 is decided already." in answer["HX-Trigger"]
    assert Stay.objects.get(score=first).leaving == Leaving.WITHDRAWN
    again = client.post(address(scene, "review_withdraw", "?outcome=fail"), {"chosen": str(first.pk)})
    assert again["Location"].endswith("?outcome=fail&tab=results&view=review")
    nothing = client.post(address(scene, "review_withdraw"), {}, headers=LIST)
    assert "Name at least one score." in nothing["HX-Trigger"]


@pytest.mark.spec("RV-D8")
def test_all_that_match_are_those_of_the_filter_when_they_were_chosen(
    scene: Scene, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = [scene.add(replace(CASE, input=f"Question {number}")) for number in range(4)]
    failed = [scene.graded("No.", case_id=case) for case in cases[:3]]
    scene.graded(case_id=cases[3])
    client = sign_in("builder")
    offer = text(client.get(address(scene, "review_matching"), {"outcome": "fail"}, headers=PART))
    assert "Select all 3 that match" in offer
    until = offer.split('data-selection-choose="')[1].split('"')[0]
    scene.graded("No.", case_id=cases[3])
    client.post(address(scene, "review_send", "?outcome=fail"), {"until": until}, headers=LIST)
    assert set(Stay.objects.values_list("score_id", flat=True)) == {one.pk for one in failed}
    few = Limits(scores_a_review_request=2)
    for path in ("review.views.table.LIMITS", "review.views.chosen.LIMITS"):
        monkeypatch.setattr(path, few)
    offer = text(client.get(address(scene, "review_matching"), {"outcome": "fail"}, headers=PART))
    assert "More than 2 match." in offer
    assert "Select the first 2" in offer
    until = offer.split('data-selection-choose="')[1].split('"')[0]
    taken = client.post(address(scene, "review_withdraw", "?outcome=fail"), {"until": until}, headers=LIST)
    assert "1 answer was taken out of review. 1 was not waiting." in taken["HX-Trigger"]
    assert LIMITS.scores_a_review_request == 500


@pytest.mark.spec("RV-D43", "RV-72")
def test_who_may_only_look_is_offered_nothing_to_do(scene: Scene, sign_in: SignIn) -> None:
    score = scene.graded()
    page = table(sign_in("viewer"), scene)
    assert str(score.pk) in page
    for words in ('id="selection"', 'name="chosen"', "Send to review", "Score again"):
        assert words not in page
    assert "Send to review" in table(sign_in("builder"), scene)
    assert sign_in("viewer").post(address(scene, "review_withdraw"), {"chosen": score.pk}).status_code == 403


# --- As a file


@pytest.mark.spec("RV-D44")
def test_the_answers_that_match_are_a_file_of_either_kind(scene: Scene, sign_in: SignIn) -> None:
    scene.graded("No.", case_id=scene.add(replace(CASE, input="=1+1", tags=("weight", "returns"))))
    passed = scene.graded()
    decide(passed, "fail", "-2 days are missing")
    client = sign_in("builder")
    response = client.get(address(scene, "scores_export"), {"format": "csv"})
    assert response["Content-Disposition"] == 'attachment; filename="returns-answers.csv"'
    assert response["Cache-Control"] == "no-store"
    first, second = csv.DictReader(io.StringIO(file_of(response), newline=""))
    assert (first["question"], first["answer"], first["agent"]) == (CASE.input, passed.answer, "Support")
    assert (first["outcome"], first["automatic_outcome"], first["review"]) == ("fail", "pass", "decided")
    assert first["note"] == "'-2 days are missing"
    assert (second["question"], second["tags"], second["outcome"]) == ("'=1+1", "weight,returns", "fail")
    assert "30 days" in second["reasons"]
    assert (second["checks_number"], second["checks_verdict"]) == ("0.0", "fail")
    answer = client.get(address(scene, "scores_export"), {"format": "jsonl", "tag": "weight"})
    (line,) = [json.loads(line) for line in file_of(answer).splitlines()]
    assert (line["question"], line["tags"], line["review"]) == ("=1+1", ["weight", "returns"], "")
    kept = AuditEntry.objects.filter(action="scores.exported").latest("pk")
    assert kept.details == {"format": "jsonl", "filters": ["tags"]}


@pytest.mark.spec("RV-D44", "RV-75", "RV-77")
def test_a_file_holds_no_word_that_its_reader_may_not_read(scene: Scene, sign_in: SignIn) -> None:
    failed = scene.graded("Never, said the kettle.")
    decide(failed, "fail", "It is rude.")
    for file_format in ("csv", "jsonl"):
        file = file_of(sign_in("viewer").get(address(scene, "scores_export"), {"format": file_format}))
        assert str(failed.pk) in file
        assert "decided" in file
        for hidden in ("kettle.", "rude", "30 days", str(failed.run_id)):
            assert hidden not in file
    assert sign_in("viewer").get(address(scene, "scores_export"), {"format": "xml"}).status_code == 422


@pytest.mark.spec("RV-D44", "RV-D6")
def test_a_file_holds_every_answer_in_the_order_of_the_table(
    scene: Scene, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("review.queries.exported.BATCH", 2)
    scores = [scene.graded("No.") for _number in range(5)]
    wait(scores[1], scores[2])
    client = sign_in("builder")
    found = {}
    for sort in ("", "waiting_first"):
        file = file_of(client.get(address(scene, "scores_export"), {"format": "jsonl", "sort": sort}))
        found[sort] = [json.loads(line)["score_id"] for line in file.splitlines()]
        assert found[sort] == ids(table(client, scene, sort=sort))
    assert len(set(found[""])) == 5
    assert found[""] != found["waiting_first"]


@pytest.mark.spec("RV-D3", "RV-D6", "RV-D44")
def test_the_api_lists_and_exports_by_the_same_parameters(scene: Scene, cast: Cast) -> None:
    passed, failed, waiting = scene.graded(), scene.graded("No."), scene.graded("No way.")
    decide(passed, "fail")
    wait(failed)
    api = client_of(cast.members["builder"])
    base = f"/datasets/{scene.dataset.pk}/scores"
    found = api.get(f"{base}?sort=waiting_first&outcome=fail&outcome=unscored&page_size=2").json()
    shown = [(one["id"], one["outcome"], one["final_outcome"], one["review"]) for one in found["results"]]
    assert shown == [(str(failed.pk), "fail", "fail", "waiting"), (str(waiting.pk), "fail", "fail", None)]
    (last,) = api.get(found["next"].partition("/api/v1")[2]).json()["results"]
    assert (last["id"], last["outcome"], last["final_outcome"], last["review"]) == (
        str(passed.pk), "pass", "fail", "decided"
    )  # fmt: skip
    assert api.get(f"{base}/{failed.pk}").json()["review"] == "waiting"
    file = file_of(api.get(f"{base}/export?format=jsonl&sort=waiting_first"))
    listed = api.get(f"{base}?sort=waiting_first").json()["results"]
    assert [json.loads(line)["score_id"] for line in file.splitlines()] == [one["id"] for one in listed]
    refused = api.get(f"{base}/export?format=xml&cursor=x")
    assert refused.status_code == 422
    assert [one["field"] for one in refused.json()["errors"]] == ["cursor", "format"]


@pytest.mark.spec("DS-25")
def test_the_last_step_of_a_dataset_says_what_waits_and_ends_with_a_decision(scene: Scene, sign_in: SignIn) -> None:
    def step() -> tuple[bool, str]:
        state = review_step(scene.actor("viewer"), scene.dataset)
        assert "?tab=results&view=review" in state.href
        return state.is_done, str(state.words)

    assert step() == (False, "Nothing to review")
    score = scene.graded("No.")
    wait(score)
    assert step() == (False, "1 answer waits for review")
    assert "1 answer waits for review" in text(sign_in("builder").get(reverse("dataset", args=[scene.dataset.pk])))
    Stay.objects.all().delete()
    decide(score, "pass")
    assert step() == (True, "1 answer decided")
