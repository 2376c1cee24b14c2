"""What an organisation may spend in a month, and how long it keeps runs (PL-25, PL-34)."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import access, audit
from accounts.actor import Actor
from accounts.models import Organisation
from accounts.operations.budgets import budget_problems
from accounts.permissions import Permission
from core.errors import Invalid, Problem
from core.limits import LIMITS


@transaction.atomic
def change_organisation_limits(actor: Actor, *, changes: Mapping[str, Any]) -> Organisation:
    """Change what is given of `monthly_budget` (USD) and `retention_days`; None takes the bound away.

    Fewer days delete what is older with the next daily job. Raises `NotAllowed` without `organisation:manage`,
    `Invalid` naming the field.
    """
    access.require(actor, Permission.ORGANISATION_MANAGE)
    problems = [problem for name, value in changes.items() for problem in CHECKS[name](value)]
    if problems:
        raise Invalid(problems)
    organisation = Organisation.objects.select_for_update(no_key=True).get(pk=actor.organisation_id)
    before = {name: getattr(organisation, name) for name in changes}
    changed = [name for name, value in changes.items() if before[name] != value]
    if changed:
        for name in changed:
            setattr(organisation, name, changes[name])
        organisation.save(update_fields=changed)
        values = {name: {"before": _said(before[name]), "after": _said(changes[name])} for name in changed}
        audit.record(actor, "organisation.limits_changed", organisation, fields=sorted(changed), **values)
    return organisation


def _said(value: Decimal | int | None) -> str | int | None:
    return str(value) if isinstance(value, Decimal) else value


def _retention_problems(value: int | None) -> list[Problem]:
    if value is None or 1 <= value <= LIMITS.retention_days:
        return []
    words = _("A number of days from 1 to %(most)s.")
    return [Problem("retention_days", words % {"most": f"{LIMITS.retention_days:,}"})]


CHECKS: Mapping[str, Callable[[Any], list[Problem]]] = {
    "monthly_budget": budget_problems,
    "retention_days": _retention_problems,
}
