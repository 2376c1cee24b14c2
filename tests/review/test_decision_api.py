"""The endpoint of the decision on a score (RV-D29, RV-D30)."""

from typing import Any

import pytest

from accounts import access
from accounts.models import ApiKey
from accounts.permissions import GrantLevel
from review.models import Stay
from scoring.models import Score
from tests.api.clients import ApiClient, client_of
from tests.cast import Cast
from tests.evals.runs import EvalScene


@pytest.fixture
def scene(cast: Cast) -> EvalScene:
    return EvalScene(cast, cases=1)


@pytest.fixture
def score(scene: EvalScene) -> Score:
    return scene.score(scene.revisions[0].case_id, "fail")


@pytest.fixture
def api(cast: Cast) -> ApiClient:
    return client_of(cast.builder)


def at(score: Score) -> str:
    return f"/datasets/{score.dataset_id}/scores/{score.pk}/decision"


def put(api: ApiClient, score: Score, **body: Any) -> Any:
    return api.send("PUT", at(score), {"decision": "pass"} | body)


@pytest.mark.spec("RV-53", "RV-54", "RV-55", "RV-59", "RV-D29", "RV-D30")
def test_deciding_answers_with_what_counts_now(api: ApiClient, score: Score) -> None:
    before = api.get(at(score)).json()
    assert before == {
        "score_id": str(score.pk), "outcome": "fail", "final_outcome": "fail", "review": None, "revision": 0,
        "decision": None, "history": [], "stays": [],
    }  # fmt: skip
    answer = put(api, score, note="It names the days.", revision=0)
    done = answer.json()
    assert (answer.status_code, done["outcome"], done["final_outcome"], done["review"], done["revision"]) == (
        200, "fail", "pass", "decided", 1,
    )  # fmt: skip
    held = done["decision"]
    assert (held["decision"], held["automatic"], held["note"], held["decided_by"]["name"]) == (
        "pass", "fail", "It names the days.", "Builder",
    )  # fmt: skip
    assert done.pop("credentials_hidden") == 0
    assert api.get(at(score)).json() == done


@pytest.mark.spec("RV-D30")
def test_a_revision_that_holds_no_more_is_a_conflict_with_the_decision_that_does(api: ApiClient, score: Score) -> None:
    put(api, score, note="Fine.")
    refused = put(api, score, decision="fail", revision=0)
    told = refused.json()
    assert (refused.status_code, told["code"], told["revision"]) == (409, "decision_changed", 1)
    assert (told["current"]["decision"], told["current"]["note"]) == ("pass", "Fine.")
    assert put(api, score, decision="fail", revision=1).json()["final_outcome"] == "fail"


@pytest.mark.spec("RV-57", "RV-58", "RV-D29")
def test_withdrawing_says_whether_it_waits(api: ApiClient, score: Score) -> None:
    put(api, score)
    assert api.delete(f"{at(score)}?revision=3").json()["code"] == "decision_changed"
    answer = api.delete(f"{at(score)}?revision=1")
    done = answer.json()
    assert (answer.status_code, done["result"], done["review"], done["decision"], done["final_outcome"]) == (
        200, "waiting", "waiting", None, "fail",
    )  # fmt: skip
    assert [act["decision"] for act in done["history"]] == [None, "pass"]
    assert api.delete(at(score)).json()["code"] == "not_decided"
    [stay] = done["stays"]
    assert (stay["entered_because"], stay["sent_by"]["name"], stay["left_at"], stay["left_because"]) == (
        "decision_withdrawn", "Builder", None, None,
    )  # fmt: skip
    assert Stay.objects.filter(score=score, left_at=None).exists()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"decision": "unscored"}, "decision"), ({"decision": None}, "decision"), ({"note": 5}, "note"),
        ({"note": "x" * 2_001}, "note"), ({"revision": -1}, "revision"), ({"revision": "1"}, "revision"),
        ({"sure": True}, "sure"),
    ],
)  # fmt: skip
@pytest.mark.spec("RV-D32", "PL-41")
def test_what_cannot_be_taken_is_named(api: ApiClient, score: Score, body: dict[str, Any], field: str) -> None:
    refused = put(api, score, **body)
    assert (refused.status_code, [one["field"] for one in refused.json()["errors"]]) == (422, [field])
    assert Score.objects.get().decided == ""


@pytest.mark.spec("RV-74", "RV-75", "RV-77", "RV-D29")
def test_a_key_that_reads_no_runs_sees_the_decision_without_its_note(cast: Cast, api: ApiClient, score: Score) -> None:
    put(api, score, note="It names Anna.")
    blind = client_of(cast.builder, ["datasets:view", "datasets:edit"])
    shown = blind.get(at(score))
    assert (shown.json()["decision"]["decision"], shown.json()["decision"]["note"]) == ("pass", None)
    assert b"Anna" not in shown.content
    assert put(blind, score, decision="fail", revision=1).status_code == 403
    assert blind.delete(at(score)).status_code == 403


@pytest.mark.spec("RV-77", "PL-42")
def test_the_first_answer_is_not_told_again_to_who_may_no_longer_read_it(cast: Cast, score: Score) -> None:
    api = client_of(cast.builder)
    given: Any = {"decision": "pass", "note": "It names Anna."}
    assert api.send("PUT", at(score), given, Idempotency_Key="k").status_code == 200
    again = api.send("PUT", at(score), given, Idempotency_Key="k")
    assert (again.status_code, again["Idempotent-Replayed"]) == (200, "true")
    ApiKey.objects.filter(member=cast.builder).update(permissions=["datasets:view", "datasets:edit"])
    refused = api.send("PUT", at(score), given, Idempotency_Key="k")
    assert refused.status_code == 403
    assert b"Anna" not in refused.content


@pytest.mark.spec("RV-72")
def test_reading_takes_less_than_deciding(cast: Cast, scene: EvalScene, score: Score) -> None:
    viewer = client_of(cast.viewer)
    access.put_grant(scene.dataset, user=cast.viewer.user, level=GrantLevel.READ)
    assert (viewer.get(at(score)).status_code, put(viewer, score).status_code) == (200, 403)
