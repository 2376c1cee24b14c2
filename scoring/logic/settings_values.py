"""Reading single grading settings from outside: switches, the judge and its criteria, default checks (SC-D16, SC-D17).

Each reader takes a value and the child that reads patterns and schemas, and gives the value as it is stored with
everything that is wrong with it. Credentials are hidden first, as in a case: what is stored is shown to everybody who
reads the dataset, and is written into the log.
"""

import re
from collections.abc import Callable
from typing import Any
from uuid import UUID

from core.limits import LIMITS
from core.problems import Problem, gettext_noop
from core.reading_child import ReadingChild
from core.texts import Found, read_list, text_problems, unknown_keys, wrong_type
from datasets.logic.checks import read_checks
from datasets.logic.credentials import hide, hide_in
from scoring.logic.settings import RESERVED_NAMES, REVIEW_BY_PERSON, Json

NOT_TEXT = gettext_noop("This must be text, not %(type)s.")
NOT_A_LIST = gettext_noop("This must be a list, not %(type)s.")
EMPTY = gettext_noop("This must not be empty.")
NO_MODEL = gettext_noop("There is no model of this id.")
NO_JUDGE = gettext_noop("There is no judge of this id that you can see.")
JUDGE_AS_DEFAULT = gettext_noop(
    "A criterion for every case belongs to the criteria of the judge; a default check cannot be one."
)
# Ids that the server gave; kept when they are sent back, so that renaming a criterion loses no history.
CRITERION_ID = re.compile(r"c-[0-9a-f]{4,32}")


def read_flag(value: Any, _child: ReadingChild) -> Found:
    """True or false."""
    return (value, []) if isinstance(value, bool) else (None, [Problem("", gettext_noop("This is true or false."))])


def read_review(value: Any, _child: ReadingChild) -> Found:
    """Which scores a person looks at (RV-37)."""
    if value in REVIEW_BY_PERSON and isinstance(value, str):
        return value, []
    known = ", ".join(REVIEW_BY_PERSON)
    return None, [Problem("", gettext_noop("Choose one of: %(known)s."), {"known": known})]


def read_scale(value: Any, _child: ReadingChild) -> Found:
    """The highest grade."""
    return _whole(value, 2, LIMITS.scale)


def read_pass_mark(value: Any, _child: ReadingChild) -> Found:
    """The lowest grade that passes; whether the scale reaches it is asked once the settings are merged (SC-51)."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 2:
        return value, []
    text = gettext_noop("This is a whole number from 2 to the scale: a mark of 1 would let everything pass.")
    return None, [Problem("", text)]


def read_agent(value: Any, _child: ReadingChild) -> Found:
    """The id of a judge agent, or null for the built-in judge (SC-D1)."""
    return _id(value, NO_JUDGE)


def read_model(value: Any, _child: ReadingChild) -> Found:
    """The id of a model, or null where none is chosen."""
    return _id(value, NO_MODEL)


def read_instructions(value: Any, _child: ReadingChild) -> Found:
    """What the judge is told beside the criteria."""
    if not isinstance(value, str):
        return None, [wrong_type(NOT_TEXT, value)]
    text = hide(_lines(value)).text
    return text, text_problems(text, LIMITS.judge_instructions_characters)


def read_default_checks(value: Any, child: ReadingChild) -> Found:
    """The checks that every case receives, by the rules of a case's own; none is for the judge (SC-D23)."""
    if not isinstance(value, list):
        return None, [wrong_type(NOT_A_LIST, value)]
    if len(value) > LIMITS.default_checks:
        return read_list(value, LIMITS.default_checks, lambda check: (check, []))
    checks, problems = read_checks(hide_in(value).value, child)
    asks_judge = [
        place for place, check in enumerate(value) if isinstance(check, dict) and check.get("type") == "judge"
    ]
    problems = [problem for problem in problems if problem.field.partition(".")[0] not in map(str, asks_judge)]
    return list(checks), [*problems, *(Problem(f"{place}.type", JUDGE_AS_DEFAULT) for place in asks_judge)]


def read_criteria(value: Any, _child: ReadingChild) -> Found:
    """The rubric in its order; the id is empty for a criterion that is new."""
    if not isinstance(value, list):
        return None, [wrong_type(NOT_A_LIST, value)]
    criteria, problems = read_list(hide_in(value).value, LIMITS.criteria, _criterion)
    return list(criteria), [*problems, *_repeated(criteria)]


def _criterion(value: Any) -> Found:
    if not isinstance(value, dict):
        return {}, [wrong_type(gettext_noop("A criterion is an object, not %(type)s."), value)]
    problems = list(unknown_keys(value, ("id", "name", "criterion", "required")))
    name, wrong_name = _needed(value, "name", LIMITS.criterion_name_characters)
    words, wrong_words = _needed(value, "criterion", LIMITS.criterion_characters)
    required = value.get("required", True)
    problems += [*wrong_name, *wrong_words, *_wrong_id(value.get("id"))]
    if not wrong_name and name.casefold() in RESERVED_NAMES:
        problems.append(Problem("name", gettext_noop("This name is reserved.")))
    if not isinstance(required, bool):
        problems.append(Problem("required", gettext_noop("This is true or false.")))
    return {"id": value.get("id") or "", "name": name, "criterion": words, "required": required}, problems


def _needed(value: Json, key: str, limit: int) -> Found:
    text = value.get(key)
    if not isinstance(text, str):
        missing = Problem(key, gettext_noop("A criterion needs this."))
        return "", [missing if key not in value else wrong_type(NOT_TEXT, text).under(key)]
    text = _lines(text).strip()
    problems = text_problems(text, limit) if text else [Problem("", EMPTY)]
    return text, [problem.under(key) for problem in problems]


def _wrong_id(value: Any) -> list[Problem]:
    if value in (None, "") or (isinstance(value, str) and CRITERION_ID.fullmatch(value)):
        return []
    return [Problem("id", gettext_noop("This is no id of a criterion. Leave it out, and a new criterion gets one."))]


def _repeated(criteria: tuple[Json, ...]) -> list[Problem]:
    """Names and ids that stand there twice, at each place after the first."""
    problems, seen = [], set()
    same: list[tuple[str, Callable[[str], str], str]] = [
        ("name", str.casefold, gettext_noop("Another criterion has this name.")),
        ("id", str, gettext_noop("Another criterion has this id.")),
    ]
    for place, criterion in enumerate(criteria):
        for key, fold, text in same:
            value = criterion.get(key)
            if not isinstance(value, str) or not value:
                continue
            if (key, fold(value)) in seen:
                problems.append(Problem(f"{place}.{key}", text))
            seen.add((key, fold(value)))
    return problems


def _whole(value: Any, least: int, most: int) -> Found:
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value, []
    values = {"least": least, "most": most}
    return None, [Problem("", gettext_noop("This is a whole number from %(least)d to %(most)d."), values)]


def _id(value: Any, unknown: str) -> Found:
    if value is None:
        return None, []
    try:
        return str(UUID(value)), []
    except (ValueError, TypeError, AttributeError):
        return None, [Problem("", unknown)]


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
