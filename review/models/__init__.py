"""The tables of the review app, one noun a module."""

from review.models.stay import NO_AGENT, Entry, Leaving, Stay

__all__ = ["NO_AGENT", "Entry", "Leaving", "Stay"]
