"""What is printed at the end: a table of the results, the regressed cases with their reasons, the gate (EV-D63)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from evals.command.amounts import duration, money, percent, spent
from evals.command.progress import STATES
from evals.command.screen import plain

Json = Mapping[str, Any]
Rows = Iterable[tuple[str, str]]


def run_lines(run: Json, regressed: Sequence[Json], most: int) -> Iterator[str]:
    """The table and the regressed cases, at most so many of them."""
    yield ""
    yield from table(_rows(run))
    if regressed:
        yield from ("", "Regressed cases")
        for case in regressed[:most]:
            yield from _case(case)
        if len(regressed) > most:
            yield f"- … more of them: {plain(run.get('url', ''))}"


def gate_lines(gate: Json) -> Iterator[str]:
    """Whether the gate passed, and each reason why it did not."""
    yield from ("", "Gate passed" if gate.get("passed") is True else "Gate failed")
    for reason in gate.get("reasons") or ():
        yield f"- {plain(reason)}"
    if gate.get("judge"):
        yield plain(gate["judge"].get("words", ""))
    if gate.get("note"):
        yield f"Note: {plain(gate['note'])}"


def estimate_lines(estimate: Json) -> Iterator[str]:
    """What a run would cost, as it is shown before a start (EV-D10)."""
    yield from table(_estimated(estimate))
    yield ""
    yield "This is an estimate: nothing was spent, and nothing is reserved."


def table(rows: Rows) -> Iterator[str]:
    """Two columns. A row without a value is left out."""
    kept = [(name, plain(value)) for name, value in rows if value]
    width = max((len(name) for name, _value in kept), default=0)
    for name, value in kept:
        yield f"{name.ljust(width)}  {value}"


def _rows(run: Json) -> Iterator[tuple[str, str]]:
    yield "State", STATES.get(str(run.get("status")), str(run.get("status")))
    yield "Why", str(run.get("cause") or "")
    yield "Test run", str(run.get("number") or "")
    yield "Label", str(run.get("label") or "")
    yield "Agent", _agent(run.get("agent"))
    yield "Dataset version", str(run.get("dataset_version") or "")
    totals = run.get("totals") or {}
    cases = totals.get("cases")
    if cases:
        yield "Pass rate", _rate(cases)
        yield "Unscored", str(cases.get("unscored", 0))
    yield from _changes(totals.get("changes"))
    if totals.get("cost"):
        yield "Cost", _cost(totals["cost"])
    yield "Time for an answer", _latency(totals.get("latency"))
    yield "Duration", duration(run["seconds"]) if run.get("seconds") is not None else ""


def _agent(agent: Json | None) -> str:
    if not agent:
        return ""
    version = agent.get("version")
    return f"{agent.get('name')}, version {version}" if version else str(agent.get("name"))


def _rate(cases: Json) -> str:
    graded = cases.get("passed", 0) + cases.get("failed", 0)
    if not graded or not cases.get("interval"):
        return "No result: no case was graded"
    low, high = (percent(share) for share in cases["interval"])
    return f"{percent(cases.get('pass_rate'))} ({low.removesuffix('%')} to {high}), {cases['passed']} of {graded}"


def _changes(changes: Json | None) -> Iterator[tuple[str, str]]:
    if not changes:
        yield "Compared with", "nothing"
        return
    for name in ("regressed", "improved"):
        count, confirmed = changes.get(name, 0), changes.get(f"{name}_confirmed", 0)
        yield name.capitalize(), f"{count} ({confirmed} confirmed)" if count else "0"
    for name in ("flaky", "unchanged", "not_comparable"):
        yield name.replace("_", " ").capitalize(), str(changes.get(name, 0))
    if changes.get("graded_differently"):
        yield "Graded differently", str(changes["graded_differently"])
    if changes.get("verdict"):
        b, c, p = changes.get("b", 0), changes.get("c", 0), changes.get("p", 1)
        shown = "p < 0.0001" if p < 0.00005 else f"p = {p:.4f}"
        yield "Is it a change?", f"{changes['verdict']}: {b} from pass to fail, {c} from fail to pass, {shown}"


def _cost(cost: Json) -> str:
    parts = ", ".join(f"{name} {spent(cost.get(name))}" for name in ("agent", "judge", "confirming"))
    return f"{spent(cost.get('total'))} ({parts})"


def _latency(latency: Json | None) -> str:
    if not latency or latency.get("median_ms") is None:
        return ""
    median, high, most = (latency[name] / 1000 for name in ("median_ms", "p95_ms", "maximum_ms"))
    return f"median {median:.1f} s, 95th percentile {high:.1f} s, maximum {most:.1f} s"


def _case(case: Json) -> Iterator[str]:
    """A regressed case with the reasons of its first answers, for who may read them."""
    change = case.get("change") or {}
    state = f"{change.get('passed')} of {change.get('judged')} passed" if change.get("confirmed") else "not confirmed"
    yield f"- {plain(case.get('question') or case.get('case'))} ({state})"
    for reason in case.get("reasons") or ():
        yield f"  - {plain(reason)}"


def _estimated(estimate: Json) -> Iterator[tuple[str, str]]:
    yield "Cases", str(estimate.get("cases"))
    left_out = estimate.get("left_out") or {}
    counted = [(str(name).replace("_", " "), count) for name, count in left_out.items() if count]
    yield "Left out", ", ".join(f"{count} {name}" for name, count in counted)
    yield "Answers", str(estimate.get("attempts"))
    yield "Model", str(estimate.get("model") or "")
    yield "Judge", _judge(estimate.get("judge"))
    yield "Compared with", _compared(estimate)
    for name in ("expected", "highest"):
        amounts = estimate.get(name) or {}
        yield f"Cost, {name}", _estimated_cost(amounts)
        yield f"Calls, {name}", str(amounts.get("calls", ""))
    yield "Duration", duration((estimate.get("expected") or {}).get("seconds"))
    if estimate.get("stops_after") is not None:
        yield "Cost limit", f"reached after about {estimate['stops_after']} of {estimate.get('attempts')} answers"


def _compared(estimate: Json) -> str:
    if not estimate.get("baseline"):
        return "nothing"
    return f"{estimate['baseline']}, which shares {estimate.get('baseline_shares')} of {estimate.get('cases')} cases"


def _judge(judge: Json | None) -> str:
    if not judge:
        return "none takes part"
    named = ", ".join(str(judge[key]) for key in ("name", "model") if judge.get(key))
    return f"{named}: {judge['why_not']}" if judge.get("why_not") else named


def _estimated_cost(amounts: Json) -> str:
    def words(name: str) -> str:
        cost = amounts.get(name) or {}
        return str(cost.get("words") or money(cost.get("amount")))

    return f"{words('total')} (agent {words('agent')}, judge {words('judge')}, confirming {words('confirming')})"
