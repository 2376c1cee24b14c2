"""Changing how a dataset is graded: who may, what is kept, what is refused (SC-44 to SC-52, SC-D18, SC-166)."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from accounts.models import AuditEntry
from agents.models import Agent, Connection, LanguageModel
from core.errors import Conflict, Invalid, NotAllowed, NotFound
from datasets.models import Dataset
from datasets.operations.datasets import create_dataset
from scoring.logic.settings_changes import completed
from scoring.models import GradingSettings, GradingSnapshot
from scoring.operations.settings import change_scoring, snapshot_of
from scoring.queries.settings import settings_of
from tests.cast import Cast

Change = Callable[..., Any]
CRITERION = {"name": "Names the deadline", "criterion": "Does the answer name the deadline?"}


@pytest.fixture
def dataset(cast: Cast) -> Dataset:
    return create_dataset(cast.actor("builder"), name="Returns")


@pytest.fixture
def change(cast: Cast, dataset: Dataset) -> Change:
    def changed(changes: Any, *, by: str = "builder", **given: Any) -> Any:
        return change_scoring(cast.actor(by), dataset_id=given.pop("dataset_id", dataset.pk), changes=changes, **given)

    return changed


def model_of(organisation: Any) -> LanguageModel:
    connection = Connection.objects.create(organisation=organisation, name=f"Provider {uuid4()}", provider="openai")
    return LanguageModel.objects.create(connection=connection, name="gpt", label="GPT", search_text="gpt")


def judge_agent(cast: Cast, owner: str, **fields: Any) -> Agent:
    member = cast.members[owner]
    given = {"name": "Strict judge", "kind": "judge", "visibility": "organisation"} | fields
    return Agent.objects.create(organisation=member.organisation, owner=member, **given)


def places(caught: Any) -> list[str]:
    return [problem.field for problem in caught.value.problems]


@pytest.mark.spec("SC-D16")
def test_defaults_hold_until_somebody_saves(dataset: Dataset) -> None:
    found = settings_of(dataset)
    assert (found.stored, found.revision, found.are_saved) == (completed({}), 0, False)


@pytest.mark.spec("SC-44", "SC-49")
def test_a_change_is_kept_and_makes_no_version(change: Change, dataset: Dataset) -> None:
    change({"judge": {"enabled": True, "criteria": [CRITERION]}})
    change({"judge": {"pass_at": 5}})
    found = settings_of(dataset)
    assert found.revision == 2
    assert found.settings.pass_at == 5
    assert [one.name for one in found.settings.criteria] == ["Names the deadline"]
    dataset.refresh_from_db()
    assert dataset.newest_version == 0


@pytest.mark.spec("SC-D19")
def test_nothing_is_saved_where_anything_is_wrong(change: Change) -> None:
    with pytest.raises(Invalid) as caught:
        change({"judge": {"pass_at": 8, "instructions": "Be strict."}, "checks": {"defaults": [{"type": "no"}]}})
    assert places(caught) == ["checks.defaults.0.type", "judge.pass_at"]
    assert not GradingSettings.objects.exists()


@pytest.mark.spec("SC-D20")
def test_an_outdated_revision_is_refused_with_the_settings_of_now(change: Change, dataset: Dataset) -> None:
    change({"judge": {"instructions": "Be strict."}}, revision=0)
    with pytest.raises(Conflict) as caught:
        change({"judge": {"instructions": "Be kind."}}, revision=0)
    assert caught.value.code == "settings_changed"
    assert caught.value.data == {"revision": 1, "settings": settings_of(dataset).stored}
    assert settings_of(dataset).settings.instructions == "Be strict."


@pytest.mark.spec("SC-D20")
def test_without_a_revision_the_change_is_merged_into_what_is_stored(change: Change) -> None:
    change({"judge": {"instructions": "Be strict."}})
    found = change({"judge": {"scale": 10}})
    assert (found.revision, found.settings.instructions, found.settings.scale) == (2, "Be strict.", 10)


@pytest.mark.spec("SC-D21")
def test_the_log_says_which_settings_and_both_values(change: Change, dataset: Dataset) -> None:
    change({"judge": {"pass_at": 5, "instructions": "Key: sk-proj-" + "Ab1" * 16}})
    entry = AuditEntry.objects.get(action="scoring.changed")
    assert entry.object_id == str(dataset.pk)
    assert entry.details["keys"] == ["judge.instructions", "judge.pass_at"]
    assert (entry.details["before"]["judge.pass_at"], entry.details["after"]["judge.pass_at"]) == (4, 5)
    assert "Ab1Ab1" not in str(entry.details)


def test_saving_what_holds_already_sets_grading_up_and_after_that_changes_nothing(change: Change) -> None:
    assert change({}).revision == 1
    assert change({}).revision == 1
    assert AuditEntry.objects.filter(action="scoring.changed").count() == 1


@pytest.mark.spec("SC-95", "SC-166")
@pytest.mark.parametrize(("by", "refusal"), [("viewer", NotAllowed), ("operator", NotAllowed), ("stranger", NotFound)])
def test_who_may_not_edit_the_dataset_may_not_change_its_grading(change: Change, by: str, refusal: Any) -> None:
    with pytest.raises(refusal):
        change({"judge": {"pass_at": 5}}, by=by)
    assert not GradingSettings.objects.exists()


def test_a_dataset_that_is_not_there_has_no_grading(change: Change) -> None:
    with pytest.raises(NotFound):
        change({}, dataset_id=uuid4())


@pytest.mark.spec("SC-94")
def test_a_model_of_the_organisation_may_be_chosen_and_stays_when_it_is_removed(change: Change, cast: Cast) -> None:
    model = model_of(cast.kettle)
    wanted = model.id_text
    change({"judge": {"model": wanted}})
    model.delete()
    found = change({"judge": {"model": wanted, "instructions": "Be strict."}})
    assert found.settings.judge_model == wanted


@pytest.mark.parametrize("of", ["other", "nobody"])
def test_a_model_that_is_not_the_organisations_is_refused(change: Change, cast: Cast, of: str) -> None:
    wanted = model_of(cast.other).id_text if of == "other" else str(uuid4())
    with pytest.raises(Invalid) as caught:
        change({"judge": {"model": wanted}})
    assert places(caught) == ["judge.model"]


@pytest.mark.spec("SC-D1")
def test_a_judge_that_the_person_sees_may_be_chosen(change: Change, cast: Cast) -> None:
    judge = judge_agent(cast, "owner")
    assert change({"judge": {"agent": str(judge.pk)}}).settings.judge_agent == str(judge.pk)
    assert change({"judge": {"agent": None}}).settings.judge_agent is None


def test_another_persons_private_judge_is_no_choice_and_stays_where_it_was_chosen(change: Change, cast: Cast) -> None:
    mine = create_dataset(cast.actor("member"), name="Mine")
    judge = judge_agent(cast, "owner", visibility="private")
    wanted = {"judge": {"agent": str(judge.pk), "instructions": "Be strict."}}
    with pytest.raises(Invalid) as caught:
        change(wanted, by="member", dataset_id=mine.pk)
    assert places(caught) == ["judge.agent"]
    change(wanted, by="owner", dataset_id=mine.pk)
    sent_back = {"judge": {"agent": str(judge.pk), "pass_at": 5}}
    assert change(sent_back, by="member", dataset_id=mine.pk).settings.pass_at == 5


@pytest.mark.parametrize("kind", ["model", "elsewhere"])
def test_an_agent_that_is_no_judge_here_is_refused(change: Change, cast: Cast, kind: str) -> None:
    agent = judge_agent(cast, "owner", kind="model") if kind == "model" else judge_agent(cast, "stranger")
    with pytest.raises(Invalid) as caught:
        change({"judge": {"agent": str(agent.pk)}})
    assert places(caught) == ["judge.agent"]


@pytest.mark.spec("SC-45", "SC-46")
def test_a_copy_of_the_settings_is_kept_once_and_never_changes(change: Change, dataset: Dataset) -> None:
    first = snapshot_of(dataset)
    assert snapshot_of(dataset).pk == first.pk
    change({"judge": {"pass_at": 5}})
    second = snapshot_of(dataset)
    assert second.settings["judge"]["pass_at"] == 5
    assert GradingSnapshot.objects.get(pk=first.pk).settings["judge"]["pass_at"] == 4
    assert snapshot_of(dataset, first.settings).pk == first.pk
