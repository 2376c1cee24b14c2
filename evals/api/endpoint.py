"""EvalEndpoint: what the endpoints of one test run share."""

from typing import Any
from uuid import UUID

from rest_framework.request import Request

from accounts.api.endpoint import Endpoint
from evals.models import EvalRun
from evals.queries.evals import find_eval


class EvalEndpoint(Endpoint):
    """An endpoint whose address holds a test run's id: who has lost sight of it is told nothing again (EV-D53)."""

    def before_replay(self, request: Request, *args: Any, eval_id: UUID, **kwargs: Any) -> None:
        """Asks for the run as the first time."""
        self.find(eval_id)

    def find(self, eval_id: UUID) -> EvalRun:
        """The run. Raises `NotFound`: before anything of the request is looked at."""
        return find_eval(self.actor, eval_id)
