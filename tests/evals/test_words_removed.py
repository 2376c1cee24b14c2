"""What test runs recorded of a case goes with its text: answers, calls, errors, runs and conversations (EV-21)."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

from accounts.models import Person
from accounts.operations.privacy import carry_out, erase_person
from activity.models import Conversation, Message, Run, RunKind
from core.texts import ERASED_TEXT
from datasets.operations.answers import add_case_from_answer
from datasets.operations.cases import delete_cases, edit_case
from evals.models import Attempt, EvalRun
from evals.queries.results import results_of
from scoring.logic.findings import Reason
from scoring.models import Score
from tests.agents.provider_server import FakeProvider
from tests.cast import Cast
from tests.datasets.answers import make_answer
from tests.evals.working import WorkScene, answering
from tests.scoring.scored import make_customer

ASKED, ANSWERED = "My quince is broken, what now?", "You have 30 days, says the periwinkle."
WORDS = ("quince", "periwinkle")


@pytest.fixture(autouse=True)
def _loopback_allowed(settings: Any) -> None:
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with answering(lambda question: ANSWERED if "quince" in question else "You have 30 days.") as found:
        yield found


@pytest.fixture
def scene(cast: Cast, provider: FakeProvider) -> WorkScene:
    return WorkScene(cast, provider, cases=1)


@pytest.fixture
def customer(cast: Cast) -> Person:
    return make_customer(cast)


def asked_by(scene: WorkScene, person: Person) -> Any:
    """The id of a case of which the person asked the question."""
    told = make_answer(scene.cast, question=ASKED, owner=scene.cast.members["owner"], asker=person)
    actor = scene.actor("owner")
    added = add_case_from_answer(actor, dataset_id=scene.dataset.pk, message_id=told.message.pk,
                                 keep_as="reference_answer")  # fmt: skip
    changes = {"checks": [{"type": "contains", "value": "days"}]}
    case_id = added.revision.case_id
    edit_case(actor, dataset_id=scene.dataset.pk, case_id=case_id, changes=changes)
    return case_id


def stored_words() -> list[str]:
    """The tables in which one of the words still stands."""
    found = []
    with connection.cursor() as cursor:
        for table in ("activity_run", "activity_message", "activity_conversation", "evals_attempt", "evals_evalrun",
                      "scoring_score", "scoring_scoreattempt", "scoring_waitinganswer"):  # fmt: skip
            cursor.execute(f"SELECT * FROM {table}")
            told = str(cursor.fetchall())
            found += [table for word in WORDS if word in told]
    return found


@pytest.mark.spec("EV-21", "ACC-48")
def test_erasing_who_asked_replaces_what_test_runs_recorded_for_their_case(scene: WorkScene, customer: Person) -> None:
    case_id = asked_by(scene, customer)
    run = scene.run()
    assert scene.outcomes(run) == ["pass", "pass"]
    assert set(stored_words()) >= {"activity_run", "activity_message", "scoring_score"}
    tally = results_of(run).tally
    kept = Attempt.objects.get(run=run, item__case_id=case_id)

    asked = erase_person(scene.actor("owner"), person_id=customer.pk)
    carry_out(asked.pk)

    assert stored_words() == []
    assert results_of(run).tally == tally, "outcomes stay"
    agent_run = Run.objects.get(pk=kept.agent_run_id)
    assert (agent_run.question, agent_run.kind) == (ERASED_TEXT, RunKind.EVAL)
    said = Message.objects.filter(conversation=agent_run.conversation_id).values_list("text", flat=True)
    assert set(said) == {ERASED_TEXT}
    other = Run.objects.exclude(pk=agent_run.pk).get(kind=RunKind.EVAL)
    assert other.question == "Question 0", "the runs of other cases stay as they are"
    score = Score.objects.get(pk=kept.score_id)
    assert (score.answer, score.outcome) == ("", "pass")
    assert score.answer_removed_at is not None


@pytest.mark.spec("EV-21", "EV-20")
def test_a_run_after_the_erasure_leaves_the_case_out(scene: WorkScene, customer: Person) -> None:
    case_id = asked_by(scene, customer)
    carry_out(erase_person(scene.actor("owner"), person_id=customer.pk).pk)
    run = scene.run()
    assert run.items.count() == 1
    assert run.left_out == [{"case": str(case_id), "cause": "anonymised"}]


@pytest.mark.spec("ACC-44", "ACC-D28", "EV-21")
def test_removing_the_text_of_a_case_reaches_its_calls_and_errors_too(scene: WorkScene) -> None:
    run: EvalRun = scene.run()
    attempt = Attempt.objects.select_related("item", "agent_run").get(run=run)
    agent_run = attempt.agent_run
    assert agent_run is not None
    Message.objects.filter(conversation=agent_run.conversation_id, role="assistant").update(
        tool_calls=[{"id": "1", "name": "find", "arguments": {"what": "a quince"}}]
    )
    Conversation.objects.filter(pk=agent_run.conversation_id).update(title="On quinces")
    refused = Reason("The provider refused: %(error)s", {"error": "no quince"})
    Attempt.objects.filter(pk=attempt.pk).update(error=refused.as_json())
    case_id = attempt.item.case_id
    delete_cases(scene.actor("builder"), dataset_id=scene.dataset.pk, case_ids=[case_id], remove_text=True)
    assert stored_words() == []
    [said] = Message.objects.filter(conversation=agent_run.conversation_id, role="assistant")
    assert said.tool_calls == [{"id": "1", "name": "find", "arguments": {}}]


def test_an_error_without_anybody_s_words_stays(scene: WorkScene) -> None:
    run = scene.run()
    attempt = Attempt.objects.select_related("item").get(run=run)
    Attempt.objects.filter(pk=attempt.pk).update(error=Reason("Not answered").as_json())
    delete_cases(scene.actor("builder"), dataset_id=scene.dataset.pk, case_ids=[attempt.item.case_id], remove_text=True)
    attempt.refresh_from_db()
    assert attempt.error == Reason("Not answered").as_json()
