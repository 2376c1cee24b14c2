"""What the end of an agent's answer means for the attempt that asked for it (EV-D19, EV-D20, EV-D23, EV-D24)."""

import re
from enum import StrEnum
from hashlib import sha256


class AttemptEnd(StrEnum):
    """An answer is graded; the agent's own time or step limit is its behaviour, graded as an empty answer."""

    ANSWER = "answer"
    EMPTY_ANSWER = "empty_answer"
    OVER_BUDGET = "over_budget"
    ERROR = "error"
    CANCELLED = "cancelled"


# By the ending of the agent's loop.
MEANS = {
    "completed": AttemptEnd.ANSWER,
    "max_steps": AttemptEnd.EMPTY_ANSWER,
    "timed_out": AttemptEnd.EMPTY_ANSWER,
    "over_budget": AttemptEnd.OVER_BUDGET,
    "failed": AttemptEnd.ERROR,
    "cancelled": AttemptEnd.CANCELLED,
}
# Numbers and ids, such as that of a request, by which equal errors would look different.
NAMES_OF_ONE = re.compile(r"\S*\d\S*")
FIRST, IN_A_ROW = 10, 20
KEY_CHARACTERS = 64


def error_key(cause: str, error: str) -> str:
    """What equal permanent errors share."""
    told = NAMES_OF_ONE.sub("#", error)
    return sha256(f"{cause}\n{told}".encode()).hexdigest()[:KEY_CHARACTERS]


def same_error_of_first(keys: list[str]) -> bool:
    """Whether the first attempts that ended are so many and failed alike; `keys` are empty for other ends."""
    return len(keys) >= FIRST and bool(keys[0]) and len(set(keys[:FIRST])) == 1


def same_error_in_a_row(keys: list[str]) -> bool:
    """The same of the last ones, the newest first."""
    return len(keys) >= IN_A_ROW and bool(keys[0]) and len(set(keys[:IN_A_ROW])) == 1
