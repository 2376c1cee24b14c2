"""Connection: a provider of language models with its address and its key (PL-20)."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Organisation
from agents.logic.targets import Provider, Target
from core.encryption import decrypt, encrypt
from core.ids import new_id
from core.limits import LIMITS


class ProviderChoice(models.TextChoices):
    """The providers as people read them."""

    OPENAI = Provider.OPENAI.value, _("OpenAI")
    AZURE = Provider.AZURE.value, _("Azure OpenAI")
    COMPATIBLE = Provider.COMPATIBLE.value, _("OpenAI-compatible endpoint")


class Connection(models.Model):
    """The key is stored encrypted and never shown again; `has_key` says whether there is one.

    `requests_a_minute` and `tokens_a_minute` are what test runs and judges send with this key at the most, null without
    a bound (EV-D22).
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    organisation = models.ForeignKey(Organisation, on_delete=models.CASCADE, related_name="connections")
    name = models.CharField(_("name"), max_length=LIMITS.name_characters)
    provider = models.CharField(_("provider"), max_length=12, choices=ProviderChoice.choices)
    base_url = models.CharField(_("address"), max_length=LIMITS.url_characters, blank=True)
    api_version = models.CharField(_("API version"), max_length=LIMITS.api_version_characters, blank=True)
    encrypted_key = models.TextField(blank=True, editable=False)
    key_set_at = models.DateTimeField(null=True, editable=False)
    requests_a_minute = models.PositiveIntegerField(_("requests a minute"), null=True, blank=True)
    tokens_a_minute = models.PositiveIntegerField(_("tokens a minute"), null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("connection")
        verbose_name_plural = _("connections")
        indexes = [models.Index(fields=["organisation", "name"], name="connection_by_name")]

    def __str__(self) -> str:
        return self.name

    @property
    def id_text(self) -> str:
        return str(self.pk)

    @property
    def has_key(self) -> bool:
        return bool(self.encrypted_key)

    def set_key(self, key: str) -> None:
        """Keep the key, encrypted; an empty one takes it away."""
        self.encrypted_key = encrypt(key) if key else ""
        self.key_set_at = timezone.now() if key else None

    def target(self) -> Target:
        """Where its models are asked, with the key; raises `core.encryption.Undecryptable`."""
        key = decrypt(self.encrypted_key) if self.encrypted_key else ""
        rates = (self.requests_a_minute, self.tokens_a_minute)
        return Target(Provider(self.provider), self.base_url, self.api_version, key, *rates)
