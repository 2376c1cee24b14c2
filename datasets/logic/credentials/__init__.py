"""Hides credentials before anything is stored: one function for cases, drafts, prompts and reasons (DS-D62)."""

from datasets.logic.credentials.hiding import Hidden, HiddenValue, hide, hide_in
from datasets.logic.credentials.marker import MARKER, MARKER_PATTERN, marker

__all__ = ["MARKER", "MARKER_PATTERN", "Hidden", "HiddenValue", "hide", "hide_in", "marker"]
