"""What an erasure and an export of a person reach in test runs."""

import pytest

from accounts.operations.persons import ensure_person_of_member
from evals.models import EvalRun
from evals.operations.removals import erase_names_of
from evals.queries.personal_data import started_by
from tests.cast import Cast
from tests.evals.runs import EvalScene


@pytest.mark.spec("ACC-65", "ACC-D36", "EV-D51")
def test_the_name_of_an_erased_member_goes_from_the_runs_that_they_started(cast: Cast) -> None:
    scene = EvalScene(cast, cases=1)
    theirs = scene.run("pass", kept={"starter": str(cast.members["builder"].pk), "model": "small-1"})
    other = scene.run("pass")
    EvalRun.objects.filter(pk=other.pk).update(started_by=cast.members["owner"])
    person = ensure_person_of_member(cast.members["builder"])
    assert erase_names_of(person) == {"names_on_test_runs": 1}
    theirs.refresh_from_db()
    other.refresh_from_db()
    assert (theirs.started_by, theirs.kept) == (None, {"starter": None, "model": "small-1"})
    assert other.started_by == cast.members["owner"]
    assert erase_names_of(person) == {"names_on_test_runs": 0}


@pytest.mark.spec("ACC-62")
def test_an_export_lists_the_runs_that_a_member_started(cast: Cast) -> None:
    scene = EvalScene(cast, cases=1)
    run = scene.run("pass", label="Nightly")
    person = ensure_person_of_member(cast.members["builder"])
    assert started_by(person) == [
        {
            "test_run": str(run.pk),
            "dataset": scene.dataset.name,
            "label": "Nightly",
            "started_at": run.created_at.isoformat(),
        }
    ]
    assert started_by(ensure_person_of_member(cast.members["viewer"])) == []
