"""What skills and knowledge bases ask alike of what people type: name, description, visibility."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import Visibility
from accounts.operations.naming import clean_name
from core.errors import Invalid, Problem
from core.limits import LIMITS
from core.refusals import said
from core.texts import text_problems


def checked(given: Mapping[str, Any], *, texts: Mapping[str, int] | None = None) -> dict[str, Any]:
    """The values as they are stored. Raises `Invalid` with every problem.

    `name` and `visibility` have their own rules; `description` and what `texts` names are texts, each up to so many
    characters; those of `texts` may not be empty.
    """
    limits = {"description": LIMITS.description_characters, **(texts or {})}
    found, problems = dict(given), list[Problem]()
    if "name" in given:
        try:
            found["name"] = clean_name(given["name"])
        except Invalid as error:
            problems += error.problems
    if given.get("visibility", Visibility.PRIVATE) not in Visibility.values:
        words = _("Choose one of: %(known)s.") % {"known": ", ".join(Visibility.values)}
        problems.append(Problem("visibility", words))
    for field, most in limits.items():
        problems += _wrong_text(field, given[field], most, needed=field != "description") if field in given else []
    if problems:
        raise Invalid(problems)
    return found


def _wrong_text(field: str, value: str, most: int, *, needed: bool) -> list[Problem]:
    if needed and not value.strip():
        return [Problem(field, _("Write something."))]
    return [said(problem.under(field)) for problem in text_problems(value, most)]
