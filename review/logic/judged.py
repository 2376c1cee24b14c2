"""What a judge said about one answer, part by part, and whether that decided the outcome: read from stored results."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from review.logic.agreement import FAIL, PASS, VERDICTS
from scoring.logic.findings import Origin

Stored = Mapping[str, Any]
BY_JUDGE = (Origin.CRITERION, Origin.CASE_CRITERION, Origin.REFERENCE_ANSWER, Origin.COUNTER_EXAMPLE)
ORDER = tuple(origin.value for origin in BY_JUDGE)
NO_VERDICT = ""


class Deciding(StrEnum):
    """What brought about the outcome of an answer."""

    JUDGE = "judge"
    RULES = "rules"  # a rule that must pass failed, whatever the judge said
    NOBODY_ASKED = "nobody_asked"  # nothing that the judge graded had to pass


@dataclass(frozen=True, order=True)
class PartKey:
    """A criterion of the rubric by its id; all criteria of cases are one part, as each stands in its case alone."""

    place: int
    id: str = ""

    @property
    def origin(self) -> Origin:
        return BY_JUDGE[self.place]

    @property
    def text(self) -> str:
        """As addresses name it."""
        return f"{self.origin.value}:{self.id}" if self.id else self.origin.value

    @classmethod
    def of_text(cls, text: str) -> "PartKey | None":
        """None for a text that names no part."""
        name, _colon, key = text.partition(":")
        return cls(ORDER.index(name), key) if name in ORDER else None

    @classmethod
    def of(cls, finding: Stored) -> "PartKey":
        place = ORDER.index(finding["origin"])
        return cls(place, finding["id"] if BY_JUDGE[place] is Origin.CRITERION else "")


@dataclass(frozen=True)
class JudgedAnswer:
    """`verdicts` are of the parts on which the judge was asked, empty where it reached none; `names` are of criteria of
    the rubric, which every reader of the dataset may know; `optional` are those that only move the number."""

    deciding: Deciding
    verdicts: Mapping[PartKey, str]
    names: Mapping[PartKey, str]
    optional: frozenset[PartKey]


def judged_answer(results: Sequence[Stored]) -> JudgedAnswer:
    """Read as it is stored, since thousands are read for one page."""
    verdicts: dict[PartKey, str] = {}
    names: dict[PartKey, str] = {}
    optional = set()
    for finding in _by_judge(results):
        key = PartKey.of(finding)
        verdicts[key] = _both(verdicts.get(key), finding["verdict"])
        if key.origin is Origin.CRITERION:
            names[key] = finding["name"]
            if not finding.get("required", True):
                optional.add(key)
    return JudgedAnswer(_deciding(results), verdicts, names, frozenset(optional))


def _by_judge(results: Sequence[Stored]) -> Iterator[Stored]:
    for result in results:
        yield from (finding for finding in result["findings"] if finding["origin"] in ORDER)


def _both(known: str | None, verdict: str) -> str:
    """Of several criteria of one case, which pass together: one that failed, else one that has no verdict, decides."""
    found = verdict if verdict in VERDICTS else NO_VERDICT
    if known is None or found == FAIL or known == PASS:
        return found
    return known


def _deciding(results: Sequence[Stored]) -> Deciding:
    """A failed rule decides before the judge does (SC-D6); the counter-example decides though its evaluator need not
    pass (SC-D13)."""
    is_asked = False
    for result in results:
        for finding in result["findings"]:
            if finding["origin"] not in ORDER:
                if result["must_pass"] and finding["verdict"] == FAIL:
                    return Deciding.RULES
            elif finding["origin"] == Origin.COUNTER_EXAMPLE or (result["must_pass"] and finding.get("required", True)):
                is_asked = True
    return Deciding.JUDGE if is_asked else Deciding.NOBODY_ASKED
