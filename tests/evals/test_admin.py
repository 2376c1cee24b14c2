"""The operators' admin of test runs: looked at without texts, and cancelled (EV-D67)."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Permission as StaffPermission
from django.test import Client

from accounts.models import AuditEntry
from evals.models import EvalRun
from scoring.logic.findings import Reason
from tests.cast import Cast
from tests.evals.runs import EvalScene
from tests.evals.starts import StartScene

SignIn = Callable[[str], Client]
SECRET = "what the provider wrote"


@pytest.fixture
def operator(cast: Cast, sign_in: SignIn) -> Client:
    cast.stranger.user.is_staff = cast.stranger.user.is_superuser = True
    cast.stranger.user.save()
    return sign_in("stranger")


@pytest.mark.spec("EV-D67", "ACC-D14")
def test_runs_and_attempts_are_looked_at_without_texts(cast: Cast, operator: Client) -> None:
    scene = EvalScene(cast, cases=1)
    run = scene.run(label="Somebody's words", options={"label": "Somebody's words"}, cause=Reason(SECRET).as_json())
    item = scene.item(run, scene.revisions[0])
    attempt = scene.attempt(item, "fail", score={"answer": "No."}, error=Reason(SECRET).as_json())
    for address in ("evalrun/", f"evalrun/{run.pk}/change/", "attempt/", f"attempt/{attempt.pk}/change/"):
        page = operator.get(f"/admin/evals/{address}")
        assert page.status_code == 200
        for words in (SECRET, "Question 0", "No."):
            assert words not in page.content.decode(), address
    for model in ("evalrun", "attempt"):
        assert operator.get(f"/admin/evals/{model}/add/").status_code == 403
    assert operator.post(f"/admin/evals/evalrun/{run.pk}/change/", {"state": "failed"}).status_code == 403
    assert operator.post(f"/admin/evals/evalrun/{run.pk}/delete/", {"post": "yes"}).status_code == 403


@pytest.mark.spec("EV-D67", "EV-D56")
def test_an_operator_cancels_what_has_not_ended(cast: Cast, operator: Client) -> None:
    scene = StartScene(cast)
    queued, ended = scene.start(), scene.ended("pass", "pass")
    sent = {"action": "cancel", "_selected_action": [str(queued.pk), str(ended.pk)]}
    page = operator.post("/admin/evals/evalrun/", sent, follow=True).content.decode()
    assert "1 test run is cancelled." in page
    assert "Already ended: 1." in page
    assert dict(EvalRun.objects.values_list("pk", "state")) == {queued.pk: "cancelled", ended.pk: "completed"}
    entry = AuditEntry.objects.get(action="eval.cancelled")
    assert (entry.organisation, entry.member) == (cast.kettle, None)
    assert 'value="delete_selected"' not in page


@pytest.mark.spec("EV-D67")
def test_an_operator_who_may_only_look_cancels_nothing(cast: Cast, sign_in: SignIn) -> None:
    queued = StartScene(cast).start()
    cast.stranger.user.is_staff = True
    cast.stranger.user.save()
    cast.stranger.user.user_permissions.add(StaffPermission.objects.get(codename="view_evalrun"))
    client = sign_in("stranger")
    assert 'value="cancel"' not in client.get("/admin/evals/evalrun/").content.decode()
    client.post("/admin/evals/evalrun/", {"action": "cancel", "_selected_action": [str(queued.pk)]})
    queued.refresh_from_db()
    assert queued.state == "queued"
