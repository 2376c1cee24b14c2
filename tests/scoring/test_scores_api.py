"""The endpoints of scores: statuses, shapes, refusals, repeated requests (SC-D53, SC-D55, SC-136, PL-41, PL-42)."""

from typing import Any
from uuid import uuid4

import pytest

from scoring import jobs
from scoring.models import Score, ScoreAttempt
from tests.api.clients import ApiClient, client_of
from tests.cast import Cast
from tests.scoring.scored import ANSWER, Scene, grade


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return Scene(cast)


@pytest.fixture
def api(cast: Cast) -> ApiClient:
    return client_of(cast.builder)


@pytest.fixture
def address(scene: Scene) -> str:
    return f"/datasets/{scene.dataset.pk}/scores"


def unscored(scene: Scene) -> Score:
    """A score whose judge has no model."""
    scene.judge_by(None)
    return scene.graded()


@pytest.mark.spec("SC-D53", "SC-162")
def test_a_run_is_scored_in_the_background_and_read_when_it_is_done(
    scene: Scene, api: ApiClient, address: str, django_capture_on_commit_callbacks: Any
) -> None:
    sent = {"run_id": str(scene.run().pk), "case_id": str(scene.case_id)}
    with django_capture_on_commit_callbacks() as queued:
        asked = api.post(address, sent)
    assert (asked.status_code, asked.json()["state"], len(queued)) == (202, "waiting", 1)
    assert asked["Location"] == f"/api/v1{address}/{asked.json()['id']}"
    waiting = api.get(asked["Location"].removeprefix("/api/v1")).json()
    assert (waiting["state"], waiting["outcome"], waiting["results"]) == ("waiting", None, [])
    jobs.grade_score_job(asked.json()["id"])
    done = api.get(f"{address}/{asked.json()['id']}").json()
    assert (done["state"], done["outcome"], done["score"], done["why"]) == ("done", "pass", 1.0, None)
    assert done["answer"] == {"text": ANSWER, "cut": False, "tool_calls": []}
    assert done["settings"]["checks"]["enabled"] is True
    assert [(result["evaluator"], result["state"]) for result in done["results"]] == [
        ("checks", "pass"),
        ("tool_calls", "not_applicable"),
    ]
    (finding,) = done["results"][0]["findings"]
    assert (finding["id"], finding["kind"], finding["name"], finding["verdict"]) == (
        "check-1",
        "case_check",
        "contains",
        "pass",
    )
    assert (done["agent"]["name"], done["run"], done["asked_by"]["name"]) == ("Support", sent["run_id"], "Builder")
    assert done["question"] == "Can I return my kettle?"


@pytest.mark.spec("SC-D53")
def test_the_version_may_be_named(scene: Scene, api: ApiClient, address: str) -> None:
    sent = {"run_id": str(scene.run().pk), "case_id": str(scene.case_id)}
    assert api.post(address, {**sent, "version": 1}).status_code == 202
    assert api.post(address, {**sent, "version": 2}).status_code == 404
    assert api.post(address, {**sent, "version": "1"}).status_code == 422


@pytest.mark.spec("SC-163", "SC-53", "SC-D53")
def test_what_cannot_be_graded_is_named_by_its_field(scene: Scene, api: ApiClient, address: str) -> None:
    empty = {"run_id": str(scene.run("").pk), "case_id": str(scene.case_id)}
    assert fields(api.post(address, empty)) == ["run_id"]
    scene.set(checks={"enabled": False})
    nothing = {"run_id": str(scene.run().pk), "case_id": str(scene.case_id)}
    assert fields(api.post(address, nothing)) == ["case_id"]
    assert fields(api.post(address, {"run_id": "x"})) == ["case_id", "run_id"]
    for unknown in ({"run_id": str(uuid4())}, {"case_id": str(uuid4())}):
        assert api.post(address, {**nothing, **unknown}).status_code == 404


def fields(response: Any) -> list[str]:
    assert response.status_code == 422
    return sorted(problem["field"] for problem in response.json()["errors"])


@pytest.mark.spec("PL-42")
def test_a_repeated_request_makes_one_score(scene: Scene, api: ApiClient, address: str) -> None:
    sent = {"run_id": str(scene.run().pk), "case_id": str(scene.case_id)}
    first, second = (api.post(address, sent, Idempotency_Key="k") for _ in range(2))
    assert first.json() == second.json()
    assert second["Idempotent-Replayed"] == "true"
    assert Score.objects.count() == 1


@pytest.mark.spec("SC-168", "ACC-35")
def test_who_may_not_read_the_words_gets_none_of_them(scene: Scene, cast: Cast, address: str) -> None:
    score = unscored(scene)
    ScoreAttempt.objects.create(score=score, number=1, results=score.results, why=score.why, pin=score.pin)
    seen = client_of(cast.viewer).get(f"{address}/{score.pk}").json()
    assert (seen["outcome"], seen["state"], seen["judge_trouble"]) == ("unscored", "done", "skipped")
    assert (seen["readable"], seen["answer"], seen["why"], seen["unreadable_reply"]) == (False, None, None, None)
    assert (seen["run"], seen["cost"], seen["seconds"], seen["judge_cost"]) == (None, None, None, None)
    assert {(result["why"], result["findings"]) for result in seen["results"]} == {(None, None)}
    assert {(r["why"], r["findings"]) for attempt in seen["attempts"] for r in attempt["results"]} == {(None, None)}
    (row,) = client_of(cast.viewer).get(address).json()["results"]
    assert (row["outcome"], row["readable"], row["why"]) == ("unscored", False, None)


@pytest.mark.spec("PL-41")
def test_scores_are_listed_by_cursor_with_filters(scene: Scene, api: ApiClient, address: str) -> None:
    scores = [scene.graded(), scene.graded("No."), scene.score()]
    first = api.get(f"{address}?page_size=2").json()
    assert [row["id"] for row in first["results"]] == [str(score.pk) for score in scores[:0:-1]]
    last = api.get(first["next"].partition("/api/v1")[2]).json()
    assert ([row["id"] for row in last["results"]], last["next"]) == ([str(scores[0].pk)], None)
    for query, expected in {
        "outcome=pass": [scores[0]],
        "state=waiting": [scores[2]],
        "tag=returns&origin=activity": scores[::-1],
        f"agent={scene.agent.pk}&case={scene.case_id}": scores[::-1],
        "outcome=pass&outcome=fail": scores[1::-1],
        f"answer_set={uuid4()}": [],
    }.items():
        found = api.get(f"{address}?{query}").json()["results"]
        assert [row["id"] for row in found] == [str(score.pk) for score in expected], query
    refused = api.get(f"{address}?outcome=maybe")
    assert fields(refused) == ["outcome"]
    assert refused.json()["errors"][0]["message"] == "Choose one of: pass, fail, unscored."


@pytest.mark.spec("SC-136", "SC-D55")
def test_scoring_again_answers_with_what_is_accepted_and_unchanged(
    scene: Scene, api: ApiClient, address: str, django_capture_on_commit_callbacks: Any
) -> None:
    bad = unscored(scene)
    scene.set()
    good = scene.graded()
    refused = api.post(f"{address}/rescore", {"score_ids": [str(bad.pk), str(good.pk)]})
    assert (refused.status_code, refused.json()["code"]) == (409, "judge_model_missing")
    assert refused.json()["score_ids"] == [str(bad.pk)]
    results = [dict(result) for result in bad.results]
    findings = [dict(finding, verdict="error") for finding in results[0]["findings"]]
    passing = [dict(finding, verdict="pass") for finding in results[2]["findings"]]
    results[0] = dict(results[0], state="no_verdict", findings=findings)
    results[2] = dict(results[2], state="pass", findings=passing)
    Score.objects.filter(pk=bad.pk).update(results=results)
    with django_capture_on_commit_callbacks() as queued:
        again = api.post(f"{address}/rescore", {"score_ids": [str(good.pk), str(bad.pk)]})
    assert (again.status_code, len(queued)) == (202, 1)
    assert again.json() == {"accepted": [str(bad.pk)], "unchanged": [str(good.pk)]}
    busy = api.post(f"{address}/rescore", {"score_ids": [str(bad.pk)]})
    assert (busy.status_code, busy.json()["code"]) == (409, "busy")
    assert grade(bad).outcome == "pass"
    assert [attempt["number"] for attempt in api.get(f"{address}/{bad.pk}").json()["attempts"]] == [1]


@pytest.mark.spec("SC-D55", "SC-136")
@pytest.mark.parametrize(
    ("sent", "wrong"),
    [
        ({}, ["score_ids"]),
        ({"score_ids": []}, ["score_ids"]),
        ({"score_ids": "x"}, ["score_ids"]),
        ({"score_ids": [str(uuid4())] * 11}, ["score_ids"]),
        ({"score_ids": ["x", str(uuid4())]}, ["score_ids.0", "score_ids.1"]),
        ({"score_ids": [7]}, ["score_ids.0"]),
        ({"score_ids": ["x"], "force": True}, ["force"]),
    ],
)
def test_wrong_lists_of_ids_are_refused_by_their_places(
    api: ApiClient, address: str, sent: Any, wrong: list[str]
) -> None:
    assert fields(api.post(f"{address}/rescore", sent)) == wrong
