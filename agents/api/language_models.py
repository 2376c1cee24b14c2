"""The endpoints of models."""

from uuid import UUID

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.endpoint import Endpoint
from agents.api.shapes import ModelIn, ModelOut, ModelPatch, ModelQuery, TrialIn, TrialOut
from agents.operations.language_models import add_model, change_model, remove_model
from agents.operations.trials import try_model
from agents.queries.connections import find_connection
from agents.queries.language_models import find_model, models_to_choose
from core.api.schema import describe
from core.paging import Order

OLDEST_FIRST = [Order("id")]


class ModelList(Endpoint):
    """The models that can be chosen."""

    @describe("Models", answer=ModelOut, query=ModelQuery, paged="keyset", operation_id="models_list")
    def get(self, request: Request) -> Response:
        """List the models of all connections.

        The oldest first; `q` finds words of a model's label, name or connection.
        """
        query = self.query(ModelQuery)
        return self.keyset(models_to_choose(self.actor, search=query.get("q", "")), OLDEST_FIRST, query, ModelOut)


class ConnectionModels(Endpoint):
    """The models of one connection."""

    @describe("Models", body=ModelIn, answer=ModelOut, status=201, etag=True)
    def post(self, request: Request, connection_id: UUID) -> Response:
        """Offer a model through a connection.

        Needs `connections:manage`.
        """
        find_connection(self.actor, connection_id)
        made = add_model(self.actor, connection_id=connection_id, **self.read(ModelIn))
        return self.answer(made, ModelOut, status=201, location=reverse("api_model", args=[made.pk]))


class ModelDetail(Endpoint):
    """One model."""

    @describe("Models", answer=ModelOut, etag=True)
    def get(self, request: Request, model_id: UUID) -> Response:
        """Read a model."""
        return self.answer(find_model(self.actor, model_id), ModelOut)

    @describe("Models", body=ModelPatch, answer=ModelOut, etag=True)
    def patch(self, request: Request, model_id: UUID) -> Response:
        """Change a model.

        What is left out stays. Needs `connections:manage`.
        """
        self.require_match(find_model(self.actor, model_id, for_change=True), ModelOut)
        return self.answer(change_model(self.actor, model_id=model_id, changes=self.read(ModelPatch)), ModelOut)

    @describe("Models", status=204)
    def delete(self, request: Request, model_id: UUID) -> Response:
        """Remove a model from its connection."""
        remove_model(self.actor, model_id=model_id)
        return Response(status=204)


class ModelTrial(Endpoint):
    """One small call of a model."""

    @describe("Models", body=TrialIn, answer=TrialOut)
    def post(self, request: Request, model_id: UUID) -> Response:
        """Try a model with one small call.

        The answer, or the exact error. Needs `connections:manage`.
        """
        self.read(TrialIn)
        trial = try_model(self.actor, model_id=model_id)
        return Response(self.json_of(trial.as_dict(), TrialOut))
