"""What is shown of one case of a comparison: both answers, what was found of each, its calls, cost and latency."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from activity.models import ToolOutcome
from evals.forms.comparison import ComparisonState
from evals.logic.run_results import StoredAttempt
from evals.models import EvalRun
from evals.queries.compared_rows import ComparedSide, ShownComparedCase
from evals.queries.run_links import name_of
from evals.views.comparison_addresses import comparison_address
from scoring.logic.answers import MadeCall


@dataclass(frozen=True)
class AttemptLink:
    """One attempt of a side, and the address that shows it."""

    attempt: StoredAttempt
    href: str
    is_current: bool


@dataclass(frozen=True)
class ShownSide:
    """One of the two sides with its name; `attempts` is empty where there is only one."""

    side: ComparedSide
    name: str
    attempts: tuple[AttemptLink, ...]
    calls: str

    @property
    def scale(self) -> int | None:
        """What grades are out of, where grades may be read."""
        score = self.side.score
        return int(score.score.snapshot.settings["judge"]["scale"]) if score and score.is_readable else None


def case_context(run: EvalRun, other: EvalRun, state: ComparisonState, shown: ShownComparedCase) -> dict[str, Any]:
    """For `evals/compare_panel.html`."""
    before = _side(run, other, state, shown.before, "before")
    after = _side(run, other, state, shown.after, "after")
    return {
        "run": run,
        "other": other,
        "dataset": run.dataset,
        "shown": shown,
        "change": shown.change,
        "before": before,
        "after": after,
        "sides": [side for side in (before, after) if side],
        "has_calls": any(side and side.calls for side in (before, after)),
        "page_href": comparison_address(run.pk, other.pk, state.list_query, case=state.case_id),
    }


def calls_as_text(calls: tuple[MadeCall, ...]) -> str:
    """The calls one below the other, as the difference of two answers compares them; what came of each is said."""
    return "\n".join(_call_lines(calls))


def _call_lines(calls: tuple[MadeCall, ...]) -> Iterator[str]:
    for number, call in enumerate(calls, start=1):
        outcome = f" ({ToolOutcome(call.outcome).label})" if call.is_blocked or call.has_failed else ""
        yield f"{number}. {call.tool}{outcome}"
        if call.arguments:
            yield from ("   " + line for line in _arguments(call.arguments).splitlines())


def _arguments(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, indent=2)


def _side(
    run: EvalRun, other: EvalRun, state: ComparisonState, side: ComparedSide | None, name: str
) -> ShownSide | None:
    if side is None:
        return None
    numbers = {"before": state.before, "after": state.after}

    def href(attempt: StoredAttempt) -> str:
        told = numbers | {name: attempt.number}
        return comparison_address(run.pk, other.pk, state.list_query, case=state.case_id, **told)

    several = side.item.attempts if len(side.item.attempts) > 1 else ()
    links = tuple(AttemptLink(one, href(one), one == side.attempt) for one in several)
    calls = calls_as_text(side.score.calls) if side.score else ""
    return ShownSide(side, name_of(side.run), links, calls)
