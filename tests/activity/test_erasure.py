"""An erased person leaves no words in conversations, runs, ratings and waiting spans; others keep theirs (ACC-D36)."""

import json
from typing import Any

import pytest

from accounts.models import AuditEntry, Person, PersonRequest
from accounts.operations.persons import ensure_person_of_member
from accounts.operations.privacy import carry_out, erase_person, export_person
from accounts.privacy import handlers
from activity.models import Conversation, Feedback, Message, Run, TraceSpan
from activity.operations import erasure
from activity.operations.erasure import erase_words_of
from activity.queries.personal_data import words_of
from datasets.models import CaseRevision
from datasets.operations.answers import add_answer_to_new_dataset
from tests.activity.rows import make_agent, make_conversation, make_person, make_run, say
from tests.cast import Cast
from tests.datasets.answers import make_answer

CANARY = "quince"


@pytest.fixture
def person(cast: Cast) -> Person:
    return make_person(cast.kettle)


def database_text() -> str:
    """Every text of conversations, runs and ratings."""
    rows: list[Any] = []
    for model in (Conversation, Run, Message, Feedback, TraceSpan):
        rows += model.objects.values_list()  # type: ignore[attr-defined]
    return json.dumps(rows, default=str)


def shared(cast: Cast, person: Person) -> Conversation:
    """A conversation in which the person and another spoke in turn."""
    agent = make_agent(cast)
    conversation = make_conversation(agent, person=person, title=f"My {CANARY}")
    other = make_person(cast.kettle, "customer-2")
    mine = make_run(agent, f"My {CANARY}?", f"Your {CANARY}.", conversation=conversation, person=person)
    make_run(agent, "My plum?", "Your plum.", conversation=conversation, person=other)
    call = [{"id": "1", "name": "find", "arguments": {"what": CANARY}}]
    steps = [
        {"role": "assistant", "tool_calls": call},
        {"role": "tool", "text": CANARY, "tool_name": "find", "outcome": "ok"},
    ]
    make_run(agent, f"And my {CANARY}?", f"Here: {CANARY}.", conversation=conversation, person=person, steps=steps)
    Run.objects.filter(pk=mine.pk).update(error=CANARY)
    return conversation


@pytest.mark.spec("ACC-D36")
def test_a_conversation_of_the_person_alone_goes_whole(cast: Cast, person: Person) -> None:
    agent = make_agent(cast)
    make_run(agent, f"My {CANARY}?", person=person)
    kept = make_run(agent, "My plum?", person=make_person(cast.kettle, "customer-2"))
    counts = erase_words_of(person)
    assert counts["conversations_deleted"] == 1
    assert list(Run.objects.all()) == [kept]
    assert CANARY not in database_text()


@pytest.mark.spec("ACC-D36", "ACC-53")
def test_with_others_their_turns_and_the_answers_to_them_are_replaced(cast: Cast, person: Person) -> None:
    conversation = shared(cast, person)
    counts = erase_words_of(person)
    assert counts["conversations_deleted"] == 0
    assert (counts["messages_replaced"], counts["runs_without_words"]) == (6, 2)
    texts = list(Message.objects.order_by("position").values_list("role", "text"))
    assert texts == [
        ("user", "[erased]"),
        ("assistant", "[erased]"),
        ("user", "My plum?"),
        ("assistant", "Your plum."),
        ("user", "[erased]"),
        ("assistant", ""),
        ("tool", "[erased]"),
        ("assistant", "[erased]"),
    ]
    conversation.refresh_from_db()
    assert (conversation.title, conversation.person) == ("[erased]", None)
    assert Message.objects.get(position=6).tool_calls == [{"id": "1", "name": "find", "arguments": {}}]
    assert CANARY not in database_text()


def test_erasing_again_finds_nothing_and_small_batches_reach_all(
    cast: Cast, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasure, "BATCH", 1)
    shared(cast, person)
    for _ in range(3):
        make_run(make_agent(cast), f"My {CANARY}?", person=person)
    assert sum(erase_words_of(person).values()) == 3 + 6 + 2
    assert set(erase_words_of(person).values()) == {0}


def test_comments_go_and_ratings_stay_as_nobodys(cast: Cast, person: Person) -> None:
    run = make_run(make_agent(cast), person=make_person(cast.kettle, "customer-2"))
    message = Message.objects.get(run=run, role="assistant")
    Feedback.objects.create(message=message, person=person, rating="down", comment=CANARY)
    assert erase_words_of(person)["comments_emptied"] == 1
    row = Feedback.objects.get()
    assert (row.rating, row.comment, row.person) == ("down", "", None)


def test_a_run_without_a_conversation_loses_its_question(cast: Cast, person: Person) -> None:
    agent = make_agent(cast)
    Run.objects.create(
        organisation=cast.kettle, agent=agent, person=person, question=CANARY, question_folded=CANARY, kind="helper"
    )
    assert erase_words_of(person)["runs_without_words"] == 1
    run = Run.objects.get()
    assert (run.question, run.question_folded, run.person) == ("[erased]", "[erased]", None)


def test_a_members_shared_conversation_with_another_person_does_not_stop_the_erasure(cast: Cast) -> None:
    member = ensure_person_of_member(cast.member)
    conversation = make_conversation(make_agent(cast), owner=cast.member, person=member)
    run = make_run(make_agent(cast), CANARY, CANARY, conversation=conversation, person=member)
    say(run, role="user", text="Mine", author=make_person(cast.kettle))
    erase_words_of(member)
    assert CANARY not in database_text()
    conversation.refresh_from_db()
    assert (conversation.owner, conversation.person) == (None, None)


def test_waiting_spans_of_the_person_are_deleted(cast: Cast, person: Person) -> None:
    given: dict[str, Any] = {"organisation": cast.kettle, "trace_id": "a" * 32, "started_ns": 1, "ended_ns": 2}
    TraceSpan.objects.create(span_id="b" * 16, person_external_id="customer-1", content={"x": CANARY}, **given)
    TraceSpan.objects.create(span_id="c" * 16, person_external_id="customer-2", **given)
    assert erase_words_of(person)["spans_deleted"] == 1
    assert TraceSpan.objects.get().person_external_id == "customer-2"


@pytest.mark.spec("ACC-45", "ACC-58", "ACC-D36")
def test_a_case_taken_from_the_conversation_is_found_after_it_went(cast: Cast) -> None:
    told = make_answer(cast)
    add_answer_to_new_dataset(
        cast.actor("owner"), name="Returns", message_id=told.message.pk, keep_as="reference_answer"
    )
    asked = erase_person(cast.actor("owner"), person_id=ensure_person_of_member(cast.member).pk)
    carry_out(asked.pk)
    assert not Conversation.objects.exists()
    revision = CaseRevision.objects.get()
    assert (revision.input, revision.reference_answer) == ("[erased]", "[erased]")
    assert revision.anonymised_at is not None
    report = PersonRequest.objects.get().report
    assert report["activity"]["conversations_deleted"] == 1
    assert report["datasets"]["cases_anonymised"] == 1
    assert AuditEntry.objects.filter(action="person.erased").exists()


def test_conversations_are_erased_while_the_person_can_still_be_found(cast: Cast) -> None:
    names = [handler.name for handler in handlers()]
    assert names.index("activity") < names.index("accounts")


@pytest.mark.spec("ACC-D43")
def test_the_export_holds_their_words_the_answers_and_ratings_and_no_words_of_others(
    cast: Cast, person: Person
) -> None:
    conversation = shared(cast, person)
    message = Message.objects.get(conversation=conversation, position=2)
    Feedback.objects.create(message=message, person=person, rating="down", comment="Wrong one")
    found = words_of(person)
    (told,) = found["conversations"]
    assert (told["title"], told["agent"]) == (f"My {CANARY}", "Support")
    said = [[each["text"] for each in exchange["said"]] for exchange in told["exchanges"]]
    answered = [[each["text"] for each in exchange["answered"]] for exchange in told["exchanges"]]
    assert said == [[f"My {CANARY}?"], [f"And my {CANARY}?"]]
    assert answered == [[f"Your {CANARY}."], [CANARY, f"Here: {CANARY}."]]
    assert [(row["rating"], row["comment"]) for row in found["ratings"]] == [("down", "Wrong one")]
    assert "plum" not in json.dumps(found)


@pytest.mark.spec("ACC-D43")
def test_the_export_of_a_person_has_a_part_for_activity(cast: Cast) -> None:
    make_answer(cast)
    asked = export_person(cast.actor("member"), person_id=ensure_person_of_member(cast.member).pk)
    done = carry_out(asked.pk)
    assert done is not None
    assert done.content
