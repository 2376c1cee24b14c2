"""The tables of the review app, one noun a module."""

from review.models.decision import Decision, Ruling
from review.models.made_criterion import MadeCriterion, Scope
from review.models.stay import NO_AGENT, Entry, Leaving, Stay

__all__ = ["NO_AGENT", "Decision", "Entry", "Leaving", "MadeCriterion", "Ruling", "Scope", "Stay"]
