"""What is done with a test run from its page (EV-D26 to EV-D28, EV-D40, EV-D51, EV-D54 to EV-D57)."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry
from evals.models import EvalRun
from tests.cast import Cast
from tests.datasets.pages import PART, text
from tests.evals.starts import StartScene

SignIn = Callable[[str], Client]


@pytest.fixture
def scene(cast: Cast) -> StartScene:
    return StartScene(cast)


def address(run: EvalRun, name: str) -> str:
    return reverse(name, args=[run.pk])


def said(client: Client, run: EvalRun) -> str:
    """The run's page, with the messages of what was done."""
    return text(client.get(address(run, "eval")))


@pytest.mark.spec("EV-D26", "EV-D54")
def test_a_run_is_cancelled_after_saying_what_stays(scene: StartScene, sign_in: SignIn) -> None:
    client, run = sign_in("builder"), scene.start()
    dialog = text(client.get(address(run, "eval-cancel"), headers=PART))
    assert "0 of 2 answers are graded and stay." in dialog
    response = client.post(address(run, "eval-cancel"), headers=PART)
    assert response["HX-Redirect"] == address(run, "eval")
    run.refresh_from_db()
    assert run.state in ("cancelling", "cancelled")
    assert "Cancelled: no new answer is asked for." in said(client, run)


def test_a_run_that_has_ended_meanwhile_says_so_instead_of_being_cancelled(scene: StartScene, sign_in: SignIn) -> None:
    client, run = sign_in("builder"), scene.ended("pass")
    assert client.post(address(run, "eval-cancel")).status_code == 302
    assert "This test run has ended already." in said(client, run)


@pytest.mark.spec("EV-D27", "EV-D28")
def test_a_stopped_run_goes_on_with_a_raised_limit(scene: StartScene, sign_in: SignIn) -> None:
    client, run = sign_in("builder"), scene.ended("pass", state="stopped", max_cost=Decimal("0.5"))
    dialog = text(client.get(address(run, "eval-resume"), headers=PART))
    assert 'name="max_cost_usd" value="0.50"' in dialog
    wrong = client.post(address(run, "eval-resume"), {"max_cost_usd": "much"}, headers=PART)
    assert wrong.status_code == 422
    assert "This is an amount in US dollars above 0" in text(wrong)
    assert client.post(address(run, "eval-resume"), {"max_cost_usd": " 2.50 "}, headers=PART)["HX-Redirect"]
    run.refresh_from_db()
    assert (run.state, run.max_cost) == ("queued", Decimal("2.5"))


@pytest.mark.spec("EV-D28")
def test_a_refusal_to_resume_stands_in_the_dialog(scene: StartScene, sign_in: SignIn) -> None:
    client, run = sign_in("builder"), scene.ended("pass")
    refused = client.post(address(run, "eval-resume"), {"max_cost_usd": ""}, headers=PART)
    assert refused.status_code == 422
    assert "Only a test run that was cancelled, stopped or failed can be resumed." in text(refused)


@pytest.mark.spec("EV-D51")
def test_run_again_opens_the_dialog_of_a_start_with_the_same_choices(scene: StartScene, sign_in: SignIn) -> None:
    client, run = sign_in("builder"), scene.start(label="Nightly")
    page = text(client.get(address(run, "eval-again"), headers=PART, follow=True))
    assert 'value="Nightly"' in page


@pytest.mark.spec("EV-D40", "EV-D55")
def test_a_run_is_made_the_baseline_and_put_away_and_both_are_undone(scene: StartScene, sign_in: SignIn) -> None:
    client, run = sign_in("builder"), scene.ended("pass")

    def state() -> tuple[bool, bool]:
        run.refresh_from_db()
        return run.is_baseline, run.archived_at is not None

    client.post(address(run, "eval-baseline"), {"act": "make"})
    assert state() == (True, False)
    assert "No longer the baseline" in said(client, run)
    client.post(address(run, "eval-baseline"), {"act": "end"})
    assert state() == (False, False)
    client.post(address(run, "eval-archive"), {"act": "archive"})
    assert state() == (False, True)
    assert "hidden from the list, and no new run is compared with it unless it is chosen." in said(client, run)
    assert "Bring back from the archive" in said(client, run)
    client.post(address(run, "eval-archive"), {"act": "bring_back"})
    assert state() == (False, False)


@pytest.mark.spec("EV-D55", "EV-D40")
def test_archiving_the_baseline_says_before_and_after_that_it_ends_being_it(scene: StartScene, sign_in: SignIn) -> None:
    client, run = sign_in("builder"), scene.ended("pass", is_baseline=True)
    assert "ends being it" in client.get(address(run, "eval-archive"), headers=PART).content.decode()
    client.post(address(run, "eval-archive"), {"act": "archive"})
    assert "It is no longer the baseline" in said(client, run)
    client.post(address(run, "eval-archive"), {"act": "bring_back"})
    run.refresh_from_db()
    assert not run.is_baseline


@pytest.mark.spec("EV-D57", "EV-D56")
@pytest.mark.parametrize("file_format", ["csv", "jsonl", "junit", "md"])
def test_the_results_are_saved_as_a_file(file_format: str, scene: StartScene, sign_in: SignIn) -> None:
    client, run = sign_in("builder"), scene.ended("pass")
    response = client.get(address(run, "eval-export"), {"format": file_format})
    assert response.status_code == 200
    assert response["Content-Disposition"].startswith("attachment;")
    assert b"".join(response)
    assert AuditEntry.objects.filter(action="eval.exported").count() == 1
