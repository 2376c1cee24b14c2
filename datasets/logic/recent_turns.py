"""How much of an earlier conversation a case takes along (DS-D61)."""

from collections.abc import Sequence
from typing import Any

from core.limits import LIMITS


def how_many_fit(turns: Sequence[Any]) -> int:
    """How many of the turns fit, counted from the most recent back: at most 100, none longer than a case's text.

    A turn has its `text`. One that is too long ends what comes along, so that no gap stands in the conversation.
    """
    fitting = 0
    for turn in reversed(turns[-LIMITS.history_turns :]):
        if len(turn.text) > LIMITS.text_characters:
            break
        fitting += 1
    return fitting
