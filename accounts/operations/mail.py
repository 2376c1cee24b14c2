"""Mail that accounts sends: the invitation. Only where a mail server is set up, since a log must not hold links."""

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from accounts.models import Invitation
from core.limits import LIMITS


def mail_is_set_up() -> bool:
    """Whether EMAIL_URL names a server."""
    return bool(settings.EMAIL_IS_SET_UP)


def send_invitation(invitation: Invitation, *, link: str) -> None:
    """Mail the link to the invited address; call it after the commit."""
    if not mail_is_set_up():
        return
    context = {"invitation": invitation, "link": link, "days": LIMITS.invitation_days}
    send_mail(
        subject=_("Join %(organisation)s on Casebook") % {"organisation": invitation.organisation.name},
        message=render_to_string("accounts/mail/invitation.txt", context),
        from_email=None,
        recipient_list=[invitation.email],
    )
