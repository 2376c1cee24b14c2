"""SharedResource: what datasets, agents, skills and knowledge bases share: owner, visibility, grants (PL-5)."""

from typing import ClassVar

from django.apps import apps
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.access import GRANT_PERMISSIONS
from accounts.models.member import Member
from accounts.models.organisation import Organisation
from accounts.permissions import Permission


class Visibility(models.TextChoices):
    """Who sees a shared resource without a grant."""

    ORGANISATION = "organisation", _("Everyone in the organisation")
    PRIVATE = "private", _("Only the owner and those it is shared with")


class SharedResource(models.Model):
    """Abstract. A subclass takes `objects = SharedQuerySet.as_manager()` and a Grant model with its foreign key.

    `permission_noun` is what stands before the colon of its permissions: `<model name>s` where it is left empty.
    """

    permission_noun: ClassVar[str] = ""

    organisation = models.ForeignKey(Organisation, on_delete=models.CASCADE, related_name="+")
    owner = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="+", verbose_name=_("owner"))
    visibility = models.CharField(
        _("visibility"), max_length=12, choices=Visibility.choices, default=Visibility.ORGANISATION
    )

    class Meta:
        abstract = True
        permissions = GRANT_PERMISSIONS  # type: ignore[assignment]

    @classmethod
    def permission_to(cls, verb: str) -> Permission:
        """The permission of this kind of thing: `Dataset.permission_to("edit")` is `datasets:edit`."""
        return Permission(f"{cls.permission_noun or f'{cls._meta.model_name}s'}:{verb}")


def shared_models() -> list[type[SharedResource]]:
    """Every kind of shared resource that is installed, whichever app owns it."""
    return [model for model in apps.get_models() if issubclass(model, SharedResource)]
