"""A test run whose worker is killed again and again completes by itself and buys no stored answer twice."""

import pytest

from tests.cast import make_cast
from tests.evals.kills import kill_workers


@pytest.mark.spec("EV-D29", "EV-D30", "EV-D31")
@pytest.mark.django_db(transaction=True)
def test_a_killed_worker_loses_no_answer_and_buys_none_twice() -> None:
    seen = kill_workers(make_cast(), kills=4, cases=40)
    assert seen.faults == []
    assert seen.kills == 4
