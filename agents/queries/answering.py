"""What an agent's version needs to answer, gathered from the tables: its model, its tools, their secrets (PL-21)."""

from collections.abc import Mapping
from uuid import UUID

from django.utils.translation import gettext as _

from agents.logic.answerers import Answerer, AskedModel, EndpointAgent, ModelAgent, Tool
from agents.logic.specs import EndpointSpec, JudgeSpec, ModelSpec, spec_of
from agents.models import AgentSecret, AgentVersion, LanguageModel
from core.encryption import Undecryptable


class CannotAnswer(Exception):
    """The version cannot answer as things are; `str()` says why, for a person."""


def answerer_of(version: AgentVersion) -> Answerer:
    """What the loop needs to let this version answer, with secrets read. Raises `CannotAnswer`.

    Models and secrets are read as they are now: a version names them, and a changed price or key counts at once.
    """
    spec = spec_of(version.agent.kind, version.spec)
    secrets = _secrets(version.agent_id)
    if isinstance(spec, ModelSpec):
        return _model_agent(version, spec, secrets)
    if isinstance(spec, EndpointSpec):
        key = _value(secrets, spec.secret)
        return EndpointAgent(spec.protocol, spec.url, spec.model, key, spec.seconds)
    if isinstance(spec, JudgeSpec):
        raise CannotAnswer(_("A judge grades answers. It is not asked to answer itself."))
    raise CannotAnswer(_("An external agent is never called."))


def _model_agent(version: AgentVersion, spec: ModelSpec, secrets: Mapping[str, AgentSecret]) -> ModelAgent:
    tools = tuple(
        Tool(
            tool.name,
            tool.description,
            tool.parameters,
            read_only=tool.read_only,
            endpoint=tool.endpoint,
            key=_value(secrets, tool.secret),
            stub=tool.stub,
        )
        for tool in spec.tools
    )
    return ModelAgent(
        model=asked_model(version.agent.organisation_id, spec.model, temperature=spec.temperature),
        instructions=spec.instructions,
        skills=tuple((skill.name, skill.text) for skill in spec.skills),
        tools=tools,
        knowledge=tuple(UUID(base) for base in spec.knowledge),
        max_steps=spec.max_steps,
        seconds=spec.seconds,
    )


def asked_model(organisation_id: UUID, model_id: str | None, *, temperature: float | None = None) -> AskedModel:
    """A model of the organisation with its connection's key; a temperature only where it takes one.

    Raises `CannotAnswer` where there is none chosen, it is gone, or its key cannot be read.
    """
    if not model_id:
        raise CannotAnswer(_("No model is chosen for this agent."))
    models = LanguageModel.objects.filter(connection__organisation=organisation_id).select_related("connection")
    model = models.filter(pk=model_id).first()
    if model is None:
        raise CannotAnswer(_("The model of this agent was removed. Choose another and publish the agent again."))
    try:
        target = model.connection.target()
    except Undecryptable:
        raise CannotAnswer(_("The stored key of the connection cannot be read. Enter it again.")) from None
    return AskedModel(target, model.name, temperature if model.takes_temperature else None, model.prices())


def _secrets(agent_id: UUID) -> dict[str, AgentSecret]:
    return {secret.name: secret for secret in AgentSecret.objects.filter(agent=agent_id)}


def _value(secrets: Mapping[str, AgentSecret], name: str) -> str:
    if not name:
        return ""
    if name not in secrets:
        raise CannotAnswer(_("The secret “%(name)s” of this agent is not set.") % {"name": name})
    try:
        return secrets[name].value()
    except Undecryptable:
        words = _("The stored secret “%(name)s” of this agent cannot be read. Enter it again.")
        raise CannotAnswer(words % {"name": name}) from None
