"""SharedResource: what datasets, agents, skills and knowledge bases share: owner, visibility, grants (PL-5)."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.access import GRANT_PERMISSIONS
from accounts.models.member import Member
from accounts.models.organisation import Organisation


class Visibility(models.TextChoices):
    """Who sees a shared resource without a grant."""

    ORGANISATION = "organisation", _("Everyone in the organisation")
    PRIVATE = "private", _("Only the owner and those it is shared with")


class SharedResource(models.Model):
    """Abstract. A subclass takes `objects = SharedQuerySet.as_manager()` and a Grant model with its foreign key."""

    organisation = models.ForeignKey(Organisation, on_delete=models.CASCADE, related_name="+")
    owner = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="+", verbose_name=_("owner"))
    visibility = models.CharField(
        _("visibility"), max_length=12, choices=Visibility.choices, default=Visibility.ORGANISATION
    )

    class Meta:
        abstract = True
        permissions = GRANT_PERMISSIONS
