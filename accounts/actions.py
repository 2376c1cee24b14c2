"""How the audit page names actions; an app adds its own in `AppConfig.ready()`: `name_actions({"case.added": …})`."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_labels: dict[str, str | Promise] = {
    "api_key.issued": _("API key issued"),
    "api_key.revoked": _("API key revoked"),
    "audit.exported": _("Audit log exported"),
    "invitation.accepted": _("Invitation accepted"),
    "invitation.created": _("Member invited"),
    "invitation.revoked": _("Invitation withdrawn"),
    "member.left": _("Left the organisation"),
    "member.removed": _("Member removed"),
    "member.role_changed": _("Role changed"),
    "organisation.created": _("Organisation created"),
    "organisation.limits_changed": _("Budget or retention changed"),
    "organisation.renamed": _("Organisation renamed"),
    "organisation.set_up": _("Casebook set up"),
    "person.erased": _("Person erased"),
    "person.erasure_asked": _("Erasure asked for"),
    "person.export_asked": _("Data export asked for"),
    "person.export_read": _("Data export fetched"),
    "person.exported": _("Data export made"),
    "user.login_changed_by_operator": _("Login changed by an operator"),
    "user.password_changed": _("Password changed"),
    "user.password_reset": _("Password reset"),
    "user.preferences_changed": _("Own settings changed"),
    "user.recovery_codes_made": _("Recovery codes made"),
    "user.sign_in_failed": _("Sign-in failed"),
    "user.signed_in": _("Signed in"),
    "user.single_sign_on_connected": _("Single sign-on connected"),
    "user.single_sign_on_removed": _("Single sign-on removed"),
    "user.two_factor_off": _("Two-factor switched off"),
    "user.two_factor_on": _("Two-factor switched on"),
}


def name_actions(labels: Mapping[str, str | Promise]) -> None:
    """Say how the audit page names an app's actions."""
    _labels.update(labels)


def action_label(action: str) -> str:
    """The action in words; one that nobody named is spelled out: `case.added` is "Case: added"."""
    return str(_labels.get(action) or action.replace(".", ": ").replace("_", " ").capitalize())
