"""NamedResource: a shared resource with the name and the description that people give it."""

from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models.shared_resource import SharedResource
from core.folding import fold
from core.ids import new_id
from core.limits import LIMITS


class NamedResource(SharedResource):
    """Abstract. `name_folded` is what search and the warning about equal names compare (DS-D10, BC-53)."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(_("name"), max_length=LIMITS.name_characters)
    name_folded = models.CharField(max_length=LIMITS.name_characters * 4, editable=False)
    description = models.TextField(_("description"), blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    changed_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta(SharedResource.Meta):
        abstract = True

    def __str__(self) -> str:
        return self.name

    @property
    def id_text(self) -> str:
        return str(self.pk)

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.name_folded = fold(self.name)[: LIMITS.name_characters * 4]
        super().save(*args, **kwargs)
