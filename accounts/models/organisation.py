"""Organisation: the tenant. Nothing is ever visible across organisations."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.ids import new_id
from core.limits import LIMITS


class Organisation(models.Model):
    """A team and everything it keeps."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(_("name"), max_length=LIMITS.name_characters)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("organisation")
        verbose_name_plural = _("organisations")

    def __str__(self) -> str:
        return self.name
