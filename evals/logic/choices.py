"""EvalChoices: what a start asks for, read from the body of the request and checked by itself (EV-D3, EV-D5).

Whether the agent, versions, tags, cases and runs that it names exist is asked where they are looked up.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from typing import Any, Self
from uuid import UUID

from core.limits import LIMITS
from core.problems import Problem, gettext_noop
from core.texts import Found, read_list, text_problems, unknown_keys, wrong_type
from datasets.logic.tags import read_tags

AUTO = "auto"
# What a version can be at the most: the column is a 32-bit number.
LARGEST_VERSION = 2**31 - 1
# As far as the column of the cost limit holds it.
MOST_USD, PLACES, CENTS = 99_999_999, 10, Decimal("0.00")
AMOUNT = re.compile(r"[0-9]{1,10}(\.[0-9]{1,20})?")

REQUIRED = gettext_noop("This is needed.")
NOT_AN_ID = gettext_noop("This is no id.")
NOT_A_FLAG = gettext_noop("This is true or false.")
NOT_WHOLE = gettext_noop("This is a whole number from %(least)d to %(most)d.")
NOT_TEXT = gettext_noop("This must be text, not %(type)s.")
NOT_AN_AMOUNT = gettext_noop("This is an amount in US dollars above 0 and at most %(most)d.")
NO_CASE = gettext_noop("Name at least one case, or leave this out.")
NOT_AN_OBJECT = gettext_noop("This must be an object, not %(type)s.")


@dataclass(frozen=True)
class EvalChoices:
    """Ids are text, in the form that the server gives them; None where the newest, or everything, is meant.

    `baseline` is an id, `auto`, or None to compare with nothing (EV-D40). A case is asked when it has one of `tags`, is
    one of `case_ids` and did not pass in the run `not_passed_in`, as far as each of these is given; with none of them
    every case is. `max_cost_usd` is None without a limit.
    """

    agent: str
    agent_version: int | None = None
    dataset_version: int | None = None
    tags: tuple[str, ...] = ()
    case_ids: tuple[str, ...] = ()
    not_passed_in: str | None = None
    repeats: int = 1
    baseline: str | None = AUTO
    confirm_changes: bool = True
    max_cost_usd: Decimal | None = None
    label: str = ""
    allow_unscored: bool = False

    def as_json(self) -> dict[str, Any]:
        """As a run keeps it; the amount as text, so that no digit is lost."""
        amount = None if self.max_cost_usd is None else str(self.max_cost_usd)
        return {**asdict(self), "tags": list(self.tags), "case_ids": list(self.case_ids), "max_cost_usd": amount}

    @classmethod
    def of_json(cls, stored: Mapping[str, Any]) -> Self:
        amount = stored["max_cost_usd"]
        kept = cls(**{**stored, "tags": tuple(stored["tags"]), "case_ids": tuple(stored["case_ids"])})
        return replace(kept, max_cost_usd=None if amount is None else Decimal(amount))


def read_choices(raw: Any) -> tuple[EvalChoices | None, list[Problem]]:
    """The choices, or None with everything that is wrong, each problem with the path of its field."""
    if not isinstance(raw, dict):
        return None, [wrong_type(NOT_AN_OBJECT, raw)]
    problems = list(unknown_keys(raw, tuple(READERS)))
    values: dict[str, Any] = {}
    for name, read in READERS.items():
        if name not in raw:
            continue
        values[name], wrong = read(raw[name])
        problems += [problem.under(name) for problem in wrong]
    if "agent" not in raw:
        problems.append(Problem("agent", REQUIRED))
    return (None, problems) if problems else (EvalChoices(**values), [])


def read_amount(value: Any) -> Found:
    """A limit in USD as a number or as text such as "12.50"; null for none.

    A number is taken by the digits that were sent: 0.1 is a tenth and not the double next to it. What is below the ten
    places that are kept is refused, since no run could keep such a limit.
    """
    if value is None:
        return None, []
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number or (isinstance(value, str) and AMOUNT.fullmatch(value)):
        amount = Decimal(str(value))
        if 0 < amount <= MOST_USD and round(amount, PLACES):
            return Decimal(written_amount(round(amount, PLACES))), []
    return None, [Problem("", NOT_AN_AMOUNT, {"most": MOST_USD})]


def written_amount(amount: Decimal) -> str:
    """With every digit that says something, to the cent at least: "1.50", "0.0001"."""
    return f"{amount.normalize() + CENTS:f}"


def _id(value: Any) -> Found:
    try:
        return str(UUID(value)), []
    except (ValueError, TypeError, AttributeError):
        return None, [Problem("", NOT_AN_ID)]


def _id_or_none(value: Any) -> Found:
    return (None, []) if value is None else _id(value)


def _baseline(value: Any) -> Found:
    return (AUTO, []) if isinstance(value, str) and value == AUTO else _id_or_none(value)


def _whole(least: int, most: int, *, or_none: bool) -> Callable[[Any], Found]:
    def read(value: Any) -> Found:
        if value is None and or_none:
            return None, []
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value, []
        return None, [Problem("", NOT_WHOLE, {"least": least, "most": most})]

    return read


def _flag(value: Any) -> Found:
    return (value, []) if isinstance(value, bool) else (None, [Problem("", NOT_A_FLAG)])


def _case_ids(value: Any) -> Found:
    """The ids in their order, each once. An empty list is refused: it would run everything, or nothing."""
    if value is None:
        return (), []
    ids, problems = read_list(value, LIMITS.cases, _id)
    if not problems and not ids:
        problems = [Problem("", NO_CASE)]
    return ((), problems) if problems else (tuple(dict.fromkeys(ids)), [])


def _label(value: Any) -> Found:
    if value is None:
        return "", []
    if not isinstance(value, str):
        return "", [wrong_type(NOT_TEXT, value)]
    label = " ".join(value.split())
    return label, text_problems(label, LIMITS.eval_label_characters)


READERS: Mapping[str, Callable[[Any], Found]] = {
    "agent": _id,
    "agent_version": _whole(1, LARGEST_VERSION, or_none=True),
    "dataset_version": _whole(1, LARGEST_VERSION, or_none=True),
    "tags": read_tags,
    "case_ids": _case_ids,
    "not_passed_in": _id_or_none,
    "repeats": _whole(1, LIMITS.eval_repeats, or_none=False),
    "baseline": _baseline,
    "confirm_changes": _flag,
    "max_cost_usd": read_amount,
    "label": _label,
    "allow_unscored": _flag,
}
