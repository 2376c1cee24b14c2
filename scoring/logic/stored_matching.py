"""Finding the case that each stored answer is about, and which answers cannot be graded (BC-17, BC-19)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from uuid import UUID

from core.problems import Problem, gettext_noop
from datasets.logic.credentials import hide
from datasets.logic.folding import question_hash
from scoring.logic.answers import GradedAnswer
from scoring.logic.stored_answers import StoredAnswer

UNKNOWN_CASE = gettext_noop("Version %(version)d of the dataset has no case with this id.")
UNKNOWN_QUESTION = gettext_noop("No case of version %(version)d asks this. Letter case and spacing do not matter.")
SEVERAL_CASES = gettext_noop("%(count)d cases ask this. Name the one that is meant by its case_id.")
OTHER_QUESTION = gettext_noop("The case with this id asks something else. Leave input out, or give another id.")
TWICE_IN_FILE = gettext_noop("Row %(first)d answers the same case. A set holds one answer to a case.")
TWICE = gettext_noop("answers.%(first)d answers the same case. A set holds one answer to a case.")


@dataclass(frozen=True)
class KnownCase:
    """A case of the version that is graded: the hash of its question, and why no answer to it can be graded."""

    id: UUID
    question: str
    is_anonymised: bool
    has_something_to_check: bool

    @property
    def can_be_graded(self) -> bool:
        return self.has_something_to_check and not self.is_anonymised


@dataclass(frozen=True)
class MatchedAnswers:
    """Answers with their cases, in the order they came, and what has to be said beside them (BC-28).

    `anonymised` and `unchecked` count the answers left out since their case holds no text any more, or gives the
    settings nothing to check. `unanswered` are the cases that could be graded and have no answer here.
    """

    version: int
    kept: tuple[tuple[UUID, GradedAnswer], ...]
    anonymised: int
    unchecked: int
    unanswered: int

    @property
    def empty(self) -> int:
        """How many of those kept say nothing and call nothing."""
        return sum(answer.is_empty and not answer.calls for _case, answer in self.kept)

    @property
    def left_out(self) -> int:
        return self.anonymised + self.unchecked

    @property
    def digest(self) -> str:
        """What is equal for the same answers to the same cases of the same version."""
        return sha256(repr((self.version, self.kept, self.anonymised, self.unchecked)).encode()).hexdigest()

    def as_of(self, cases: Iterable[KnownCase]) -> "MatchedAnswers":
        """The same with what these cases, as they are now, no longer allow left out."""
        known = {case.id: case for case in cases}
        kept = tuple((case_id, answer) for case_id, answer in self.kept if known[case_id].can_be_graded)
        anonymised = sum(known[case_id].is_anonymised for case_id, _answer in self.kept)
        unchecked = len(self.kept) - len(kept) - anonymised
        left_out = {"anonymised": self.anonymised + anonymised, "unchecked": self.unchecked + unchecked}
        return replace(self, kept=kept, **left_out)


def match_answers(
    answers: Sequence[StoredAnswer],
    cases: Iterable[KnownCase],
    *,
    version: int,
    in_file: bool,
    wrong: Sequence[StoredAnswer] = (),
) -> tuple[MatchedAnswers, list[Problem]]:
    """Each answer with its case; a problem, at its row, for each that names none, several, or one named before.

    `wrong` are answers that were refused for something else already; the case of one counts as named all the same.
    """
    found = _Cases(cases)
    problems: list[Problem] = []
    kept: list[tuple[UUID, GradedAnswer]] = []
    first: dict[UUID, int] = {}
    left_out = {"anonymised": 0, "unchecked": 0}
    refused = {sent.place for sent in wrong}
    for sent in sorted((*answers, *wrong), key=lambda sent: sent.place):
        case = found.of(sent, version)
        if isinstance(case, Problem):
            problems += [] if sent.place in refused else [_at(case, sent)]
        elif case.id in first:
            text = TWICE_IN_FILE if in_file else TWICE
            field = "case_id" if sent.case_id else "input"
            problems.append(_at(Problem(field, text, {"first": first[case.id]}), sent))
        else:
            first[case.id] = sent.place
            if sent.place in refused:
                continue
            if case.can_be_graded:
                kept.append((case.id, sent.answer))
            else:
                left_out["anonymised" if case.is_anonymised else "unchecked"] += 1
    unanswered = found.gradable - len(kept)
    return MatchedAnswers(version, tuple(kept), **left_out, unanswered=unanswered), problems


class _Cases:
    """The cases of a version, by id and by question."""

    def __init__(self, cases: Iterable[KnownCase]) -> None:
        self.by_id = {case.id: case for case in cases}
        self.by_question: dict[str, list[KnownCase]] = defaultdict(list)
        for case in self.by_id.values():
            if not case.is_anonymised:
                self.by_question[case.question].append(case)
        self.gradable = sum(case.can_be_graded for case in self.by_id.values())

    def of(self, sent: StoredAnswer, version: int) -> KnownCase | Problem:
        """The one case that the answer is about, or why there is none."""
        asked = sent.question.strip()
        # Stored questions have their credentials hidden, so the one that is asked for has too (DS-D33).
        question = question_hash(hide(asked).text) if asked else ""
        if sent.case_id is not None:
            case = self.by_id.get(sent.case_id)
            if case is None:
                return Problem("case_id", UNKNOWN_CASE, {"version": version})
            if question and not case.is_anonymised and question != case.question:
                return Problem("input", OTHER_QUESTION)
            return case
        same = self.by_question.get(question, [])
        if len(same) > 1:
            return Problem("input", SEVERAL_CASES, {"count": len(same)})
        return same[0] if same else Problem("input", UNKNOWN_QUESTION, {"version": version})


def _at(problem: Problem, sent: StoredAnswer) -> Problem:
    return Problem(problem.field, problem.text, problem.values, row=sent.place)
