"""Settings, criteria and replies for tests of the judge, with only what a test is about written out."""

import json
from typing import Any

from datasets.logic.drafts import CaseDraft
from scoring.logic.criteria import AskedCriterion, asked_criteria
from scoring.logic.findings import Finding
from scoring.logic.replies import Reading, read_reply
from scoring.logic.settings import DEFAULTS, Settings
from scoring.logic.verdicts import findings_of

DEADLINE = {"id": "c-7f2a", "name": "Deadline", "criterion": "Does the answer name the deadline?", "required": True}
KETTLE = "Yes, you can return a used kettle."
QUESTION = "Can I return a used kettle?"


def make_settings(*, on: tuple[str, ...] = ("checks", "judge"), **judge: Any) -> Settings:
    """Settings in which these evaluators are on; further names are of the judge."""
    stored = json.loads(json.dumps(dict(DEFAULTS)))
    for name in ("checks", "tool_calls", "judge", "reference_answer"):
        stored[name]["enabled"] = name in on
    stored["judge"].update({"criteria": [DEADLINE], **judge})
    return Settings.of_json(stored)


def make_case(**fields: Any) -> CaseDraft:
    return CaseDraft(**{"input": QUESTION, **fields})


def asked(case: CaseDraft | None = None, settings: Settings | None = None) -> tuple[AskedCriterion, ...]:
    return asked_criteria(case or make_case(), settings or make_settings())


def verdict(criterion: str = "c-7f2a", grade: Any = 5, **said: Any) -> dict[str, Any]:
    """One entry of a reply, well formed, without quotes and with a reason of its own."""
    return {
        "criterion": criterion,
        "quotes": [],
        "rule": "A date is named.",
        "reason": "It says Friday at noon and promises a reminder.",
        "grade": grade,
        **said,
    }


def reply(*verdicts: Any) -> str:
    return json.dumps({"verdicts": list(verdicts)}, ensure_ascii=False)


def read(*verdicts: Any) -> Reading:
    return read_reply(reply(*verdicts), "stop")


def found(
    *verdicts: Any, answer: str = "", case: CaseDraft | None = None, settings: Settings | None = None
) -> dict[str, Finding]:
    """The findings on a reply with these verdicts, by the ids of the criteria."""
    used, graded = settings or make_settings(), case or make_case()
    criteria = asked_criteria(graded, used)
    return {one.id: one for one in findings_of(read(*verdicts), criteria, graded, answer, used)}
