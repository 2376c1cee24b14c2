"""AgentSecret: a key that an endpoint or a tool of an agent is called with, stored encrypted (PL-21, PL-22)."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from agents.models.agent import Agent
from core.encryption import decrypt, encrypt
from core.limits import LIMITS


class AgentSecret(models.Model):
    """A specification names it; the value stays here, so that no version, difference or export holds it."""

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="secrets")
    name = models.CharField(_("name"), max_length=LIMITS.name_characters)
    encrypted_value = models.TextField(editable=False)
    set_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("secret")
        verbose_name_plural = _("secrets")
        constraints = [models.UniqueConstraint(fields=["agent", "name"], name="secret_once_an_agent")]

    def __str__(self) -> str:
        return self.name

    def set_value(self, value: str) -> None:
        """Keep the value, encrypted."""
        self.encrypted_value = encrypt(value)
        self.set_at = timezone.now()

    def value(self) -> str:
        """What is sent; raises `core.encryption.Undecryptable`."""
        return decrypt(self.encrypted_value)
