"""The judge of a dataset as people are told of it: who would grade an answer now, on which model (SC-164, SC-165)."""

from dataclasses import dataclass
from functools import cached_property

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from datasets.models import Dataset
from scoring.logic.findings import Reason
from scoring.logic.pins import AGENT, Pin, pin_hash
from scoring.logic.settings import Settings
from scoring.queries.judges import Identity, NoJudge, judge_of
from scoring.queries.settings import settings_of


@dataclass(frozen=True)
class NamedJudge:
    """`agent_id` is the page of a judge agent that the actor may see, None for any other."""

    settings: Settings
    identity: Identity
    why_not: Reason | None
    may_see_agent: bool

    @property
    def is_asked(self) -> bool:
        """Whether anything that needs the judge is on; otherwise only rules grade."""
        return self.settings.asks_judge

    @property
    def name(self) -> str:
        """Empty for the built-in judge."""
        return self.identity.name

    @property
    def is_agent(self) -> bool:
        return self.identity.kind == AGENT

    @property
    def model(self) -> str:
        return self.identity.model.label if self.identity.model else ""

    @property
    def agent_id(self) -> str | None:
        return self.identity.id if self.is_agent and self.may_see_agent else None

    @cached_property
    def pin(self) -> Pin | None:
        """How answers are graded now; None where no judge takes part. The temperature makes no difference (SC-D5)."""
        return self.identity.pin(self.settings, temperature=self.identity.temperature) if self.is_asked else None

    @property
    def pin_hash(self) -> str:
        return pin_hash(self.pin)


def judge_named(actor: Actor, dataset: Dataset) -> NamedJudge:
    """Who would grade an answer of this dataset for the actor now, and why nobody can where that is so."""
    settings = settings_of(dataset).settings
    found = judge_of(actor, dataset, settings)
    identity = found.identity
    is_agent = identity.kind == AGENT and identity.agent is not None
    sees = is_agent and access.may(actor, Permission.AGENTS_VIEW, identity.agent)
    return NamedJudge(settings, identity, found.cause.reason if isinstance(found, NoJudge) else None, sees)
