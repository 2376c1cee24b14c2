"""What buttons of the grading form change on the screen without saving anything (SC-26, SC-125, SC-127, SC-D51)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.limits import LIMITS
from scoring.forms.grading import GradingForm
from scoring.logic.settings import Json
from scoring.logic.suggestions import suggested_rules


@dataclass(frozen=True)
class Act:
    """The values on the screen after an act, and what it was: `rule_added` of the criterion at `place`, and so on."""

    name: str
    values: Json
    place: int | None = None


def act_of(form: GradingForm, sent: Mapping[str, str]) -> Act | None:
    """The act that a button asked for, or None where the form is to be saved."""
    body = form.body()
    if "yes_no" in sent:
        return Act("yes_no", body | {"judge": body["judge"] | {"scale": 2, "pass_at": 2}})
    if "turn_on" in sent:
        return Act("compares", body | {"reference_answer": body["reference_answer"] | {"enabled": True}})
    if "drop" in sent:
        return _dropped(body, sent["drop"])
    return _with_rule(form, body, sent["add_rule"]) if "add_rule" in sent else None


def _with_rule(form: GradingForm, body: Json, wanted: str) -> Act:
    """`wanted` is the place of a row and the kind of its suggestion: `1:length`. The criterion stays."""
    place, _colon, kind = wanted.partition(":")
    rows = form.criteria.rows
    words = rows[int(place)].values.get("criterion", "") if place.isdigit() and int(place) < len(rows) else ""
    defaults = body["checks"]["defaults"]
    rule = next((one.check for one in suggested_rules(words, defaults) if one.kind == kind), None)
    if rule is None or len(defaults) >= LIMITS.default_checks:
        return Act("nothing", body)
    checks = body["checks"] | {"enabled": True, "defaults": [*defaults, rule]}
    written = form.criteria.written
    return Act("rule_added", body | {"checks": checks}, written.index(rows[int(place)]))


def _dropped(body: Json, place: str) -> Act:
    criteria: list[Any] = body["judge"]["criteria"]
    kept = [one for number, one in enumerate(criteria) if str(number) != place]
    return Act("dropped", body | {"judge": body["judge"] | {"criteria": kept}})
