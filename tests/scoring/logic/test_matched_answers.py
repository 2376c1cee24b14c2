"""In which words an answer without its case is refused, and what of a set is kept once cases change (BC-17, BC-28)."""

from uuid import UUID

import pytest

from core.problems import Problem
from datasets.logic.folding import question_hash
from scoring.logic.answers import GradedAnswer, MadeCall
from scoring.logic.stored_answers import StoredAnswer
from scoring.logic.stored_matching import KnownCase, MatchedAnswers, match_answers

HOW_LONG, HOW_HEAVY, GONE, BARE = (UUID(int=number) for number in range(1, 5))
NOBODY = UUID(int=99)


def known(case_id: UUID, asks: str, *, anonymised: bool = False, checked: bool = True) -> KnownCase:
    return KnownCase(case_id, question_hash(asks), anonymised, checked)


CASES = [
    known(HOW_LONG, "How long?"),
    known(HOW_HEAVY, "How heavy?"),
    known(GONE, "Who?", anonymised=True),
    known(BARE, "What?", checked=False),
]


def sent(place: int, case_id: UUID | None = None, question: str = "", text: str = "a") -> StoredAnswer:
    return StoredAnswer(place, case_id, question, GradedAnswer(text))


def matched(
    *answers: StoredAnswer, cases: list[KnownCase] = CASES, in_file: bool = True
) -> tuple[MatchedAnswers, list[Problem]]:
    return match_answers(answers, iter(cases), version=3, in_file=in_file)


@pytest.mark.spec("BC-17")
@pytest.mark.parametrize(
    ("answer", "field", "words"),
    [
        (sent(2, NOBODY), "case_id", "Version 3 of the dataset has no case with this id."),
        (sent(2, NOBODY, "How long?"), "case_id", "Version 3 of the dataset has no case with this id."),
        (
            sent(2, question="Why?"),
            "input",
            "No case of version 3 asks this. Letter case and spacing do not matter.",
        ),
        (
            sent(2, question="Who?"),
            "input",
            "No case of version 3 asks this. Letter case and spacing do not matter.",
        ),
        (
            sent(2, HOW_LONG, "How heavy?"),
            "input",
            "The case with this id asks something else. Leave input out, or give another id.",
        ),
    ],
)
def test_an_answer_without_its_case_is_refused_in_words(answer: StoredAnswer, field: str, words: str) -> None:
    found, (problem,) = matched(answer)
    assert (problem.row, problem.field, problem.text % problem.values) == (2, field, words)
    assert (found.version, found.kept, found.unanswered) == (3, (), 2)


@pytest.mark.spec("BC-17")
def test_a_question_of_several_cases_says_how_many_ask_it() -> None:
    cases = [*CASES, known(NOBODY, "how  LONG?")]
    _found, (problem,) = matched(sent(2, question="How long?"), cases=cases)
    assert problem.text % problem.values == "2 cases ask this. Name the one that is meant by its case_id."
    found, problems = matched(sent(2, NOBODY, "How long?"), cases=cases)
    assert (problems, found.kept) == ([], ((NOBODY, GradedAnswer("a")),))


@pytest.mark.spec("BC-17")
@pytest.mark.parametrize(
    ("in_file", "words"),
    [
        (True, "Row 2 answers the same case. A set holds one answer to a case."),
        (False, "answers.2 answers the same case. A set holds one answer to a case."),
    ],
)
def test_a_second_answer_to_a_case_is_refused_with_the_place_of_the_first(in_file: bool, words: str) -> None:
    by_id, by_question = sent(3, HOW_LONG, "How long?"), sent(4, question="How long?")
    found, problems = matched(sent(2, HOW_LONG, text="first"), by_id, by_question, in_file=in_file)
    assert [(one.row, one.field, one.text % one.values) for one in problems] == [
        (3, "case_id", words),
        (4, "input", words),
    ]
    assert found.kept == ((HOW_LONG, GradedAnswer("first")),)


@pytest.mark.spec("BC-28")
def test_answers_to_cases_that_cannot_be_graded_are_left_out_each_for_its_reason() -> None:
    answers = [sent(2, HOW_HEAVY), sent(3, GONE, "anything"), sent(4, BARE), sent(5, HOW_LONG, " ")]
    assert matched(*answers) == (
        MatchedAnswers(
            version=3,
            kept=((HOW_HEAVY, GradedAnswer("a")), (HOW_LONG, GradedAnswer("a"))),
            anonymised=1,
            unchecked=1,
            unanswered=0,
        ),
        [],
    )
    both = known(NOBODY, "x", anonymised=True, checked=False)
    found, _problems = matched(sent(2, NOBODY), sent(3, GONE), sent(4, BARE), cases=[*CASES, both])
    assert (found.anonymised, found.unchecked, found.left_out, found.unanswered) == (2, 1, 3, 2)


@pytest.mark.spec("BC-28")
def test_what_cases_no_longer_allow_is_left_out_and_counted() -> None:
    kept = tuple((case_id, GradedAnswer("a")) for case_id in (HOW_LONG, HOW_HEAVY, GONE, BARE))
    before = MatchedAnswers(3, kept, anonymised=5, unchecked=7, unanswered=2)
    assert before.as_of(CASES) == MatchedAnswers(3, kept[:2], anonymised=6, unchecked=8, unanswered=2)


@pytest.mark.spec("BC-28")
def test_an_answer_is_empty_where_it_says_and_calls_nothing() -> None:
    answers = (GradedAnswer(" "), GradedAnswer("", (MadeCall("t", {}),)), GradedAnswer("a"), GradedAnswer(""))
    kept = tuple((UUID(int=place), answer) for place, answer in enumerate(answers))
    assert MatchedAnswers(1, kept, 0, 0, 0).empty == 2


def test_the_same_answers_to_the_same_cases_have_one_digest() -> None:
    one = MatchedAnswers(1, ((HOW_LONG, GradedAnswer("a")),), anonymised=0, unchecked=0, unanswered=0)
    same = MatchedAnswers(1, ((HOW_LONG, GradedAnswer("a")),), anonymised=0, unchecked=0, unanswered=9)
    others = [
        MatchedAnswers(2, one.kept, 0, 0, 0),
        MatchedAnswers(1, ((HOW_LONG, GradedAnswer("b")),), 0, 0, 0),
        MatchedAnswers(1, ((HOW_HEAVY, GradedAnswer("a")),), 0, 0, 0),
        MatchedAnswers(1, one.kept, 1, 0, 0),
        MatchedAnswers(1, one.kept, 0, 1, 0),
    ]
    assert one.digest == same.digest
    assert len(one.digest) == 64
    assert len({one.digest, *(other.digest for other in others)}) == 6
