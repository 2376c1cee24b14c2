"""Authorship: whose words a revision holds, kept so that an erasure finds them after the conversation is gone."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Person
from datasets.models.case_revision import CaseRevision


class WordsIn(models.TextChoices):
    """Which part of a case somebody wrote; an agent's answer follows the person it answers (ACC-D38)."""

    QUESTION = "question", _("Question")
    TURN = "turn", _("Earlier turn")
    NOTE = "note", _("Note")


class Authorship(models.Model):
    """One person wrote one part of one revision (ACC-55, ACC-D41).

    Read by erasures and by exports of a person's data, and by nothing else: no page, answer, file or operators' view
    shows it (ACC-56, ACC-57). So neither revision nor person has a way back to it. `turn` counts the earlier turns from
    0. An edited turn may hold words of several persons, so a turn may have several rows.
    """

    # Rows go before their revisions do, in one statement; a cascade would read every revision into memory first.
    revision = models.ForeignKey(CaseRevision, on_delete=models.DO_NOTHING, related_name="+", db_index=False)
    field = models.CharField(max_length=8, choices=WordsIn.choices)
    turn = models.PositiveSmallIntegerField(null=True)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+", db_index=False)

    class Meta:
        verbose_name = _("authorship")
        verbose_name_plural = _("authorships")
        constraints = [
            models.UniqueConstraint(
                fields=["revision", "field", "person"], condition=Q(turn=None), name="author_of_a_field_is_named_once"
            ),
            models.UniqueConstraint(
                fields=["revision", "turn", "person"],
                condition=Q(turn__isnull=False),
                name="author_of_a_turn_is_named_once",
            ),
            models.CheckConstraint(
                condition=Q(field="turn", turn__isnull=False) | ~Q(field="turn") & Q(turn=None),
                name="author_of_a_turn_names_the_turn",
            ),
        ]
        indexes = [
            models.Index(fields=["person", "revision"], name="authorship_by_person"),
            models.Index(fields=["revision"], name="authorship_by_revision"),
        ]

    def __str__(self) -> str:
        return f"{self.revision_id} {self.field}"
