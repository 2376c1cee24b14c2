"""An export is read while it is sent, after its transaction: it is whole, or it visibly breaks off (DS-D51)."""

import pytest

from datasets.models import Case
from datasets.operations.cases import edit_case
from datasets.operations.datasets import delete_dataset
from tests.api.world import make_world
from tests.cast import Cast


@pytest.mark.spec("DS-D51")
def test_an_export_whose_dataset_is_deleted_meanwhile_breaks_off_and_does_not_end_as_if_whole(cast: Cast) -> None:
    api, ids = make_world(cast)
    response = api.get(f"/datasets/{ids['dataset_id']}/export?format=jsonl")
    delete_dataset(cast.actor("owner"), dataset_id=ids["dataset_id"])
    with pytest.raises(RuntimeError, match="gone"):
        b"".join(response.streaming_content)


@pytest.mark.spec("DS-D51", "DS-135")
def test_an_export_holds_the_version_it_names_also_where_a_case_is_changed_while_it_is_sent(cast: Cast) -> None:
    api, ids = make_world(cast)
    response = api.get(f"/datasets/{ids['dataset_id']}/export?format=jsonl")
    case = Case.objects.filter(dataset_id=ids["dataset_id"]).earliest("position")
    edit_case(cast.actor("owner"), dataset_id=ids["dataset_id"], case_id=case.pk, changes={"input": "Rewritten?"})
    assert b"Rewritten?" not in b"".join(response.streaming_content)
    again = api.get(f"/datasets/{ids['dataset_id']}/export?format=jsonl")
    assert b"Rewritten?" in b"".join(again.streaming_content)
