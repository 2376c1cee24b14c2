"""The tables of the scoring app, one noun a module."""

from scoring.models.answer_set import AnswerSet
from scoring.models.grading_settings import GradingSettings, GradingSnapshot
from scoring.models.score import JudgeTrouble, Score, ScoreOrigin, ScoreOutcome, ScoreState
from scoring.models.score_attempt import ScoreAttempt
from scoring.models.waiting_answer import WaitingAnswer

__all__ = [
    "AnswerSet",
    "GradingSettings",
    "GradingSnapshot",
    "JudgeTrouble",
    "Score",
    "ScoreAttempt",
    "ScoreOrigin",
    "ScoreOutcome",
    "ScoreState",
    "WaitingAnswer",
]
