"""contains, not_contains and equals (SC-60 to SC-62, SC-75, SC-76, SC-78, SC-D27)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.logic.graded import Json, found, said, verdict

E_ACUTE, E_AND_ACCENT = "caf\u00e9", "cafe\u0301"
LIMIT = 100_000


def check(kind: str, value: str, **more: object) -> Json:
    return {"type": kind, "value": value, **more}


@pytest.mark.spec("SC-60", "SC-61", "SC-75", "SC-76", "SC-D27")
@pytest.mark.parametrize(
    ("value", "text", "more", "contained"),
    [
        ("30 days", "within 30 Days.", {}, True),
        ("30 days", "within 30 Days.", {"case_sensitive": False}, True),
        ("30 days", "within 30 Days.", {"case_sensitive": True}, False),
        ("30 Days", "within 30 Days.", {"case_sensitive": True}, True),
        ("30 days", "within 30  days", {}, False),
        ("STRASSE", "Die Straße", {}, True),
        ("Straße", "DIE STRASSE", {}, True),
        (E_ACUTE, f"the {E_AND_ACCENT}", {"case_sensitive": True}, True),
        (E_AND_ACCENT.upper(), f"the {E_ACUTE}", {}, True),
        ("cafe", E_AND_ACCENT, {}, False),
        ("Łódź", "łódź", {}, True),
        ("ΣΑΣ", "σας", {}, True),
        (" x", "x", {}, False),
        ("x", "", {}, False),
    ],
)
def test_letter_case_counts_only_where_it_is_asked_and_accents_always(
    value: str, text: str, more: Json, contained: bool
) -> None:
    assert verdict(check("contains", value, **more), text) == ("pass" if contained else "fail")
    assert verdict(check("not_contains", value, **more), text) == ("fail" if contained else "pass")


@pytest.mark.spec("SC-62", "SC-D27")
@pytest.mark.parametrize(
    ("value", "text", "more", "equal"),
    [
        ("yes", "yes", {}, True),
        ("yes", " \n Yes\t\u00a0", {}, True),
        ("  Yes ", "yes", {}, True),
        ("Yes", "yes", {"case_sensitive": True}, False),
        (" Yes", "Yes\n", {"case_sensitive": True}, True),
        ("yes", "yes.", {}, False),
        ("yes", "", {}, False),
        (E_ACUTE, E_AND_ACCENT.upper(), {}, True),
        ("a b", "a  b", {}, False),
    ],
)
def test_equals_leaves_out_whitespace_at_both_ends_of_both(value: str, text: str, more: Json, equal: bool) -> None:
    assert verdict(check("equals", value, **more), text) == ("pass" if equal else "fail")


@pytest.mark.spec("SC-78")
def test_only_the_first_hundred_thousand_characters_are_read() -> None:
    within, beyond = "x" * (LIMIT - 3) + "yes", "x" * (LIMIT - 2) + "yes"
    assert verdict(check("contains", "yes"), within) == "pass"
    assert verdict(check("contains", "yes"), beyond) == "fail"
    assert verdict(check("not_contains", "yes"), within) == "fail"
    assert verdict(check("not_contains", "yes"), beyond) == "pass"
    assert verdict(check("equals", "yes"), "yes" + " " * LIMIT) == "pass"
    assert verdict(check("equals", "yes"), "no" + " " * LIMIT) == "fail"
    assert said(found(check("contains", "yes"), beyond)) == (
        "The first 100,000 characters of the answer do not contain “yes”"
    )
    assert said(found(check("not_contains", "yes"), beyond)).startswith("The first 100,000 characters")
    assert said(found(check("contains", "yes"), within)) == "The answer contains “yes”"
    assert said(found(check("contains", "no"), "x" * LIMIT)) == "The answer does not contain “no”"


@pytest.mark.spec("SC-10")
@pytest.mark.parametrize(
    ("kind", "text", "words"),
    [
        ("contains", "A", "The answer contains “a”"),
        ("contains", "b", "The answer does not contain “a”"),
        ("not_contains", "b", "The answer does not contain “a”"),
        ("not_contains", "A", "The answer contains “a”"),
        ("equals", "A", "The answer is “a”"),
        ("equals", "b", "The answer is not “a”"),
    ],
)
def test_the_reason_says_what_was_found(kind: str, text: str, words: str) -> None:
    assert said(found(check(kind, "a"), text)) == words


@pytest.mark.spec("SC-74")
@pytest.mark.parametrize(
    ("kind", "value", "words"),
    [
        ("contains", "a", "The value at n.0 contains “a”"),
        ("contains", "b", "The value at n.0 does not contain “b”"),
        ("not_contains", "b", "The value at n.0 does not contain “b”"),
        ("equals", "A", "The value at n.0 is “A”"),
        ("equals", "b", "The value at n.0 is not “b”"),
    ],
)
def test_with_a_path_the_reason_names_it(kind: str, value: str, words: str) -> None:
    assert said(found(check(kind, value, path="n.0"), '{"n": ["A"]}')) == words


@pytest.mark.spec("SC-74", "SC-D25")
@pytest.mark.parametrize("kind", ["contains", "not_contains", "equals"])
@pytest.mark.parametrize(
    ("path", "text", "expected", "words"),
    [
        ("n.1", '{"n": ["A"]}', "fail", "The answer has nothing at n.1"),
        ("n", "A", "fail", "The answer is not JSON: line 1, column 1"),
        ("n", '{"n": "' + "x" * LIMIT + '"}', "error", "The answer is too long to read as JSON"),
    ],
)
def test_where_the_path_leads_to_nothing_the_reason_says_so(
    kind: str, path: str, text: str, expected: str, words: str
) -> None:
    finding = found(check(kind, "a", path=path), text)
    assert (finding.verdict, said(finding)) == (expected, words)


def test_a_long_value_is_shortened_in_the_reason_only() -> None:
    finding = found(check("contains", "v" * 201), "v" * 201)
    assert finding.verdict == "pass"
    assert said(finding) == f"The answer contains “{'v' * 199}…”"
    assert said(found(check("contains", "v" * 200), "v" * 200)) == f"The answer contains “{'v' * 200}”"


def test_a_finding_says_which_check_it_is_about() -> None:
    given_check = check("contains", "a")
    finding = found(given_check, "a")
    assert (finding.id, finding.origin, finding.name, finding.about) == (
        "check-1",
        "case_check",
        "contains",
        given_check,
    )


LETTERS = st.text("aBcÄöÜßłŁéσς .", max_size=8)


@pytest.mark.spec("SC-60", "SC-61", "SC-76")
@given(LETTERS, LETTERS.filter(bool), LETTERS)
def test_what_stands_in_a_text_in_other_letter_case_is_contained(before: str, value: str, after: str) -> None:
    assert verdict(check("contains", value), before + value.upper() + after) == "pass"
    assert verdict(check("not_contains", value), before + value.lower() + after) == "fail"
    assert verdict(check("contains", value, case_sensitive=True), before + value + after) == "pass"


@given(LETTERS.filter(bool), LETTERS)
def test_of_one_answer_contains_and_not_contains_say_the_opposite(value: str, text: str) -> None:
    assert verdict(check("contains", value), text) != verdict(check("not_contains", value), text)
