"""Whether there is anybody yet."""

from accounts.models import User


def is_set_up() -> bool:
    """Whether a user exists; until then every page leads to the set-up page."""
    return User.objects.exists()
