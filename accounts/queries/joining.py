"""What the page behind an invitation's link has to know."""

from accounts.models import User


def has_login(email: str) -> bool:
    """Whether the invited address has a login, so that its owner signs in and needs no new password."""
    return User.objects.filter(email=email).exists()
