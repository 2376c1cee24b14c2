"""Two states of an agent compared: versions by their numbers, or the draft (PL-21)."""

from dataclasses import dataclass

from agents.logic.specs import KINDS, Spec, spec_of
from agents.logic.specs_difference import Change, difference
from agents.models import Agent
from agents.queries.agents import find_version, versions_of
from agents.queries.publishing import what_publishing_makes
from agents.queries.spec_details import NamedChange, named_changes
from core.limits import LIMITS

DRAFT = "draft"


@dataclass(frozen=True)
class Compared:
    """`first` and `second` are numbers of versions as text, or `draft`; `choices` are the states there are."""

    first: str
    second: str
    choices: tuple[str, ...]
    changes: tuple[NamedChange, ...]


def compare_versions(agent: Agent, first: str, second: str) -> Compared:
    """The changes from the first state to the second; by default from the newest version to the draft.

    What is no state of this agent takes the default. An older version than those listed is found by its number.
    """
    numbers = versions_of(agent).values_list("number", flat=True)[: LIMITS.versions_listed]
    choices = (DRAFT, *(str(number) for number in numbers))
    second = _known(agent, second) or DRAFT
    before = agent.newest_version if second == DRAFT else max(int(second) - 1, 1)
    first = _known(agent, first) or (str(before) if before else DRAFT)
    shown = tuple(dict.fromkeys((*choices, first, second)))
    if first == second:
        return Compared(first, second, shown, ())
    changes = named_changes(agent, difference(_spec(agent, first), _spec(agent, second)))
    return Compared(first, second, shown, tuple(changes))


def changes_between(agent: Agent, since: int, number: int) -> list[Change]:
    """What version `number` has in different from version `since`; 0 is the agent before its first version.

    Raises `NotFound` for a number that the agent does not have.
    """
    before = spec_of(agent.kind, find_version(agent, since).spec) if since else KINDS[agent.kind]()
    return difference(before, spec_of(agent.kind, find_version(agent, number).spec))


def _known(agent: Agent, state: str) -> str:
    if state == DRAFT:
        return state
    is_number = state.isascii() and state.isdigit() and len(state) < 10
    return str(int(state)) if is_number and 1 <= int(state) <= agent.newest_version else ""


def _spec(agent: Agent, state: str) -> Spec:
    """The draft is compared as it would be published, with the text of its skills."""
    if state == DRAFT:
        return what_publishing_makes(agent).spec
    return spec_of(agent.kind, find_version(agent, int(state)).spec)
