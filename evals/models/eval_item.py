"""EvalItem: one case in a test run, with the revision that was asked."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.ids import new_id
from core.json_text import JsonText
from datasets.models import Case, CaseRevision
from evals.models.eval_run import EvalRun


class EvalItem(models.Model):
    """`position` is the case's place in the dataset, `tags` are those of the revision (EV-12)."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    run = models.ForeignKey(EvalRun, on_delete=models.CASCADE, related_name="items", db_index=False)
    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="+")
    revision = models.ForeignKey(CaseRevision, on_delete=models.CASCADE, related_name="+")
    position = models.PositiveBigIntegerField()
    tags = JsonText(default=list)

    class Meta:
        verbose_name = _("case of a test run")
        verbose_name_plural = _("cases of a test run")
        constraints = [models.UniqueConstraint(fields=["run", "case"], name="case_once_an_eval_run")]
        indexes = [models.Index(fields=["run", "position"], name="eval_item_in_order")]

    def __str__(self) -> str:
        return f"{self.run_id} {self.case_id}"
