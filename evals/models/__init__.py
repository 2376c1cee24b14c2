"""The tables of the evals app, one noun a module."""

from evals.models.attempt import Attempt, AttemptKind, AttemptState
from evals.models.eval_item import EvalItem
from evals.models.eval_run import FINAL_STATES, EvalRun, EvalState
from evals.models.worker import Worker

__all__ = ["FINAL_STATES", "Attempt", "AttemptKind", "AttemptState", "EvalItem", "EvalRun", "EvalState", "Worker"]
