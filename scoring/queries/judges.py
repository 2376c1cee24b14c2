"""Which judge grades a dataset's answers for somebody, or why none can (SC-93 to SC-98, SC-130, SC-D1)."""

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from agents.logic.answerers import AskedModel
from agents.logic.specs import JudgeSpec, spec_of
from agents.logic.targets import Provider
from agents.models import Agent, AgentKind, AgentVersion, Helper, LanguageModel
from agents.queries.agents import newest_version_of, versions_of
from agents.queries.draft_parts import model_of
from agents.queries.spending import why_over_budget
from core.encryption import Undecryptable
from datasets.models import Dataset
from scoring.logic.causes import Cause
from scoring.logic.hashes import criteria_hash, instructions_hash
from scoring.logic.pins import AGENT, BUILT_IN, Pin
from scoring.logic.prompt import JUDGE_TASK_VERSION
from scoring.logic.settings import Settings

# Endpoints that others run may want no key; these always do.
KEYED = (Provider.OPENAI, Provider.AZURE)


@dataclass(frozen=True)
class Identity:
    """What is known of a judge, also of one that cannot grade (SC-147).

    `agent` is the row that its runs and its budget belong to: the organisation's helper or a judge agent, None where
    that is gone or was never needed. `version` is the published one of a judge agent. `instructions` are all that it
    is told besides the task: its own, then the dataset's.
    """

    kind: str
    id: str | None
    number: int | None
    instructions: str
    agent: Agent | None = None
    version: AgentVersion | None = None
    model: LanguageModel | None = None
    temperature: float | None = None

    @property
    def name(self) -> str:
        """What people call it; empty for the built-in one, which the console names in the reader's language."""
        return self.agent.name if self.agent and self.kind == AGENT else ""

    def pin(self, settings: Settings, *, temperature: float | None) -> Pin:
        """By which judge and how an answer is graded (SC-D4); `temperature` is what was sent, or would have been."""
        return Pin(
            judge_kind=self.kind,
            judge_id=self.id,
            judge_version=self.number,
            provider=self.model.connection.provider if self.model else None,
            model=self.model.name if self.model else None,
            criteria_hash=criteria_hash(settings),
            task_version=JUDGE_TASK_VERSION,
            instructions_hash=instructions_hash(self.instructions),
            temperature=temperature,
        )


@dataclass(frozen=True)
class NoJudge:
    """Nobody can grade now, for this one of the first seven causes of SC-130."""

    cause: Cause
    identity: Identity

    def pin(self, settings: Settings) -> Pin:
        """What it would have been graded by, as far as that is known."""
        return self.identity.pin(settings, temperature=self.identity.temperature)


@dataclass(frozen=True)
class Judge:
    """A judge that can be asked now, with its model's key, which no text of this object shows."""

    identity: Identity
    asked: AskedModel
    takes_json_schema: bool

    def pin(self, settings: Settings) -> Pin:
        """What it grades by as it stands; what a call really sent is told by `Identity.pin`."""
        return self.identity.pin(settings, temperature=self.identity.temperature)

    @property
    def agent_id(self) -> UUID | None:
        """Whose budget pays; None in an organisation whose built-in judge has never graded."""
        return self.identity.agent.pk if self.identity.agent else None


def judge_of(actor: Actor, dataset: Dataset, settings: Settings, *, number: int | None = None) -> Judge | NoJudge:
    """The judge that these settings choose, as it is now, for this person; or the first cause why it cannot grade.

    The built-in judge asks the model of these settings and no other, whatever is cheap or preferred (SC-57); running
    it needs no permission of its own. A judge agent brings model and instructions of its newest version, which the
    instructions of the dataset follow, and running it needs `agents:run` on it (SC-D1). `number` is that of another
    version, to which a test run is pinned (EV-35).
    """
    found = _agent_judge(dataset, settings, number) if settings.judge_agent else _built_in(dataset, settings)
    if isinstance(found, NoJudge):
        return found
    return _ready(actor, found)


def _built_in(dataset: Dataset, settings: Settings) -> Identity:
    agent = Agent.objects.filter(organisation_id=dataset.organisation_id, helper=Helper.JUDGE).first()
    known = Identity(
        BUILT_IN, str(agent.pk) if agent else None, JUDGE_TASK_VERSION, settings.instructions.strip(), agent
    )
    return _with_model(known, dataset, settings.judge_model, temperature=0)


def _agent_judge(dataset: Dataset, settings: Settings, number: int | None) -> Identity | NoJudge:
    """Whether the person may run it is asked last but one: what is wrong with it is wrong for everybody."""
    wanted: Any = settings.judge_agent
    known = Identity(AGENT, wanted, None, settings.instructions.strip())
    rows = Agent.objects.filter(organisation_id=dataset.organisation_id, kind=AgentKind.JUDGE, helper="")
    agent = rows.filter(pk=wanted).first()
    if agent is None:
        return NoJudge(Cause.MISSING, known)
    known = replace(known, agent=agent)
    version = newest_version_of(agent) if number is None else versions_of(agent).filter(number=number).first()
    if version is None:
        return NoJudge(Cause.UNPUBLISHED, known)
    spec: Any = spec_of(JudgeSpec.kind, version.spec)
    told = "\n\n".join(part for part in (spec.instructions.strip(), known.instructions) if part)
    known = replace(known, version=version, number=version.number, instructions=told)
    known = _with_model(known, dataset, spec.model, temperature=spec.temperature)
    return known if agent.is_active else NoJudge(Cause.ARCHIVED, known)


def _with_model(known: Identity, dataset: Dataset, model_id: str | None, *, temperature: float) -> Identity:
    model = model_of(dataset.organisation_id, model_id)
    if model is None:
        return known
    return replace(known, model=model, temperature=temperature if model.takes_temperature else None)


def _ready(actor: Actor, known: Identity) -> Judge | NoJudge:
    """The causes that both kinds share, in the order of SC-130: model, key, permission, budget."""
    model = known.model
    if model is None:
        return NoJudge(Cause.MODEL_MISSING, known)
    try:
        target = model.connection.target()
    except Undecryptable:
        return NoJudge(Cause.KEY_MISSING, known)
    if not target.key and target.provider in KEYED:
        return NoJudge(Cause.KEY_MISSING, known)
    if known.kind == AGENT and not access.may(actor, Permission.AGENTS_RUN, known.agent):
        return NoJudge(Cause.FORBIDDEN, known)
    if known.agent is not None and why_over_budget(known.agent.pk):
        return NoJudge(Cause.BUDGET, known)
    asked = AskedModel(target, model.name, known.temperature, model.prices())
    return Judge(known, asked, model.takes_json_schema)
