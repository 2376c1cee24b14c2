"""Eight writers at once on one dataset: what each was told is what the database holds (DS-54, DS-D11, BC-16)."""

import pytest

from datasets.models import CaseRevision, Dataset
from tests.cast import Cast
from tests.datasets.history import Made, Told, faults_of, write_side_by_side

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.spec("DS-54", "DS-56", "DS-D11", "DS-D12", "DS-D16")
def test_no_change_is_lost_doubled_or_torn_and_no_number_left_out(cast: Cast, dataset: Dataset) -> None:
    told = write_side_by_side(cast.actor("builder"), dataset, writers=8, operations=40)
    assert faults_of(dataset, told) == []
    assert len(told.made) + told.refused.total() + told.unchanged == 320
    assert {made.act for made in told.made} == {"add", "edit", "delete", "import", "restore"}
    assert {code.split(": ")[1] for code in told.refused} <= {"case_changed", "case_deleted"}


def test_the_check_notices_what_it_is_there_for(cast: Cast, dataset: Dataset) -> None:
    told = write_side_by_side(cast.actor("builder"), dataset, writers=1, operations=12)
    assert faults_of(dataset, told) == []
    for wrong in (
        [*told.made, told.made[0]],
        told.made[1:],
        [made._replace(texts=("other",)) if made.texts else made for made in told.made],
        [Made("delete", made.version) for made in told.made],
    ):
        assert faults_of(dataset, Told(wrong))
    CaseRevision.objects.filter(until=None).first().delete()
    assert faults_of(dataset, told)
