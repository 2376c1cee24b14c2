"""Several who add the same answer at once, or add it while its conversation goes (DS-177, ACC-42)."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from activity.operations.conversations import delete_conversation
from core.errors import Conflict, NotFound
from datasets.models import Case, CaseRevision, Dataset, DatasetVersion, LastDataset
from datasets.operations.answers import AddedAnswer, add_case_from_answer
from tests.cast import Cast
from tests.datasets.answers import make_answer
from tests.datasets.test_concurrency import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def adding(cast: Cast, dataset: Dataset, message_id: UUID, by: str) -> Callable[[], AddedAnswer]:
    return lambda: add_case_from_answer(
        cast.actor(by), dataset_id=dataset.pk, message_id=message_id, keep_as="reference_answer"
    )


def deleting(cast: Cast, conversation_id: UUID) -> Callable[[], Any]:
    return lambda: delete_conversation(cast.actor("member"), conversation_id=conversation_id)


@pytest.mark.spec("DS-177", "DS-D54")
def test_of_those_who_add_an_answer_at_once_one_adds_it_and_the_others_are_told_which_case_it_is(
    cast: Cast, dataset: Dataset
) -> None:
    told = make_answer(cast)
    done = at_once([adding(cast, dataset, told.message.pk, by) for by in ("owner", "admin", "builder") * 2])
    added = [each for each in done if isinstance(each, AddedAnswer)]
    refused = [each for each in done if isinstance(each, Conflict)]
    assert (len(added), len(refused)) == (1, 5)
    assert {each.code for each in refused} == {"already_added"}
    assert {each.data["case"] for each in refused} == {str(added[0].revision.case_id)}
    assert (Case.objects.count(), CaseRevision.objects.count(), DatasetVersion.objects.count()) == (1, 1, 1)
    assert LastDataset.objects.count() == 1


@pytest.mark.spec("ACC-41", "ACC-42", "DS-51")
def test_a_conversation_that_is_deleted_meanwhile_leaves_no_link_and_breaks_nothing(
    cast: Cast, dataset: Dataset
) -> None:
    for _round in range(6):
        told = make_answer(cast)
        acts = [adding(cast, dataset, told.message.pk, "builder"), deleting(cast, told.conversation.pk)]
        added, deleted = at_once(acts)
        assert isinstance(added, AddedAnswer | NotFound)
        assert not isinstance(deleted, Exception)
        if isinstance(added, AddedAnswer):
            case = Case.objects.get(pk=added.revision.case_id)
            assert (case.run_id, case.conversation_id, case.message_id) == (None, None, None)
