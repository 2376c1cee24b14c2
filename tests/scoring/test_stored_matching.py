"""Which case a stored answer is about, and which answers cannot be graded."""

from uuid import UUID, uuid4

import pytest

from core.problems import Problem
from datasets.logic.credentials import hide
from datasets.logic.folding import question_hash
from scoring.logic.answers import GradedAnswer, MadeCall
from scoring.logic.stored_answers import StoredAnswer
from scoring.logic.stored_matching import KnownCase, MatchedAnswers, match_answers


def known(question: str, *, anonymised: bool = False, checked: bool = True) -> KnownCase:
    return KnownCase(uuid4(), question_hash(question), anonymised, checked)


def sent(place: int, case: KnownCase | UUID | None = None, question: str = "", text: str = "a") -> StoredAnswer:
    case_id = case.id if isinstance(case, KnownCase) else case
    return StoredAnswer(place, case_id, question, GradedAnswer(text))


def matched(answers: list[StoredAnswer], cases: list[KnownCase]) -> tuple[MatchedAnswers, list[Problem]]:
    return match_answers(answers, cases, version=3, in_file=True)


def test_an_answer_finds_its_case_by_id_or_by_its_question_whatever_the_spacing() -> None:
    one, other = known("How long?"), known("How heavy?")
    found, problems = matched([sent(2, one), sent(3, question="  how   HEAVY? ")], [one, other])
    assert problems == []
    assert [case for case, _answer in found.kept] == [one.id, other.id]
    assert found.unanswered == 0


def test_a_question_with_a_credential_finds_the_case_in_which_it_was_hidden() -> None:
    asked = "Is password=tr0ub4dor&3xyz right?"
    stored = hide(asked).text
    assert stored != asked
    found, problems = matched([sent(2, question=asked)], [known(stored)])
    assert problems == []
    assert len(found.kept) == 1


@pytest.mark.parametrize(
    ("answer", "field"),
    [
        (sent(2, uuid4()), "case_id"),
        (sent(2, question="Who?"), "input"),
        (sent(2, question="How long?"), "input"),
    ],
)
def test_an_answer_to_no_case_or_to_several_is_refused(answer: StoredAnswer, field: str) -> None:
    found, problems = matched([answer], [known("How long?"), known("how long?"), known("How heavy?")])
    assert found.kept == ()
    assert [(problem.row, problem.field) for problem in problems] == [(2, field)]


def test_an_id_beside_another_question_is_refused() -> None:
    one = known("How long?")
    _found, problems = matched([sent(2, one, "How heavy?"), sent(3, one, "how long?")], [one])
    assert [(problem.row, problem.field) for problem in problems] == [(2, "input")]


@pytest.mark.spec("BC-17")
def test_a_case_that_is_answered_twice_is_refused_with_both_rows() -> None:
    one = known("How long?")
    _found, problems = matched([sent(2, one), sent(5, question="How long?"), sent(6, one)], [one])
    assert [(problem.row, problem.field, problem.values["first"]) for problem in problems] == [
        (5, "input", 2),
        (6, "case_id", 2),
    ]


@pytest.mark.spec("BC-17")
def test_a_case_that_is_answered_twice_is_refused_also_where_one_of_the_rows_is_wrong_otherwise() -> None:
    one, other = known("How long?"), known("How heavy?")
    wrong = [sent(2, one), sent(6, other)]
    _found, problems = match_answers(
        [sent(3, one), sent(5, other)], [one, other], version=3, in_file=True, wrong=[*wrong, sent(7, uuid4())]
    )
    assert [(problem.row, problem.values["first"]) for problem in problems] == [(3, 2), (6, 5)]


@pytest.mark.spec("BC-28")
def test_what_cannot_be_graded_is_counted_and_left_out() -> None:
    good, gone, bare, silent = known("a"), known("b", anonymised=True), known("c", checked=False), known("d")
    found, problems = matched([sent(2, good), sent(3, gone, "x"), sent(4, bare)], [good, gone, bare, silent])
    assert problems == []
    assert [case for case, _answer in found.kept] == [good.id]
    assert (found.anonymised, found.unchecked, found.left_out, found.unanswered) == (1, 1, 2, 1)


def test_an_answer_without_words_and_calls_is_counted_as_empty() -> None:
    one, other = known("a"), known("b")
    called = StoredAnswer(3, other.id, "", GradedAnswer("", (MadeCall("look_up", {}),)))
    found, _problems = matched([sent(2, one, text=" "), called], [one, other])
    assert found.empty == 1
