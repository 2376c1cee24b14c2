"""Who waits in the review queue (RV-39 to RV-47, RV-D17 to RV-D22)."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from review.logic.queue import Candidate, Queue, Sending

START = datetime(2026, 1, 1, tzinfo=UTC)


def candidate(
    number: int, outcome: str = "fail", place: str = "case 1, agent 1", at: int = 0, **more: bool
) -> Candidate:
    return Candidate(UUID(int=number), place, outcome, START + timedelta(seconds=at), **more)


@pytest.mark.spec("RV-41", "RV-42", "RV-43", "RV-44", "RV-45", "RV-D17", "RV-D18")
@pytest.mark.parametrize(
    ("waiting", "sent", "result"),
    [
        (candidate(1, "unscored"), candidate(2, "fail"), Sending.WAITING),
        (candidate(1, "unscored", at=9), candidate(2, "fail", at=1), Sending.WAITING),
        (candidate(1, "fail", at=1), candidate(2, "unscored", at=9), Sending.OUTRANKED),
        (candidate(1, "fail", at=1), candidate(2, "pass", at=2), Sending.WAITING),
        (candidate(1, "fail", at=2), candidate(2, "fail", at=1), Sending.OUTRANKED),
        (candidate(1, at=1), candidate(2, at=1), Sending.WAITING),
        (candidate(2, at=1), candidate(1, at=1), Sending.OUTRANKED),
        (candidate(1, "unscored", at=1), candidate(2, "unscored", at=2), Sending.WAITING),
    ],
)
def test_the_higher_rank_waits_and_of_equal_ones_the_newer(
    waiting: Candidate, sent: Candidate, result: Sending
) -> None:
    queue = Queue({waiting.place: waiting})
    assert queue.send_all([sent]) == [result]
    takes = result is Sending.WAITING
    assert queue.waiting == {sent.place: sent if takes else waiting}
    assert (queue.entering, queue.displaced) == (([sent], [waiting]) if takes else ([], []))


@pytest.mark.spec("RV-39")
def test_agents_wait_separately() -> None:
    queue = Queue({"case 1, agent 1": candidate(1)})
    assert queue.send_all([candidate(2, place="case 1, agent 2", at=5)]) == [Sending.WAITING]
    assert queue.displaced == []


@pytest.mark.spec("RV-40", "RV-47", "RV-D22")
def test_what_waits_or_is_decided_stays_as_it_is() -> None:
    queue = Queue({"case 1, agent 1": candidate(1)})
    found = queue.send_all([candidate(1), candidate(2, at=9, is_decided=True)])
    assert found == [Sending.ALREADY_WAITING, Sending.ALREADY_DECIDED]
    assert (queue.entering, queue.displaced) == ([], [])


@pytest.mark.spec("RV-D20")
def test_of_several_in_one_request_one_waits_at_the_end() -> None:
    queue = Queue({})
    sent = [candidate(1, at=1), candidate(2, at=3), candidate(3, at=2)]
    assert queue.send_all(sent) == [Sending.OUTRANKED, Sending.WAITING, Sending.OUTRANKED]
    assert (queue.entering, queue.displaced) == ([sent[1]], [])


CANDIDATES = st.builds(
    candidate,
    st.integers(1, 12),
    st.sampled_from(["pass", "fail", "unscored"]),
    st.sampled_from(["a", "b"]),
    st.integers(0, 3),
    is_decided=st.booleans(),
)


@pytest.mark.spec("RV-40", "RV-41", "RV-42", "RV-43", "RV-47")
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(CANDIDATES, max_size=12, unique_by=lambda one: one.id))
def test_the_best_of_all_that_were_sent_waits_whatever_the_order(sent: list[Candidate]) -> None:
    queue = Queue({})
    for one in sent:
        queue.send(one)
    for place in ("a", "b"):
        undecided = [one for one in sent if one.place == place and not one.is_decided]
        best = max(undecided, key=lambda one: (one.outcome != "unscored", one.graded_at, one.id), default=None)
        assert queue.waiting.get(place) == best
