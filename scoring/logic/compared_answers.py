"""What became of a case from one set of answers to another, where both were graded alike (SC-96, SC-D5)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from scoring.logic.findings import Evaluator, Outcome
from scoring.logic.settings import Settings

RULES = (Evaluator.CHECKS, Evaluator.TOOL_CALLS)
JUDGED = (Evaluator.JUDGE, Evaluator.REFERENCE_ANSWER)


class Standing(StrEnum):
    """Of one case in two sets, in the order in which people want to see them."""

    WORSE = "worse"
    IMPROVED = "improved"
    NOT_COMPARABLE = "not_comparable"
    UNDECIDED = "undecided"
    ALONE = "alone"
    SAME = "same"


class Difference(StrEnum):
    """Why two outcomes of a case cannot be compared."""

    CASE = "case"
    SETTINGS = "settings"
    JUDGE = "judge"


@dataclass(frozen=True)
class Answered:
    """One answer as it was graded: `outcome` is empty while it waits.

    `revision` is the version since which the case said what it said. `rules` and `judged` are equal where the settings
    of that part were; `pin` is equal where the judge was the same, and empty where nothing was for a judge to grade.
    """

    case_id: UUID
    score_id: UUID
    outcome: str
    revision: int
    rules: str
    judged: str
    pin: str


@dataclass(frozen=True)
class ComparedAnswer:
    """A case with its answers of both sets; None where a set has none."""

    case_id: UUID
    before: Answered | None
    after: Answered | None

    @property
    def differences(self) -> tuple[Difference, ...]:
        """In what the two were graded differently; none where they are comparable or one of them is missing."""
        one, other = self.before, self.after
        if one is None or other is None:
            return ()
        has_judge = bool(one.pin or other.pin)
        found = {
            Difference.CASE: one.revision != other.revision,
            Difference.SETTINGS: one.rules != other.rules or (has_judge and one.judged != other.judged),
            Difference.JUDGE: bool(one.pin and other.pin and one.pin != other.pin),
        }
        return tuple(difference for difference, differs in found.items() if differs)

    @property
    def standing(self) -> Standing:
        if self.before is None or self.after is None:
            return Standing.ALONE
        if self.differences:
            return Standing.NOT_COMPARABLE
        outcomes = (self.before.outcome, self.after.outcome)
        if not all(outcome in (Outcome.PASS, Outcome.FAIL) for outcome in outcomes):
            return Standing.UNDECIDED
        if outcomes[0] == outcomes[1]:
            return Standing.SAME
        return Standing.IMPROVED if outcomes[1] == Outcome.PASS else Standing.WORSE


def compared(before: Mapping[UUID, Answered], after: Mapping[UUID, Answered]) -> list[ComparedAnswer]:
    """Every case of either set, worst first, then in the order of the cases."""
    cases = [ComparedAnswer(case, before.get(case), after.get(case)) for case in {*before, *after}]
    order = list(Standing)
    return sorted(cases, key=lambda one: (order.index(one.standing), one.case_id))


def settings_keys(settings: Settings) -> tuple[str, str]:
    """What is equal where rules, and what a judge grades, were set alike; what is off does not matter."""
    rules = {
        **_switches(settings, RULES),
        "defaults": list(settings.default_checks) if Evaluator.CHECKS in settings.on else [],
    }
    judged = {
        **_switches(settings, JUDGED),
        "criteria": [one.as_json() for one in settings.criteria] if Evaluator.JUDGE in settings.on else [],
        "scale": settings.scale,
        "pass_at": settings.pass_at,
    }
    return json.dumps(rules, sort_keys=True), json.dumps(judged, sort_keys=True)


def _switches(settings: Settings, evaluators: tuple[Evaluator, ...]) -> dict[str, bool | None]:
    """Whether each that is on must pass; None for one that is off."""
    return {one.value: one in settings.must_pass if one in settings.on else None for one in evaluators}
