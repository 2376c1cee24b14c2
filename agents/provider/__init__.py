"""The one door to the openai package: asking a language model (PL-20)."""

from agents.provider.asking import Ask, Reply, ask
from agents.provider.failures import Cause, ProviderFailure, without_key
from agents.provider.streaming import OnText, ask_streaming

__all__ = ["Ask", "Cause", "OnText", "ProviderFailure", "Reply", "ask", "ask_streaming", "without_key"]
