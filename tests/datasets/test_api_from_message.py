"""The endpoint that makes a case of an answer (DS-D1, DS-165, ACC-D27)."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from datasets.models import CaseRevision, Dataset
from datasets.operations.datasets import create_dataset
from tests.cast import Cast
from tests.datasets.answers import ANSWER, EARLIER, QUESTION, make_answer


def post(client: Client, dataset: Dataset, **sent: Any) -> Any:
    address = f"/api/v1/datasets/{dataset.pk}/cases/from-message"
    return client.post(address, sent, content_type="application/json")


@pytest.mark.spec("DS-D1", "DS-D3", "DS-165", "ACC-D27")
def test_the_answer_is_the_case_its_version_and_what_was_copied(
    cast: Cast, dataset: Dataset, api: Callable[[str], Client]
) -> None:
    told = make_answer(cast, earlier=EARLIER)
    answered = post(api("builder"), dataset, message_id=told.message.pk, keep_as="reference_answer")
    assert answered.status_code == 201
    case = answered.json()
    assert answered["Location"] == f"/api/v1/datasets/{dataset.pk}/cases/{case['id']}"
    assert (case["input"], case["reference_answer"], case["history"]) == (QUESTION, ANSWER, [])
    assert (case["version"], case["source"], case["text_hidden"]) == (1, "conversation", False)
    assert case["origin"] == {
        "run": str(told.run.pk),
        "conversation": str(told.conversation.pk),
        "message": str(told.message.pk),
        "document": None,
    }
    assert case["copied_private_conversation_of"] == {"id": str(cast.member.pk), "name": "Member"}
    assert (case["turns_left_out"], case["twins"], case["credentials_hidden"]) == (0, 0, 0)
    again = post(api("builder"), dataset, message_id=told.message.pk, keep_as="counter_example")
    assert (again.status_code, again.json()["code"], again.json()["case"]) == (409, "already_added", case["id"])


@pytest.mark.spec("DS-160")
def test_the_turns_before_come_with_history(cast: Cast, dataset: Dataset, api: Callable[[str], Client]) -> None:
    told = make_answer(cast, earlier=EARLIER, visibility="organisation")
    sent = {"message_id": str(told.message.pk), "keep_as": "counter_example", "with_history": True}
    case = post(api("builder"), dataset, **sent).json()
    assert (len(case["history"]), case["copied_private_conversation_of"]) == (4, None)


@pytest.mark.spec("DS-174", "DS-176", "ACC-21", "ACC-D9")
def test_a_message_out_of_reach_is_answered_as_one_that_does_not_exist(
    cast: Cast, dataset: Dataset, api: Callable[[str], Client]
) -> None:
    elsewhere = make_answer(cast, owner=cast.stranger)
    answers = [
        post(api("builder"), dataset, message_id=str(message_id), keep_as="reference_answer")
        for message_id in (elsewhere.message.pk, uuid4(), "x")
    ]
    assert {(answer.status_code, answer.content) for answer in answers} == {(404, answers[0].content)}
    assert not CaseRevision.objects.exists()


@pytest.mark.spec("DS-D2")
@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"keep_as": "note"}, "keep_as"),
        ({"with_history": "yes"}, "with_history"),
        ({"message_id": 7}, "message_id"),
        ({"tags": []}, "tags"),
    ],
)
def test_what_is_wrong_is_refused_at_its_field(
    cast: Cast, dataset: Dataset, api: Callable[[str], Client], more: dict[str, Any], field: str
) -> None:
    told = make_answer(cast)
    sent = {"message_id": str(told.message.pk), "keep_as": "reference_answer"} | more
    answer = post(api("builder"), dataset, **sent)
    assert (answer.status_code, [problem["field"] for problem in answer.json()["errors"]]) == (422, [field])


@pytest.mark.spec("ACC-25", "ACC-29")
def test_a_repeated_request_gives_its_words_again_only_to_who_may_still_read_them(
    cast: Cast, api: Callable[[str], Client]
) -> None:
    own, told = create_dataset(cast.actor("member"), name="Own"), make_answer(cast, owner=cast.member)
    client, sent = api("member"), {"message_id": str(told.message.pk), "keep_as": "reference_answer"}
    address = f"/api/v1/datasets/{own.pk}/cases/from-message"

    def repeated() -> Any:
        return client.post(address, sent, content_type="application/json", headers={"Idempotency-Key": "one"})

    first = repeated()
    assert (first.status_code, repeated().json()) == (201, first.json())
    told.conversation.delete()
    gone = repeated()
    assert gone.status_code == 404
    assert QUESTION not in gone.content.decode()
