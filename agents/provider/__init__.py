"""The one door to the openai package: asking a language model (PL-20)."""

from agents.provider.asking import Ask, Reply, ask
from agents.provider.clock import Waiting, counted_waiting, limit_of
from agents.provider.failures import Cause, ProviderFailure, without_key
from agents.provider.pacing import Pace
from agents.provider.sharing import pace_of, shared_calls
from agents.provider.streaming import OnText, ask_streaming
from agents.provider.trying import Setback, Tries

__all__ = [
    "Ask",
    "Cause",
    "OnText",
    "Pace",
    "ProviderFailure",
    "Reply",
    "Setback",
    "Tries",
    "Waiting",
    "ask",
    "ask_streaming",
    "counted_waiting",
    "limit_of",
    "pace_of",
    "shared_calls",
    "without_key",
]
