"""Classes of cases, confirming, and what is compared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.logic.classes import (
    CaseChange,
    CaseSide,
    ChangeClass,
    ChangeCounts,
    Incomparable,
    classify,
    count_changes,
    to_confirm,
)

RESULTS = st.sampled_from(["pass", "fail", "unscored"])
SIDES = st.none() | st.builds(CaseSide, st.sampled_from([1, 2]), RESULTS, st.sampled_from(["", "x", "y"]))
ENDED = st.lists(RESULTS, max_size=4)


def changed(before: str, after: str, first: list[str] | None = None, confirming: tuple[str, ...] = ()) -> CaseChange:
    return classify(CaseSide(1, before), CaseSide(1, after), first or [after], confirming)


@pytest.mark.spec("EV-D42", "EV-11")
@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ("fail", "pass", ChangeClass.IMPROVED),
        ("pass", "fail", ChangeClass.REGRESSED),
        ("pass", "pass", ChangeClass.UNCHANGED),
        ("fail", "fail", ChangeClass.UNCHANGED),
        ("unscored", "pass", ChangeClass.NOT_COMPARABLE),
        ("fail", "unscored", ChangeClass.NOT_COMPARABLE),
        ("unscored", "unscored", ChangeClass.NOT_COMPARABLE),
    ],
)
def test_class_is_that_of_both_results(before: str, after: str, change: ChangeClass) -> None:
    found = changed(before, after)
    assert found.change is found.first is change
    assert found.is_confirmed is False
    assert found.because is (Incomparable.UNSCORED if "unscored" in (before, after) else None)


@pytest.mark.spec("EV-D41", "EV-D42")
@pytest.mark.parametrize(
    ("before", "after", "because"),
    [
        (CaseSide(1, "pass"), CaseSide(2, "fail"), Incomparable.CHANGED),
        (CaseSide(1, "pass"), CaseSide(2, "unscored"), Incomparable.CHANGED),
        (None, CaseSide(1, "fail"), Incomparable.NEW),
        (CaseSide(1, "pass"), None, Incomparable.REMOVED),
    ],
)
def test_another_revision_is_in_no_class(
    before: CaseSide | None, after: CaseSide | None, because: Incomparable
) -> None:
    found = classify(before, after, ["fail"], ["fail", "fail"])
    assert (found.change, found.because, found.is_compared) == (ChangeClass.NOT_COMPARABLE, because, False)


@pytest.mark.spec("EV-D46", "EV-40")
@pytest.mark.parametrize(
    ("first", "confirming", "is_confirmed", "tally"),
    [
        (["fail"], ("fail", "fail"), True, (0, 3)),
        (["fail"], ("fail", "pass"), True, (1, 3)),
        (["fail"], ("pass", "pass"), False, (2, 3)),
        (["fail"], ("fail", "unscored"), True, (0, 2)),
        (["fail"], ("pass", "unscored"), False, (1, 2)),
        (["fail"], ("unscored", "unscored"), False, (0, 1)),
        (["fail", "pass"], ("fail", "fail"), True, (1, 4)),
        (["fail", "pass"], ("fail", "pass"), False, (2, 4)),
    ],
)
def test_regression_is_confirmed_by_a_majority_of_at_least_two_or_is_flaky(
    first: list[str], confirming: tuple[str, ...], is_confirmed: bool, tally: tuple[int, int]
) -> None:
    found = changed("pass", "fail", first, confirming)
    assert found.is_confirmed is is_confirmed
    assert found.change is (ChangeClass.REGRESSED if is_confirmed else ChangeClass.FLAKY)
    assert (found.passed, found.judged) == tally
    assert found.first is ChangeClass.REGRESSED


@pytest.mark.spec("EV-D46")
@pytest.mark.parametrize(("confirming", "is_confirmed"), [(("pass", "fail"), True), (("fail", "fail"), False)])
def test_improvement_is_confirmed_in_the_same_way(confirming: tuple[str, ...], is_confirmed: bool) -> None:
    found = changed("fail", "pass", confirming=confirming)
    assert (found.is_confirmed, found.change is ChangeClass.IMPROVED) == (is_confirmed, is_confirmed)


@pytest.mark.spec("EV-D47", "EV-D50", "EV-D34")
@pytest.mark.parametrize("confirming", [(), ("",), ("fail", "")])
def test_change_is_unconfirmed_until_every_confirming_attempt_has_ended(confirming: tuple[str, ...]) -> None:
    found = changed("pass", "fail", confirming=confirming)
    assert (found.change, found.is_unconfirmed, found.judged) == (ChangeClass.REGRESSED, True, 0)


def test_what_is_the_same_again_stays_unchanged_whatever_confirming_found() -> None:
    assert changed("pass", "pass", confirming=("fail", "fail")).change is ChangeClass.UNCHANGED


@pytest.mark.spec("EV-D43")
def test_by_different_judges_a_change_is_shown_and_never_confirmed() -> None:
    found = classify(CaseSide(1, "pass", "x"), CaseSide(1, "fail", "y"), ["fail"], ["fail", "fail"])
    assert (found.change, found.is_confirmed, found.is_graded_differently) == (ChangeClass.REGRESSED, False, True)


@pytest.mark.spec("EV-D43")
def test_a_case_without_the_judge_is_classed_as_ever() -> None:
    found = classify(CaseSide(1, "pass", ""), CaseSide(1, "fail", ""), ["fail"], ["fail", "fail"])
    assert (found.is_confirmed, found.is_graded_differently) == (True, False)


@pytest.mark.spec("EV-D47", "EV-D43")
def test_regressions_are_confirmed_first_and_the_rest_is_left() -> None:
    differently = classify(CaseSide(1, "pass", "x"), CaseSide(1, "fail", "y"))
    changes = [
        ("improved", changed("fail", "pass")),
        ("same", changed("pass", "pass")),
        ("other judge", differently),
        ("regressed", changed("pass", "fail")),
        ("unscored", changed("pass", "unscored")),
        ("regressed too", changed("pass", "fail")),
        ("done", changed("pass", "fail", confirming=("fail", "fail"))),
    ]
    assert to_confirm(changes, 100) == ["regressed", "regressed too", "improved"]
    assert to_confirm(changes, 2) == ["regressed", "regressed too"]
    assert to_confirm(changes, 0) == []


@pytest.mark.spec("EV-D44", "EV-D45", "BC-28")
def test_every_case_is_counted_once_and_the_test_is_over_what_was_first_seen() -> None:
    changes = [
        changed("pass", "fail"),
        changed("pass", "fail", confirming=("fail", "fail")),
        changed("pass", "fail", confirming=("pass", "pass")),
        changed("fail", "pass", confirming=("pass", "pass")),
        changed("fail", "fail"),
        changed("unscored", "pass"),
        changed("pass", "unscored"),
        changed("unscored", "unscored"),
        classify(None, CaseSide(1, "unscored")),
        classify(CaseSide(1, "pass"), None),
        classify(CaseSide(1, "pass"), CaseSide(2, "pass")),
    ]
    counts = count_changes(changes)
    assert counts == ChangeCounts(
        improved=1, improved_confirmed=1, regressed=2, regressed_confirmed=1, unchanged=1, flaky=1, changed=1, new=1,
        removed=1, unscored=3, unscored_before=1, unscored_after=1, b=3, c=1,
    )  # fmt: skip
    assert (counts.regressed_unconfirmed, counts.improved_unconfirmed) == (1, 0)
    assert counts.compared + counts.not_comparable == len(changes)


@pytest.mark.spec("EV-D42", "EV-D46")
@given(SIDES, SIDES, ENDED, ENDED)
def test_what_is_confirmed_was_compared_and_borne_out(
    before: CaseSide | None, after: CaseSide | None, first: list[str], confirming: list[str]
) -> None:
    if before is None and after is None:
        return
    found = classify(before, after, first, confirming)
    counts = count_changes([found])
    assert counts.compared + counts.not_comparable == 1
    assert found.is_compared is (found.because is None)
    if found.is_confirmed:
        outcomes = [*first, *confirming]
        failed, passed = outcomes.count("fail"), outcomes.count("pass")
        assert passed + failed >= 2
        assert failed > passed if found.change is ChangeClass.REGRESSED else passed > failed
    if found.change is ChangeClass.FLAKY:
        assert confirming
        assert found.first in (ChangeClass.IMPROVED, ChangeClass.REGRESSED)
