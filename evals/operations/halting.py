"""Halt: why a test run cannot go on, and in which state that ends it."""

from evals.models import EvalState
from scoring.logic.findings import Reason


class Halt(Exception):
    """The run ends as `state`; what was graded stays, and it may be resumed (EV-D14, EV-D20, EV-D27, EV-D28)."""

    def __init__(self, state: EvalState, cause: Reason) -> None:
        self.state, self.cause = state, cause
        super().__init__(cause.text)

    @classmethod
    def failed(cls, cause: Reason) -> "Halt":
        return cls(EvalState.FAILED, cause)

    @classmethod
    def stopped(cls, cause: Reason) -> "Halt":
        return cls(EvalState.STOPPED, cause)
