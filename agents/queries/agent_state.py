"""How the draft of an agent stands to its newest version (PL-21)."""

from dataclasses import dataclass

from agents.logic.specs import as_draft, spec_of
from agents.logic.specs_difference import Change, difference
from agents.models import Agent, AgentVersion
from agents.queries.agents import newest_version_of
from agents.queries.publishing import Publishing, what_publishing_makes


@dataclass(frozen=True)
class DraftState:
    """`newest` is None before the first version; `changes` are what publishing would change, `making` what it makes."""

    newest: AgentVersion | None
    making: Publishing
    changes: tuple[Change, ...]
    is_edited: bool

    @property
    def can_be_published(self) -> bool:
        return not self.making.problems and (self.newest is None or bool(self.changes))


def draft_state(agent: Agent) -> DraftState:
    """The draft against the newest version; skills are compared by the text that publishing would copy."""
    newest, making = newest_version_of(agent), what_publishing_makes(agent)
    if newest is None:
        return DraftState(None, making, (), agent.draft_revision > 1)
    published = spec_of(agent.kind, newest.spec)
    changes = tuple(difference(published, making.spec))
    is_edited = bool(difference(as_draft(published), spec_of(agent.kind, agent.draft)))
    return DraftState(newest, making, changes, is_edited)
