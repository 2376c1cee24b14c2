"""Compares the calls an agent made with the calls a case expects (SC-84 to SC-92, SC-D31 to SC-D35, BC-34, BC-35)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from unicodedata import normalize

from core.json_values import compact, deeper_than
from core.limits import LIMITS
from core.problems import gettext_noop
from datasets.logic.credentials import hide_in
from scoring.logic.answers import MadeCall
from scoring.logic.findings import Finding, Json, Origin, Reason, Verdict
from scoring.logic.matching import in_nfc, largest_matching, same_value

FINDING_ID = "tool-calls"
ALL_MADE = gettext_noop("Every expected call was made")
ALL_MADE_FAILED = gettext_noop("Every expected call was made; failed: %(failed)s")
# By whether something is missing, whether something was not expected, and whether an expected call failed.
REASONS = {
    (False, False, False): gettext_noop("Same calls, different order"),
    (False, False, True): gettext_noop("Same calls, different order; failed: %(failed)s"),
    (True, False, False): gettext_noop("Missing: %(missing)s"),
    (True, False, True): gettext_noop("Missing: %(missing)s; failed: %(failed)s"),
    (False, True, False): gettext_noop("Not expected: %(extra)s"),
    (False, True, True): gettext_noop("Not expected: %(extra)s; failed: %(failed)s"),
    (True, True, False): gettext_noop("Missing: %(missing)s; Not expected: %(extra)s"),
    (True, True, True): gettext_noop("Missing: %(missing)s; Not expected: %(extra)s; failed: %(failed)s"),
}
# Said of a call that the agent made and that failed (SC-D33); in English, as the tools' names around it are code.
FAILED_MARK = " (failed)"
SHOWN_ARGUMENT = 200
SHOWN_VALUE = 500
SHOWN_PAIRS = 10
# What the words of a reason around its lists of calls take at most, in any language.
WORDS_CHARACTERS = 200


@dataclass(frozen=True)
class Compared:
    """`matched` has for an expected place the made place that counts for it.

    `missing` are expected places that no call fits in whatever order, `spare` made places that no expected call needs;
    where other calls may come between, spare ones are no fault.
    """

    passed: bool
    number: float
    matched: dict[int, int]
    missing: tuple[int, ...]
    spare: tuple[int, ...]
    spare_is_fault: bool = False


def grade_calls(case_calls: Sequence[Json], order_mode: str, made: Sequence[MadeCall]) -> tuple[Finding, float]:
    """The finding on the expected calls, and the number of SC-D9.

    `about` of the finding is `{"order_mode", "pairs"}`: the pairs are expected and made calls of one name whose
    arguments differ, `{"tool", "outcome", "arguments": [{"name", "expected", "made"}]}`, each value as JSON text and
    `made` None where the call has no such argument (BC-35). Raises `ValueError` where the case expects no calls: that
    is not applicable, whatever the mode (SC-D34).
    """
    if not case_calls:
        raise ValueError("a case without expected calls has nothing to compare")
    expected = [MadeCall(call["tool"], call.get("args") or {}) for call in case_calls]
    compared = _compare(expected, order_mode, made)
    finding = Finding(
        id=FINDING_ID,
        origin=Origin.CALLS,
        verdict=Verdict.PASS if compared.passed else Verdict.FAIL,
        about={"order_mode": order_mode, "pairs": _pairs(expected, made, compared)},
        why=_reason(expected, made, compared),
    )
    return finding, compared.number


def call_fits(expected: MadeCall, made: MadeCall) -> bool:
    """Whether the call has the name and every argument that the case names, which may be null (SC-84, SC-85)."""
    if normalize("NFC", expected.tool) != normalize("NFC", made.tool):
        return False
    if not expected.arguments:
        return True
    return isinstance(made.arguments, dict) and not _differing(expected, made)


def _differing(expected: MadeCall, made: MadeCall) -> list[str]:
    """The names of the expected arguments that the call does not have so."""
    there = in_nfc(made.arguments) if isinstance(made.arguments, dict) else {}
    return [
        name
        for name, value in in_nfc(expected.arguments).items()
        if name not in there or not same_value(value, there[name])
    ]


def _compare(expected: Sequence[MadeCall], order_mode: str, made: Sequence[MadeCall]) -> Compared:
    fits = [[place for place, call in enumerate(made) if call_fits(wanted, call)] for wanted in expected]
    anyhow = largest_matching(fits)
    missing = tuple(place for place in range(len(expected)) if place not in anyhow)
    used = set(anyhow.values())
    spare = tuple(place for place in range(len(made)) if place not in used)
    if order_mode == "exact":
        matched = {place: place for place, right in enumerate(fits) if place in right}
        longest = max(len(expected), len(made))
        return Compared(len(matched) == longest, len(matched) / longest, matched, missing, spare, spare_is_fault=True)
    matched = _in_order(fits) if order_mode == "in_order" else anyhow
    return Compared(len(matched) == len(expected), len(matched) / len(expected), matched, missing, spare)


def _in_order(fits: Sequence[Sequence[int]]) -> dict[int, int]:
    """For each expected call the earliest fitting one after the one before."""
    matched: dict[int, int] = {}
    last = -1
    for place, right in enumerate(fits):
        found = next((made for made in right if made > last), None)
        if found is not None:
            matched[place] = last = found
    return matched


# --- Words


def _reason(expected: Sequence[MadeCall], made: Sequence[MadeCall], compared: Compared) -> Reason:
    # Listed as failed, they need no mark of their own.
    failed = [replace(made[place], outcome="") for place in sorted(compared.matched.values()) if made[place].has_failed]
    if compared.passed:
        return Reason(ALL_MADE_FAILED, {"failed": _list(failed, 1)}) if failed else Reason(ALL_MADE)
    lists = {
        "missing": [expected[place] for place in compared.missing],
        "extra": [made[place] for place in compared.spare] if compared.spare_is_fault else [],
        "failed": failed,
    }
    values = {name: _list(calls, sum(map(bool, lists.values()))) for name, calls in lists.items() if calls}
    return Reason(REASONS[bool(lists["missing"]), bool(lists["extra"]), bool(failed)], values)


def _list(calls: Sequence[MadeCall], lists: int) -> str:
    """The calls side by side, as many as one of so many lists has room for."""
    room = (LIMITS.calls_reason_characters - WORDS_CHARACTERS) // lists
    text = ", ".join(_written(call) for call in calls)
    return text if len(text) <= room else text[: room - 1] + "…"


def _written(call: MadeCall) -> str:
    """`refund(order=12)`, between backticks, and whether it failed."""
    arguments = _readable(call.arguments)
    if isinstance(arguments, dict):
        inside = ", ".join(f"{name}={_short(compact(value), SHOWN_ARGUMENT)}" for name, value in arguments.items())
    else:
        inside = _short(compact(arguments), SHOWN_ARGUMENT) if arguments else ""
    mark = FAILED_MARK if call.has_failed else ""
    return f"`{call.tool}({inside})`{mark}" if inside else f"`{call.tool}`{mark}"


def _pairs(expected: Sequence[MadeCall], made: Sequence[MadeCall], compared: Compared) -> list[Json]:
    """Each missing call beside the spare one of its name that has most of its arguments."""
    spare = list(compared.spare)
    pairs = []
    for place in compared.missing[:SHOWN_PAIRS]:
        wanted = expected[place]
        near = [one for one in spare if normalize("NFC", made[one].tool) == normalize("NFC", wanted.tool)]
        if near:
            nearest = min(near, key=lambda one: len(_differing(wanted, made[one])))
            spare.remove(nearest)
            pairs.append(_pair(wanted, made[nearest]))
    return pairs


def _pair(expected: MadeCall, made: MadeCall) -> Json:
    wanted, there = in_nfc(_readable(expected.arguments)), _readable(made.arguments)
    there = in_nfc(there) if isinstance(there, dict) else there
    arguments = []
    for name in _differing(expected, made):
        value = there.get(name, _ABSENT) if isinstance(there, dict) else there
        found = None if value is _ABSENT else _short(compact(value), SHOWN_VALUE)
        arguments.append({"name": name, "expected": _short(compact(wanted[name]), SHOWN_VALUE), "made": found})
    return {"tool": expected.tool, "outcome": made.outcome, "arguments": arguments}


_ABSENT = object()


def _readable(arguments: Any) -> Any:
    """The arguments with credentials hidden; a mark for what nests too deep to be shown."""
    return "…" if deeper_than(arguments, LIMITS.json_depth) else hide_in(arguments).value


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
