"""Making logins and changing what somebody chose for themselves."""

from typing import Any

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.actor import Actor
from accounts.models import User
from accounts.operations.naming import clean_email, clean_name
from core.errors import Invalid, NotAllowed, Problem

PREFERENCES = ("name", "language", "theme", "comfortable_rows")


def new_user(*, email: str, name: str, password: str) -> User:
    """Make a login inside the caller's transaction; raises `Invalid` naming `email`, `name` or `password`.

    An address that is taken raises IntegrityError for the caller, who knows what to say about it.
    """
    draft = User(email=clean_email(email), name=clean_name(name))
    check_password(password, user=draft)
    return User.objects.create_user(draft.email, password, name=draft.name)


def check_password(password: Any, *, user: User) -> None:
    """Raise `Invalid` at `password` with every rule of Django's validators that it breaks (PL-9)."""
    if not isinstance(password, str) or not password:
        raise Invalid.at("password", _("Enter a password."))
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Invalid(Problem("password", message) for message in error.messages) from None


@transaction.atomic
def update_preferences(actor: Actor, **chosen: Any) -> list[str]:
    """Change the acting member's own name, language, theme or row height; the names of the fields that changed.

    Raises `Invalid` naming the field, `NotAllowed` for a key: these belong to the person at the screen.
    """
    if actor.member is None or actor.key is not None:
        raise NotAllowed
    user = User.objects.select_for_update(no_key=True).get(pk=actor.member.user_id)
    changed = [field for field, value in _checked(chosen).items() if _put(user, field, value)]
    if changed:
        user.save(update_fields=changed)
        audit.record(actor, "user.preferences_changed", user, fields=changed)
    return changed


@transaction.atomic
def set_tour(actor: Actor, *, state: str) -> None:
    """Remember that the acting member's guided tour runs, was finished or was dismissed (DS-D67).

    No entry in the log: it tells nothing that anybody would look for. Raises `Invalid` naming `state`, `NotAllowed`
    for a key.
    """
    if actor.member is None or actor.key is not None:
        raise NotAllowed
    if state not in User.Tour.values:
        raise Invalid.at("state", _("Choose one of: %(known)s.") % {"known": ", ".join(User.Tour.values)})
    User.objects.filter(pk=actor.member.user_id).update(tour=state)


def _put(user: User, field: str, value: Any) -> bool:
    before = getattr(user, field)
    setattr(user, field, value)
    return bool(before != value)


def _checked(chosen: dict[str, Any]) -> dict[str, Any]:
    unknown = set(chosen) - set(PREFERENCES)
    if unknown:
        raise Invalid(Problem(field, _("There is no such preference.")) for field in sorted(unknown))
    if "name" in chosen:
        chosen["name"] = clean_name(chosen["name"])
    if chosen.get("language") and chosen["language"] not in dict(settings.LANGUAGES):
        raise Invalid.at("language", _("Choose one of the languages."))
    if "theme" in chosen and chosen["theme"] not in User.Theme.values:
        raise Invalid.at("theme", _("Choose one of the themes."))
    return chosen
