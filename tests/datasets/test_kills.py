"""An import whose process is killed leaves nothing or all of it, and the next one works (BC-8, DS-123, DS-D46)."""

import pytest

from tests.cast import make_cast
from tests.datasets.kills import kill_imports


@pytest.mark.spec("DS-123", "DS-D46")
@pytest.mark.django_db(transaction=True)
def test_a_killed_import_leaves_no_part_of_itself_and_can_be_sent_again() -> None:
    builder = make_cast().actor("builder")
    left = kill_imports(builder, kills=8)
    assert left.faults == []
    assert left.found["nothing"] >= 1
