"""What stands in the place of erased words: in a whole case, or in the turns of one person and the answers to them."""

from collections.abc import Collection, Sequence
from typing import Any

from core.texts import ERASED_TEXT
from datasets.logic.drafts import CaseDraft

Turn = dict[str, Any]
TEXTS = ("input", "reference_answer", "counter_example", "note")


def without_text(case: CaseDraft) -> CaseDraft:
    """The case with its question, earlier turns, answers and note replaced (ACC-46, ACC-D30).

    What had no value keeps none; roles and the number of turns stay, as do expected calls, checks and tags (ACC-49).
    """
    texts = {name: ERASED_TEXT for name in TEXTS if getattr(case, name) is not None}
    return case.with_changes({**texts, "history": tuple(_erased(turn) for turn in case.history)})


def without_turns_of(case: CaseDraft, turns: Collection[int], *, note: bool) -> CaseDraft:
    """The case with these turns and the agent's answers to them replaced, and its note emptied (ACC-53, ACC-54)."""
    gone = set(turns) | answers_to(case.history, turns)
    history = tuple(_erased(turn) if place in gone else turn for place, turn in enumerate(case.history))
    return case.with_changes({"history": history, **({"note": None} if note else {})})


def answers_to(history: Sequence[Turn], turns: Collection[int]) -> set[int]:
    """The places of the agent's answers to these turns.

    The agent answers everything that was said to it since its last answer, be it by one person or by several.
    """
    found, answered, last = set(), False, "assistant"
    for place, turn in enumerate(history):
        if turn["role"] == "user":
            answered = (answered if last == "user" else False) or place in turns
        elif answered:
            found.add(place)
        last = turn["role"]
    return found


def is_erased(case: CaseDraft) -> bool:
    """Whether any text of the case stands for one that was erased."""
    texts = [getattr(case, name) for name in TEXTS] + [turn.get("content") for turn in case.history]
    return ERASED_TEXT in texts


def _erased(turn: Turn) -> Turn:
    return {**turn, "content": ERASED_TEXT}
