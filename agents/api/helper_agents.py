"""The endpoints of the helpers, the parts of Casebook that ask models, and which model each asks (GEN-D19)."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import access
from accounts.api.endpoint import Endpoint
from accounts.permissions import Permission
from agents.models import Agent, Helper
from agents.operations.helper_agents import ensure_helpers
from agents.operations.helper_models import set_helper_model
from agents.queries.agents import find_helper, helpers_of, model_of_helper
from core.api.pagination import KeysetQuery
from core.api.schema import describe
from core.api.serializers import Amount, StrictSerializer
from core.errors import NotFound
from core.paging import Order

OLDEST_FIRST = [Order("id")]


class HelperOut(serializers.Serializer[Any]):
    """A helper. `agent` is its id as an agent, whose budget and spending it has; `model` is null where none is set."""

    helper = serializers.ChoiceField(Helper.choices)
    agent = serializers.UUIDField(source="pk")
    name = serializers.CharField()
    description = serializers.CharField()
    model = serializers.SerializerMethodField()
    monthly_budget = Amount(allow_null=True)

    def get_model(self, agent: Any) -> str | None:
        model = model_of_helper(agent)
        return model.id_text if model else None


class HelperPatch(StrictSerializer):
    """What may be changed of a helper."""

    model = serializers.UUIDField(allow_null=True, required=False, help_text="The id of a model, or null for none.")


class HelperEndpoint(Endpoint):
    """An endpoint for those who manage the organisation; one that has no helpers yet gets them here."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        access.require(self.actor, Permission.ORGANISATION_MANAGE)
        ensure_helpers(self.actor.organisation)

    def found(self, helper: str) -> Agent:
        """The helper of this name; raises `NotFound`."""
        if helper not in Helper.values:
            raise NotFound
        return find_helper(self.actor, Helper(helper))


class HelperList(HelperEndpoint):
    """All helpers."""

    @describe("Helpers", answer=HelperOut, query=KeysetQuery, paged="keyset", operation_id="helpers_list")
    def get(self, request: Request) -> Response:
        """List the helpers.

        The parts of Casebook that ask models: who judges answers, for example. Needs `organisation:manage`.
        """
        return self.keyset(helpers_of(self.actor), OLDEST_FIRST, self.query(KeysetQuery), HelperOut)


class HelperDetail(HelperEndpoint):
    """One helper."""

    @describe("Helpers", answer=HelperOut, etag=True)
    def get(self, request: Request, helper: str) -> Response:
        """Read a helper."""
        return self.answer(self.found(helper), HelperOut)

    @describe("Helpers", body=HelperPatch, answer=HelperOut, etag=True)
    def patch(self, request: Request, helper: str) -> Response:
        """Choose the model that a helper asks.

        What is left out stays. Its budget is changed as that of its `agent`. The judge has no model of its own: the
        scoring of each dataset chooses it.
        """
        agent = self.found(helper)
        self.require_match(agent, HelperOut)
        changes = self.read(HelperPatch)
        if "model" in changes:
            agent = set_helper_model(self.actor, agent_id=agent.pk, model_id=changes["model"])
        return self.answer(agent, HelperOut)
