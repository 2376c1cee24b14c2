"""An outline tells of a run what its results tell, with every case that took the same course looked at once."""

import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any
from uuid import UUID

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evals.logic.compared_cases import compared_cases
from evals.logic.outlines import KeptOutline, RunOutline, changes_of_outlines, outline_of_results
from evals.logic.results import latency, models_seen, spending, tokens
from evals.logic.run_results import ItemResult, RunResults, StoredAttempt, changes_between
from tests.evals.logic.test_results import attempt as plain_attempt

STATES = st.sampled_from(["done", "done", "done", "error", "cancelled", "grading", "pending"])
ATTEMPTS = st.lists(
    st.fixed_dictionaries(
        {
            "state": STATES,
            "outcome": st.sampled_from(["pass", "fail", "unscored"]),
            "decided": st.sampled_from(["", "", "pass", "fail"]),
            "is_confirming": st.booleans(),
            "pin_hash": st.sampled_from(["", "x", "y"]),
            "cost": st.none() | st.decimals(0, 2, places=4),
            "judge_cost": st.none() | st.decimals(0, 2, places=4),
            "was_asked": st.booleans(),
            "judge_was_asked": st.booleans(),
            "seconds": st.none() | st.floats(0, 9),
            "input_tokens": st.none() | st.integers(0, 9),
            "model": st.sampled_from(["", "a", "b"]),
        }
    ),
    min_size=1,
    max_size=3,
)
CASES = st.dictionaries(st.integers(0, 5), st.tuples(st.sampled_from([1, 2]), ATTEMPTS), max_size=4)


def results(cases: dict[int, tuple[int, Sequence[dict[str, Any]]]]) -> RunResults:
    return RunResults(
        tuple(
            ItemResult(
                UUID(int=100 + key), UUID(int=key), revision, key, ("tag",) * (key % 2),
                tuple(StoredAttempt(number=place, **one) for place, one in enumerate(attempts, 1)),
            )
            for key, (revision, attempts) in sorted(cases.items())
        )
    )  # fmt: skip


def kept(found: RunResults) -> RunOutline:
    """The outline as it comes back from where it is kept."""
    stored = KeptOutline.of_json(json.loads(json.dumps(KeptOutline.of(found).as_json())))
    fresh = outline_of_results(found)
    items = (one._replace(course=stored.courses[place]) for one, place in zip(fresh.items, stored.places, strict=True))
    return RunOutline(tuple(items), stored.sums)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(CASES)
def test_an_outline_counts_as_results_do_also_after_it_was_kept(cases: Any) -> None:
    found = results(cases)
    for outline in (outline_of_results(found), kept(found)):
        assert (outline.tally, outline.automatic_tally) == (found.tally, found.automatic_tally)
        assert outline.decided == found.decided
        assert outline.answered == sum(item.is_answered for item in found.items)
        assert [item.side for item in outline.items] == [item.side for item in found.items]
        assert [item.is_decided for item in outline.items] == [item.is_decided for item in found.items]
        sums = outline.sums
        assert (sums.spending, sums.tokens) == (spending(found.attempts), tokens(found.attempts))
        assert (sums.latency, sums.models) == (latency(found.attempts), models_seen(found.attempts))


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(CASES, CASES)
def test_changes_of_outlines_are_those_of_the_results(earlier: Any, later: Any) -> None:
    before, after = results(earlier), results(later)
    changes = changes_between(before, after)
    found = changes_of_outlines(kept(before), kept(after))
    assert (found, list(found)) == (changes, list(changes))
    listed = compared_cases(kept(before), kept(after), found)
    assert sorted(one.case_id.int for one in listed) == sorted(key.int for key in changes)


def test_means_are_over_first_attempts_that_were_graded() -> None:
    attempts = [
        plain_attempt(cost=Decimal(1), judge_cost=Decimal("0.5"), seconds=1.0),
        plain_attempt(cost=Decimal(2), judge_cost=Decimal("0.5"), seconds=3.0),
        plain_attempt(cost=Decimal(8), is_confirming=True, seconds=9.0),
        plain_attempt(state="error", cost=Decimal(8), seconds=9.0),
    ]
    done = RunResults(()).sums.done
    assert (done.count, done.mean_answering.amount, done.latency.median) == (0, 0, None)
    stored = tuple(StoredAttempt(**vars(one)) for one in attempts)
    done = RunResults((ItemResult(UUID(int=1), UUID(int=2), 1, 0, (), stored),)).sums.done
    assert (done.count, done.mean_answering.amount, done.mean_judging.amount) == (2, Decimal("1.5"), Decimal("0.5"))
    assert done.latency.median == 2
