"""What every named resource asks of what people type, and how its details change: agents, skills, knowledge bases."""

from collections.abc import Mapping
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.actor import Actor
from accounts.models import NamedResource, Visibility
from accounts.operations.naming import clean_name
from accounts.operations.sharing import change_visibility
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


def change_named_resource(
    actor: Actor, thing: NamedResource, *, wanted: Mapping[str, Any], counted: str = ""
) -> NamedResource:
    """Store what of `wanted` differs, in one audit entry that names the fields; the visibility has one of its own.

    `counted` is a field of the thing that counts its changes. The thing is locked and may be edited: the caller asked.
    """
    given = dict(wanted)
    if "visibility" in given:
        thing.visibility = change_visibility(actor, thing, visibility=given.pop("visibility")).visibility
    changed = sorted(field for field, value in given.items() if getattr(thing, field) != value)
    if not changed:
        return thing
    for field in changed:
        setattr(thing, field, given[field])
    more: dict[str, int] = {}
    if counted:
        more[counted] = getattr(thing, counted) + 1
        setattr(thing, counted, more[counted])
    thing.changed_at = timezone.now()
    thing.save()
    audit.record(actor, f"{thing._meta.model_name}.changed", thing, fields=changed, **more)
    return thing


def _wrong_text(field: str, value: str, most: int, *, needed: bool) -> list[Problem]:
    if needed and not value.strip():
        return [Problem(field, _("Write something."))]
    return [said(problem.under(field)) for problem in text_problems(value, most)]
