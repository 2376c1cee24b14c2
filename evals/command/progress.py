"""One line that says how far a test run is (EV-D18, EV-D63)."""

from typing import Any

from evals.command.amounts import duration, money

STATES = {
    "queued": "Queued",
    "running": "Running",
    "confirming": "Confirming changes",
    "cancelling": "Cancelling",
    "cancelled": "Cancelled",
    "stopped": "Stopped",
    "failed": "Failed",
    "completed": "Completed",
}


def progress_line(run: dict[str, Any]) -> str:
    """From the run as the API gives it."""
    status = str(run.get("status"))
    state = STATES.get(status, status)
    if status == "queued":
        ahead = run.get("ahead")
        return f"{state}, {ahead} ahead" if ahead else state
    seen = run.get("progress")
    if not isinstance(seen, dict):
        return state
    parts = [f"{seen.get('answered', 0)} of {seen.get('total', 0)} answered", f"{seen.get('graded', 0)} graded"]
    parts += [f"{seen[name]} {name}" for name in ("passed", "failed", "unscored") if seen.get(name)]
    if seen.get("cost_usd") is not None:
        parts.append(money(seen["cost_usd"], at_least=bool(seen.get("cost_at_least"))))
    if seen.get("seconds_left"):
        parts.append(f"about {duration(seen['seconds_left'])} left")
    return f"{state}: {', '.join(parts)}"
