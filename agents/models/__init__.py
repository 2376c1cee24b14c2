"""The tables of the agents app, one noun a module."""

from agents.models.connection import Connection
from agents.models.language_model import LanguageModel

__all__ = ["Connection", "LanguageModel"]
