"""The accounts app's configuration."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from accounts import privacy


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        privacy.register(
            "accounts",
            erase="accounts.operations.erasure.erase_account_of",
            export="accounts.operations.erasure.export_account_of",
            counts={
                "exports": _("Earlier data exports emptied"),
                "invitations": _("Invitations without their address"),
                "api_keys": _("API keys without their name"),
                "members": _("Memberships without a name"),
                "users": _("Logins removed"),
            },
        )
