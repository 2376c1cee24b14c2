"""An answer whole: from its question to the next, its text joined, its calls with their ends, its ratings (DS-166)."""

import pytest
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Visibility
from accounts.operations.persons import ensure_person_of_member
from activity.logic.answers import Call, calls_of, exchanges, joined_text, shown_steps, turns_of
from activity.models import Feedback, Message
from activity.queries.answers import answer_of, find_answer
from core.errors import NotFound
from tests.activity.talks import CALL, STEPS, answered, make_conversation, say
from tests.cast import Cast


@pytest.mark.spec("DS-166", "DS-D55")
def test_an_answer_is_every_step_up_to_the_next_question(cast: Cast) -> None:
    conversation = make_conversation(cast.member)
    before = answered(conversation)
    steps = say(conversation, *STEPS)
    answered(conversation, "And order 13?", "Not yet.")
    for message in steps:
        answer = answer_of(message)
        assert (answer.question, answer.steps, answer.last) == (steps[0], steps[1:], steps[3])
        assert answer.text == "Let me look.\n\nIt was sent on Monday."
        assert answer.before == before


def test_the_turns_before_are_questions_and_whole_answers(cast: Cast) -> None:
    conversation = make_conversation(cast.member)
    say(conversation, ("system", "Be kind."), *STEPS)
    answer = answer_of(answered(conversation, "And order 13?", "Not yet.")[1])
    assert [(turn.role, turn.text) for turn in answer.turns_before] == [
        ("user", "Where is order 12?"),
        ("assistant", "Let me look.\n\nIt was sent on Monday."),
    ]


def test_an_answer_nobody_asked_for_has_no_question(cast: Cast) -> None:
    conversation = make_conversation(cast.member)
    greeting, question = say(conversation, ("assistant", "Hello."), ("user", "Hi."))
    answer = answer_of(greeting)
    assert (answer.question, answer.steps, answer.before) == (None, [greeting], [])
    assert (answer_of(question).steps, answer_of(question).last) == ([], None)


def test_a_call_has_its_outcome_and_one_without_an_end_has_none(cast: Cast) -> None:
    conversation = make_conversation(cast.member)
    steps = say(conversation, *STEPS[:3], {"role": "assistant", "tool_calls": [{**CALL, "id": "call_2"}]})
    first, second = answer_of(steps[0]).calls
    assert (first.name, first.arguments, first.outcome, first.result) == (
        "find_order",
        {"number": 12},
        "ok",
        '{"state": "sent"}',
    )
    assert (second.id, second.outcome, second.result) == ("call_2", "", "")


def test_an_id_used_twice_is_told_apart_by_order(cast: Cast) -> None:
    conversation = make_conversation(cast.member)
    failed = {**STEPS[2], "outcome": "failed", "text": "no"}
    steps = say(conversation, *STEPS[:3], STEPS[1], failed)
    assert [call.outcome for call in calls_of(steps)] == ["ok", "failed"]
    assert [[call.outcome for call in shown.calls] for shown in shown_steps(steps)] == [["ok"], ["failed"]]


def test_a_result_that_nobody_asked_for_is_shown_alone_where_it_came(cast: Cast) -> None:
    steps = say(make_conversation(cast.member), STEPS[2], ("assistant", "Hm."))
    assert [(shown.step, shown.is_lost_result) for shown in shown_steps(steps)] == [
        (steps[0], True),
        (steps[1], False),
    ]


@pytest.mark.parametrize(
    ("text", "shown"), [('{"a":1}', '{\n  "a": 1\n}'), ("[1", "[1"), ("plain", "plain"), ("[" * 5000, "[" * 5000)]
)
def test_a_result_that_is_json_is_shown_over_lines(text: str, shown: str) -> None:
    assert Call("1", "look", {}, Message(text=text)).result_text == shown


@pytest.mark.spec("DS-167", "DS-172")
def test_the_newest_comment_of_a_thumbs_down_and_the_newest_rating(cast: Cast) -> None:
    message = answered(make_conversation(cast.member))[1]
    for name, rating, comment, minutes in [
        ("member", "down", "Too short", 30),
        ("admin", "down", "Wrong", 20),
        ("builder", "down", " ", 10),
        ("owner", "up", "Fine", 0),
    ]:
        changed = timezone.now() - timezone.timedelta(minutes=minutes)
        person = ensure_person_of_member(cast.members[name])
        Feedback.objects.create(message=message, person=person, rating=rating, comment=comment, changed_at=changed)
    answer = answer_of(message)
    assert (answer.rating, answer.is_rated_down) == ("up", True)
    assert answer.newest_comment is not None
    assert (answer.newest_comment.comment, str(answer.newest_comment.person)) == ("Wrong", "Admin")


def test_an_unrated_answer_says_so(cast: Cast) -> None:
    answer = answer_of(answered(make_conversation(cast.member))[1])
    assert (answer.rating, answer.is_rated_down, answer.newest_comment) == ("", False, None)


@pytest.mark.spec("DS-174", "DS-175", "DS-176")
@pytest.mark.parametrize(
    ("name", "reads"), [("member", True), ("operator", True), ("colleague", False), ("stranger", False)]
)
def test_an_answer_is_found_by_who_may_open_its_conversation(cast: Cast, name: str, reads: bool) -> None:
    message = answered(make_conversation(cast.member, visibility=Visibility.PRIVATE))[1]
    if reads:
        assert find_answer(cast.actor(name), message.pk).text == "Only the lid."
    else:
        with pytest.raises(NotFound):
            find_answer(cast.actor(name), message.pk)


def test_an_answer_costs_three_queries_however_long_the_conversation(
    cast: Cast, django_assert_num_queries: type[CaptureQueriesContext]
) -> None:
    conversation = make_conversation(cast.member)
    for _ in range(20):
        message = say(conversation, *STEPS)[1]
    with django_assert_num_queries(3):
        answer = find_answer(cast.actor("member"), message.pk)
        assert len(answer.before) == 76
        assert answer.rating == ""


def test_plain_parts_leave_out_instructions_and_empty_texts(cast: Cast) -> None:
    conversation = make_conversation(cast.member)
    said = say(conversation, ("system", "Be kind."), ("user", "Hm?"), ("assistant", "  "), ("user", " "))
    assert [exchange.question for exchange in exchanges(said)] == [said[1], said[3]]
    assert joined_text(said) == ""
    assert [turn.text for turn in turns_of(said)] == ["Hm?"]
