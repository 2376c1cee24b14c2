"""User: somebody who can sign in, by e-mail address (PL-1)."""

from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.ids import new_id
from core.limits import LIMITS


class UserManager(BaseUserManager["User"]):
    """Makes users; addresses are kept in lower case, so that one mailbox is one user."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=(username or "").strip().lower())


class User(AbstractBaseUser, PermissionsMixin):
    """A login. What a user may do depends on the organisation: see Member."""

    audit_label = ""

    class Theme(models.TextChoices):
        SYSTEM = "system", _("As the system")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    class Tour(models.TextChoices):
        """How far the guided tour went; empty where it was never begun (DS-D67)."""

        RUNNING = "running", _("Running")
        FINISHED = "finished", _("Finished")
        DISMISSED = "dismissed", _("Dismissed")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    email = models.EmailField(_("e-mail"), unique=True)
    name = models.CharField(_("name"), max_length=LIMITS.name_characters, blank=True)
    language = models.CharField(_("language"), max_length=10, blank=True)
    theme = models.CharField(_("theme"), max_length=10, choices=Theme.choices, default=Theme.SYSTEM)
    comfortable_rows = models.BooleanField(_("taller table rows"), default=False)
    tour = models.CharField(_("guided tour"), max_length=10, choices=Tour.choices, blank=True, editable=False)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False, help_text=_("May open the operators' admin."))
    erased_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: list[str] = []  # type: ignore[misc]

    objects = UserManager()

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        constraints = [models.UniqueConstraint(Lower("email"), name="user_email_is_unique_in_any_case")]

    def __str__(self) -> str:
        return gettext("Erased person") if self.erased_at else self.name or self.email

    def get_full_name(self) -> str:
        return str(self)
