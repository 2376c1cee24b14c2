"""The one door to the openai package: asking a language model (PL-20)."""

from agents.provider.asking import Ask, Reply, ask
from agents.provider.failures import Cause, ProviderFailure

__all__ = ["Ask", "Cause", "ProviderFailure", "Reply", "ask"]
