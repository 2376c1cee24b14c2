"""The head of a comparison: both runs as their reader may know them, what differs, and the offer to grade anew."""

from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from accounts.actor import Actor
from core.numbers import count
from datasets.queries.running import offer_to_run
from evals.logic.configurations import PARTS, Difference
from evals.models import EvalRun, EvalState
from evals.queries.anew import graded_anew, source_of
from evals.queries.calibrations import calibration_of_run
from evals.queries.comparison import Comparison
from evals.queries.run_links import name_of
from evals.queries.shown_items import sight_of_run
from scoring.forms.grading import label_of
from scoring.logic.hashes import sha256_of_json
from scoring.logic.pins import Pin
from scoring.places import Calibration
from scoring.queries.reason_words import fields_in_words
from scoring.queries.settings import settings_of


@dataclass(frozen=True)
class ShownRun:
    """One of the two runs; agent and model are empty for who does not see that agent."""

    run: EvalRun
    name: str
    sees_agent: bool

    @property
    def agent(self) -> str:
        """Who answered, in words, as far as the reader may know it."""
        if self.sees_agent and self.run.agent:
            return self.run.agent.name
        if self.run.agent_id:
            return _("Not visible to you")
        return _("Deleted agent") if self.run.has_agent else _("Stored answers")

    @property
    def agent_version(self) -> int | None:
        return self.run.agent_version.number if self.sees_agent and self.run.agent_version else None

    @property
    def model(self) -> str:
        return (self.run.kept.get("model") or "") if self.sees_agent else ""

    @property
    def answers(self) -> str:
        """What the stored answers are called; they are named to whoever sees the dataset."""
        return self.run.label if self.run.answer_set_id else ""


@dataclass(frozen=True)
class ShownDifference:
    """One thing that differs: its values where they are short, and the fields of settings and judges by name."""

    part: str
    label: str | Promise
    old: str = ""
    new: str = ""
    fields: tuple[str, ...] = ()
    old_pin: Pin | None = None
    new_pin: Pin | None = None


def shown_run(actor: Actor, run: EvalRun) -> ShownRun:
    """The run with its name; one query at the most."""
    return ShownRun(run, name_of(run), sight_of_run(actor, run).sees_agent)


def shown_differences(actor: Actor, comparison: Comparison, before: EvalRun, after: EvalRun) -> list[ShownDifference]:
    """What differs, in words (EV-D39); what the reader may not know of an agent is not said."""
    sides = (shown_run(actor, before), shown_run(actor, after))
    return [_shown(difference, *sides) for difference in comparison.differences]


def anew_context(actor: Actor, comparison: Comparison, before: EvalRun, after: EvalRun) -> dict[str, Any]:
    """Where the two were graded differently: in what, and whether the older one's answers can be scored anew."""
    pins = [one.fields for one in comparison.differences if one.part == "pin"]
    if not pins:
        return {"graded_differently": []}
    older, newer = sorted((before, after), key=lambda run: (run.created_at, run.number))
    stored = settings_of(before.dataset).stored
    known = graded_anew(older, sha256_of_json(stored), newer.pin_hash)
    return {
        "graded_differently": fields_in_words(pins[0]),
        "older": older,
        "newer": newer,
        "older_name": name_of(older),
        "anew_offer": offer_to_run(actor, before.dataset),
        "anew_known": known,
        "anew_is_of_other": source_of(newer) == older.pk,
    }


def calibrations_of(comparison: Comparison, before: EvalRun, after: EvalRun) -> list[tuple[str, Calibration]]:
    """Whether the judges that graded are calibrated: one entry where both runs have the same, without a name."""
    found = [
        (after, calibration_of_run(after, comparison.after)),
        (before, calibration_of_run(before, comparison.before)),
    ]
    known = [(run, one) for run, one in found if one is not None]
    if len({one.href for _run, one in known}) < len(known):
        return [("", known[0][1])]
    return [(name_of(run), one) for run, one in known]


def ends_in_words(*runs: EvalRun) -> list[str]:
    """What is to be known of runs that have no full result (EV-D16)."""
    told = []
    for run in runs:
        if not run.is_final:
            words = _("%(name)s is still at work: what is shown is what it has brought until now.")
        elif run.state != EvalState.COMPLETED:
            words = _("%(name)s ended before its end, so a part of its cases may have no result.")
        else:
            continue
        told.append(words % {"name": name_of(run)})
    return told


def _shown(difference: Difference, before: ShownRun, after: ShownRun) -> ShownDifference:
    label = _(PARTS[difference.part])
    if difference.part == "settings":
        return ShownDifference("settings", label, fields=tuple(label_of(key) for key in difference.fields))
    if difference.part == "pin":
        fields = tuple(fields_in_words(difference.fields))
        return ShownDifference("pin", label, fields=fields, old_pin=difference.old, new_pin=difference.new)
    values = {
        "agent": (before.agent, after.agent),
        "agent_version": (_number(before.agent_version), _number(after.agent_version)),
        "answers": (before.answers or "–", after.answers or "–"),
        "model": (before.model or "–", after.model or "–"),
        "dataset_version": (_number(difference.old), _number(difference.new)),
    }
    return ShownDifference(difference.part, label, *values[difference.part])


def _number(value: Any) -> str:
    return count(value)
