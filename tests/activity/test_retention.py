"""What an organisation no longer keeps is deleted every day, and what was taken from it stays (PL-34)."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from accounts.models import AuditEntry
from accounts.retention import conversations_past
from activity.models import Conversation, Feedback, Message, Run
from activity.operations import retention
from activity.operations.retention import delete_old_runs
from agents.models import Spending
from datasets.models import Case, CaseRevision
from datasets.operations.answers import add_answer_to_new_dataset
from tests.activity.rows import make_agent, make_conversation, make_run
from tests.cast import Cast
from tests.datasets.answers import ANSWER, EARLIER, make_answer


def aged(run: Run, days: float) -> Run:
    """The run and its conversation as they were so many days ago."""
    then = timezone.now() - timedelta(days=days)
    Run.objects.filter(pk=run.pk).update(started_at=then)
    Conversation.objects.filter(pk=run.conversation_id).update(last_at=then)
    return run


def keep(cast: Cast, days: int | None) -> None:
    cast.kettle.retention_days = days
    cast.kettle.save()


@pytest.mark.spec("PL-34")
def test_old_conversations_go_with_runs_messages_and_ratings_and_new_ones_stay(cast: Cast) -> None:
    agent = make_agent(cast)
    old, new = aged(make_run(agent), 31), aged(make_run(agent), 29)
    Feedback.objects.create(message=Message.objects.filter(run=old)[0], rating="up")
    keep(cast, 30)
    assert delete_old_runs() == {"conversations": 1, "runs": 1}
    assert list(Run.objects.all()) == [new]
    assert Message.objects.count() == 2
    assert not Feedback.objects.exists()
    entry = AuditEntry.objects.get(action="runs.deleted_by_age")
    assert entry.details == {"days": 30, "conversations": 1, "runs": 1}
    assert (entry.member, entry.organisation) == (None, cast.kettle)
    assert delete_old_runs() == {"conversations": 0, "runs": 0}
    assert AuditEntry.objects.filter(action="runs.deleted_by_age").count() == 1


@pytest.mark.spec("PL-34")
def test_without_a_number_of_days_and_elsewhere_nothing_goes(cast: Cast) -> None:
    aged(make_run(make_agent(cast)), 4_000)
    aged(make_run(make_agent(cast, owner=cast.stranger)), 4_000)
    assert delete_old_runs() == {"conversations": 0, "runs": 0}
    keep(cast, 1)
    assert delete_old_runs() == {"conversations": 1, "runs": 1}
    assert Run.objects.count() == 1


@pytest.mark.spec("PL-34", "ACC-D44")
def test_an_old_run_of_a_conversation_that_goes_on_leaves_its_messages(cast: Cast) -> None:
    agent = make_agent(cast)
    conversation = make_conversation(agent)
    old = make_run(agent, conversation=conversation)
    aged(old, 40)
    new = make_run(agent, "And now?", conversation=conversation)
    Conversation.objects.update(last_at=timezone.now())
    keep(cast, 30)
    assert delete_old_runs() == {"conversations": 0, "runs": 1}
    assert list(Run.objects.all()) == [new]
    assert [message.run_id for message in Message.objects.order_by("position")] == [None, None, new.pk, new.pk]


@pytest.mark.parametrize("kind", ["eval", "isolated", "helper"])
def test_only_production_is_deleted(cast: Cast, kind: str) -> None:
    aged(make_run(make_agent(cast), kind=kind), 400)
    keep(cast, 30)
    assert delete_old_runs() == {"conversations": 0, "runs": 0}


def test_batches_do_not_change_what_goes(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    agent = make_agent(cast)
    for _ in range(5):
        aged(make_run(agent), 31)
    keep(cast, 30)
    assert delete_old_runs() == {"conversations": 5, "runs": 5}


def test_what_was_spent_stays_counted(cast: Cast) -> None:
    agent = make_agent(cast)
    Spending.objects.create(agent=agent, month="2026-01-01", usd=Decimal(5))
    aged(make_run(agent), 31)
    keep(cast, 30)
    delete_old_runs()
    assert Spending.objects.get().usd == 5


@pytest.mark.spec("PL-34", "ACC-41", "ACC-42")
def test_a_case_taken_from_an_answer_stays_without_its_links(cast: Cast) -> None:
    told = make_answer(cast, earlier=EARLIER)
    added = add_answer_to_new_dataset(
        cast.actor("owner"), name="Returns", message_id=told.message.pk, keep_as="reference_answer"
    )
    aged(told.run, 31)
    keep(cast, 30)
    assert delete_old_runs() == {"conversations": 1, "runs": 1}
    case = Case.objects.get(pk=added.revision.case_id)
    assert (case.run, case.conversation, case.message) == (None, None, None)
    assert CaseRevision.objects.get(case=case).reference_answer == ANSWER


def test_the_settings_page_is_told_how_many_conversations_would_go(cast: Cast) -> None:
    agent = make_agent(cast)
    for days in (5, 20, 50):
        aged(make_run(agent), days)
    assert [conversations_past(cast.kettle, days) for days in (1, 10, 30, 60)] == [3, 2, 1, 0]
