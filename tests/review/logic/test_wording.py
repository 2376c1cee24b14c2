"""A note becomes a criterion: when two say the same, how it is named, and how it is worded as a question (RV-D36)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.logic.wording import as_question, criterion_name, same_words

LIMIT = 80


@pytest.mark.spec("RV-D37")
@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Names the deadline?", "  names   THE\ndeadline? ", True),
        ("Straße", "STRASSE", True),
        ("Names the deadline?", "Names the deadline", False),
        ("a b", "ab", False),
    ],
)
def test_letter_case_and_spacing_make_no_other_criterion(one: str, other: str, same: bool) -> None:
    assert same_words(one, other) is same


@pytest.mark.spec("RV-D36")
@pytest.mark.parametrize(
    ("criterion", "taken", "name"),
    [
        ("Does the answer name the deadline of the return?", [], "Does the answer name the deadline"),
        ("Polite?", [], "Polite"),
        ("Polite?", ["POLITE"], "Polite 2"),
        ("Polite?", ["polite", "Polite  2"], "Polite 3"),
        ("?!", [], "?!"),
        ("counter-example", ["counter-example"], "counter-example 2"),
    ],
)
def test_a_criterion_is_named_by_its_first_words(criterion: str, taken: list[str], name: str) -> None:
    assert criterion_name(criterion, taken, LIMIT) == name


TEXTS = st.text(alphabet="aAß 2?.\n", max_size=90)


@given(TEXTS.filter(str.strip), st.lists(TEXTS, max_size=4))
def test_a_name_always_fits_and_is_nobody_elses(criterion: str, taken: list[str]) -> None:
    name = criterion_name(criterion, [*taken, criterion_name(criterion, taken, LIMIT)], LIMIT)
    assert 0 < len(name) <= LIMIT
    assert name == name.strip()
    assert not any(same_words(name, one) for one in taken)


@pytest.mark.spec("RV-D36")
@pytest.mark.parametrize(
    ("note", "question"),
    [
        ("The answer should name the deadline.", "Does the answer name the deadline?"),
        ("it must say who pays the postage", "Does the answer say who pays the postage?"),
        ("Must mention VAT", "Does the answer mention VAT?"),
        ("Doesn’t name the deadline", "Does the answer name the deadline?"),
        ("The bot failed to ask\n for the order number!", "Does the answer ask for the order number?"),
        ("Missing: the deadline", "Does the answer include the deadline?"),
        ("The reply must not promise a refund.", "Is it true that the answer does not promise a refund?"),
        ("Should never name a price", "Is it true that the answer does not name a price?"),
        ("Does it name the deadline?", ""),
        ("Promises a refund", ""),
        ("It should have named the deadline", ""),
        ("It must be polite", ""),
        ("It should name the deadline. It is also rude.", ""),
        ("La respuesta debe decir el plazo", ""),
        ("It must", ""),
        ("", ""),
    ],
)
def test_plain_forms_become_questions_and_nothing_else_does(note: str, question: str) -> None:
    assert as_question(note) == question
