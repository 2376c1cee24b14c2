"""Document and Passage: a file of a knowledge base, and the pieces of it that a search finds (PL-24)."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Member
from agents.models.knowledge_base import KnowledgeBase
from core.ids import new_id
from core.limits import LIMITS


class DocumentKind(models.TextChoices):
    """What a document was read as; its content decides, not its name alone."""

    TEXT = "text", _("Text")
    MARKDOWN = "markdown", _("Markdown")
    PDF = "pdf", _("PDF")


class Document(models.Model):
    """What was read of one file. The file itself is not kept: agents read passages.

    `bytes` and `sha256` are those of the file, `characters` of the text in it; `pages` is null where there are none.
    `added_by` is null once the person was erased.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    knowledge_base = models.ForeignKey(KnowledgeBase, on_delete=models.CASCADE, related_name="documents")
    name = models.CharField(_("name"), max_length=LIMITS.document_name_characters)
    name_folded = models.CharField(max_length=LIMITS.document_name_characters * 4, editable=False)
    kind = models.CharField(_("kind"), max_length=8, choices=DocumentKind.choices)
    bytes = models.PositiveIntegerField(_("size"))
    characters = models.PositiveIntegerField(_("characters"))
    pages = models.PositiveIntegerField(_("pages"), null=True)
    passage_count = models.PositiveIntegerField(_("passages"))
    sha256 = models.CharField(max_length=64, editable=False)
    added_by = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, related_name="+")
    added_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("document")
        verbose_name_plural = _("documents")
        constraints = [
            models.UniqueConstraint(fields=["knowledge_base", "sha256"], name="document_once_a_knowledge_base")
        ]
        indexes = [models.Index(fields=["knowledge_base", "-added_at", "-id"], name="document_by_age")]

    def __str__(self) -> str:
        return self.name

    @property
    def id_text(self) -> str:
        return str(self.pk)


class Passage(models.Model):
    """A piece of a document with where it stands: under which heading, on which page (null where there are none).

    `words` is what the full-text index reads. The base is named here too, so that a search asks one table.
    """

    id = models.BigAutoField(primary_key=True)
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="passages", db_index=False)
    knowledge_base = models.ForeignKey(KnowledgeBase, on_delete=models.CASCADE, related_name="+", db_index=False)
    position = models.PositiveIntegerField()
    heading = models.CharField(max_length=LIMITS.heading_characters, blank=True)
    page = models.PositiveIntegerField(null=True)
    text = models.TextField()
    words = models.TextField(editable=False)

    class Meta:
        verbose_name = _("passage")
        verbose_name_plural = _("passages")
        constraints = [models.UniqueConstraint(fields=["document", "position"], name="passage_position_is_unique")]
        indexes = [models.Index(fields=["knowledge_base", "id"], name="passage_by_base")]

    def __str__(self) -> str:
        return f"{self.document_id} {self.position}"
