"""Worker: a process that works on a test run at this moment."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.ids import new_id
from evals.models.eval_run import EvalRun


class Worker(models.Model):
    """It believes itself alive until `alive_until`, and is believed so by others (EV-D29).

    `places` are how many calls it may have in flight, `wanted` how many it could use: what an organisation has goes
    round its workers (EV-D21). One that `is_leaving` begins nothing new and only waits for its calls, so that the next
    may take its place at the run.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    run = models.ForeignKey(EvalRun, on_delete=models.CASCADE, related_name="workers")
    places = models.PositiveSmallIntegerField(default=0)
    wanted = models.PositiveSmallIntegerField(default=0)
    is_leaving = models.BooleanField(default=False)
    alive_until = models.DateTimeField()

    class Meta:
        verbose_name = _("worker at a test run")
        verbose_name_plural = _("workers at test runs")
        indexes = [models.Index(fields=["alive_until"], name="eval_worker_by_life")]

    def __str__(self) -> str:
        return str(self.pk)
