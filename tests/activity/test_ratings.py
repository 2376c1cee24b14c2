"""Rating an answer and taking that back: what is stored, who may (PL-30, DS-148, DS-151)."""

from uuid import uuid4

import pytest

from accounts.actor import Actor
from accounts.models import ApiKey, PersonRequest, Visibility
from accounts.operations.persons import ensure_person_of_member
from activity.models import Feedback, Run
from activity.operations.ratings import rate_answer, withdraw_rating
from core.errors import Conflict, Invalid, NotAllowed, NotFound
from core.limits import LIMITS
from tests.activity.talks import STEPS, answered, make_conversation, make_run, say
from tests.cast import Cast


@pytest.mark.spec("PL-30")
def test_a_rating_is_kept_with_its_comment_by_the_members_person(cast: Cast) -> None:
    message = answered(make_conversation(cast.member))[1]
    rate_answer(cast.actor("member"), message_id=message.pk, rating="down", comment=" Too short. ")
    stored = Feedback.objects.get()
    assert (stored.message, stored.rating, stored.comment) == (message, "down", "Too short.")
    assert stored.person == ensure_person_of_member(cast.member)
    assert Run.objects.get().rating == "down"


def test_a_later_rating_takes_the_place_of_the_earlier(cast: Cast) -> None:
    message = answered(make_conversation(cast.member))[1]
    for rating in ("down", "up"):
        rate_answer(cast.actor("member"), message_id=message.pk, rating=rating, comment="Hm.")
    assert (Feedback.objects.get().rating, Run.objects.get().rating) == ("up", "up")


def test_any_step_names_the_answer_and_the_rating_stands_at_the_last(cast: Cast) -> None:
    conversation = make_conversation(cast.member)
    run = make_run(conversation, "Where?")
    steps = say(conversation, *[{**step, "run": run} for step in STEPS])
    Feedback.objects.create(message=steps[1], person=ensure_person_of_member(cast.member), rating="up")
    for step in steps:
        rate_answer(cast.actor("member"), message_id=step.pk, rating="down")
    assert Feedback.objects.get().message == steps[3]


def test_taking_it_back_leaves_the_ratings_of_others(cast: Cast) -> None:
    message = answered(make_conversation(cast.member))[1]
    other = Feedback.objects.create(message=message, person=ensure_person_of_member(cast.owner), rating="up")
    rate_answer(cast.actor("member"), message_id=message.pk, rating="down")
    withdraw_rating(cast.actor("member"), message_id=message.pk)
    assert Feedback.objects.get() == other
    assert Run.objects.get().rating == "up"
    Feedback.objects.all().delete()
    withdraw_rating(cast.actor("member"), message_id=message.pk)
    assert Run.objects.get().rating == ""


@pytest.mark.parametrize(
    ("rating", "comment", "place"),
    [
        ("fine", "", "rating"),
        ("", "", "rating"),
        ("up", "x" * (LIMITS.note_characters + 1), "comment"),
        ("up", "\x00", "comment"),
    ],
)
def test_what_is_no_rating_is_refused(cast: Cast, rating: str, comment: str, place: str) -> None:
    message = answered(make_conversation(cast.member))[1]
    with pytest.raises(Invalid) as refused:
        rate_answer(cast.actor("member"), message_id=message.pk, rating=rating, comment=comment)
    assert [problem.field for problem in refused.value.problems] == [place]
    assert not Feedback.objects.exists()


def test_a_question_without_an_answer_cannot_be_rated(cast: Cast) -> None:
    question = say(make_conversation(cast.member), ("user", "Hello?"))[0]
    with pytest.raises(Conflict) as refused:
        rate_answer(cast.actor("member"), message_id=question.pk, rating="up")
    assert refused.value.code == "no_answer"


@pytest.mark.spec("BC-46")
@pytest.mark.parametrize(
    ("name", "visibility", "error"),
    [
        ("owner", Visibility.PRIVATE, NotAllowed),
        ("colleague", Visibility.ORGANISATION, NotAllowed),
        ("colleague", Visibility.PRIVATE, NotFound),
        ("stranger", Visibility.ORGANISATION, NotFound),
    ],
)
def test_only_who_talks_rates(cast: Cast, name: str, visibility: str, error: type[Exception]) -> None:
    message = answered(make_conversation(cast.member, visibility=visibility))[1]
    with pytest.raises(error):
        rate_answer(cast.actor(name), message_id=message.pk, rating="up")
    with pytest.raises(error):
        withdraw_rating(cast.actor(name), message_id=message.pk)


def test_a_message_that_is_not_there_is_not_found(cast: Cast) -> None:
    with pytest.raises(NotFound):
        rate_answer(cast.actor("member"), message_id=uuid4(), rating="up")


def test_a_key_that_may_not_run_agents_rates_nothing(cast: Cast) -> None:
    message = answered(make_conversation(cast.owner))[1]
    key = ApiKey(member=cast.owner, permissions=["runs:view"])
    with pytest.raises(NotAllowed):
        rate_answer(Actor.of_key(key), message_id=message.pk, rating="up")


def test_who_is_being_erased_leaves_no_further_words(cast: Cast) -> None:
    message = answered(make_conversation(cast.member))[1]
    person = ensure_person_of_member(cast.member)
    PersonRequest.objects.create(organisation=cast.kettle, person=person, kind=PersonRequest.Kind.ERASURE)
    with pytest.raises(Conflict) as refused:
        rate_answer(cast.actor("member"), message_id=message.pk, rating="down", comment="My name is Ann.")
    assert refused.value.code == "person_erased"
