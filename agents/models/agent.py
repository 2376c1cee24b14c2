"""Agent: what is tested (PL-21), and the helpers, which are agents of the platform."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.access import SharedQuerySet
from accounts.models import NamedResource
from core.json_text import JsonText


class AgentKind(models.TextChoices):
    """Who runs it (PL-21); a judge is run by Casebook to grade what the others answer (SC-D1)."""

    MODEL = "model", _("Model: Casebook runs it")
    ENDPOINT = "endpoint", _("Endpoint: your service answers")
    EXTERNAL = "external", _("External: runs arrive through the API")
    JUDGE = "judge", _("Judge: grades answers")


class AgentState(models.TextChoices):
    """Whether it is still in use; an archived agent answers no more and keeps its runs."""

    ACTIVE = "active", pgettext_lazy("an agent", "Active")
    ARCHIVED = "archived", pgettext_lazy("an agent", "Archived")


class Helper(models.TextChoices):
    """The system agents: defined in code, one row each per organisation, never created or published by a user."""

    JUDGE = "judge", _("Judge")
    CASE_GENERATOR = "case_generator", _("Case generator")
    IMPROVER = "improver", _("Improver")


class AgentQuerySet(SharedQuerySet["Agent"]):
    """Questions about agents."""

    def tested(self) -> "AgentQuerySet":
        """Those that people make and test; helpers and judges, which nobody talks to, are left out."""
        return self.filter(helper="").exclude(kind=AgentKind.JUDGE)

    def active(self) -> "AgentQuerySet":
        """Those in use."""
        return self.filter(state=AgentState.ACTIVE)


class Agent(NamedResource):
    """The row that is locked while a version is published or the draft is saved.

    `draft` is the specification that an editor works on (its shape by kind: agents/logic/specs.py); each saving counts
    `draft_revision` up, so that two editors do not overwrite each other. `newest_version` is 0 until the first is
    published. `monthly_budget` is in USD a calendar month, null without a bound (PL-25).
    """

    kind = models.CharField(_("kind"), max_length=8, choices=AgentKind.choices)
    helper = models.CharField(max_length=16, choices=Helper.choices, blank=True, default="", editable=False)
    state = models.CharField(_("state"), max_length=8, choices=AgentState.choices, default=AgentState.ACTIVE)
    monthly_budget = models.DecimalField(_("monthly budget"), max_digits=12, decimal_places=2, null=True, blank=True)
    draft = JsonText(default=dict, editable=False)
    draft_revision = models.PositiveIntegerField(default=1, editable=False)
    draft_changed_at = models.DateTimeField(default=timezone.now, editable=False)
    newest_version = models.PositiveIntegerField(default=0, editable=False)

    objects = AgentQuerySet.as_manager()

    class Meta(NamedResource.Meta):
        verbose_name = _("agent")
        verbose_name_plural = _("agents")
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="agent_has_a_name"),
            models.UniqueConstraint(
                fields=["organisation", "helper"], condition=~Q(helper=""), name="helper_once_an_organisation"
            ),
            models.CheckConstraint(
                condition=Q(monthly_budget=None) | Q(monthly_budget__gte=0), name="agent_budget_is_not_negative"
            ),
        ]
        indexes = [models.Index(fields=["organisation", "-changed_at", "-id"], name="agent_by_change")]

    @property
    def is_helper(self) -> bool:
        return bool(self.helper)

    @property
    def is_active(self) -> bool:
        return self.state == AgentState.ACTIVE
