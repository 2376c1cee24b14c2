"""Who wrote the earlier turns of a case after somebody edited them."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

Turn = dict[str, Any]


def places_of_turns(before: Sequence[Turn], after: Sequence[Turn]) -> list[set[int]]:
    """For each turn of `after`, the turns of `before` whose words it may hold.

    A turn that says the same holds the same words, wherever it stands now. One that was changed may hold words of every
    turn that stood in its place (ACC-D40), so that an erasure rather takes too much of what was edited than too little.
    """
    old, new = [_said(turn) for turn in before], [_said(turn) for turn in after]
    places = [{place for place, said in enumerate(old) if said == wanted} for wanted in new]
    for tag, old_start, old_end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "replace":
            continue
        for place in range(new_start, new_end):
            if not places[place]:
                places[place] = _stood_there(place - new_start, range(old_start, old_end), new_end - new_start)
    return places


def _stood_there(offset: int, old: range, changed: int) -> set[int]:
    return {old[offset]} if len(old) == changed else set(old)


def _said(turn: Turn) -> tuple[Any, Any]:
    return turn.get("role"), turn.get("content")
