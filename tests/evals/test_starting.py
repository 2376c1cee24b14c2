"""Starting a test run: what is laid down, once, and for whom (EV-7 to EV-33, EV-D1 to EV-D8, EV-D51)."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db.transaction import atomic, set_rollback
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.module_loading import import_string

from accounts.actor import Actor
from accounts.models import ApiKey, AuditEntry
from core.errors import Conflict, Invalid, NotFound
from datasets.models import CaseRevision
from datasets.operations.datasets import delete_dataset
from evals.jobs import work_job
from evals.logic.choices import EvalChoices
from evals.logic.estimates import CostEstimate
from evals.models import Attempt, EvalItem, EvalRun, EvalState
from evals.operations.waking import WORK_JOB
from scoring.logic.pins import Pin
from tests.cast import Cast
from tests.evals.starts import StartScene
from tests.scoring.judges import make_judge_model


@pytest.fixture
def scene(cast: Cast) -> StartScene:
    return StartScene(cast)


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    found: list[Any] = []
    monkeypatch.setattr("evals.operations.waking.enqueue_named", lambda name, **ids: found.append((name, ids)))
    return found


@pytest.mark.spec("EV-7", "EV-10", "EV-33")
def test_a_start_lays_down_every_case_of_the_newest_version(scene: StartScene, woken: list[Any]) -> None:
    run = scene.start(repeats=2, label="Nightly")
    assert (run.state, run.number, run.version, run.label) == (EvalState.QUEUED, 1, 2, "Nightly")
    items = list(EvalItem.objects.filter(run=run).order_by("position"))
    assert [item.revision_id for item in items] == [revision.pk for revision in scene.revisions]
    assert sorted(Attempt.objects.filter(run=run).values_list("item_id", "number", "state")) == sorted(
        (item.pk, number, "pending") for item in items for number in (1, 2)
    )
    assert woken == [(WORK_JOB, {"run_id": run.pk})]


@pytest.mark.spec("EV-D51")
def test_what_it_was_started_with_is_kept(scene: StartScene) -> None:
    scene.add("Tagged", tags=("returns",))
    baseline = scene.ended("pass")
    CaseRevision.objects.filter(pk=scene.revisions[0].pk).update(anonymised_at=timezone.now())
    given: dict[str, Any] = {"max_cost_usd": Decimal("2.50"), "repeats": 3, "confirm_changes": False}
    run = scene.start(**given)
    assert EvalChoices.of_json(run.options) == scene.choices(**given)
    assert (run.baseline, run.max_cost, run.repeats, run.confirm_changes) == (baseline, Decimal("2.50"), 3, False)
    assert run.left_out == [{"case": str(scene.revisions[0].case_id), "cause": "anonymised"}]
    assert run.kept["prices"] == {
        "agent": {"input": "1.000000", "cached": None, "output": "4.000000"},
        "judge": None,
    }
    assert (run.kept["model"], run.kept["release"], len(run.kept["spec_hash"])) == ("small-1", "0.1.0", 64)
    assert list(EvalItem.objects.filter(run=run).order_by("position").values_list("tags", flat=True)) == [
        [], ["returns"],
    ]  # fmt: skip
    assert (run.pin, run.pin_hash) == (None, "")


@pytest.mark.spec("EV-33", "EV-34")
def test_later_changes_of_the_settings_leave_the_run_as_it_was_started(scene: StartScene) -> None:
    run = scene.start()
    scene.set(checks={"enabled": False})
    run.refresh_from_db()
    assert run.snapshot.settings["checks"]["enabled"] is True


@pytest.mark.spec("EV-35")
def test_the_first_run_is_pinned_to_the_built_in_judge_that_it_makes(scene: StartScene) -> None:
    scene.judge_by(make_judge_model(scene.cast.owner, "http://127.0.0.1:9"))
    first, second = scene.start(), scene.start(baseline=None)
    pin = Pin.of_json(first.pin)
    assert pin is not None
    assert pin.judge_id is not None
    assert first.pin_hash == second.pin_hash != ""
    assert first.kept["judge_model"] == "judge-1"
    assert first.kept["prices"]["judge"]["output"] == "8.000000"


@pytest.mark.spec("EV-D11")
def test_the_estimate_is_kept_with_the_run(scene: StartScene) -> None:
    run = scene.start()
    assert run.estimate is not None
    assert CostEstimate.of_json(run.estimate).expected.total.amount > 0


@pytest.mark.spec("EV-D14")
def test_a_start_by_key_keeps_the_key(scene: StartScene) -> None:
    scopes = ["runs:view", "datasets:run", "agents:run"]
    key = ApiKey.objects.create(member=scene.cast.operator, prefix="k", key_hash="h", permissions=scopes)
    by_key, by_member = scene.start(actor=Actor.of_key(key)), scene.start()
    assert (by_key.key, by_key.with_key, by_key.started_by) == (key, True, scene.cast.operator)
    assert (by_member.key, by_member.with_key, by_member.started_by) == (None, False, scene.cast.builder)
    key.delete()
    by_key.refresh_from_db()
    assert (by_key.key, by_key.with_key, by_key.kept["key"]) == (None, True, by_key.kept["key"])
    assert by_key.kept["key"]


@pytest.mark.spec("EV-D56")
def test_a_start_is_in_the_audit_log_without_a_text(scene: StartScene) -> None:
    run = scene.start(repeats=2)
    entry = AuditEntry.objects.get(action="eval.started")
    assert (entry.details["eval"], entry.details["cases"], entry.details["attempts"]) == (str(run.pk), 2, 4)


@pytest.mark.spec("EV-D5")
def test_a_refused_start_leaves_nothing(scene: StartScene, woken: list[Any]) -> None:
    scene.judge_by(None)
    with pytest.raises(Conflict):
        scene.start(key="once")
    assert not EvalRun.objects.exists()
    assert woken == []
    scene.set()
    assert scene.start(key="once").number == 1


@pytest.mark.spec("EV-D7")
def test_a_start_sent_twice_is_one_run(scene: StartScene, woken: list[Any]) -> None:
    first, second = scene.start(key="a key"), scene.start(key="a key")
    assert first == second
    assert (EvalRun.objects.count(), len(woken)) == (1, 1)
    assert scene.start(key="another") != first


@pytest.mark.spec("EV-D7")
def test_a_key_of_other_choices_is_refused(scene: StartScene) -> None:
    scene.start(key="a key")
    with pytest.raises(Invalid) as wrong:
        scene.start(key="a key", repeats=2)
    assert wrong.value.problems[0].field == "Idempotency-Key"


@pytest.mark.spec("EV-D7")
def test_a_repeated_start_tells_nothing_of_a_run_that_is_not_seen_any_more(scene: StartScene) -> None:
    scene.start(key="a key")
    scene.cast.builder.role = "viewer"
    scene.cast.builder.save()
    with pytest.raises(NotFound):
        scene.start(key="a key")


@pytest.mark.spec("EV-D8")
def test_a_start_takes_as_many_statements_for_many_attempts_as_for_few(
    scene: StartScene, django_assert_max_num_queries: Callable[[int], CaptureQueriesContext]
) -> None:
    for number in range(10):
        scene.add(f"More {number}")
    scene.start()
    with django_assert_max_num_queries(45):
        scene.start(repeats=5)


@pytest.mark.spec("BC-40", "EV-D30")
def test_a_worker_is_told_only_once_the_run_is_there(
    scene: StartScene, django_capture_on_commit_callbacks: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Any] = []
    monkeypatch.setattr("core.jobs._put", lambda name, ids, _request: told.append((name, ids)))
    with django_capture_on_commit_callbacks(execute=True):
        run = scene.start()
        assert told == []
    assert told == [(WORK_JOB, {"run_id": str(run.pk)})]
    assert import_string(WORK_JOB) is work_job
    with django_capture_on_commit_callbacks(execute=True), atomic():
        scene.start()
        set_rollback(True)
    assert len(told) == 1


@pytest.mark.spec("EV-D55")
def test_deleting_the_dataset_deletes_its_runs(scene: StartScene) -> None:
    scene.ended("pass", "fail")
    delete_dataset(scene.actor("builder"), dataset_id=scene.dataset.pk)
    assert not EvalRun.objects.exists()
    assert not Attempt.objects.exists()
