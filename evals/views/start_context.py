"""What the dialog that starts a test run shows: its form with everything to choose from, and the cases to pick."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from json import dumps
from typing import Any
from uuid import UUID

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.actor import Actor
from activity.forms.run_list import id_of
from agents.queries.agents import agents_to_run, versions_of
from core.errors import Conflict, DomainError, Invalid, NotFound
from core.numbers import count
from datasets.models import Dataset
from datasets.queries.case_rows import CaseRows
from datasets.queries.cases import CaseFilter, revisions_of, tags_of
from datasets.queries.seen_cases import SeenCase
from datasets.queries.versions import versions_of as dataset_versions_of
from evals.forms.start import BY_TAGS, CHOSEN, EVERY, NOT_PASSED, StartForm, StartOffers, initial_of
from evals.logic.choices import AUTO, EvalChoices
from evals.models import EvalState
from evals.queries.evals import EvalFilter, evals_of, find_eval
from evals.queries.run_links import choice_of
from scoring.logic.causes import Cause

# So many versions and earlier runs are offered where one is chosen.
OFFERED = 50
# So many cases are shown at once where cases are picked, besides those that are picked already.
CASES_SHOWN = 20
Choices = list[tuple[str, Any]]


@dataclass(frozen=True)
class CasePicker:
    """The cases that are picked, and others of the version that fit the search; `more` says that there are further."""

    search: str
    picked: Sequence[SeenCase]
    others: Sequence[SeenCase]
    more: bool


@dataclass(frozen=True)
class Shown:
    """One problem: the label of its field and where that is, both empty for what concerns no single field."""

    label: str
    anchor: str
    message: str


def start_form(actor: Actor, dataset: Dataset, *, query: Any = None, data: Any = None) -> StartForm:
    """The form of what was sent, or as its address asks for it."""
    if data is None:
        initial = _initial(actor, dataset, QueryDict() if query is None else query)
    else:
        data, initial = _settled(actor, data), {}
    given: Mapping[str, Any] = initial if data is None else data
    offers = StartOffers(
        agents=[(str(agent.pk), agent.name) for agent in agents_to_run(actor)],
        agent_versions=_agent_versions(actor, str(given.get("agent") or "")),
        dataset_versions=_dataset_versions(dataset, str(given.get("dataset_version") or "")),
        tags=[(tag, tag) for tag in tags_of(dataset, version_shown(dataset, given))],
        earlier_runs=_earlier_runs(actor, dataset),
    )
    return StartForm(data, offers=offers, initial=initial)


def version_shown(dataset: Dataset, given: Mapping[str, Any]) -> int:
    """The version whose tags and cases are offered: the chosen one, or the newest."""
    text = str(given.get("dataset_version") or "")
    number = int(text) if text.isdecimal() and len(text) < 10 else 0
    return number if 1 <= number <= dataset.newest_version else dataset.newest_version


def mark_of(choices: EvalChoices) -> str:
    """Equal for equal choices: a start names those whose estimate was on the screen (EV-17).

    In whatever order tags and cases were sent: the list to pick from comes after the first estimate, in its own order.
    """
    named = {"tags": sorted(choices.tags), "case_ids": sorted(choices.case_ids)}
    return sha256(dumps(choices.as_json() | named, sort_keys=True).encode()).hexdigest()[:32]


def case_picker(actor: Actor, dataset: Dataset, number: int, *, search: str, picked: Sequence[str]) -> CasePicker:
    """The picked cases of the version first, then the first others whose question holds the search."""
    ids = [key for key in (id_of(text) for text in picked) if key]
    chosen = revisions_of(actor, dataset, number, CaseFilter()).filter(case_id__in=ids).in_order()
    others = revisions_of(actor, dataset, number, CaseFilter(search=search)).exclude(case_id__in=ids).in_order()
    found = CaseRows(actor, others, number)[0 : CASES_SHOWN + 1]
    shown = CaseRows(actor, chosen, number)[0 : len(ids)] if ids else []
    return CasePicker(search, shown, found[:CASES_SHOWN], len(found) > CASES_SHOWN)


def problems_of(form: StartForm, refusal: DomainError | None) -> list[Shown]:
    """What is wrong with the choices, each with the field that it is about."""
    if not isinstance(refusal, Invalid):
        return [Shown("", "", str(refusal))] if refusal else []
    found = []
    for problem in refusal.problems:
        name = problem.field.partition(".")[0]
        label = str(form.fields[name].label) if name in form.fields else ""
        found.append(Shown(label, form[name].id_for_label if label else "", problem.message))
    return found


def asks_unscored(form: StartForm, refusal: DomainError | None) -> bool:
    """Whether the judge cannot grade now, so that starting without it is a choice to make (EV-D5)."""
    is_refused = isinstance(refusal, Conflict) and refusal.code in set(Cause)
    return is_refused or bool(form["allow_unscored"].value())


def _initial(actor: Actor, dataset: Dataset, query: Any) -> dict[str, Any]:
    """As an earlier run was started, or with what the address names; the agent of the newest run, or the only one."""
    again = _choices_of_run(actor, dataset, id_of(query.get("again")))
    if again is not None:
        return initial_of(again) | {"label": again.label}
    cases = [value.partition(":")[0] for value in [*query.getlist("case"), *query.getlist("chosen")]]
    tags, not_passed = query.getlist("tag"), query.get("not_passed_in", "")
    ways = ((CHOSEN, cases), (BY_TAGS, tags), (NOT_PASSED, not_passed))
    return {
        "agent": query.get("agent") or _usual_agent(actor, dataset),
        "dataset_version": str(version_shown(dataset, query) or ""),
        "which": next((way for way, given in ways if given), EVERY),
        "tags": tags,
        "case_ids": cases,
        "not_passed_in": not_passed,
        "repeats": "1",
        "baseline": query.get("baseline") or AUTO,
        "confirm_changes": True,
    }


def _choices_of_run(actor: Actor, dataset: Dataset, eval_id: UUID | None) -> EvalChoices | None:
    """None where there is no such run of the dataset, or nothing was chosen: its answers were brought along."""
    if eval_id is None:
        return None
    try:
        run = find_eval(actor, eval_id)
        return EvalChoices.of_json(run.options) if run.dataset_id == dataset.pk else None
    except (NotFound, KeyError, TypeError):
        return None


def _usual_agent(actor: Actor, dataset: Dataset) -> str:
    known = [agent.pk for agent in agents_to_run(actor)]
    last = evals_of(actor, dataset).exclude(agent=None).values_list("agent_id", flat=True).first()
    if last in known:
        return str(last)
    return str(known[0]) if len(known) == 1 else ""


def _settled(actor: Actor, data: Any) -> Any:
    """What was sent, with the newest version of an agent that was chosen since the versions were shown."""
    if data.get("agent", "") == data.get("for_agent", ""):
        return data
    data = data.copy()
    data["agent_version"] = next((value for value, _words in _agent_versions(actor, data.get("agent", ""))), "")
    return data


def _agent_versions(actor: Actor, agent_id: str) -> Choices:
    wanted = id_of(agent_id)
    agent = next((agent for agent in agents_to_run(actor) if agent.pk == wanted), None) if wanted else None
    if agent is None:
        return [("", _("Choose an agent first"))]
    found: Choices = []
    for number in versions_of(agent).values_list("number", flat=True)[:OFFERED]:
        words = _("Version %(number)d (latest)") if not found else _("Version %(number)d")
        found.append((str(number), words % {"number": number}))
    return found


def _dataset_versions(dataset: Dataset, chosen: str) -> Choices:
    found: Choices = []
    for version in dataset_versions_of(dataset)[:OFFERED]:
        words = ngettext(
            "Version %(number)d, %(cases)s case", "Version %(number)d, %(cases)s cases", version.case_count
        )
        found.append((str(version.number), words % {"number": version.number, "cases": count(version.case_count)}))
    if chosen and chosen not in dict(found):
        found.append((chosen, _("Version %(number)s") % {"number": chosen}))
    return found or [("", _("No version yet"))]


def _earlier_runs(actor: Actor, dataset: Dataset) -> Choices:
    rows = evals_of(actor, dataset, EvalFilter(states=(EvalState.COMPLETED,)))[:OFFERED]
    return [(run.id_text, choice_of(run)) for run in rows]
