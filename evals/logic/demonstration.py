"""What the demonstration's agent says to a case: the case's own reference answer, or a slip that is written down."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from datasets.logic.drafts import CaseDraft

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Said:
    """An answer with the calls that were made before it, `{"tool", "args"}`, and how long it took.

    `failure` is why there is none, empty where there is one.
    """

    text: str
    calls: Sequence[Json]
    seconds: float
    failure: str = ""


@dataclass(frozen=True)
class Script:
    """One run of the demonstration: `run` is its entry in the file, which is `whole`."""

    whole: Json
    run: Json

    def says(self, case: CaseDraft, *, confirms: bool = False) -> Said:
        """The answer to the case; a case that is confirmed may pass the second time."""
        slip = self._slips(self.run.get("passes_again", ()) if confirms else ()).get(case.input)
        seconds = round(0.9 + _share_of(case.input) * (2.6 if self.run["version"] == 1 else 1.9), 3)
        if self.run.get("is_cut_off") and case.input == self.whole["unanswered"]:
            return Said("", (), 60.0, self.whole["why_unanswered"])
        if slip is None:
            return Said(case.reference_answer or "", case.expected_tool_calls, seconds)
        kept = slip.get("tools")
        calls = [call for call in case.expected_tool_calls if kept is None or call["tool"] in kept]
        return Said(slip["answer"], calls, seconds)

    def asks(self, case: CaseDraft) -> bool:
        """Whether rules alone decide the case and there is something to say to it."""
        kinds = [check["type"] for check in case.checks]
        return "judge" not in kinds and bool(case.reference_answer)

    def _slips(self, without: Collection[str]) -> dict[str, Json]:
        chosen = [self.whole["slips"][name] for name in self.run["slips"] if name not in without]
        return {slip["input"]: slip for slip in chosen}


def only_judged(case: CaseDraft) -> bool:
    """Whether nothing but a judge could decide the case, so that it stays unscored without one."""
    return bool(case.checks) and all(check["type"] == "judge" for check in case.checks)


def _share_of(text: str) -> float:
    """The same number from 0 to 1 for the same text, in every process."""
    return sha256(text.encode()).digest()[0] / 255
