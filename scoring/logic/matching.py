"""When two values of JSON are equal, and the largest one-to-one matching (SC-D31, SC-D32)."""

from collections.abc import Sequence
from typing import Any
from unicodedata import normalize


def same_value(one: Any, other: Any) -> bool:
    """Deep equality of JSON: strings in NFC, numbers by value, a boolean is no number, objects and lists whole.

    Without recursion, since the agent's arguments may nest as deep as they like.
    """
    pairs = [(one, other)]
    while pairs:
        left, right = pairs.pop()
        if isinstance(left, dict) and isinstance(right, dict):
            left, right = in_nfc(left), in_nfc(right)
            if left.keys() != right.keys():
                return False
            pairs += [(left[key], right[key]) for key in left]
        elif isinstance(left, list | tuple) and isinstance(right, list | tuple):
            if len(left) != len(right):
                return False
            pairs += zip(left, right, strict=True)
        elif not _same_simple(left, right):
            return False
    return True


def in_nfc(named: dict[str, Any]) -> dict[str, Any]:
    """The same with its keys in NFC."""
    return {normalize("NFC", key): value for key, value in named.items()}


def _same_simple(one: Any, other: Any) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return normalize("NFC", one) == normalize("NFC", other)
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return one == other
    return one is None and other is None


def largest_matching(fits: Sequence[Sequence[int]]) -> dict[int, int]:
    """For each left place the right place it is matched with, in a largest one-to-one matching.

    `fits` lists for each left place the right places that fit, the preferred first. Kuhn's augmenting paths: a left
    place takes a right one from another that can move on, which first-come would miss.
    """
    taken: dict[int, int] = {}

    def finds_place(left: int, tried: set[int]) -> bool:
        for right in fits[left]:
            if right in tried:
                continue
            tried.add(right)
            if right not in taken or finds_place(taken[right], tried):
                taken[right] = left
                return True
        return False

    for left in range(len(fits)):
        finds_place(left, set())
    return {left: right for right, left in sorted(taken.items(), key=lambda pair: pair[1])}
